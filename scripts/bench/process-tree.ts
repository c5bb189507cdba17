import { existsSync, readdirSync } from "node:fs";
import { isProgramHost, isProviderHost, peakBytes, procText, residentBytes } from "../process/provider-host";

/** What a process and all that it started used. Undefined where the system has no /proc. */
export interface TreeUse {
  /** Seconds of processor time of all processes, to the last sample. */
  readonly cpuSeconds: number | undefined;
  /** Largest resident memory of Pulumi's host of dynamic providers, bytes. */
  readonly hostPeakBytes: number | undefined;
  /** Largest resident memory of the process that runs the program, bytes. */
  readonly programPeakBytes?: number | undefined;
  /** Seconds of processor time of that process. */
  readonly programCpuSeconds?: number | undefined;
  /** Largest sum of the resident memory of all processes at one time, bytes. */
  readonly sumPeakBytes?: number | undefined;
}

/** Samples of a process tree until the returned function is called. */
export function watchTree(root: number): () => TreeUse {
  if (!existsSync("/proc/self/stat")) return () => ({ cpuSeconds: undefined, hostPeakBytes: undefined });
  const cpuTicks = new Map<number, number>();
  let hostPeakBytes: number | undefined;
  let programPeakBytes: number | undefined;
  let programTicks: number | undefined;
  let sumPeakBytes = 0;
  const sample = () => {
    const processes = treeBelow(root);
    for (const { pid, ticks } of processes) {
      cpuTicks.set(pid, ticks);
      if (isProviderHost(pid)) hostPeakBytes = peakBytes(pid) ?? hostPeakBytes;
      if (isProgramHost(pid)) [programPeakBytes, programTicks] = [peakBytes(pid) ?? programPeakBytes, ticks];
    }
    const sum = processes.reduce((total, { pid }) => total + (residentBytes(pid) ?? 0), 0);
    sumPeakBytes = Math.max(sumPeakBytes, sum);
  };
  const timer = setInterval(sample, sampleMs);
  return () => {
    clearInterval(timer);
    const ticks = [...cpuTicks.values()].reduce((sum, one) => sum + one, 0);
    const programCpuSeconds = programTicks && programTicks / ticksPerSecond;
    return {
      ...{ cpuSeconds: ticks / ticksPerSecond, hostPeakBytes },
      ...{ programCpuSeconds, programPeakBytes, sumPeakBytes },
    };
  };
}

const sampleMs = 100;

/** The unit of times in /proc on every architecture that Node runs on. */
const ticksPerSecond = 100;

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

function treeBelow(root: number): Process[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

function readProcess(pid: number): Process[] {
  const stat = procText(pid, "stat");
  // The second member is the program's name in parentheses and may hold anything.
  const members = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (members === undefined) return [];
  return [{ pid, parent: Number(members[1]), ticks: Number(members[11]) + Number(members[12]) }];
}
