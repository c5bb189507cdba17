/** A package of a lockfile, as far as it matters here. */
export interface LockedPackage {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

/** A lockfile of npm, version 3. */
export interface Lockfile {
  packages: Record<string, LockedPackage>;
}

/** Optional packages that the lockfile leaves out, by their place. */
export function missingPackages({ packages }: Lockfile): Record<string, LockedPackage> {
  const missing: Record<string, LockedPackage> = {};
  for (const parent of Object.values(packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      const place = `node_modules/${name}`;
      if (packages[place] !== undefined || !/^\d/.test(version)) continue;
      missing[place] = { version, ...(parent.dev ? { dev: true } : {}), optional: true, ...platformOf(name) };
    }
  }
  return missing;
}

/**
 * A lockfile that names every optional package. npm leaves out those that a registry does not serve, binaries of other
 * platforms most of all, and `npm ci` then refuses the lockfile everywhere.
 */
export function completed<L extends Lockfile>(lockfile: L): L {
  const packages = { ...lockfile.packages, ...missingPackages(lockfile) };
  const sorted = Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...lockfile, packages: Object.fromEntries(sorted) };
}

const systems = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const processors = ["arm64", "arm", "ia32", "loong64", "ppc64", "riscv64", "s390x", "x64"];

/** Makers of binaries put the platform into the name: `binding-linux-arm-musleabihf`. */
function platformOf(name: string): Pick<LockedPackage, "os" | "cpu" | "libc"> {
  const words = name.split("/").at(-1)?.split("-") ?? [];
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  const last = words.at(-1) ?? "";
  const libc =
    os[0] !== "linux"
      ? undefined
      : last.startsWith("musl")
        ? "musl"
        : last.startsWith("gnu")
          ? "glibc"
          : undefined;
  if (os.length === 0 || cpu.length === 0)
    throw new Error(`The platform of ${name} cannot be told from its name.`);
  return { os, cpu, ...(libc === undefined ? {} : { libc: [libc] }) };
}
