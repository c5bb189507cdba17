import { readFileSync } from "node:fs";
import path from "node:path";
import { openMessyConsole, planManyGates } from "./console/messy-console";
import { countedRequests, programIn, readingKey, settingsFor, toldBy } from "./proof";
import { openWorkshop, type Timed } from "./workshop";

/** What reading many gates took. */
export interface ManyGates {
  readonly gates: number;
  /** Of the first of two runs. */
  readonly requests: number;
  readonly lines: number;
  readonly runs: readonly Pick<Timed, "ms" | "peakBytes">[];
  readonly faults: readonly string[];
}

/** Beside the pages: two gates, to see whether the list leaves anything out, and the keys, to see what the key could do. */
const mostDetails = 3;

/** Reads a console of gates alone into two folders, without a state, and compares the files byte by byte. */
export async function readManyGates(gates: number): Promise<ManyGates> {
  const emulator = await openMessyConsole(planManyGates(gates), { readOnlyKey: readingKey });
  const workshop = await openWorkshop(settingsFor(emulator.url, readingKey), "many");
  try {
    const args = ["--no-run", "--json", "--kinds", "gate"];
    const first = await workshop.import(args);
    const counted = countedRequests(emulator);
    const requests = Object.values(counted).reduce((sum, one) => sum + one, 0);
    const again = await workshop.another("again");
    const second = await workshop.import(args, { cwd: again });
    const [texts, others] = [textsIn(workshop.folder), textsIn(again)];
    const most = Math.ceil(gates / 100) + mostDetails;
    const faults = [
      ...[first, second].flatMap(({ code, stderr }) =>
        code === 0 ? [] : [`ended with ${code}: ${stderr.slice(-800)}`],
      ),
      ...(toldBy(first).objects === gates ? [] : [`${toldBy(first).objects} objects`]),
      ...(requests <= most ? [] : [`${requests} requests, more than ${most}: ${JSON.stringify(counted)}`]),
      ...(texts.join("\0") === others.join("\0") ? [] : ["the second import wrote other bytes"]),
    ];
    const lines = texts.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
    return { gates, requests, lines, runs: [first, second], faults };
  } finally {
    await workshop.remove();
    await emulator.close();
  }
}

function textsIn(folder: string): string[] {
  return programIn(folder).flatMap((file) => [file, readFileSync(path.join(folder, file), "utf8")]);
}
