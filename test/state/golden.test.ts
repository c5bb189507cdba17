import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { catalog } from "../../src/catalog";
import { createRouteClient } from "../../src/client/client";
import { pathParameters } from "../../src/client/path";
import { type ResourceDefinition, routeOf } from "../../src/core/define";
import { isConsoleError } from "../../src/core/errors";
import type { JsonObject } from "../../src/core/json";
import { isArchived } from "../../src/core/plan";
import { type RunningEmulator, type Seed, startEmulator } from "../../src/emulator";
import { providerText } from "../../src/pulumi/resource";
import { configFor, testKey } from "../plugin/bench";
import { type DynamicHost, startDynamicHost } from "../support/dynamic-host";
import { createPackedProject, type PackedProject } from "../support/packed-project";

jest.setTimeout(60_000);

/** A resource as the state of a user holds it. */
interface Frozen {
  readonly id: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

/** A file of `v1` -> its kind, the list that a seed knows it by, and the text that leads to its provider. */
const frozen: [file: string, definition: ResourceDefinition, list: string, text: string][] = [
  ["gate", catalog.gate, "gates", textTo("gate")],
  ["dynamic-config", catalog.dynamicConfig, "dynamic_configs", textTo("dynamicConfig")],
  ["segment", catalog.segment, "segments", textTo("segment")],
  ["layer", catalog.layer, "layers", textTo("layer")],
  ["assignment-source", catalog.assignmentSource, "assignment_sources", textTo("assignmentSource")],
];

const folder = path.join(__dirname, "v1");
let emulator: RunningEmulator;
let project: PackedProject;
let host: DynamicHost;

beforeAll(async () => {
  const seed: Seed = Object.fromEntries(frozen.map(([file, , list]) => [list, [liveOf(stateOf(file))]]));
  emulator = await startEmulator({ key: testKey, seed });
  project = await createPackedProject({ program: "" });
  // No provider text of its own: each call finds the provider by what the state says.
  host = await startDynamicHost({ cwd: project.folder });
  await host.configure(configFor(emulator));
}, 300_000);
afterAll(async () => {
  await host?.stop();
  await project?.remove();
  await emulator?.close();
});

test("every frozen state is tried", () => {
  expect(readdirSync(folder).sort()).toEqual(frozen.map(([file]) => `${file}.json`).sort());
});

describe.each(frozen)("%s: the state that version 1 wrote", (file, definition, _list, text) => {
  const { id, inputs, outputs } = stateOf(file);

  test("leads to its provider by the text that is written today", () => {
    expect([inputs.__provider, outputs.__provider]).toEqual([text, text]);
    expect(providerText(definition)).toBe(text);
  });

  test("passes check unchanged, and differs in nothing", async () => {
    emulator.clearRequests();
    expect(await host.check(inputs, inputs)).toEqual({ inputs, failures: [] });
    expect(await host.diff(id, outputs, inputs)).toEqual(quiet);
    expect(emulator.requests).toEqual([]);
  });

  test("a refresh finds the same object", async () => {
    const found = await host.read(id, outputs, inputs);
    expect(found).toMatchObject({ id, inputs, properties: outputs });
    expect(await host.diff(id, found.properties, inputs)).toEqual(quiet);
  });

  test("a change is planned and made in place", async () => {
    const changed = { ...inputs, ...changeOf(definition) };
    expect(await host.diff(id, outputs, changed)).toMatchObject({ changes: "unknown", replaces: [] });
    const { properties } = await host.update(id, outputs, changed);
    expect(properties).toMatchObject(changeOf(definition));
  });

  test("destroy archives or deletes it", async () => {
    await host.delete(id, outputs);
    const left = await liveItem(definition, id);
    if (definition.lifecycle.archived === undefined) expect(left).toBeUndefined();
    else expect(isArchived(definition, left ?? {})).toBe(true);
  });
});

const quiet = { changes: "none", replaces: [], deleteBeforeReplace: false };

/** Written out here a second time: it stands in the states of users and never changes. */
function textTo(name: string): string {
  return `exports.handler = () => require("pulumi-feature-console/dynamic/v1").${name};`;
}

function stateOf(file: string): Frozen {
  return JSON.parse(readFileSync(path.join(__dirname, "v1", `${file}.json`), "utf8")) as Frozen;
}

/** The object as the console shows it. */
function liveOf({ id, outputs }: Frozen): JsonObject {
  const { key: _key, ...shown } = outputs;
  return { id, ...Object.fromEntries(Object.entries(shown).filter(([name]) => !name.startsWith("__"))) };
}

/** What any program may change in place. */
function changeOf(definition: ResourceDefinition): JsonObject {
  const isFixed = definition.fields.description?.facts.fixed === true;
  return isFixed
    ? { rules: [{ name: "Changed", passPercentage: 1, conditions: [] }] }
    : { description: "Changed" };
}

async function liveItem(definition: ResourceDefinition, id: string): Promise<JsonObject | undefined> {
  const client = createRouteClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey });
  const { read } = definition.lifecycle;
  if (read.how === "get") {
    const route = routeOf(definition, read.route);
    const params = Object.fromEntries(pathParameters(route.path).map((name) => [name, id]));
    return client.item(route, { params }).catch((error: unknown) => {
      if (isConsoleError(error, "not-found")) return undefined;
      throw error;
    });
  }
  if (read.how === "remember") return undefined;
  for await (const item of client.items(routeOf(definition, read.list), {})) {
    if (item[definition.identity.answers] === id) return item;
  }
  return undefined;
}
