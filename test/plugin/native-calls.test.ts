import type { ServerUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import { expect, test } from "@jest/globals";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { createEmulator } from "../../src/emulator";
import { Plugin } from "../../src/provider/native/plugin";
import { serviceOf } from "../../src/provider/native/service";
import { configFor, startProcess } from "../support/in-process";
import { type Bag, fromStruct, revealed, secret, toStruct } from "../support/wire-json";

const hush = "hush-word";

/** Calls of a plugin over a console of its own, in the messages of the protocol. */
function startPlugin() {
  const emulator = createEmulator();
  const { transport } = emulator;
  const config = configFor({ url: "http://127.0.0.1:9" });
  const lines: string[] = [];
  const plugin = new Plugin(
    (report) => startProcess(config, { folder: undefined, report, transport }),
    (line) => void lines.push(line),
  );
  const service = serviceOf(plugin, {
    ...{ version: "0.0.0", environment: () => ({}), schema: () => "{}", logged: () => Promise.resolve() },
  });
  const call = <Answer>(method: string, request: object) =>
    new Promise<Answer>((resolve, reject) => {
      const handler = service[method] as (call: unknown, callback: sendUnaryData<Answer>) => void;
      handler({ request } as ServerUnaryCall<unknown, unknown>, (error, answer) =>
        error ? reject(error) : resolve(answer as Answer),
      );
    });
  return { call, lines, emulator };
}

test("what a kind keeps secret is a secret in inputs and state, also where the program has it in plain text", async () => {
  const { call } = startPlugin();
  const urn = "urn:pulumi:dev::test::feature-console:index:WarehouseConnection::warehouse";
  const news = toStruct({ databricks: { host: "shop.example.com", accessToken: hush } });
  const check = new proto.CheckRequest().setUrn(urn).setNews(news).setOlds(toStruct({}));
  const checked = (await call<proto.CheckResponse>("check", check)).getInputs();
  expect(revealed(fromStruct(checked).databricks)).toMatchObject({ accessToken: hush });
  expect(fromStruct(checked).databricks).not.toHaveProperty("accessToken");
  const create = new proto.CreateRequest().setUrn(urn).setProperties(checked);
  const state = fromStruct((await call<proto.CreateResponse>("create", create)).getProperties());
  expect(state.databricks).not.toHaveProperty("accessToken");
  expect(revealed(state.databricks)).toMatchObject({ accessToken: hush });
  expect(JSON.stringify({ ...state, databricks: undefined })).not.toContain(hush);
});

test("a refused secret is not shown", async () => {
  const { call } = startPlugin();
  const urn = "urn:pulumi:dev::test::feature-console:index:WarehouseConnection::warehouse";
  const news = toStruct({ databricks: hush });
  const check = new proto.CheckRequest().setUrn(urn).setNews(news).setOlds(toStruct({}));
  const failures = (await call<proto.CheckResponse>("check", check)).getFailuresList();
  expect(failures).toHaveLength(1);
  expect(failures.map((one) => one.getReason()).join()).not.toContain(hush);
});

test.each([
  ["an engine before 3.274, which sends no outputs", undefined, []],
  ["an engine since 3.274: the outputs of a new resource are empty", {}, []],
  [
    "a resource in state without an argument: what only a creation sets is refused",
    { id: "staff" },
    ["type"],
  ],
])("a check of a segment, of %s", async (_, outputs, refused) => {
  const { call } = startPlugin();
  const urn = "urn:pulumi:dev::test::feature-console:index:Segment::staff";
  const news = toStruct({ type: "rule_based" });
  const check = new proto.CheckRequest().setUrn(urn).setNews(news).setOlds(toStruct({}));
  if (outputs !== undefined) check.setOldOutputs(toStruct(outputs));
  const failures = (await call<proto.CheckResponse>("check", check)).getFailuresList();
  expect(failures.map((one) => one.getProperty())).toEqual(refused);
});

test("a preview of many new objects looks for 25 of them, and says once that there are more", async () => {
  const { call, lines, emulator } = startPlugin();
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const urn = `urn:pulumi:dev::test::feature-console:index:Gate::gate_${index}`;
      const news = toStruct({ key: `gate_${index}` });
      const check = new proto.CheckRequest().setUrn(urn).setNews(news).setOlds(toStruct({}));
      const inputs = (await call<proto.CheckResponse>("check", check)).getInputs();
      await call("create", new proto.CreateRequest().setUrn(urn).setProperties(inputs).setPreview(true));
    }),
  );
  expect(lines).toEqual(["Not every new object is checked: a preview looks for 25 in the console."]);
  expect(new Set(emulator.requests.map(({ path }) => path)).size).toBe(25);
  expect(emulator.requests).toHaveLength(25);
});

