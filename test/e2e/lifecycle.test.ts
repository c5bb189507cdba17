import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { createClient } from "../../src/provider/client";
import type { JsonObject } from "../../src/provider/schema/json";
import type { PreviewResult, PreviewStep } from "../support/cli-output";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createStack, FIRST_CLI_TIMEOUT_MS, type PulumiStack } from "../support/pulumi-cli";
import { baseFlags, type Change, changed, changes, type Flags, programOf, removals } from "./flags";

// A month of one of every kind.

jest.setTimeout(300_000);

const key = ["console", "test"].join("-");
let emulator: RunningEmulator;
let project: PackedProject;
let stack: PulumiStack;
let flags: Flags = baseFlags;

beforeAll(async () => {
  emulator = await startEmulator({ profile: "statsig", key });
  project = await createPackedProject({ program: programOf(flags) });
  stack = await createStack(project, { env: { FEATURE_CONSOLE_API_KEY: key } });
  await stack.setConfig("feature-console:profile", "statsig");
  await stack.setConfig("feature-console:baseUrl", emulator.url);
}, FIRST_CLI_TIMEOUT_MS);

afterAll(async () => {
  await stack?.remove();
  await project?.remove();
  await emulator?.close();
});

test("up makes all of them, and then a preview asks nobody, a refresh writes nothing", async () => {
  const made = await stack.up();
  expect(made.changeSummary.create).toBe(1 + Object.keys(flags).length);
  expect(await liveGate()).toMatchObject({
    id: "checkout_v2",
    name: "checkout_v2",
    status: "In Progress",
    rules: [{ name: "Staff" }],
  });
  expect((await stack.outputs()).ids).toMatchObject({ checkout: "checkout_v2", area: "checkout_area" });
  emulator.clearRequests();
  await stack.preview({ args: ["--expect-no-changes"] });
  expect(emulator.requests).toEqual([]);
  await stack.refresh({ args: ["--expect-no-changes"] });
  expect(emulator.requests.length).toBeGreaterThan(0);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("each gate is small in state, and its provider text is constant", async () => {
  const { deployment } = await stack.exportStack();
  const gate = deployment.resources?.find(({ type }) => type.endsWith(":Gate"));
  const text = gate?.inputs?.__provider;
  expect(text).toBe('exports.handler = () => require("pulumi-feature-console/dynamic/v1").gate;');
  expect(String(text).length).toBeLessThanOrEqual(120);
  expect(JSON.stringify(gate).length).toBeLessThan(6000);
  expect(JSON.stringify(deployment)).not.toContain(key);
});

test("changes in place: a preview names exactly the properties that change; up makes them", async () => {
  const all = Object.keys(baseFlags).map((name) => [
    name,
    Object.assign({}, ...changes.filter(({ flag }) => flag === name).map(({ args }) => args)),
  ]);
  flags = changed(flags, Object.fromEntries(all));
  await project.setProgram(programOf(flags));
  expect(pathsIn(await stack.preview())).toEqual(
    sorted(Object.keys(baseFlags).map((name) => [name, pathsOfAll(name)])),
  );
  await stack.up();
});

test("what people then edit in the console is all that a refresh finds and a preview turns back", async () => {
  const raw = client();
  await raw.gate.patch({ id: "checkout_v2", body: { description: "Drift" } });
  await raw.dynamicConfig.patch({ id: "limits", body: { description: "Drift" } });
  await raw.layer.patch({ id: "checkout_area", body: { description: "Drift" } });
  await raw.assignmentSource.patch({ name: "exposures", body: { description: "Drift" } });
  await raw.segment.setRules({ id: "staff", body: [] });
  await raw.segment.addIds({ id: "people", body: { ids: ["intruder"] } });
  // Nothing of what was just changed: all of that has settled.
  expect((await stack.refresh()).changeSummary.update).toBe(6);
  const paths = pathsIn(await stack.preview());
  expect(paths).toMatchObject({
    checkout: ["description"],
    limits: ["description"],
    area: ["description"],
    exposures: ["description"],
  });
  expect(Object.keys(paths).sort()).toEqual(["area", "checkout", "exposures", "limits", "people", "staff"]);
});

test("up heals it, clears the arguments that the program removes, and a rule inserted above another leaves that its history", async () => {
  const before = (await liveGate()).rules as JsonObject[];
  const rules = flags.checkout?.args.rules as JsonObject[];
  const gone = Object.entries(removals).map(([name, fields]) => [
    name,
    Object.fromEntries(Object.keys(fields).map((field) => [field, undefined])),
  ]);
  flags = changed(changed(flags, Object.fromEntries(gone)), {
    checkout: { rules: [{ name: "First", passPercentage: 1, conditions: [{ type: "public" }] }, ...rules] },
  });
  await project.setProgram(programOf(flags));
  await stack.up();
  const after = (await liveGate()).rules as JsonObject[];
  expect(after.map(({ name }) => name)).toEqual(["First", "Staff"]);
  expect(after[1]?.baseID).toBe(before[0]?.baseID);
  expect((await client().segment.getIdList({ id: "people" })).ids).not.toContain("intruder");
  for (const [name, fields] of Object.entries(removals)) {
    const live = await liveOf(name);
    for (const [field, empty] of Object.entries(fields))
      expect([name, field, live[field] ?? null]).toEqual([name, field, empty]);
  }
});

test("another key replaces: the old one goes after the new one has come", async () => {
  flags = changed(flags, { checkout: { key: "checkout_v3" } });
  await project.setProgram(programOf(flags));
  emulator.clearRequests();
  const { changeSummary } = await stack.up();
  // All else has settled.
  expect(changeSummary).toEqual({ replace: 1, same: Object.keys(flags).length });
  const writes = emulator.requests
    .filter(({ method, kind }) => method !== "GET" && kind === "gate")
    .map(({ route }) => route);
  // A name belongs to one gate: the old one hands it over when the console refuses it to the new one.
  expect(writes).toEqual(["create", "patch", "create", "archive"]);
  expect((await client().gate.get({ id: "checkout_v2" })).status).toBe("Archived");
  expect((await liveGate()).name).toBe(flags.checkout?.args.name);
});

test("deleted elsewhere: an up that refreshes first makes them again", async () => {
  const raw = client();
  await raw.gate.delete({ id: "checkout_v3" });
  await raw.dynamicConfig.delete({ id: "limits" });
  await raw.segment.delete({ id: "staff" });
  await raw.layer.delete({ id: "checkout_area" });
  await raw.assignmentSource.delete({ name: "exposures" });
  const { changeSummary } = await stack.up({ args: ["--refresh"] });
  expect(changeSummary).toMatchObject({ create: 5 });
  expect(changeSummary.update).toBeUndefined();
});

test("destroy archives gates and configs and deletes the rest; up brings them back", async () => {
  await stack.destroy();
  const raw = client();
  expect((await raw.gate.get({ id: "checkout_v3" })).status).toBe("Archived");
  expect((await raw.dynamicConfig.get({ id: "limits" })).status).toBe("Archived");
  for (const list of [raw.segment.list(), raw.layer.list(), raw.assignmentSource.list()]) {
    for await (const item of list) throw new Error(`left behind: ${JSON.stringify(item)}`);
  }
  await stack.up();
  expect((await raw.gate.get({ id: "checkout_v3" })).status).not.toBe("Archived");
  await stack.preview({ args: ["--refresh", "--expect-no-changes"] });
});

/** Paths by name, sorted. */
function sorted(paths: readonly [string, readonly string[]][]): Record<string, string[]> {
  return Object.fromEntries(paths.map(([name, those]) => [name, [...those].sort()]));
}

/** What a preview says that it would change in place. */
function pathsIn({ steps }: PreviewResult): Record<string, string[]> {
  const updates = steps.filter(({ op }) => op === "update");
  return sorted(updates.map((step) => [nameOf(step), Object.keys(step.detailedDiff ?? {})]));
}

/** What a preview names of a flag with all changes: where two are of the same argument, the later one. */
function pathsOfAll(name: string): string[] {
  const own = changes.filter(({ flag }) => flag === name);
  const byArgument = new Map<string, Change>(own.map((change) => [Object.keys(change.args).join(), change]));
  return [...byArgument.values()].flatMap(({ path }) => path);
}

function client() {
  return createClient({ profile: "statsig", baseUrl: emulator.url, apiKey: key });
}

function liveGate(): Promise<JsonObject> {
  return client().gate.get({ id: String(flags.checkout?.args.key) });
}

async function liveOf(name: string): Promise<JsonObject> {
  const raw = client();
  if (name === "checkout") return liveGate();
  if (name === "limits") return raw.dynamicConfig.get({ id: "limits" });
  if (name === "area") return raw.layer.get({ id: "checkout_area" });
  if (name === "staff") return raw.segment.get({ id: "staff" });
  for await (const source of raw.assignmentSource.list()) if (source.name === name) return source;
  throw new Error(`no ${name}`);
}

function nameOf({ urn }: PreviewStep): string {
  return urn.split("::").at(-1) ?? "";
}
