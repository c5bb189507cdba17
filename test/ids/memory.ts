import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Watches the provider hosts that Pulumi starts for a project. */
export interface MemoryWatch {
  /** The most memory that any of them had at one time, in bytes; undefined where the system does not tell. */
  stop(): number | undefined;
}

const everyMs = 50;

/** Starts watching; `folder`: where the project is. Only Linux tells how much memory a process had at most. */
export function watchHosts(folder: string): MemoryWatch {
  let most: number | undefined;
  const timer = setInterval(() => {
    for (const peak of hostsOf(folder).map(peakOf)) {
      if (peak !== undefined) most = Math.max(most ?? 0, peak);
    }
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

function hostsOf(folder: string): string[] {
  return entries("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    const command = textOf(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
    if (!command.includes("dynamic-provider")) return false;
    return textOf(() => readlinkSync(`/proc/${pid}/cwd`)) === folder;
  });
}

function peakOf(pid: string): number | undefined {
  const [, kilobytes] =
    /^VmHWM:\s+(\d+) kB$/m.exec(textOf(() => readFileSync(`/proc/${pid}/status`, "utf8"))) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A process may end between two looks at it. */
function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
