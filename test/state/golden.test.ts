import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { createRouteClient, type RouteClient } from "../../src/provider/client/client";
import { isArchived } from "../../src/provider/decisions/plan";
import { catalog } from "../../src/provider/definitions";
import { isUnfilled } from "../../src/provider/engine/object-part";
import { isGone } from "../../src/provider/engine/read";
import { providerOf } from "../../src/provider/pulumi/provider";
import { digestOf } from "../../src/provider/pulumi/runs/console-digest";
import { providerText } from "../../src/provider/pulumi/stored-names";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { secretOf } from "../../src/provider/schema/object-id";
import type { Backend } from "../support/driver";
import { type DynamicHost, startDynamicHost } from "../support/dynamic-host";
import { configFor, hurriedClock, inProcess, startProcess, testKey } from "../support/in-process";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { revealed } from "../support/wire-json";
import { frozenProject, frozenStates, isPart, kinds, nounOf } from "./frozen";
import {
  addressOf,
  changeOf,
  current,
  keptIn,
  lasting,
  liveItem,
  plantOnly,
  programOf,
  type Sheet,
  seedOf,
} from "./thaw";

jest.setTimeout(60_000);

/** A console that holds what states tell of, and a host, which is to Pulumi one run of one command. */
interface Stage {
  emulator: RunningEmulator;
  door: RouteClient;
  host: DynamicHost;
}

let project: PackedProject;
beforeAll(async () => {
  project = await createPackedProject({ program: "" });
}, 300_000);
afterAll(() => project?.remove());

/** Kinds of 0.1.0. It is in the past: a kind that is added later needs states of later versions alone. */
const kindsOfFirstVersion = [
  ...["Gate", "DynamicConfig", "Segment", "Layer", "AssignmentSource", "MetricSource", "Metric", "Alert"],
  ...["Holdout", "ParamStore", "ReleasePipeline", "Tag", "TargetApp", "UnitIdType", "Environments"],
  "Experiment",
];

// v1: states of 0.1.0; of five kinds in two forms, without and with `__self`, and of a segment with the ids themselves, too.
describe.each(["v1", "v2"])("states of %s", (version) => {
  const sheets = sheetsOf(version);

  test("are there of every kind", () => {
    const found = new Set(sheets.map(({ definition }) => definition.kind));
    const all = version === "v1" ? kindsOfFirstVersion : kinds.map(({ kind }) => kind);
    expect(found).toEqual(new Set(all));
  });

  describe.each(apart(sheets).map((group, index) => [index + 1, group] as const))("group %i", (_, group) => {
    const stage = {} as Stage;
    const startHost = async () => {
      // No provider text of its own: each call finds the provider by what the state says.
      stage.host = await startDynamicHost({ cwd: project.folder });
      await stage.host.configure(configFor(stage.emulator));
    };
    beforeAll(async () => {
      stage.emulator = await startEmulator({ key: testKey, seed: seedOf(group) });
      stage.door = createRouteClient({ profile: "custom", baseUrl: stage.emulator.url, apiKey: testKey });
      for (const sheet of group) await plantOnly(stage.door, sheet);
    });
    afterAll(() => stage.emulator?.close());

    describe("up and refresh", () => {
      beforeAll(startHost);
      afterAll(() => stage.host?.stop());
      describe.each(group.map((sheet) => [sheet.frozen.name, sheet] as const))("%s", (_name, sheet) =>
        lasts(sheet, stage),
      );
    });

    // The text leads to the same provider in every command: a second host would show nothing new.
    describe("destroy", () => {
      test.each(group.map((sheet) => [sheet.frozen.name, sheet] as const))("%s", (_name, sheet) =>
        goes(sheet, stage),
      );
    });
  });
});

test("a state of today knows its console: in another one it is left alone", async () => {
  const [sheet] = sheetsOf("v2").filter(({ frozen: { name } }) => name === "gate");
  const { id, inputs, outputs } = (sheet as Sheet).frozen;
  const emulator = await startEmulator({ key: testKey, seed: seedOf([sheet as Sheet]) });
  const run = runOver(emulator, catalog.gate);
  const elsewhere = "is in another console than the one that the settings lead to";
  await expect(run.diff(id, outputs, inputs)).rejects.toThrow(elsewhere);
  await expect(run.read(id, outputs, inputs)).rejects.toThrow(elsewhere);
  await expect(run.delete(id, outputs)).rejects.toThrow(elsewhere);
  expect(emulator.requests).toEqual([]);
  await emulator.close();
});

