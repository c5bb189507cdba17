import { expect, test } from "@jest/globals";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { type Bag, fromStruct, revealed, secret, toStruct } from "../support/wire-json";
import { startPlugin, urnOf } from "./plugin-calls";

const hush = "hush-word";
test("what a kind keeps secret is a secret in inputs and state, also where the program has it in plain text", async () => {
  const { call, check } = startPlugin();
  const urn = urnOf("WarehouseConnection");
  const { inputs } = await check(urn, { databricks: { host: "shop.example.com", accessToken: hush } });
  const create = new proto.CreateRequest().setUrn(urn).setProperties(toStruct(inputs));
  const state = fromStruct((await call<proto.CreateResponse>("create", create)).getProperties());
  for (const { databricks } of [inputs, state]) {
    expect(databricks).not.toHaveProperty("accessToken");
    expect(revealed(databricks)).toMatchObject({ accessToken: hush });
  }
  expect(JSON.stringify({ ...state, databricks: undefined })).not.toContain(hush);
});

test("a refused secret is not shown", async () => {
  const { failures } = await startPlugin().check(urnOf("WarehouseConnection"), { databricks: hush });
  expect(failures).toHaveLength(1);
  expect(failures.join()).not.toContain(hush);
});

test.each<[string, Bag | undefined, string[]]>([
  ["an engine before 3.274, which sends no outputs", undefined, []],
  ["an engine since 3.274: the outputs of a new resource are empty", {}, []],
  ["a resource in state without an argument: only a creation sets it", { id: "staff" }, ["type"]],
])("a check of a segment, of %s", async (_, outputs, refused) => {
  const around = outputs === undefined ? {} : { outputs };
  const { failures } = await startPlugin().check(urnOf("Segment"), { type: "rule_based" }, around);
  expect(failures.map(([property]) => property)).toEqual(refused);
});

test("a preview of many new objects looks for 25 of them, and says once that there are more", async () => {
  const { call, check, lines, emulator } = startPlugin();
  const preview = async (key: string) => {
    const urn = urnOf("Gate", key);
    const inputs = toStruct((await check(urn, { key })).inputs);
    await call("create", new proto.CreateRequest().setUrn(urn).setProperties(inputs).setPreview(true));
  };
  await Promise.all(Array.from({ length: 40 }, (_, index) => preview(`gate_${index}`)));
  expect(lines).toEqual(["Not every new object is checked: a preview looks for 25 in the console."]);
  expect(new Set(emulator.requests.map(({ path }) => path)).size).toBe(25);
  expect(emulator.requests).toHaveLength(25);
});

const title = { name: "title", type: "string", defaultValue: "a" };
const size = { name: "size", type: "number", defaultValue: 1 };
const larger = { ...size, defaultValue: 2 };
const share = (passPercentage: number) => [{ name: "R", passPercentage }];
test.each<[what: string, kind: string, argument: string, was: unknown, is: unknown, path: string]>([
  ["a rule", "Gate", "rules", share(1), share(2), "rules[0].passPercentage"],
  ["a name with a dot", "DynamicConfig", "defaultValue", { "x.y": 1 }, { "x.y": 2 }, 'defaultValue["x.y"]'],
  ["a new member", "DynamicConfig", "defaultValue", {}, { x: { y: 1 } }, "defaultValue.x"],
  ["a list without an order", "Gate", "tags", ["b", "a"], ["b", "c"], "tags"],
  [
    "an element with a name",
    "Layer",
    "parameters",
    [title, size],
    [title, larger],
    "parameters[1].defaultValue",
  ],
  ["such an element elsewhere", "Layer", "parameters", [title, size], [larger, title], "parameters"],
  ["such an element that is new", "Layer", "parameters", [title], [title, size], "parameters"],
])("%s that changes is found where the arguments have it", async (_, kind, argument, was, is, path) => {
  const names = kind === "Layer" ? { name: "one", idType: "userID" } : { key: "one", name: "one" };
  const [olds, news] = [was, is].map((value): Bag => ({ ...names, [argument]: value })) as [Bag, Bag];
  const found = (await startPlugin().diff(urnOf(kind), olds, olds, news)).getDetaileddiffMap();
  expect([...found.keys()]).toEqual([path]);
});