const title = { name: "title", type: "string", defaultValue: "a" };
const size = { name: "size", type: "number", defaultValue: 1 };
test.each<[string, string, object, object, string[]]>([
  [
    "a rule",
    "Gate",
    { rules: [{ name: "R", passPercentage: 1 }] },
    { rules: [{ name: "R", passPercentage: 2 }] },
    ["rules[0].passPercentage"],
  ],
  [
    "a name with a dot",
    "DynamicConfig",
    { defaultValue: { "x.y": 1 } },
    { defaultValue: { "x.y": 2 } },
    ['defaultValue["x.y"]'],
  ],
  [
    "a member that is new",
    "DynamicConfig",
    { defaultValue: {} },
    { defaultValue: { x: { y: 1 } } },
    ["defaultValue.x"],
  ],
  ["a list without an order", "Gate", { tags: ["b", "a"] }, { tags: ["b", "c"] }, ["tags"]],
  [
    "an element known by its name",
    "Layer",
    { parameters: [title, size] },
    { parameters: [title, { ...size, defaultValue: 2 }] },
    ["parameters[1].defaultValue"],
  ],
  [
    "such an element elsewhere",
    "Layer",
    { parameters: [title, size] },
    { parameters: [{ ...size, defaultValue: 2 }, title] },
    ["parameters"],
  ],
  [
    "such an element that is new",
    "Layer",
    { parameters: [title] },
    { parameters: [title, size] },
    ["parameters"],
  ],
])("%s that changes is found where the arguments have it", async (_, kind, was, is, paths) => {
  const { call } = startPlugin();
  const urn = `urn:pulumi:dev::test::feature-console:index:${kind}::one`;
  const named = { key: "one_thing", name: "one_thing", idType: "userID", parameters: [] };
  const keys = kind === "Layer" ? ["name", "idType"] : ["key", "name"];
  const args = Object.fromEntries(Object.entries(named).filter(([name]) => keys.includes(name)));
  const [olds, news] = [was, is].map((own) => toStruct({ ...args, ...own }));
  const diff = new proto.DiffRequest()
    .setUrn(urn)
    .setId("one_thing")
    .setOlds(olds)
    .setOldInputs(olds)
    .setNews(news);
  const found = (await call<proto.DiffResponse>("diff", diff)).getDetaileddiffMap();
  expect([...found.keys()]).toEqual(paths);
});

test("members in snake_case, as packages for Python type them, are those of the reference, also secret ones", async () => {
  const { call } = startPlugin();
  const urn = "urn:pulumi:dev::test::feature-console:index:Gate::one_gate";
  const condition = {
    type: "custom_field",
    operator: "any",
    target_value: [secret(hush)],
    field: "my_field",
  };
  const rule = { name: "R", pass_percentage: 100, conditions: [condition] };
  const check = async (args: object) => {
    const request = new proto.CheckRequest().setUrn(urn).setNews(toStruct({ key: "one_gate", ...args }));
    return call<proto.CheckResponse>("check", request.setOlds(toStruct({})));
  };
  const inputs = fromStruct((await check({ rules: [rule] })).getInputs());
  const { target_value: _, ...others } = condition;
  expect(revealed(inputs.rules)).toEqual([
    { name: "R", passPercentage: 100, conditions: [{ ...others, targetValue: [hush] }] },
  ]);
  const both = { ...condition, targetValue: ["a"], operator: "is" };
  const failures = (await check({ rules: [{ ...rule, conditions: [both] }] })).getFailuresList();
  const reasons = failures.map((one) => one.getReason()).join("\n");
  expect(reasons).toContain("rules[0].conditions[0].target_value: unknown argument");
  expect(reasons).not.toContain(hush);
  const config = "urn:pulumi:dev::test::feature-console:index:DynamicConfig::one_config";
  const free = new proto.CheckRequest().setUrn(config).setOlds(toStruct({}));
  const news = toStruct({ key: "one_config", defaultValue: { pass_percentage: { target_value: 1 } } });
  const kept = fromStruct((await call<proto.CheckResponse>("check", free.setNews(news))).getInputs());
  expect(kept.defaultValue).toEqual({ pass_percentage: { target_value: 1 } });
});

