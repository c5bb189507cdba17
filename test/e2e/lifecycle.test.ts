import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { JsonObject } from "../../src/provider/schema/json";
import type { PreviewResult } from "../support/cli-output";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { allOf } from "../support/raw-client";
import { type Bench, nameOf, openBench, testKey, toldInAll, writesTo } from "./bench";

// A month of some objects that refer to each other. The laws hold each change of each kind: here it is what Pulumi makes of them.

jest.setTimeout(300_000);

/** The program as data: resource name -> kind and arguments. */
type Flags = Record<string, { kind: string; args: JsonObject }>;

const idsFrom = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `user-${from + index}`);
const rule = (name: string, passPercentage: number, type: string, more: JsonObject = {}) => ({
  ...{ name, passPercentage },
  conditions: [{ type, ...more }],
});
const mail = (passPercentage: number, operator: string) =>
  rule("Mail", passPercentage, "email", { operator, targetValue: ["a@example.com"] });
const limits = (passPercentage: number, most: number) => ({
  ...rule("All", passPercentage, "public"),
  returnValue: { most },
});
const staff = (passPercentage: number) =>
  rule("Staff", passPercentage, "passes_segment", { targetValue: "staff" });
const colour = (defaultValue: string) => [{ name: "colour", type: "string", defaultValue }];

const first: Flags = {
  staff: { kind: "Segment", args: { type: "rule_based", tags: ["people"], rules: [mail(100, "any")] } },
  people: { kind: "Segment", args: { type: "id_list", ids: idsFrom(0, 2000) } },
  checkout: {
    kind: "Gate",
    args: { key: "checkout_v2", description: "New checkout", tags: ["shop"], rules: [staff(10)] },
  },
  limits: {
    kind: "DynamicConfig",
    args: { description: "Limits", defaultValue: { most: 1 }, rules: [limits(50, 2)] },
  },
  area: {
    kind: "Layer",
    args: { name: "Checkout area", idType: "userID", description: "Area", parameters: colour("blue") },
  },
  exposures: {
    kind: "AssignmentSource",
    args: {
      ...{ description: "Exposures", sql: "select 1", timestampColumn: "ts" },
      ...{ experimentIDColumn: "e", groupIDColumn: "g" },
      idTypeMapping: [{ serviceUnitID: "userID", column: "u" }],
    },
  },
};

/** Changes in place, and the paths that a preview names. */
const changes: Record<string, [JsonObject, string[]]> = {
  staff: [{ rules: [mail(99.99, "none")] }, ["rules[0].conditions[0].operator", "rules[0].passPercentage"]],
  people: [{ ids: idsFrom(12, 3234) }, ["ids.count", "ids.hash"]],
  checkout: [
    {
      ...{ description: "Other", isEnabled: false, name: "Checkout 2.0 x", rules: [staff(12.5)] },
      ...{ tags: ["shop", "till"], type: "PERMANENT", reviewSettings: { requiredReview: true } },
      monitoringMetrics: [{ name: "revenue", type: "sum" }],
    },
    [
      ...["description", "isEnabled", "monitoringMetrics", "name", "reviewSettings"],
      ...["rules[0].passPercentage", "tags[1]", "type"],
    ],
  ],
  limits: [
    {
      ...{ defaultValue: { most: 3 }, rules: [limits(50, 4)], schema: '{"type":"object"}' },
      ...{ tags: ["shop"], idType: "stableID", team: "growth" },
    },
    ["defaultValue.most", "idType", "rules[0].returnValue.most", "schema", "tags", "team"],
  ],
  area: [{ parameters: colour("red"), targetApps: ["web"] }, ["parameters[0].defaultValue", "targetApps"]],
  exposures: [
    {
      ...{ sql: "select 2", scheduledReloadHour: 5, isVerified: true },
      idTypeMapping: [{ serviceUnitID: "userID", column: "user" }],
    },
    ["idTypeMapping[0].column", "isVerified", "scheduledReloadHour", "sql"],
  ],
};

/** Arguments that the program removes, and what the console must then show under the API's name. */
const removals: Record<string, Record<string, unknown>> = {
  checkout: { description: "", tags: [], monitoringMetrics: [] },
  limits: { description: "", tags: [], schema: null, team: null },
  area: { description: "", targetApps: [], parameters: [] },
  exposures: { description: "", scheduledReloadHour: null },
  staff: { rules: [] },
};