test("members in snake_case, as packages for Python type them, are those of the reference, also secret ones", async () => {
  const { check } = startPlugin();
  const condition = {
    type: "custom_field",
    operator: "any",
    target_value: [secret(hush)],
    field: "my_field",
  };
  const withCondition = (one: object) => ({
    key: "one_gate",
    rules: [{ name: "R", pass_percentage: 100, conditions: [one] }],
  });
  const { target_value: _, ...others } = condition;
  expect(revealed((await check(urnOf("Gate"), withCondition(condition))).inputs.rules)).toEqual([
    { name: "R", passPercentage: 100, conditions: [{ ...others, targetValue: [hush] }] },
  ]);
  const both = { ...condition, targetValue: ["a"], operator: "is" };
  const reasons = (await check(urnOf("Gate"), withCondition(both))).failures.join("\n");
  expect(reasons).toContain("rules[0].conditions[0].target_value: unknown argument");
  expect(reasons).not.toContain(hush);
  const defaultValue = { pass_percentage: { target_value: 1 } };
  const kept = await check(urnOf("DynamicConfig"), { key: "one_config", defaultValue });
  expect(kept.inputs.defaultValue).toEqual(defaultValue);
});

test("in every language, a rule is refused that ignoreChanges gives the percentage of another one", async () => {
  const rule = (name: string, passPercentage: number) => ({
    ...{ name, passPercentage },
    conditions: [{ type: "user_id", operator: "any", targetValue: [name] }],
  });
  const urn = urnOf("Gate", "checkout");
  const olds = { key: "checkout", name: "checkout", rules: [rule("everyone", 66)] };
  const diffTo = async (...rules: object[]) => {
    const { check, diff } = startPlugin();
    const { inputs, failures } = await check(urn, { ...olds, rules }, { olds, outputs: {} });
    expect(failures).toEqual([]);
    const state = { ...olds, _state: { __managed: ["rules"] } };
    return diff(urn, state, olds, inputs, ["rules[*].passPercentage"]);
  };
  // Pulumi has put the 66 of the first place there.
  // The whole text: test/core/ignored-places.test.ts.
  await expect(diffTo(rule("new", 66), rule("everyone", 10))).rejects.toMatchObject({
    details: expect.stringMatching(
      /^.*gate "checkout": rules\[0\]\.passPercentage: "new" would go live with 66, the value of "everyone"; .*rules\[\*\]\.passPercentage/,
    ),
  });
  await diffTo(rule("everyone", 66), rule("new", 5));
});

test("in YAML, where Pulumi drops a null of the program, the preview shows that it goes, and what keeps it", async () => {
  const { call, check, diff, lines } = startPlugin();
  const urn = urnOf("DynamicConfig", "limits");
  const olds = { key: "limits", name: "limits", defaultValue: { none: null, limit: 1 } };
  const { inputs } = await check(urn, { ...olds, defaultValue: { limit: 1 } }, { olds, outputs: {} });
  const state = { ...olds, __featureConsole: { __managed: ["defaultValue"] } };
  await diff(urn, state, olds, inputs);
  const update = new proto.UpdateRequest().setUrn(urn).setId("limits").setPreview(true);
  await call("update", update.setOlds(toStruct(state)).setNews(toStruct(inputs)));
  expect(lines).toEqual([
    'dynamic config "limits": defaultValue.none: null → removed (if the program sets this null, Pulumi has dropped it: ' +
      "set defaultValueJson5 to keep it)",
  ]);
});

test("in the preview of an update a group that stays has its id, to which others refer", async () => {
  const { call, check } = startPlugin();
  const urn = urnOf("Experiment", "button");
  const groups = ["a", "b"].map((name) => ({ name, size: 50, parameterValues: {} }));
  const { inputs } = await check(urn, { hypothesis: "More", groups });
  const seen = groups.map((group) => ({ ...group, id: `id of ${group.name}` }));
  const state = { ...inputs, groups: seen, __featureConsole: { __managed: ["groups", "hypothesis"] } };
  const update = new proto.UpdateRequest().setUrn(urn).setId("button").setPreview(true);
  update.setOlds(toStruct(state)).setNews(toStruct(inputs));
  const answer = await call<proto.UpdateResponse>("update", update);
  expect(answer.getProperties()?.toJavaScript()).toMatchObject({ groups: seen });
});

