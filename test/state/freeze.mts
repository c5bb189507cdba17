/**
 * Writes the state of a kind as this version writes it, for `golden.test.ts`: `npx tsx test/state/freeze.mts v1 gate`.
 * What is there already stays: it is what the states of users look like.
 */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { catalog } from "../../src/catalog/index.ts";
import type { ResourceDefinition } from "../../src/core/define.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import { providerOf } from "../../src/pulumi/provider.ts";
import { providerText } from "../../src/pulumi/resource.ts";

const START_OF_2026 = Date.UTC(2026, 0);

async function stateOf(definition: ResourceDefinition): Promise<object> {
  const { fullest, beside = {} } = definition.samples;
  const emulator = await startEmulator({ clock: () => START_OF_2026, seed: beside });
  const settings: Record<string, string> = {
    "feature-console:profile": "custom",
    "feature-console:baseUrl": emulator.url,
    "feature-console:apiKey": ["console", "freeze"].join("-"),
  };
  const provider = providerOf(definition);
  const text = providerText(definition);
  await provider.configure({
    config: { get: (key) => settings[key], require: (key) => settings[key] ?? "" },
  });
  const { inputs = {} } = await provider.check({}, { ...fullest, __logicalName: "frozen", __provider: text });
  const { id, outs } = await provider.create(inputs);
  await emulator.close();
  // The host adds the text to what a provider returns.
  return { id, inputs, outputs: { ...outs, __provider: text } };
}

const [version = "", name = ""] = process.argv.slice(2);
const definition = Object.values<ResourceDefinition>(catalog).find((one) => one.name === name);
if (definition === undefined) throw new Error(`There is no kind "${name}".`);
const noun = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const file = path.join(import.meta.dirname, version, `${noun}.json`);
if (existsSync(file)) throw new Error(`${file} is there already and stays as it is.`);
writeFileSync(file, `${JSON.stringify(await stateOf(definition), null, 2)}\n`);
