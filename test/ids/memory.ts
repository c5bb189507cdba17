import { readdirSync, readlinkSync } from "node:fs";
import { isProviderHost, peakBytes } from "../../scripts/process/provider-host";

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
    for (const peak of hostsOf(folder).map(peakBytes)) {
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

function hostsOf(folder: string): number[] {
  const pids = entries("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  return pids.filter((pid) => isProviderHost(pid) && folderOf(pid) === folder);
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined when the process has ended: it may between two looks at it. */
function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
