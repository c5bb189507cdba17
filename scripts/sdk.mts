import { parseArgs } from "node:util";
import { measureDocuments, measurePolling, measureShares } from "../test/emulator/sdk/measure.ts";
import { withProgress } from "./process/progress.ts";

const { values } = parseArgs({
  options: {
    ids: { type: "string", default: "100000" },
    gates: { type: "string", default: "5000" },
    clients: { type: "string", default: "100" },
    seconds: { type: "string", default: "20" },
  },
});

const ids = Number(values.ids);
const found = await withProgress(`20 rules, ${ids} ids, both SDKs`, () => measureShares(ids));
const worst = Math.max(...found.map(({ errors }) => errors));
const differing = found.reduce((sum, one) => sum + one.differing, 0);
for (const { share, family, passed, errors } of found)
  console.log(
    `${String(share).padStart(6)} %  ${family}  ${String(passed).padStart(7)} passed  ${errors.toFixed(2)} standard errors`,
  );
console.log(`furthest: ${worst.toFixed(2)} standard errors; ids on which the SDKs differ: ${differing}`);

const times = await withProgress(`${values.gates} gates`, () => measureDocuments(Number(values.gates)));
for (const { form, bytes, ...ms } of times) {
  const told = Object.entries(ms).map(([name, value]) => `${name.replace(/Ms$/, "")} ${value.toFixed(1)} ms`);
  console.log(`${form}: ${bytes} bytes; ${told.join(", ")}`);
}

const polling = await withProgress(`${values.clients} clients ask while a gate is written`, () =>
  measurePolling(Number(values.clients), Number(values.seconds) * 1000),
);
console.log(
  `${polling.documents} documents, ${polling.writes} writes, ${polling.seen} states seen, ${polling.wrong} documents wrong`,
);

const good = worst <= 4 && differing === 0 && polling.wrong === 0 && polling.seen > 1;
console.log(good ? "as it has to be" : "NOT as it has to be");
process.exitCode = good ? 0 : 1;
