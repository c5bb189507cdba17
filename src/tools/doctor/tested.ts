import type { TestedRange } from "../../tested-versions";
import { type Finding, ok, warning } from "./check";

/** A version that works, and how it stands to those that this package was tested with. `install`: what to type for the newest of these. */
export function judgedVersion(
  { text, version }: { readonly text: string; readonly version: string },
  { oldest, newest }: TestedRange,
  install: string,
): Finding {
  if (compared(version, oldest, 3) < 0)
    return warning(`${text}: older than ${oldest}, the oldest version tested`, install);
  // A newer patch of the newest version is no reason to worry.
  if (compared(version, newest, 2) > 0)
    return warning(`${text}: newer than ${newest}, the newest version tested`, `if it fails: ${install}`);
  return ok(text);
}

/** Below 0 where the first is older, by that many of its numbers. */
function compared(left: string, right: string, parts: number): number {
  const [one, other] = [left, right].map((version) => version.split(/[.+-]/).slice(0, parts).map(Number));
  const differences = (one ?? []).map((number, index) => number - (other?.[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}