function lasts(sheet: Sheet, stage: Stage): void {
  const { definition, frozen } = sheet;
  const { id, inputs } = frozen;
  const kept = lasting(current(inputs));

  test("leads to its provider by the text that is written today", () => {
    const text = textTo(definition.name);
    expect([inputs.__provider, frozen.outputs.__provider]).toEqual([text, text]);
    expect(providerText(definition)).toBe(text);
  });

  test("passes check unchanged, and differs in nothing", async () => {
    const { host, emulator } = stage;
    emulator.clearRequests();
    expect(await host.check(inputs, inputs)).toEqual({ inputs: kept, failures: [] });
    expect(await host.diff(id, outputsOf(sheet, stage), kept)).toEqual(quiet);
    expect(await host.diff(id, outputsOf(sheet, stage), inputs)).toEqual(quiet);
    expect(emulator.requests).toEqual([]);
  });

  test("differs in nothing from what a program of today says", async () => {
    const { host, emulator } = stage;
    emulator.clearRequests();
    const { inputs: checked, failures } = await host.check(inputs, programOf(sheet));
    expect(failures).toEqual([]);
    // States of 0.1.0 have no mark of the resource, which would be a change to see.
    const marked = { ...kept, __resource: expect.stringMatching(/^[\w-]{12}$/) };
    expect("__resource" in inputs ? [marked] : [kept, marked]).toContainEqual(checked);
    expect(await host.diff(id, outputsOf(sheet, stage), checked)).toEqual(quiet);
    expect(emulator.requests).toEqual([]);
  });

  test("a refresh finds the same object, and writes the form of today", async () => {
    const { host, emulator } = stage;
    const outputs = outputsOf(sheet, stage);
    const found = await host.read(id, outputs, inputs);
    const marks = {
      __format: 2,
      __console: digestOf(emulator.url),
      __project: frozenProject,
    };
    const properties = { ...keptIn(definition, lasting(current(outputs))), ...marks };
    expect(found).toEqual({ id, inputs: kept, properties });
    expect(await host.diff(id, found.properties, inputs)).toEqual(quiet);
    expect(await host.read(id, found.properties, found.inputs)).toEqual(found);
  });

  test("a change is planned and made in place", async () => {
    const { host } = stage;
    const outputs = outputsOf(sheet, stage);
    const { name, value } = changeOf(sheet);
    const { inputs: changed } = await host.check(inputs, { ...programOf(sheet), [name]: value });
    expect(await host.diff(id, outputs, changed)).toMatchObject({ changes: "unknown", replaces: [] });
    const { properties } = await host.update(id, outputs, changed);
    expect(properties).toMatchObject({ [name]: changed[name], __format: 2, __self: expect.any(String) });
    expect(await host.diff(id, properties, changed)).toEqual(quiet);
  });
}

/** A kind in a run of its own, in this process. */
function runOver(emulator: RunningEmulator, definition: ResourceDefinition): Backend {
  const { transport } = emulator;
  const process = startProcess(configFor(emulator), { folder: undefined, transport, ...hurriedClock() });
  return inProcess(providerOf(definition, process));
}

/** Archived or deleted; what cannot be deleted stays. */
async function goes(sheet: Sheet, stage: Stage): Promise<void> {
  const { definition, frozen } = sheet;
  await runOver(stage.emulator, definition).delete(frozen.id, outputsOf(sheet, stage));
  const left = await liveItem(stage.door, definition, addressOf(definition, frozen));
  const { archive, remove } = definition.lifecycle.delete;
  if (archive !== undefined && remove === undefined) throw new Error("Say what becomes of this kind.");
  // Nothing shows it: that its delete is no error is all there is to see.
  if (definition.lifecycle.read.how === "remember") return;
  if (isPart(definition)) expect(isUnfilled(definition, left ?? {})).toBe(true);
  else if (secretOf(definition) !== undefined) expect(isGone(definition, left ?? {})).toBe(true);
  else if (definition.lifecycle.archived !== undefined) expect(isArchived(definition, left ?? {})).toBe(true);
  else expect(left === undefined).toBe(remove !== undefined);
}

const quiet = { changes: "none", replaces: [], deleteBeforeReplace: false };

/** Written out here a second time: it stands in the states of users and never changes. */
function textTo(name: string): string {
  return `exports.handler = () => require("pulumi-feature-console/dynamic/v1").${name};`;
}

/**
 * Outputs of a state as the engine sends them, which reveals secrets to this host; they were frozen in another console than
 * the one that takes its part here.
 */
function outputsOf({ frozen }: Sheet, { emulator }: Stage): JsonObject {
  const outputs = Object.fromEntries(
    Object.entries(frozen.outputs).map(([name, value]) => [name, revealed(value)]),
  );
  return outputs.__console === undefined ? outputs : { ...outputs, __console: digestOf(emulator.url) };
}

function sheetsOf(version: string): Sheet[] {
  return frozenStates(version).map((frozen) => ({ frozen, definition: definitionOf(frozen.name) }));
}

/** States have names that begin with their kind: `metric-source` is no metric. */
function definitionOf(name: string): ResourceDefinition {
  const fitting = kinds.filter((one) => name === nounOf(one) || name.startsWith(`${nounOf(one)}-`));
  const [longest] = fitting.sort((one, other) => nounOf(other).length - nounOf(one).length);
  if (longest === undefined) throw new Error(`The state ${name} is of no kind.`);
  return longest;
}

/** One console cannot hold two objects of one id or name: states that tell of such are tried apart. */
function apart(sheets: readonly Sheet[]): Sheet[][] {
  const groups: Sheet[][] = [];
  for (const sheet of sheets) {
    const isSame = ({ definition, frozen: { id, outputs } }: Sheet) =>
      definition === sheet.definition &&
      (id === sheet.frozen.id || outputs.name === sheet.frozen.outputs.name);
    const group = groups.find((members) => !members.some(isSame));
    if (group === undefined) groups.push([sheet]);
    else group.push(sheet);
  }
  return groups;
}
