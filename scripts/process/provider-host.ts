import { readFileSync } from "node:fs";

/** True for Pulumi's host of dynamic providers, and for a native plugin of a benchmark. Only Linux tells. */
export function isProviderHost(pid: number): boolean {
  const command = procText(pid, "cmdline") ?? "";
  return /dynamic-provider|pulumi-resource-feature-console|idle-plugin/.test(command);
}

/** True for the process in which Pulumi runs a user's program in TypeScript. Only Linux tells. */
export function isProgramHost(pid: number): boolean {
  return /@pulumi\/pulumi\/cmd\/run(\0|\/|$)/.test(procText(pid, "cmdline") ?? "");
}

/** The memory that a process has now, bytes; undefined where the system does not tell. */
export function residentBytes(pid: number): number | undefined {
  return bytesOf(pid, /^VmRSS:\s*(\d+) kB$/m);
}

/** The most memory that a process had at one time, bytes; undefined where the system does not tell. */
export function peakBytes(pid: number): number | undefined {
  return bytesOf(pid, /^VmHWM:\s*(\d+) kB$/m);
}

function bytesOf(pid: number, line: RegExp): number | undefined {
  const kilobytes = line.exec(procText(pid, "status") ?? "")?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** A file of a process in /proc; undefined when the process has ended. */
export function procText(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return undefined;
  }
}
