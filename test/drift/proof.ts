import { readFileSync } from "node:fs";
import path from "node:path";
import { createClient } from "../../src/provider/client";
import { testKey } from "../emulator/desk";
import { type MessyPlan, openMessyConsole } from "../import/console/messy-console";
import { countedRequests, programIn, readingKey, settingsFor } from "../import/proof";
import { openWorkshop, type Timed } from "../import/workshop";

/**
 * Imports a console, changes objects of it by hand, and accepts all of that at once with a key that reads only: each change is in
 * the program, nothing was written to the console, the compiler takes it, and a preview is empty. `lines`: those of the program that are not as before; `faults`: what went wrong, a line each.
 */
export async function proveDrift(plan: MessyPlan, changes: number, onStep: (text: string) => void) {
  const emulator = await openMessyConsole(plan, { readOnlyKey: readingKey });
  const workshop = await openWorkshop(settingsFor(emulator.url, readingKey), "proof");
  const faults: string[] = [];
  const expect = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  const drift = async (code: number, ...args: string[]) => {
    emulator.clearRequests();
    const run = await workshop.drift(["--json", "--stack", "proof", ...args]);
    expect(run.code === code, `drift ${args.join(" ")} ended with ${run.code}: ${run.stderr.slice(-1500)}`);
    const requests = countedRequests(emulator);
    const isReading = Object.keys(requests).every((one) => one.startsWith("GET "));
    expect(isReading, `drift ${args.join(" ")} wrote: ${JSON.stringify(requests)}`);
    return [run, { seconds: run.ms / 1000, requests, peakBytes: run.peakBytes }] as const;
  };
  try {
    onStep("import");
    const kinds = Object.keys(plan.counts).join(",");
    const imported = await workshop.import(["--stack", "proof", "--kinds", kinds]);
    expect(imported.code === 0, `import ended with ${imported.code}: ${imported.stderr.slice(-1500)}`);
    onStep("drift, nothing changed");
    const [still, quiet] = await drift(0);
    onStep(`${changes} changes`);
    const changed = await changeByHand(emulator.url, changes);
    onStep("drift");
    const [told, loud] = await drift(7);
    const before = linesOf(workshop.folder);
    onStep("drift --accept");
    const [done, accepted] = await drift(0, "--accept");
    const after = linesOf(workshop.folder);
    expect(driftIn(told) === changed, `${driftIn(told)} told of ${changed} changed`);
    const whys = done.stdout.match(/"why": .*/g)?.slice(0, 5) ?? [];
    expect(!done.stdout.includes('"refused"'), `refused: ${whys.join(" ")}`);
    onStep("compile and preview");
    const compiled = await workshop.compile();
    expect(compiled.code === 0, `tsc: ${compiled.stdout.slice(0, 2000)}`);
    const { changeSummary } = await workshop.preview();
    expect(Object.keys(changeSummary).join() === "same", `preview: ${JSON.stringify(changeSummary)}`);
    const lines =
      after.filter((line, at) => line !== before[at]).length + Math.abs(after.length - before.length);
    const { resources } = JSON.parse(still.stdout) as { resources: number };
    const runs = { "nothing changed": quiet, changed: loud, accepted };
    return { resources, runs, changed, lines, faults };
  } finally {
    await workshop.remove();
    await emulator.close();
  }
}

/** Changes the share of the first rule of gates, as a person does. @returns of how many. */
async function changeByHand(url: string, most: number): Promise<number> {
  const raw = createClient({ profile: "custom", baseUrl: url, apiKey: testKey, writesPer10s: 100_000 });
  let changed = 0;
  for await (const gate of raw.gate.list()) {
    const { id = "", status, rules } = gate;
    const [first, ...others] = rules ?? [];
    if (first === undefined || status === "Archived" || status === "Launched") continue;
    if (changed >= most) return changed;
    const passPercentage = first.passPercentage === 37.5 ? 62.5 : 37.5;
    await raw.gate.patch({ id, body: { rules: [{ ...first, passPercentage }, ...others] } as never });
    changed += 1;
  }
  return changed;
}

function driftIn({ stdout }: Timed): number {
  return (JSON.parse(stdout) as { drift: number }).drift;
}

function linesOf(folder: string): string[] {
  return programIn(folder).flatMap((file) => readFileSync(path.join(folder, file), "utf8").split("\n"));
}

export function driftLines(proof: Awaited<ReturnType<typeof proveDrift>>): string[] {
  const { resources, runs, changed, lines, faults } = proof;
  const told = Object.entries(runs).map(([what, { seconds, requests, peakBytes }]) => {
    const memory = peakBytes === undefined ? "unknown" : `${Math.round(peakBytes / 2 ** 20)} MB`;
    const all = Object.values(requests).reduce((sum, one) => sum + one, 0);
    const routes = Object.entries(requests).map(([route, count]) => `${route} ${count}`);
    return `${what}: ${seconds.toFixed(1)} s, ${memory}, ${all} requests: ${routes.join(", ")}`;
  });
  return [
    `${resources} resources, ${changed} changed by hand, ${lines} lines of the program changed`,
    ...told,
    ...faults.map((fault) => `FAULT: ${fault}`),
    faults.length === 0 ? "Everything holds." : `${faults.length} faults.`,
  ];
}
