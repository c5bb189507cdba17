import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { Seed } from "../../src/emulator";
import { createRouteClient } from "../../src/provider/client/client";
import { catalog, parts } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { samplesOf } from "../samples";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench, testKey } from "./bench";

jest.setTimeout(300_000);

const definitions: ResourceDefinition[] = Object.values({ ...catalog, ...parts });
let bench: Bench;
beforeAll(async () => {
  bench = await openBench(undefined, beside());
  bench.stack.env.FEATURE_CONSOLE_WRITES_PER_10S = "100000";
  await bench.write(programOf("small"));
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

const seeded = new Set(
  Object.values(beside()).flatMap((entries) => entries.map((entry) => String((entry as JsonObject).name))),
);

test("every kind: up, and then every field that can change, in one go; then nothing to do and nothing drifted", async () => {
  const made = await bench.stack.up();
  expect(made.changeSummary.create).toBe(1 + definitions.length);
  await bench.write(programOf("full"));
  const changed = await bench.stack.up();
  expect(changed.changeSummary.replace ?? 0).toBe(0);
  expect(changed.changeSummary.update).toBe(definitions.filter((one) => changeable(one).length > 0).length);
  await bench.stack.preview({ args: ["--refresh", "--expect-no-changes"] });
});

test("every kind: destroyed, nothing is left but what is archived or belongs to the project", async () => {
  await bench.stack.destroy();
  const client = createRouteClient({ profile: "custom", baseUrl: bench.emulator.url, apiKey: testKey });
  for (const definition of definitions) {
    const { list } = definition.routes;
    if (list === undefined || definition.lifecycle.delete.remove === undefined) continue;
    const archived = definition.lifecycle.archived;
    for await (const item of client.items(list, {})) {
      if (seeded.has(String(item.name))) continue;
      expect([definition.kind, archived && item[archived.field]]).toEqual([definition.kind, archived?.is]);
    }
  }
});

/** Objects that the samples refer to, each once. */
function beside(): Seed {
  const seed: Record<string, Record<string, JsonObject>> = {};
  for (const definition of definitions)
    for (const [list, entries] of Object.entries(samplesOf(definition).beside ?? {}))
      for (const entry of entries) seed[list] = { ...seed[list], [String(entry.name)]: entry };
  return Object.fromEntries(Object.entries(seed).map(([list, entries]) => [list, Object.values(entries)]));
}

/** Arguments of the fullest sample that an update can change. */
function changeable(definition: ResourceDefinition): string[] {
  return Object.keys(samplesOf(definition).fullest).filter((name) => {
    const facts = definition.fields[name]?.traits;
    return facts !== undefined && !facts.fixed && !facts.replaces;
  });
}

/** Small and full have the same identity and what only creation sets. */
function argumentsOf(definition: ResourceDefinition, size: "small" | "full"): JsonObject {
  const { smallest, fullest } = samplesOf(definition);
  if (size === "full") return { ...smallest, ...fullest };
  const later = changeable(definition);
  const held = Object.entries(fullest).filter(([name]) => !later.includes(name));
  return { ...smallest, ...Object.fromEntries(held) };
}

const programOf = (size: "small" | "full") =>
  definitions
    .map((definition) => {
      const args = JSON.stringify(argumentsOf(definition, size));
      return `new fc.${definition.kind}(${JSON.stringify(definition.name)}, ${args} as never);`;
    })
    .join("\n");
