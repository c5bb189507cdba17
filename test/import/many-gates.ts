import { readFileSync } from "node:fs";
import path from "node:path";
import { openMessyConsole, planManyGates } from "./console/messy-console";
import { countedRequests, megabytes, programIn, readingKey, settingsFor, sumOf, toldBy } from "./proof";
import { openWorkshop } from "./workshop";

/** Beside the pages: two gates, to see whether the list leaves anything out, the project, and the keys, to see what the key could do. */
const mostDetails = 4;

/** Reads a console of gates alone into two folders, without a state, compares the files byte by byte, and tells what it took. */
export async function readManyGates(gates: number) {
  const emulator = await openMessyConsole(planManyGates(gates), { readOnlyKey: readingKey });
  const workshop = await openWorkshop(settingsFor(emulator.url, readingKey), "many");
  try {
    const args = ["--no-run", "--json", "--kinds", "gate"];
    const first = await workshop.import(args);
    const counted = countedRequests(emulator);
    const requests = sumOf(counted);
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
    const told = [
      `${gates} gates: ${requests} requests, ${lines} lines`,
      ...[first, second].map((one) => `${(one.ms / 1000).toFixed(1)} s, at most ${megabytes(one.peakBytes)}`),
      ...faults.map((fault) => `FAULT: ${fault}`),
    ];
    return { told, faults };
  } finally {
    await workshop.remove();
    await emulator.close();
  }
}

function textsIn(folder: string): string[] {
  return programIn(folder).flatMap((file) => [file, readFileSync(path.join(folder, file), "utf8")]);
}
