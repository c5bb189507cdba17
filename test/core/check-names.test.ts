import { describe, expect, test } from "@jest/globals";
import { check } from "../../src/provider/decisions/check";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { pathText } from "../../src/provider/schema/path";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { kind, problemsOf, rowsByKind } from "./subjects";

const inputsOf = (name: KindName, news: JsonObject, olds: JsonObject = {}) =>
  check(kind(name), olds, news).inputs;

describe("key and name", () => {
  const program = (name: string, args: JsonObject = {}) => ({ __program: { name }, ...args });
  const imported = { __adopt: "live_gate" };

  test.each(
    rowsByKind<[news: JsonObject, expected: JsonObject]>({
      gate: [
        [
          "both are the resource name",
          { __program: { name: "one", declared: 5000 } },
          { key: "one", name: "one" },
        ],
        ["the name is the key beside a key", program("res", { key: "one" }), { key: "one", name: "one" }],
        [
          "the key is the resource name beside a name",
          program("one", { name: "My gate" }),
          { key: "one", name: "My gate" },
        ],
        [
          "import sets the key and does not rename",
          program("res", imported),
          { key: "live_gate", ...imported },
        ],
        [
          "import with a name renames",
          program("res", { ...imported, name: "New" }),
          { key: "live_gate", name: "New", ...imported },
        ],
        [
          "adoption does not rename",
          program("live_gate", { adopt: true }),
          { key: "live_gate", adopt: true },
        ],
      ],
      layer: [
        [
          "it has a name alone",
          program("search", { idType: "userID" }),
          { name: "search", idType: "userID" },
        ],
      ],
    }),
  )("at creation: %s (%s)", (_, name, news, expected) => {
    expect(inputsOf(name, news)).toEqual(expected);
  });

  const olds = { key: "first_name", name: "First name" };

  test("stay when the resource is renamed under an alias", () => {
    expect(inputsOf("gate", { __program: { name: "second_name" } }, olds)).toEqual(olds);
  });

  test("stay when the program no longer says them", () => {
    expect(inputsOf("gate", { __program: { name: "res" }, isEnabled: true }, olds)).toEqual({
      ...olds,
      isEnabled: true,
    });
  });

  test("change when the program says so", () => {
    expect(inputsOf("gate", { __program: { name: "res" }, key: "other", name: "Other" }, olds)).toEqual({
      key: "other",
      name: "Other",
    });
  });

  test("the name of what takes its place is its own key", () => {
    const said = { __program: { name: "res" }, key: "second_key" };
    expect(inputsOf("gate", said, olds)).toEqual({ key: "second_key", name: "second_key" });
    expect(inputsOf("gate", { ...said, key: "first_name" }, olds)).toEqual(olds);
    expect(inputsOf("gate", { ...said, key: UNKNOWN }, olds)).toMatchObject({ name: "First name" });
    const adopted = { key: "live_gate", adopt: true };
    expect(inputsOf("gate", { ...said, adopt: true }, adopted)).toEqual({ key: "second_key", adopt: true });
  });

  test("a name that an adoption left alone stays unmanaged", () => {
    expect(
      inputsOf("gate", { __program: { name: "res" }, adopt: true }, { key: "live_gate", adopt: true }),
    ).toEqual({ key: "live_gate", adopt: true });
  });

  test("an import left in the program has no effect once the resource exists", () => {
    expect(inputsOf("gate", { __program: { name: "res" }, __adopt: "first_name" }, olds)).toEqual(olds);
  });

  test("a resource name that cannot be a key is reported as one", () => {
    const { problems } = check(kind("gate"), {}, { __program: { name: "my/gate" } });
    expect(problems.map(({ path }) => pathText(path))).toEqual(["key", "name"]);
  });
});

describe("import", () => {
  const away = (said: string, id: string) =>
    `"${said}" is not the object to import, which is "${id}"; make them agree or remove the import option`;

  test.each<[KindName, JsonObject, string[]]>([
    ["gate", { key: "other", __adopt: "live_gate" }, [`key: ${away("other", "live_gate")}`]],
    ["gate", { key: "live_gate", __adopt: "live_gate" }, []],
    ["layer", { name: "Search layer", __adopt: "search_layer" }, []],
    [
      "layer",
      { name: "Search layer 2", __adopt: "search_layer" },
      [`name: ${away("Search layer 2", "search_layer")}`],
    ],
    ["assignmentSource", { name: "one", __adopt: "two" }, [`name: ${away("one", "two")}`]],
  ])("the id must agree with what the program says (%s %j)", (name, args, expected) => {
    expect(problemsOf(name, args)).toEqual(expected);
  });
});

describe("a change of what can be set at creation only", () => {
  const olds = { key: "staff", name: "Staff", description: "Old", type: "rule_based" };
  const refused = (what: string, from: string, to: string, title = "segment") =>
    `${what}: cannot change from ${from} to ${to}: the console's API sets it at creation only. Put ${from} back, ` +
    `or set onImmutableChange: "replace" to delete the ${title} and create it anew`;

  const made = { ...olds, tags: ["a", "b"] };

  test.each<[string, now: JsonObject, before: JsonObject, ...problems: string[]]>([
    ["is refused", { ...olds, description: "New" }, olds, refused("description", '"Old"', '"New"')],
    [
      "is refused when it is removed",
      { ...olds, description: undefined },
      olds,
      refused("description", '"Old"', '""'),
    ],
    ["is refused when it is added", { ...olds, tags: ["a"] }, olds, refused("tags", "[]", '["a"]')],
    ["is allowed on request", { ...olds, description: "New", onImmutableChange: "replace" }, olds],
    [
      "is refused on request",
      ...([{ ...olds, description: "New", onImmutableChange: "refuse" }, olds] as const),
      refused("description", '"Old"', '"New"'),
    ],
    ["does not count when it only says the default", { ...olds, tags: [], idType: "userID" }, olds],
    ["does not count when the order of a set changes", { ...made, tags: ["b", "a"] }, made],
    [
      "says every field at once",
      ...([{ ...olds, name: "Other", type: "id_list" }, olds] as const),
      ...[refused("name", '"Staff"', '"Other"'), refused("type", '"rule_based"', '"id_list"')],
    ],
  ])("%s", (_, now, before, ...expected) => {
    expect(problemsOf("segment", now, before)).toEqual(expected);
  });

  test("is refused of other kinds, too", () => {
    const problem = refused("isTemplate", "false", "true", "gate");
    expect(problemsOf("gate", { key: "gate", isTemplate: true }, { key: "gate" })).toEqual([problem]);
  });
});
