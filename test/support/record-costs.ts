import { appendFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect } from "@jest/globals";
import type { FileCost } from "../../scripts/report/costs";

/** Set by `npm test`: where to note what each test file costs. */
const file = process.env.FEATURE_CONSOLE_TEST_COSTS;

/** Hundredths of a second are the unit in which Linux counts. */
const TICKS_PER_SECOND = 100;

/** Seconds of processor time of all processes that this worker has started and seen the end of; 0 where the system does not tell. */
function startedProcesses(): number {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

if (file !== undefined) {
  const before = { own: ownSeconds(), started: startedProcesses() };
  afterAll(() => {
    const cost: FileCost = {
      file: path.relative(process.cwd(), expect.getState().testPath ?? "").replaceAll(path.sep, "/"),
      ownSeconds: ownSeconds() - before.own,
      startedSeconds: startedProcesses() - before.started,
    };
    appendFileSync(file, `${JSON.stringify(cost)}\n`);
  });
}
