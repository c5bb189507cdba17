import { readdirSync, readlinkSync } from "node:fs";
import { isProviderHost, peakBytes } from "../../scripts/process/provider-host";

const everyMs = 50;

/**
 * Watches the provider hosts that Pulumi starts for a project. `stop` returns the most memory that any of them had, in bytes, which
 * only Linux tells.
 */
export function watchHosts(folder: string) {
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
