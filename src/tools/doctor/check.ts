import { gtr, lt } from "semver";
import { messageOf } from "../../provider/schema/errors";
import type { TestedRange } from "../../tested-versions";

/** End of a check. */
export type Verdict = "ok" | "warning" | "failed" | "not tried";

/** Finding of a check. */
export interface Finding {
  readonly verdict: Verdict;
  /** One line. */
  readonly text: string;
  /** Command to type, or another thing to do. */
  readonly advice?: string;
}

/** One thing to look at. */
export interface Check<Context> {
  /** One word, as it stands at the beginning of its line. */
  readonly name: string;
  /** Names of earlier checks without whose success this one cannot be tried. */
  readonly needs?: readonly string[];
  /** Time that it may take, milliseconds. */
  readonly limitMs?: number;
  run(context: Context): Promise<Finding> | Finding;
}

/** Finding of a check, with its name. */
export interface CheckResult extends Finding {
  readonly name: string;
}

const defaultLimitMs = 10_000;

/** All is well. */
export function ok(text: string): Finding {
  return { verdict: "ok", text };
}

/** It works, and may not do what is expected. */
export function warning(text: string, advice: string): Finding {
  return { verdict: "warning", text, advice };
}

/** Nothing will work before this is put right. */
export function failed(text: string, advice: string): Finding {
  return { verdict: "failed", text, advice };
}

/** Runs checks side by side. `tell` gets each result in the order of the table, as soon as those before it are there. */
export async function runChecks<Context>(
  checks: readonly Check<Context>[],
  context: Context,
  tell: (result: CheckResult) => void,
): Promise<readonly CheckResult[]> {
  const running = new Map<string, Promise<CheckResult>>();
  for (const check of checks) running.set(check.name, resultOf(check, context, running));
  const results: CheckResult[] = [];
  for (const result of running.values()) {
    results.push(await result);
    tell(await result);
  }
  return results;
}

async function resultOf<Context>(
  check: Check<Context>,
  context: Context,
  running: ReadonlyMap<string, Promise<CheckResult>>,
): Promise<CheckResult> {
  const { name, needs = [], limitMs = defaultLimitMs } = check;
  for (const need of needs) {
    const before = await running.get(need);
    if (before?.verdict === "failed" || before?.verdict === "not tried")
      return { name, verdict: "not tried", text: `fix "${need}" first` };
  }
  try {
    const found = Promise.resolve(check.run(context));
    return { name, ...(await within(limitMs, found, (text) => failed(text, "try again"))) };
  } catch (error) {
    return { name, verdict: "failed", text: oneLine(error) };
  }
}

/** An answer in time, or what `late` makes of its delay. */
export function within<T>(limitMs: number, work: Promise<T>, late: (text: string) => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  }).then(() => late(`no answer within ${limitMs / 1000} s`));
  return Promise.race([work, end]).finally(() => clearTimeout(timer));
}

/** A version that works, and how it stands to those that this package was tested with. `install`: the command for the newest of these. */
export function judgedVersion(
  { text, version }: { readonly text: string; readonly version: string },
  { oldest, newest }: TestedRange,
  install: string,
): Finding {
  if (lt(version, oldest))
    return warning(`${text}: older than ${oldest}, the oldest version tested`, install);
  // A newer patch of the newest version is no reason to worry.
  if (gtr(version, `~${newest}`))
    return warning(`${text}: newer than ${newest}, the newest version tested`, `if it fails: ${install}`);
  return ok(text);
}

/** Message of an error, in one line. */
export function oneLine(error: unknown): string {
  return messageOf(error).trim().replaceAll(/\s+/g, " ");
}