test("pulumi import leaves out the ids of a list, which no program can set by their digest, and says so", async () => {
  const { call, check, lines, emulator } = startPlugin();
  const urn = urnOf("Segment", "staff");
  const ids = ["a", "b", "c"];
  const { inputs } = await check(urn, { key: "staff", name: "Company", type: "id_list", ids });
  await call("create", new proto.CreateRequest().setUrn(urn).setProperties(toStruct(inputs)));
  const job = startPlugin(emulator);
  const asked = new proto.ReadRequest().setUrn(urn).setId("staff");
  const found = await job.call<proto.ReadResponse>("read", asked);
  const args = { name: "Company", type: "id_list" };
  expect(fromStruct(found.getInputs())).toEqual(args);
  expect(lines).toEqual([]);
  expect(job.lines).toEqual([
    'segment "staff": pulumi import prints no ids. A program that does not set ids leaves the 3 ids of the console as they are.',
  ]);
  const state = fromStruct(found.getProperties());
  const planned = await job.diff(
    urn,
    state,
    args,
    (await job.check(urn, args, { olds: args, outputs: state })).inputs,
  );
  expect(planned.getChanges()).toBe(proto.DiffResponse.DiffChanges.DIFF_NONE);
  expect(job.lines).toHaveLength(1);
  // The option `import` compares the ids of its program.
  const withIds = await job.check(urn, { ...args, ids }, { olds: args, outputs: state });
  const same = await job.diff(urn, state, args, withIds.inputs);
  expect(same.getChanges()).toBe(proto.DiffResponse.DiffChanges.DIFF_NONE);
});

test("a read without a state has the arguments of a program: lists where the package has lists, no default names", async () => {
  const { call, diff } = startPlugin();
  const urn = urnOf("Gate", "checkout");
  const rule = (passPercentage: number, targetValue: unknown) => ({
    ...{ name: "Some", passPercentage },
    conditions: [{ type: "passes_segment", targetValue }],
  });
  const args = { key: "checkout", name: "checkout" };
  const gate = toStruct({ ...args, rules: [rule(10, "staff")] });
  await call("create", new proto.CreateRequest().setUrn(urn).setProperties(gate));
  const read = (urn: string) =>
    call<proto.ReadResponse>("read", new proto.ReadRequest().setUrn(urn).setId("checkout"));
  const found = await read(urn);
  const inputs = fromStruct(found.getInputs());
  expect(inputs).toEqual({ rules: [rule(10, ["staff"])] });
  expect(fromStruct((await read(urnOf("Gate", "renamed"))).getInputs())).toMatchObject({ key: "checkout" });
  // The preview of the option `import` shows the change alone.
  const news = { ...args, rules: [rule(50, "staff")] };
  const changed = await diff(urn, fromStruct(found.getProperties()), inputs, news);
  expect([...changed.getDetaileddiffMap().keys()]).toEqual(["rules[0].passPercentage"]);
});

test("the order of a replacement holds where the program sets an option that no plugin sees", async () => {
  const { call, check, diff, lines } = startPlugin();
  const urn = urnOf("Gate", "checkout");
  const olds = { key: "checkout", name: "checkout" };
  const { inputs } = await check(urn, { key: "basket" }, { olds, outputs: {} });
  await diff(urn, { ...olds, __featureConsole: { __managed: ["key", "name"] } }, olds, inputs);
  const again = await check(urn, { key: "basket" });
  const create = new proto.CreateRequest().setUrn(urn).setPreview(true);
  await call("create", create.setProperties(toStruct(again.inputs)));
  expect(lines).toContain(
    'gate "basket" is created first; gate "checkout" is archived after what uses it has moved (with deleteBeforeReplace: true, the other way round).',
  );
});
