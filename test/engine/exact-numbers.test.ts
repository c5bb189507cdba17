import { afterEach, describe, expect, test } from "@jest/globals";
import type { WireAnswer, WireRequest } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import { argumentsOf } from "../../src/provider/engine/expressed/resource-arguments";
import { exactJson, type JsonObject, parseSound } from "../../src/provider/schema/json";
import { withExactNumbers } from "../../src/provider/values/exact-numbers";
import { adapters, type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject?.close());

const big = "9007199254740993";
const everyone = [{ type: "public" }];

describe.each(adapters)("%s: an edit of one member keeps the digits of the others", (adapter) => {
  test("in the default value and in the values of rules", async () => {
    subject = await startSubject(catalog.dynamicConfig, { adapter });
    const rule = { name: "All", passPercentage: 100, conditions: everyone };
    await subject.raw.dynamicConfig.create({
      body: {
        ...{ name: "limits", defaultValueJson5: `{"big": ${big}, "limit": 1}` },
        rules: [{ ...rule, returnValueJson5: `{ids: [${big}, 5], limit: 1}` }],
      } as never,
    });
    const rounded = Number(big);
    const args = (limit: number): JsonObject => ({
      key: "limits",
      adopt: true,
      defaultValue: { big: rounded, limit },
      rules: [{ ...rule, returnValue: { ids: [rounded, 5], limit } }],
    });
    const made = await subject.up(args(1));
    subject.nextRun();
    const seen = await subject.refresh(made);
    subject.nextRun();
    const news = await subject.update(seen ?? made, args(2));
    const live = await subject.raw.dynamicConfig.get({ id: "limits" });
    expect(live.defaultValueJson5).toBe(`{"big":${big},"limit":2}`);
    expect(live.rules).toMatchObject([{ returnValueJson5: `{"ids":[${big},5],"limit":2}` }]);
    subject.nextRun();
    expect(await subject.diff(news, args(2))).toMatchObject({ quiet: true });
    subject.nextRun();
    const ruleOnly = {
      ...args(2),
      rules: [{ ...rule, returnValue: { ids: [rounded, 5], limit: 3 } }],
    };
    await subject.update(news, ruleOnly);
    const after = await subject.raw.dynamicConfig.get({ id: "limits" });
    expect(after.defaultValueJson5).toBe(`{"big":${big},"limit":2}`);
    expect(after.rules).toMatchObject([{ returnValueJson5: `{"ids":[${big},5],"limit":3}` }]);
  });

  test("where no text stands for the value, the number goes with all its digits", async () => {
    const bodies: string[] = [];
    const through = (transport: { send(request: WireRequest): Promise<WireAnswer> }) => ({
      async send(request: WireRequest) {
        if (request.body !== undefined && request.method !== "GET") bodies.push(request.body);
        const answer = await transport.send(request);
        // A console that keeps them.
        return { ...answer, text: answer.text.replaceAll("9007199254740992", big) };
      },
    });
    subject = await startSubject(catalog.paramStore, { adapter, through });
    const args = (other: number): JsonObject => ({
      ...{ name: "limits", displayName: "Limits", description: "" },
      parameters: [
        { name: "big", refType: "static", paramType: "number", value: Number(big) },
        { name: "other", refType: "static", paramType: "object", value: { shop: Number(big), other } },
      ],
    });
    const made = await subject.up(args(1));
    bodies.length = 0;
    subject.nextRun();
    await subject.update(made, args(2));
    expect(bodies.join()).toContain(`"value":${big}`);
    // Pulumi's wire sorts members.
    expect(bodies.join()).toMatch(new RegExp(`"value":{("other":2,"shop":${big}|"shop":${big},"other":2)}`));
    expect(bodies.join()).not.toContain("9007199254740992");
  });
});

test("a number that the program changes is the program's, and one that moves in a list keeps its digits", () => {
  const live = parseSound(
    `{"defaultValue": {"a": ${big}, "list": [1, ${big}], "named": [{"name": "x", "n": ${big}}]}}`,
  );
  const program = {
    defaultValue: {
      ...{ a: 9007199254740994, list: [Number(big), 1] },
      named: [
        { name: "new", n: Number(big) },
        { name: "x", n: Number(big) },
      ],
    },
  };
  const sent = withExactNumbers(catalog.dynamicConfig, program, live as JsonObject, true);
  expect(sent).toEqual({
    defaultValueJson5: `{"a":9007199254740994,"list":[${big},1],"named":[{"name":"new","n":9007199254740992},{"name":"x","n":${big}}]}`,
  });
  const asValue = withExactNumbers(catalog.dynamicConfig, program, live as JsonObject, false);
  expect(exactJson(asValue)).toContain(`"list":[${big},1]`);
  const other = { defaultValue: { a: 1 } };
  expect(withExactNumbers(catalog.dynamicConfig, other, live as JsonObject, true)).toBe(other);
});

describe("an import sets the text where the value itself cannot be set", () => {
  const live = {
    ...{ key: "limits", name: "limits", isEnabled: true, status: "In Progress", tags: [] },
    defaultValue: { big: Number(big) },
    defaultValueJson5: `{"big": ${big}} `,
    rules: [
      {
        ...{ name: "All", passPercentage: 100, conditions: everyone },
        ...{ returnValue: { none: [null] }, returnValueJson5: '{"none":[null]}' },
      },
    ],
  };
  const options = { owners: false, exists: () => false, isOfConsole: () => false };
  const said = (object: JsonObject, dropsNulls: boolean) =>
    argumentsOf(catalog.dynamicConfig, object, "limits", { ...options, dropsNulls });

  test("a number that loses digits, and a null that Pulumi drops in the language", () => {
    const text = { defaultValueJson5: live.defaultValueJson5 };
    expect(said(live, false)).toMatchObject({
      args: { ...text, rules: [{ returnValue: { none: [null] } }] },
    });
    expect(said(live, false)).not.toHaveProperty("args.defaultValue");
    expect(said(live, true)).toMatchObject({
      args: { ...text, rules: [{ returnValueJson5: '{"none":[null]}' }] },
    });
    expect(said(live, true)).not.toHaveProperty("args.rules.0.returnValue");
  });

  test("also where the console shows no text", () => {
    const { defaultValueJson5: _, ...rest } = live;
    const shown = parseSound(`{"big":${big}}`);
    expect(said({ ...rest, defaultValue: shown }, false)).toMatchObject({
      args: { defaultValueJson5: `{"big":${big}}` },
    });
  });

  test("the plugin tells the engine of such an object, and no preview differs", async () => {
    subject = await startSubject(catalog.dynamicConfig, { adapter: "native" });
    await subject.raw.dynamicConfig.create({
      body: { name: "limits", defaultValueJson5: `{"big": ${big}, "none": null}` } as never,
    });
    const found = await subject.calls().read("limits");
    expect(found.inputs).toMatchObject({ defaultValueJson5: `{"big": ${big}, "none": null}` });
    expect(found.inputs).not.toHaveProperty("defaultValue");
    subject.nextRun();
    const resource = { id: "limits", inputs: found.inputs ?? {}, outputs: found.properties };
    expect(await subject.diff(resource, found.inputs ?? {})).toMatchObject({ quiet: true });
  });
});
