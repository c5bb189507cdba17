import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { isolatedState, pulumiEnvironment, repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { type CheckResult, checks, type DoctorPorts, examine, pulumiIn } from "../../src/tools/doctor";

/** What every project of these tests uses as the version of the package. */
export const versions = { own: "1.2.3", sdk: ">=3.268.0 <4" };

/** What of an examination is not as usual. `env`: the settings. */
export type Examined = Partial<DoctorPorts> & { env?: Record<string, string>; only?: string };

/** A project in a temporary folder, with the real CLI and a state of its own. */
export interface Workshop {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Writes a file of the project; an object as JSON. */
  write(file: string, content: unknown): void;
  /** Puts a package of that version into a `node_modules` of the project. */
  install(version: string, below?: string): void;
  /** Runs the CLI. */
  pulumi: DoctorPorts["pulumi"];
  /** Results of the doctor by name. `only`: one check, and those that it needs. */
  examine(more?: Examined): Promise<Record<string, CheckResult>>;
  /** Makes everything as it was at first, without a run of the CLI. */
  reset(): void;
  close(): void;
}

/** Makes a project in which all is well, but that it has no settings. */
export async function openWorkshop(): Promise<Workshop> {
  const room = mkdtempSync(path.join(tmpdir(), "doctor-"));
  const [home, atFirst] = [path.join(room, "home"), path.join(room, "at-first")];
  const copy = (from: string, to: string) => cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  const folder = path.join(home, "project");
  const { env: found } = await pulumiEnvironment(cleanEnvironment());
  const env = { ...found, ...(await isolatedState(path.join(home, "pulumi"))) };
  const write = (file: string, content: unknown) => {
    const place = path.join(folder, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, typeof content === "string" ? content : JSON.stringify(content));
  };
  const install = (version: string, below = ".") => {
    const place = path.join(below, "node_modules", "pulumi-feature-console");
    const exports = { "./dynamic/v1": "./v1.js", "./package.json": "./package.json" };
    write(path.join(place, "package.json"), { name: "pulumi-feature-console", version, exports });
    write(path.join(place, "v1.js"), "");
  };
  write("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
  write("package.json", { main: "index.ts", dependencies: { "pulumi-feature-console": "*" } });
  write("index.ts", "");
  install(versions.own);
  mkdirSync(path.join(folder, "node_modules", "@pulumi"));
  for (const name of ["typescript", "@pulumi/pulumi"])
    symlinkSync(path.join(repositoryRoot, "node_modules", name), path.join(folder, "node_modules", name));
  const pulumi = remembering(pulumiIn(folder, env), home);
  await pulumi(["stack", "init", "dev"]);
  copy(home, atFirst);
  return {
    ...{ folder, env, write, install, pulumi },
    async examine({ env: settings = {}, only, ...more } = {}) {
      const ports: DoctorPorts = {
        ...{ folder, versions, stack: undefined, node: process.versions.node, now: Date.now },
        ...{ environment: settings, isAlive: () => true, pulumi, purpose: "preview" },
        ...more,
      };
      const results = await examine(ports, () => undefined, only === undefined ? checks : chosenFor(only));
      return Object.fromEntries(results.map((result) => [result.name, result]));
    },
    reset() {
      rmSync(home, { recursive: true });
      copy(atFirst, home);
    },
    close: () => rmSync(room, { recursive: true }),
  };
}

/** Questions of the doctor that change nothing. */
const questions = ["version", "plugin ls", "whoami", "config --json", "stack --show-name", "stack export"];

/** The CLI, but a question that it has answered with the same files in a folder is answered so again. */
function remembering(pulumi: DoctorPorts["pulumi"], folder: string): DoctorPorts["pulumi"] {
  const answers = new Map<string, ReturnType<DoctorPorts["pulumi"]>>();
  return (args) => {
    const line = args.join(" ");
    if (!questions.some((question) => line.startsWith(question))) return pulumi(args);
    const known = `${line}\n${digestOf(folder)}`;
    const answer = answers.get(known) ?? pulumi(args);
    answers.set(known, answer);
    return answer;
  };
}

/** A digest of the files in a folder, but for those of packages and those that the CLI keeps for itself. */
function digestOf(folder: string): string {
  const hash = createHash("sha256");
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && !/node_modules|pulumi\/home/.test(file))
      hash.update(file).update(readFileSync(file));
  }
  return hash.digest("hex");
}

function chosenFor(name: string): typeof checks {
  const needed = new Set<string>();
  const need = (one: string) => {
    needed.add(one);
    for (const next of checks.find((check) => check.name === one)?.needs ?? []) need(next);
  };
  need(name);
  return checks.filter((check) => needed.has(check.name));
}