const urnOfGate = "urn:pulumi:dev::test::feature-console:index:Gate::checkout";
const ruleOf = (name: string, passPercentage: number) => ({
  name,
  passPercentage,
  conditions: [{ type: "user_id", operator: "any", targetValue: [name] }],
});

/** The diff of a gate of a program in YAML, after the check of the same arguments. */
async function diffOfGate(
  call: ReturnType<typeof startPlugin>["call"],
  [olds, news]: readonly [Bag, Bag],
  ignored: string[],
) {
  const check = new proto.CheckRequest()
    .setUrn(urnOfGate)
    .setNews(toStruct(news))
    .setOlds(toStruct(olds))
    .setOldOutputs(toStruct({}));
  const checked = await call<proto.CheckResponse>("check", check);
  expect(checked.getFailuresList()).toEqual([]);
  const state = toStruct({ ...olds, _state: { __managed: ["rules"] } });
  const request = new proto.DiffRequest().setUrn(urnOfGate).setId("checkout").setOlds(state);
  request.setOldInputs(toStruct(olds)).setNews(checked.getInputs()).setIgnorechangesList(ignored);
  return call<proto.DiffResponse>("diff", request);
}

test("in every language, a rule is refused that ignoreChanges gives the percentage of another one", async () => {
  const olds = { key: "checkout", name: "checkout", rules: [ruleOf("everyone", 66)] };
  // Pulumi has put the 66 of the first place there.
  const moved = { ...olds, rules: [ruleOf("new", 66), ruleOf("everyone", 10)] };
  await expect(
    diffOfGate(startPlugin().call, [olds, moved], ["rules[*].passPercentage"]),
  ).rejects.toMatchObject({
    details: expect.stringContaining(
      'gate "checkout": rules[0].passPercentage: "new" would go live with 66, the value of "everyone"; ' +
        'rules[1].passPercentage: "everyone" would go live with 10, the program\'s value, and not with 66. ' +
        'ignoreChanges "rules[*].passPercentage" goes by places, and the list has moved. Set owns: { rollout: "console" } in its place',
    ),
  });
  const atEnd = { ...olds, rules: [ruleOf("everyone", 66), ruleOf("new", 5)] };
  await diffOfGate(startPlugin().call, [olds, atEnd], ["rules[*].passPercentage"]);
});

test("in YAML, where Pulumi drops a null of the program, the preview shows that it goes, and what keeps it", async () => {
  const { call, lines } = startPlugin();
  const urn = "urn:pulumi:dev::test::feature-console:index:DynamicConfig::limits";
  const olds = { key: "limits", name: "limits", defaultValue: { none: null, limit: 1 } };
  const news = toStruct({ ...olds, defaultValue: { limit: 1 } });
  const check = new proto.CheckRequest()
    .setUrn(urn)
    .setNews(news)
    .setOlds(toStruct(olds))
    .setOldOutputs(toStruct({}));
  const inputs = (await call<proto.CheckResponse>("check", check)).getInputs();
  const state = toStruct({ ...olds, __featureConsole: { __managed: ["defaultValue"] } });
  const diff = new proto.DiffRequest()
    .setUrn(urn)
    .setId("limits")
    .setOlds(state)
    .setOldInputs(toStruct(olds));
  await call("diff", diff.setNews(inputs));
  const update = new proto.UpdateRequest().setUrn(urn).setId("limits").setOlds(state).setNews(inputs);
  await call("update", update.setPreview(true));
  expect(lines).toEqual([
    'dynamic config "limits": defaultValue.none: null → removed (if the program sets this null, Pulumi has dropped it: ' +
      "set defaultValueJson5 to keep it)",
  ]);
});