let bench: Bench;
let flags: Flags = first;

/** Makes these the program, with lists of ids that are a secret and a file. The gate refers to the segment by passing the resource. */
async function write(next: Flags): Promise<void> {
  flags = next;
  const lines = Object.entries(flags).map(([name, { kind, args }]) => {
    const text = JSON.stringify(args).replace('"targetValue":"staff"', '"targetValue":made.staff');
    return `made.${name} = new fc.${kind}("${name}", ${text} as never);`;
  });
  await bench.write(`const made: Record<string, pulumi.CustomResource> = {};
${lines.join("\n")}
new fc.Segment("hidden", { type: "id_list", ids: pulumi.secret(["user-a", "user-b"]) });
new fc.Segment("asset", { type: "id_list", ids: new pulumi.asset.StringAsset("user-c\\nuser-d") });`);
}

/** The flags with other arguments for some of them; `undefined` removes one. */
function changed(args: Record<string, JsonObject | Record<string, undefined>>): Flags {
  const copy = { ...flags };
  for (const [name, those] of Object.entries(args)) {
    const { kind = "", args: own = {} } = copy[name] ?? {};
    copy[name] = { kind, args: JSON.parse(JSON.stringify({ ...own, ...those })) };
  }
  return copy;
}

beforeAll(async () => {
  bench = await openBench();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

test("up makes all of them, small in state and without an id", async () => {
  await write(first);
  await bench.stack.up();
  expect(await liveGate()).toMatchObject({
    ...{ id: "checkout_v2", name: "checkout_v2", status: "In Progress" },
    rules: [{ name: "Staff" }],
  });
  expect((await bench.raw.segment.getIdList({ id: "asset" })).ids).toEqual(["user-c", "user-d"]);
  const state = await bench.state();
  const { inputs } = state.checkout as { inputs: JsonObject };
  const constant = 'exports.handler = () => require("pulumi-feature-console/dynamic/v1").gate;';
  expect(inputs.__provider).toBe(constant);
  expect(JSON.stringify(state.checkout).length).toBeLessThan(6000);
  expect(JSON.stringify(state)).not.toMatch(new RegExp(`user-|${testKey}`));
  const secret = { ciphertext: "" };
  expect(state).toMatchObject({
    people: { inputs: { ids: { count: 2000 } } },
    hidden: { inputs: { ids: secret }, outputs: { ids: secret, __ids: secret } },
  });
});

test("changes in place: a preview names exactly the properties, and once how many ids come and go; up sends only those", async () => {
  await write(changed(Object.fromEntries(Object.entries(changes).map(([name, [args]]) => [name, args]))));
  bench.emulator.clearRequests();
  const preview = await bench.stack.preview();
  const paths = Object.entries(changes).map(([name, [, those]]) => [name, those]);
  expect(pathsIn(preview)).toEqual(Object.fromEntries(paths));
  expect(toldInAll(preview).match(/segment "people": ids \+1,234 \/ −12/g)).toHaveLength(1);
  expect(bench.emulator.requests).toEqual([]);
  expect(toldInAll(await bench.stack.up())).not.toContain("−12");
  const sent = bench.emulator.requests.flatMap(({ route }) => (/Ids$/.test(String(route)) ? [route] : []));
  expect(sent).toEqual(["addIds", "removeIds"]);
  expect((await bench.raw.segment.getIdList({ id: "people" })).count).toBe(3222);
});

test("what people then edit in the console is all that a preview which refreshes finds and turns back", async () => {
  const { raw } = bench;
  const body = { description: "Drift" };
  await raw.gate.patch({ id: "checkout_v2", body });
  await raw.dynamicConfig.patch({ id: "limits", body });
  await raw.layer.patch({ id: "checkout_area", body });
  await raw.assignmentSource.patch({ name: "exposures", body });
  await raw.segment.setRules({ id: "staff", body: [] });
  await raw.segment.addIds({ id: "people", body: { ids: ["intruder"] } });
  const paths = pathsIn(await bench.stack.preview({ args: ["--refresh"] }));
  const described = ["area", "checkout", "exposures", "limits"].map((name) => [name, ["description"]]);
  expect(paths).toMatchObject(Object.fromEntries(described));
  // Nothing of what the update just changed: all of that has settled.
  expect(Object.keys(paths).sort()).toEqual(["area", "checkout", "exposures", "limits", "people", "staff"]);
});

test("up heals it, clears the arguments that the program removes, and a rule inserted above another leaves that its history", async () => {
  const [before] = (await liveGate()).rules as JsonObject[];
  const gone = Object.entries(removals).map(([name, fields]) => [
    name,
    Object.fromEntries(Object.keys(fields).map((field) => [field, undefined])),
  ]);
  flags = changed(Object.fromEntries(gone));
  await write(changed({ checkout: { rules: [rule("First", 1, "public"), staff(12.5)] } }));
  await bench.stack.up({ args: ["--refresh"] });
  const after = (await liveGate()).rules as JsonObject[];
  expect(after.map(({ name }) => name)).toEqual(["First", "Staff"]);
  expect(after[1]?.baseID).toBe(before?.baseID);
  expect((await bench.raw.segment.getIdList({ id: "people" })).ids).not.toContain("intruder");
  for (const [name, fields] of Object.entries(removals)) {
    const live = await liveOf(name);
    for (const [field, empty] of Object.entries(fields))
      expect([name, field, live?.[field] ?? null]).toEqual([name, field, empty]);
  }
});

test("another key replaces: the old one goes after the new one has come; an up that refreshes first makes again what was deleted elsewhere", async () => {
  const { raw } = bench;
  await raw.dynamicConfig.delete({ id: "limits" });
  await raw.segment.delete({ id: "staff" });
  await raw.layer.delete({ id: "checkout_area" });
  await raw.assignmentSource.delete({ name: "exposures" });
  await write(changed({ checkout: { key: "checkout_v3" } }));
  bench.emulator.clearRequests();
  const { changeSummary } = await bench.stack.up({ args: ["--refresh"] });
  // All else has settled.
  expect(changeSummary).toEqual({ create: 4, replace: 1, same: 4 });
  // A name belongs to one gate: the old one hands it over when the console refuses it to the new one.
  expect(writesTo(bench.emulator).filter((one) => one.includes("/gates"))).toEqual([
    ...["POST /gates", "PATCH /gates/checkout_v2", "POST /gates", "PUT /gates/checkout_v2/archive"],
  ]);
  expect((await raw.gate.get({ id: "checkout_v2" })).status).toBe("Archived");
  expect((await liveGate()).name).toBe("Checkout 2.0 x");
});

test("destroy archives gates and configs and deletes the rest; up brings them back, and then a refresh finds nothing", async () => {
  await bench.stack.destroy();
  const { raw } = bench;
  expect((await liveGate()).status).toBe("Archived");
  expect((await raw.dynamicConfig.get({ id: "limits" })).status).toBe("Archived");
  for (const list of [raw.segment.list(), raw.layer.list(), raw.assignmentSource.list()])
    expect(await allOf(list)).toEqual([]);
  await bench.stack.up();
  expect((await liveGate()).status).not.toBe("Archived");
  bench.emulator.clearRequests();
  await bench.stack.preview({ args: ["--refresh", "--expect-no-changes"] });
  expect(bench.emulator.requests.length).toBeGreaterThan(0);
  expect(writesTo(bench.emulator)).toEqual([]);
});

/** What a preview says that it would change in place. */
function pathsIn({ steps }: PreviewResult): Record<string, string[]> {
  const updates = steps.filter(({ op }) => op === "update");
  return Object.fromEntries(
    updates.map(({ urn, detailedDiff }) => [nameOf(urn), Object.keys(detailedDiff ?? {}).sort()]),
  );
}

const liveGate = () => liveOf("checkout") as Promise<JsonObject>;

async function liveOf(name: string): Promise<JsonObject | undefined> {
  const { raw } = bench;
  if (name === "checkout") return raw.gate.get({ id: String(flags.checkout?.args.key) });
  if (name === "limits") return raw.dynamicConfig.get({ id: "limits" });
  if (name === "area") return raw.layer.get({ id: "checkout_area" });
  if (name === "staff") return raw.segment.get({ id: "staff" });
  return (await allOf(raw.assignmentSource.list())).find((source) => source.name === name);
}
