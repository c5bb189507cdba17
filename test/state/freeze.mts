/**
 * Writes states as this version writes them, for `golden.test.ts`: `npx tsx test/state/freeze.mts v2`, or of one
 * state `npx tsx test/state/freeze.mts v2 gate`. What is there already stays: it is what the states of users look like.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createEmulator, type Seed } from "../../src/emulator/index.ts";
import { catalog } from "../../src/provider/definitions/index.ts";
import { ProviderProcess } from "../../src/provider/pulumi/process.ts";
import { providerOf } from "../../src/provider/pulumi/provider.ts";
import { providerText } from "../../src/provider/pulumi/stored-names.ts";
import type { ResourceDefinition } from "../../src/provider/schema/define.ts";
import type { JsonObject } from "../../src/provider/schema/json.ts";
import { secretOf } from "../../src/provider/schema/object-id.ts";
import { samples, samplesOf } from "../samples/index.ts";
import { secret } from "../support/wire-json.ts";
import { type Frozen, frozenIds, frozenProject, frozenStates, kinds, listOf, nounOf } from "./frozen.ts";

const START_OF_2026 = Date.UTC(2026, 0);
const settings: Record<string, string> = {
  profile: "custom",
  baseUrl: "https://console.example.com",
  apiKey: ["console", "freeze"].join("-"),
};

/** What stands for the secret that leads to an object; no state here holds one. */
const standIn = "stands-for-a-secret";

/** What becomes a frozen state, under its name. */
interface FrozenCase {
  readonly name: string;
  readonly definition: ResourceDefinition;
  readonly args: JsonObject;
  /** The id of what is there before and is imported. */
  readonly imported?: string;
}

/** Every kind with all of its arguments, and what leaves more behind in a state than its arguments. */
const cases: readonly FrozenCase[] = [
  ...kinds.map((definition) => ({
    name: nounOf(definition),
    definition,
    args: samplesOf(definition).fullest,
  })),
  {
    name: "gate-imported",
    definition: catalog.gate,
    args: samples.gate.fullest,
    imported: "made_by_hand",
  },
  {
    name: "segment-with-ids",
    definition: catalog.segment,
    args: { key: "frozen_ids", name: "Frozen ids", type: "id_list", ids: frozenIds },
  },
];

async function freeze({ name, definition, args, imported }: FrozenCase): Promise<Frozen> {
  const beside: Seed = samplesOf(definition).beside ?? {};
  const before = imported === undefined ? {} : { [listOf(definition)]: [{ id: imported, name: "By hand" }] };
  const seed = { projects: [{ id: frozenProject }], ...beside, ...before };
  const { transport } = createEmulator({ clock: () => START_OF_2026, seed });
  const process = new ProviderProcess({
    environment: () => ({}),
    folder: mkdtempSync(path.join(tmpdir(), "feature-console-freeze-")),
    report: () => undefined,
    transport,
    now: () => START_OF_2026,
  });
  process.configure((name) => settings[name.split(":")[1] ?? ""]);
  const provider = providerOf(definition, process);
  const text = providerText(definition);
  const urn = `urn:pulumi:dev::flags::pulumi-nodejs:dynamic/feature-console:${definition.kind}::frozen`;
  const note = { name: "frozen", urn, preview: false, declared: 1 };
  const told = { __program: note, __provider: text };
  const key = imported === undefined ? {} : { key: imported, __adopt: imported };
  const { inputs = {}, failures = [] } = await provider.check({}, { ...args, ...key, ...told });
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  const { id, outs } = await provider.create(inputs);
  // The host adds the text to what a provider returns.
  const outputs: JsonObject = { ...outs, __provider: text };
  const hidden = secretOf(definition);
  if (hidden !== undefined) outputs[hidden] = secret(standIn);
  const state = { name, id, inputs, outputs };
  return Object.keys(beside).length === 0 ? state : { ...state, beside };
}

const [version = "", only] = process.argv.slice(2);
const states = [...frozenStates(version)];
for (const one of cases) {
  if (states.some(({ name }) => name === one.name) || (only !== undefined && only !== one.name)) continue;
  states.push(await freeze(one));
  console.log(`${version}: ${one.name}`);
}
states.sort((one, other) => (one.name < other.name ? -1 : 1));
const file = path.join(import.meta.dirname, `${version}.jsonl`);
writeFileSync(file, states.map((state) => `${JSON.stringify(state)}\n`).join(""));
