import { parseArgs } from "node:util";
import { withProgress } from "../../../scripts/process/progress.ts";
import { lookAtUpdates } from "../../e2e/looks-at-updates.ts";
import { measureFlagsOf } from "../../testing/measure.ts";
import { type Looks, lookAtWrites } from "./looks.ts";
import { type FormTimes, measureDocuments, measureShares } from "./measure.ts";

const { values } = parseArgs({
  options: {
    resources: { type: "string", default: "300" },
    ids: { type: "string", default: "100000" },
    gates: { type: "string", default: "5000" },
    clients: { type: "string", default: "100" },
    writes: { type: "string", default: "200" },
    updates: { type: "string", default: "3" },
  },
});
const { resources, ids, gates, clients, writes, updates } = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, Number(value)]),
) as Record<keyof typeof values, number>;

/** What, what was found, and whether it is as it has to be. */
type Row = readonly [what: string, found: string, isRight?: boolean];

const count = (number: number): string => number.toLocaleString("en");
const ms = (time: number): string => `${time < 10 ? time.toFixed(1) : count(Math.round(time))} ms`;

async function flagsRow(): Promise<Row> {
  const { cpuMs, wallMs } = await measureFlagsOf(resources);
  return [`flagsOf, ${resources} resources`, `${ms(cpuMs)} of processor time in ${ms(wallMs)}`];
}

async function shareRows(): Promise<Row[]> {
  const { found, steadiness } = await measureShares(ids);
  const furthest = Math.max(...found.map(({ errors }) => errors));
  const differing = found.reduce((sum, one) => sum + one.differing, 0);
  const { changedByRestart, lostByRise, wonByRise } = steadiness;
  const some = `20 rules, ${count(steadiness.ids)} ids each`;
  return [
    [
      `20 rules from 0 to 100 %, ${count(ids)} ids each`,
      `at most ${furthest.toFixed(2)} standard errors from the share`,
      furthest <= 4,
    ],
    ["the same, in both SDKs", `${differing} ids decided differently`, differing === 0],
    [`${some}, after a restart`, `${changedByRestart} answers changed`, changedByRestart === 0],
    [
      `${some}, 10 % more`,
      `${lostByRise} lost it, ${count(wonByRise)} won it`,
      lostByRise === 0 && wonByRise > 0,
    ],
  ];
}

function documentRow({ form, bytes, firstMs, afterChangeMs, cachedMs, noUpdatesMs }: FormTimes): Row {
  const times = `first ${ms(firstMs)}, after a change ${ms(afterChangeMs)}, from the cache ${ms(cachedMs)}`;
  return [
    `${count(gates)} gates, ${form}`,
    `${(bytes / 1e6).toFixed(1)} MB; ${times}; "nothing new" ${ms(noUpdatesMs)}`,
    noUpdatesMs < cachedMs && cachedMs < firstMs,
  ];
}

function looksRow(what: string, { documents, states, wrong }: Looks): Row {
  const found = `${count(documents)} documents, ${count(states)} states, ${wrong.length} wrong`;
  return [what, [found, ...wrong.slice(0, 3)].join("; "), wrong.length === 0 && states > 1];
}

const rows: Row[] = [];
const measure = async (label: string, work: () => Promise<Row | Row[]>): Promise<void> => {
  const found = await withProgress(label, work);
  rows.push(...(Array.isArray(found[0]) ? (found as Row[]) : [found as Row]));
};
// First: a process that has done anything else is quicker.
await measure(`flagsOf of ${resources} resources`, flagsRow);
await measure(`20 rules, ${count(ids)} ids, both SDKs`, shareRows);
await measure(`${count(gates)} gates`, async () => (await measureDocuments(gates)).map(documentRow));
await measure(`${clients} clients look while ${writes} writes come one by one`, async () =>
  looksRow(
    `${clients} clients, ${writes} writes one by one`,
    await lookAtWrites({ clients, gates: 40, writes }),
  ),
);
await measure(`${clients} clients look while pulumi up runs ${updates} times`, async () =>
  looksRow(
    `${clients} clients, 40 gates, \`pulumi up\` ${updates} times`,
    await lookAtUpdates(clients, updates),
  ),
);

const width = Math.max(...rows.map(([what]) => what.length));
for (const [what, found, isRight] of rows) {
  const mark = isRight === undefined ? "" : isRight ? "  ok" : "  NOT AS IT HAS TO BE";
  console.log(`${what.padEnd(width)}  ${found}${mark}`);
}
process.exitCode = rows.some(([, , isRight]) => isRight === false) ? 1 : 0;
