import { describe, expect, test } from "@jest/globals";
import type { Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import { argumentsOf } from "../../src/provider/engine/expressed/resource-arguments";
import { exactJson, type JsonObject, parseSound } from "../../src/provider/schema/json";
import { withExactNumbers } from "../../src/provider/values/exact-numbers";
import { expectQuiet, listOf, live, refreshed, rule, start, subject } from "../laws/harness";
import { adapters } from "../laws/subject";

const big = "9007199254740993";
const rounded = Number(big);
const create = (body: JsonObject) => subject.raw.dynamicConfig.create({ body: { name: "limits", ...body } });

describe.each(adapters)(
  "%s: a number in the JSON5 text of a default value is the number with all its digits",
  (adapter) => {
    const args = (digits: string, more = ""): JsonObject => ({
      key: "limits",
      defaultValueJson5: `{campaign: ${digits}${more}}`,
    });
    const [one, other, theirs] = ["1234567890123456789", "1234567890123456790", "1234567890123456795"];

    test("another one is a change, which is sent", async () => {
      await start(catalog.dynamicConfig, { adapter });
      const made = await subject.up(args(one));
      await expectQuiet(made, args(one));
      expect((await subject.diff(made, args(`${one}.0`))).quiet).toBe(true);
      expect((await subject.diff(made, args(other))).quiet).toBe(false);
      const changed = await subject.update(made, args(other));
      expect((await live("limits")).defaultValueJson5).toContain(other);
      await expectQuiet(await refreshed(changed), args(other));
    });

    test("that of a person is found by a refresh, and no update takes it back unseen", async () => {
      await start(catalog.dynamicConfig, { adapter });
      const made = await subject.up(args(one));
      await subject.raw.dynamicConfig.patch({
        id: "limits",
        body: { defaultValueJson5: `{campaign: ${theirs}}` },
      } as never);
      subject.nextRun();
      const seen = await refreshed(made);
      expect(String(seen.inputs.defaultValueJson5)).toContain(theirs);
      expect((await subject.diff(seen, args(one))).quiet).toBe(false);
      subject.nextRun();
      await expect(subject.update(made, args(one, ", b: 1"))).rejects.toThrow(/changed in the console/);
      expect((await live("limits")).defaultValueJson5).toContain(theirs);
    });
  },
);

describe.each(adapters)("%s: an edit of one member keeps the digits of the others", (adapter) => {
  test("in the default value and in the values of rules", async () => {
    await start(catalog.dynamicConfig, { adapter });
    await create({
      defaultValueJson5: `{"big": ${big}, "limit": 1}`,
      rules: [rule("All", 100, { returnValueJson5: `{ids: [${big}, 5], limit: 1}` })],
    });
    const args = (limit: number, inRule = limit): JsonObject => ({
      ...{ key: "limits", adopt: true, defaultValue: { big: rounded, limit } },
      rules: [rule("All", 100, { returnValue: { ids: [rounded, 5], limit: inRule } })],
    });
    const expectLive = async (limit: number, inRule: number) => {
      expect((await live("limits")).defaultValueJson5).toBe(`{"big":${big},"limit":${limit}}`);
      const returnValueJson5 = `{"ids":[${big},5],"limit":${inRule}}`;
      expect(await listOf("limits")).toMatchObject([{ returnValueJson5 }]);
    };
    const made = await subject.up(args(1));
    subject.nextRun();
    const seen = await refreshed(made);
    subject.nextRun();
    const news = await subject.update(seen, args(2));
    await expectLive(2, 2);
    subject.nextRun();
    await expectQuiet(news, args(2));
    subject.nextRun();
    await subject.update(news, args(2, 3));
    await expectLive(2, 3);
  });

  test("where no text stands for the value, the number goes with all its digits", async () => {
    const bodies: string[] = [];
    const through = ({ send }: Transport): Transport => ({
      async send(request) {
        if (request.body !== undefined && request.method !== "GET") bodies.push(request.body);
        const answer = await send(request);
        // A console that keeps them.
        return { ...answer, text: answer.text.replaceAll("9007199254740992", big) };
      },
    });
    await start(catalog.paramStore, { adapter, through });
    const args = (other: number): JsonObject => ({
      ...{ name: "limits", displayName: "Limits", description: "" },
      parameters: [
        { name: "big", refType: "static", paramType: "number", value: rounded },
        { name: "other", refType: "static", paramType: "object", value: { shop: rounded, other } },
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
  const there = parseSound(
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
  const sent = withExactNumbers(catalog.dynamicConfig, program, there as JsonObject, true);
  expect(sent).toEqual({
    defaultValueJson5: `{"a":9007199254740994,"list":[${big},1],"named":[{"name":"new","n":9007199254740992},{"name":"x","n":${big}}]}`,
  });
  const asValue = withExactNumbers(catalog.dynamicConfig, program, there as JsonObject, false);
  expect(exactJson(asValue)).toContain(`"list":[${big},1]`);
  const other = { defaultValue: { a: 1 } };
  expect(withExactNumbers(catalog.dynamicConfig, other, there as JsonObject, true)).toBe(other);
});

describe("an import sets the text where the value itself cannot be set", () => {
  const defaultValueJson5 = `{"big": ${big}} `;
  const shown = {
    ...{ key: "limits", name: "limits", isEnabled: true, status: "In Progress", tags: [] },
    defaultValue: { big: rounded },
    rules: [rule("All", 100, { returnValue: { none: [null] }, returnValueJson5: '{"none":[null]}' })],
  };
  const options = { owners: false, exists: () => false, isOfConsole: () => false };
  const said = (object: JsonObject, dropsNulls: boolean) =>
    argumentsOf(catalog.dynamicConfig, object, "limits", { ...options, dropsNulls });

  test("a number that loses digits, and a null that Pulumi drops in the language", () => {
    for (const [dropsNulls, value, other] of [
      [false, { returnValue: { none: [null] } }, "defaultValue"],
      [true, { returnValueJson5: '{"none":[null]}' }, "rules.0.returnValue"],
    ] as const) {
      const found = said({ ...shown, defaultValueJson5 }, dropsNulls);
      expect(found).toMatchObject({ args: { defaultValueJson5, rules: [value] } });
      expect(found).not.toHaveProperty(`args.${other}`);
    }
  });

  test("also where the console shows no text", () => {
    const defaultValue = parseSound(`{"big":${big}}`);
    const args = { defaultValueJson5: `{"big":${big}}` };
    expect(said({ ...shown, defaultValue }, false)).toMatchObject({ args });
  });

  test("the plugin tells the engine of such an object, and no preview differs", async () => {
    await start(catalog.dynamicConfig, { adapter: "native" });
    const text = { defaultValueJson5: `{"big": ${big}, "none": null}` };
    await create(text);
    const { inputs = {}, properties: outputs } = await subject.calls().read("limits");
    expect(inputs).toMatchObject(text);
    expect(inputs).not.toHaveProperty("defaultValue");
    subject.nextRun();
    await expectQuiet({ id: "limits", inputs, outputs }, inputs);
  });
});
