import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type RunningEmulator, type Seed, startEmulator } from "../../src/emulator";
import { createRouteClient } from "../../src/provider/client/client";
import { catalog, parts } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createStack, FIRST_CLI_TIMEOUT_MS, type PulumiStack } from "../support/pulumi-cli";

jest.setTimeout(300_000);

const definitions: ResourceDefinition[] = Object.values({ ...catalog, ...parts });
const key = ["console", "test"].join("-");
let emulator: RunningEmulator;
let project: PackedProject;
let stack: PulumiStack;

beforeAll(async () => {
  emulator = await startEmulator({ profile: "custom", key, seed: beside() });
  project = await createPackedProject({ program: programOf("small") });
  stack = await createStack(project, {
    env: {
      FEATURE_CONSOLE_PROFILE: "custom",
      FEATURE_CONSOLE_BASE_URL: emulator.url,
      FEATURE_CONSOLE_API_KEY: key,
      FEATURE_CONSOLE_WRITES_PER_10S: "100000",
    },
  });
}, FIRST_CLI_TIMEOUT_MS);

afterAll(async () => {
  await stack?.remove();
  await project?.remove();
  await emulator?.close();
});

const seeded = new Set(
  Object.values(beside()).flatMap((entries) => entries.map((entry) => String((entry as JsonObject).name))),
);

test("every kind: up, and then every field that can change, in one go; then nothing to do and nothing drifted", async () => {
  const made = await stack.up();
  expect(made.changeSummary.create).toBe(1 + definitions.length);
  await project.setProgram(programOf("full"));
  const changed = await stack.up();
  expect(changed.changeSummary.replace ?? 0).toBe(0);
  expect(changed.changeSummary.update).toBe(definitions.filter((one) => changeable(one).length > 0).length);
  await stack.preview({ args: ["--refresh", "--expect-no-changes"] });
});

test("every kind: destroyed, nothing is left but what is archived or belongs to the project", async () => {
  await stack.destroy();
  const client = createRouteClient({ profile: "custom", baseUrl: emulator.url, apiKey: key });
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
  for (const { samples } of definitions) {
    for (const [list, entries] of Object.entries(samples.beside ?? {})) {
      seed[list] = {
        ...seed[list],
        ...Object.fromEntries(entries.map((entry) => [String(entry.name), entry])),
      };
    }
  }
  return Object.fromEntries(Object.entries(seed).map(([list, entries]) => [list, Object.values(entries)]));
}

/** Arguments of the fullest sample that an update can change. */
function changeable({ fields, samples }: ResourceDefinition): string[] {
  return Object.keys(samples.fullest).filter((name) => {
    const facts = fields[name]?.facts;
    return facts !== undefined && !facts.fixed && !facts.replaces;
  });
}

/** Small and full have the same identity and what only creation sets. */
function argumentsOf(definition: ResourceDefinition, size: "small" | "full"): JsonObject {
  const { smallest, fullest } = definition.samples;
  if (size === "full") return { ...smallest, ...fullest };
  const later = changeable(definition);
  const held = Object.entries(fullest).filter(([name]) => !later.includes(name));
  return { ...smallest, ...Object.fromEntries(held) };
}

function programOf(size: "small" | "full"): string {
  const lines = definitions.map(
    (definition) =>
      `new fc.${definition.kind}(${JSON.stringify(definition.name)}, ${JSON.stringify(argumentsOf(definition, size))} as never);`,
  );
  return `import * as fc from "pulumi-feature-console";\n${lines.join("\n")}\n`;
}
