import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { createEmulator } from "../../src/emulator";
import { inPlaceText } from "../../src/provider/decisions/replacement-order";
import { managedKind } from "../../src/provider/definitions";
import { runtimeIn } from "../../src/provider/pulumi/runs/project-file";
import {
  aliasOption,
  argumentName,
  assignment,
  writeArgumentsFor,
} from "../../src/provider/texts/argument-names";
import { freshFolder } from "../support/folders";
import { hurriedClock } from "../support/in-process";
import { type Bag, toStruct } from "../support/wire-json";
import { startPlugin, urnOf } from "./plugin-calls";

afterEach(() => writeArgumentsFor("nodejs"));

/** A program of one resource, called as its kind. */
interface Mistake {
  readonly kind: string;
  /** Arguments under the names of the reference, as the packages of all languages send them. */
  readonly args: Bag;
  /** Those of the last update; left out: the resource is new. */
  readonly olds?: Bag;
  readonly ignored?: string[];
  /** The console has an object of the same key. */
  readonly isThere?: true;
}

const mail = { type: "email", operator: "any", targetValue: ["a@example.com"] };
const rule = (more: Bag = {}, condition: Bag = {}) => ({
  ...{ name: "Staff", passPercentage: 50, conditions: [{ ...mail, ...condition }] },
  ...more,
});
const gate = (...rules: Bag[]): Mistake => ({ kind: "Gate", args: { rules } });
const bare = { type: "email", operator: "any" };
const parameter = { name: "new", refType: "gate", paramType: "boolean", gateName: "a", passValue: true };

/** Words of YAML and TypeScript, and those of Python and of Go where they are others. */
type Words = readonly [yaml: string, python: string | undefined, go: string];

const target = (words: string): Words => [
  `rules[0].conditions[0].targetValue: ${words}`,
  `rules[0].conditions[0].target_value: ${words}`,
  `Rules[0].Conditions[0].TargetValue: ${words}`,
];

const matrix: readonly (readonly [what: string, Mistake, ...Words])[] = [
  [
    "a misspelt argument",
    { kind: "Gate", args: { isEnabld: true } },
    'isEnabld: unknown argument; did you mean "isEnabled"?',
    'unknown argument; did you mean "is_enabled"?',
    'unknown argument; did you mean "IsEnabled"?',
  ],
  [
    "a misspelt member",
    gate(rule({}, { target_vlue: ["a"] })),
    'rules[0].conditions[0].target_vlue: unknown argument; did you mean "targetValue"?',
    'rules[0].conditions[0].target_vlue: unknown argument; did you mean "target_value"?',
    'Rules[0].Conditions[0].target_vlue: unknown argument; did you mean "TargetValue"?',
  ],
  [
    "a misspelt type",
    gate(rule({}, { type: "emial" })),
    'rules[0].conditions[0].type: found "emial"; did you mean "email"?',
    undefined,
    'Rules[0].Conditions[0].Type: found "emial"; did you mean "email"?',
  ],
  [
    "250 percent",
    gate(rule({ passPercentage: 250 })),
    "rules[0].passPercentage: found 250; at most 100 is allowed",
    "rules[0].pass_percentage: found 250; at most 100 is allowed",
    "Rules[0].PassPercentage: found 250; at most 100 is allowed",
  ],
  [
    "a member that is missing",
    gate({ ...rule(), conditions: [bare] }),
    ...target('missing; "any" usually has one.'),
  ],
  [
    "two rules of one name",
    gate(rule(), rule()),
    'rules[1].name: "Staff" is the name of rules[0] too; rule names are unique',
    undefined,
    'Rules[1].Name: "Staff" is the name of Rules[0] too; rule names are unique',
  ],
  [
    "two forms of one value",
    { kind: "Gate", args: { team: "Shop", teamID: "t1" } },
    'teamID: given beside "team"; set one of the two',
    'team_id: given beside "team"; set one of the two',
    'TeamID: given beside "Team"; set one of the two',
  ],
  [
    "an operator that does not exist",
    gate(rule({}, { operator: "contains" })),
    'rules[0].conditions[0].operator: found "contains"; one of "any"',
    undefined,
    'Rules[0].Conditions[0].Operator: found "contains"; one of "any"',
  ],
  [
    "a wrong type",
    { kind: "Gate", args: { isEnabled: "yes" } },
    'isEnabled: found "yes"; true or false is needed',
    'is_enabled: found "yes"; true or false is needed',
    'IsEnabled: found "yes"; true or false is needed',
  ],
  [
    "null in the place of a number",
    gate(rule({ passPercentage: null })),
    "rules[0].passPercentage: found null; a number is needed",
    "rules[0].pass_percentage: found null; a number is needed",
    "Rules[0].PassPercentage: found null; a number is needed",
  ],
  [
    "an output",
    { kind: "Gate", args: { createdTime: 1 } },
    "createdTime: set by the console; leave it out",
    "created_time: set by the console; leave it out",
    "CreatedTime: set by the console; leave it out",
  ],
  [
    "a member that another one needs",
    { kind: "ParamStore", args: { displayName: "Shop", description: "Shop", parameters: [parameter] } },
    'parameters[0].failValue: missing; refType "gate" needs it',
    'parameters[0].fail_value: missing; ref_type "gate" needs it',
    'Parameters[0].FailValue: missing; RefType "gate" needs it',
  ],
  [
    "a number that loses digits",
    { kind: "DynamicConfig", args: { defaultValue: { maxItems: Number("12345678901234567890") } } },
    "defaultValue.maxItems: 12345678901234567000 may be rounded: whole numbers are exact up to 2^53. If each digit counts, set defaultValueJson5.",
    "default_value.maxItems: 12345678901234567000 may be rounded: whole numbers are exact up to 2^53. If each digit counts, set default_value_json5.",
    "DefaultValue.maxItems: 12345678901234567000 may be rounded: whole numbers are exact up to 2^53. If each digit counts, set DefaultValueJson5.",
  ],
  [
    "a null that is removed",
    {
      kind: "DynamicConfig",
      olds: { defaultValue: { a: 1, is_on: null } },
      args: { defaultValue: { a: 1 } },
    },
    "defaultValue.is_on: null → removed (if the program sets this null, Pulumi has dropped it: set defaultValueJson5 to keep it)",
    "default_value.is_on: null → removed (if the program sets this null, Pulumi has dropped it: set default_value_json5 to keep it)",
    "DefaultValue.is_on: null → removed (if the program sets this null, Pulumi has dropped it: set DefaultValueJson5 to keep it)",
  ],
  [
    "ignored changes of no place: Pulumi has the same paths in all languages",
    {
      ...gate(rule()),
      olds: { rules: [rule({ passPercentage: 1 })] },
      ignored: ["rules[*].pass_percentage"],
    },
    'ignoreChanges "rules[*].pass_percentage" names no place of a gate: the update carries out what it was to ignore; did you mean "rules[*].passPercentage"?',
    'ignore_changes "rules[*].pass_percentage" names no place of a gate: the update carries out what it was to ignore; did you mean "rules[*].passPercentage"?',
    'IgnoreChanges "rules[*].pass_percentage" names no place of a gate: the update carries out what it was to ignore; did you mean "rules[*].passPercentage"?',
  ],
  [
    "ignored changes of a list that moved",
    {
      ...gate(rule({ name: "New" }), rule({ passPercentage: 1 })),
      ...{ olds: { rules: [rule()] }, ignored: ["rules[*].passPercentage"] },
    },
    'rules[1].passPercentage: "Staff" would go live with 1, the program\'s value, and not with 50. ignoreChanges "rules[*].passPercentage" goes by places, and the list has moved. Set owns: { rollout: "console" } in its place',
    'rules[1].pass_percentage: "Staff" would go live with 1, the program\'s value, and not with 50. ignore_changes "rules[*].passPercentage" goes by places, and the list has moved. Set owns={"rollout": "console"} in its place',
    'Rules[1].PassPercentage: "Staff" would go live with 1, the program\'s value, and not with 50. IgnoreChanges "rules[*].passPercentage" goes by places, and the list has moved. Set Owns: {Rollout: pulumi.String("console")} in its place',
  ],
  [
    "a time in seconds",
    gate(rule({}, { type: "time", operator: "after", targetValue: 1_700_000_000 })),
    ...target(
      "found 1700000000, which is 1970-01-20: times are in milliseconds; did you mean 1700000000000?",
    ),
  ],
  [
    "a change that the API refuses",
    { kind: "Segment", olds: { type: "rule_based" }, args: { type: "id_list" } },
    'Put "rule_based" back, or set onImmutableChange: "replace" to delete the segment',
    'Put "rule_based" back, or set on_immutable_change="replace" to delete the segment',
    'Put "rule_based" back, or set OnImmutableChange: pulumi.String("replace") to delete the segment',
  ],
  [
    "an object that exists",
    { kind: "Gate", args: { isEnabled: false, description: "Mine" }, isThere: true },
    'gate "a_gate" exists already. It differs in description, isEnabled. Set adopt: true to take it over',
    'gate "a_gate" exists already. It differs in description, is_enabled. Set adopt=True to take it over',
    'gate "a_gate" exists already. It differs in Description, IsEnabled. Set Adopt: pulumi.Bool(true) to take it over',
  ],
  [
    "a status that goes",
    { kind: "Gate", olds: { status: "Disabled" }, args: {} },
    'the program no longer sets status. Set status: "In Progress" to change it.',
    'the program no longer sets status. Set status="In Progress" to change it.',
    'the program no longer sets Status. Set Status: pulumi.String("In Progress") to change it.',
  ],
];

/** All that Pulumi prints about a resource in a preview. */
async function wordsOf({ kind, args, olds, ignored, isThere }: Mistake): Promise<string> {
  const emulator = createEmulator();
  const name = `a_${kind.toLowerCase()}`;
  const urn = urnOf(kind, name);
  const named = (one: Bag) => toStruct({ key: name, name, ...one });
  const creation = (inputs: Bag) => new proto.CreateRequest().setUrn(urn).setProperties(named(inputs));
  if (isThere) await startPlugin(emulator).call("create", creation({}));
  const { call, check, diff, lines } = startPlugin(emulator);
  const before = olds === undefined ? {} : { olds: { key: name, name, ...olds }, outputs: {} };
  const { inputs, failures } = await check(urn, { key: name, ...args }, before);
  if (failures.length > 0)
    return failures
      .map(([property, reason]) => (property === "" ? reason : `${property}: ${reason}`))
      .join("\n");
  try {
    if (before.olds === undefined) await call("create", creation(inputs).setPreview(true));
    else {
      const state = { ...before.olds, __featureConsole: { __managed: Object.keys(olds ?? {}) } };
      await diff(urn, state, before.olds, inputs, ignored);
      const update = new proto.UpdateRequest().setUrn(urn).setId(name).setPreview(true);
      await call("update", update.setOlds(toStruct(state)).setNews(toStruct(inputs)));
    }
  } catch (error) {
    return (error as { details?: string }).details ?? String(error);
  }
  return lines.join("\n");
}

describe.each(matrix)("%s", (_, mistake, yaml, python, go) => {
  test.each([
    ["yaml", yaml],
    ["python", python ?? yaml],
    ["go", go],
  ])("in %s", async (language, words) => {
    writeArgumentsFor(language);
    expect(await wordsOf(mistake)).toContain(words);
  });
});

test("where the language is not known, both forms", async () => {
  writeArgumentsFor("another");
  expect(await wordsOf(gate(rule({ passPercentage: 250 }, { target_vlue: ["a"] })))).toEqual(
    'rules[0].conditions[0].target_vlue: unknown argument; did you mean "targetValue" ("target_value")?\n' +
      "rules[0].passPercentage (pass_percentage): found 250; at most 100 is allowed",
  );
});

test("an argument with its value, as a program writes it", () => {
  const written = ["nodejs", "python", "go"].map((runtime) => {
    writeArgumentsFor(runtime);
    return [
      assignment("reviewSettings", { requiredReview: false }),
      aliasOption("name", '"old"'),
      aliasOption("urn", '"urn:pulumi:x"'),
    ];
  });
  expect(written).toEqual([
    ["reviewSettings: { requiredReview: false }", 'aliases: [{ name: "old" }]', 'aliases: ["urn:pulumi:x"]'],
    [
      'review_settings={"required_review": False}',
      'aliases=[pulumi.Alias(name="old")]',
      'aliases=["urn:pulumi:x"]',
    ],
    [
      "ReviewSettings: {RequiredReview: pulumi.Bool(false)}",
      'pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String("old")}})',
      'pulumi.Aliases([]pulumi.Alias{{URN: pulumi.URN("urn:pulumi:x")}})',
    ],
  ]);
});

test("a short value is shown beside the argument only where its name is that of the reference", async () => {
  const mistake = { kind: "Gate", args: { isEnabled: "yes", type: "OTHER" } };
  const properties = async (language: string) => {
    writeArgumentsFor(language);
    const { failures } = await startPlugin().check(urnOf("Gate", "a_gate"), mistake.args);
    return failures.map(([property]) => property).sort();
  };
  expect(await properties("yaml")).toEqual(["isEnabled", "type"]);
  expect(await properties("python")).toEqual(["", "type"]);
});

test.each([
  ["layerID", "layer_id"],
  ["gateIDs", "gate_ids"],
  ["defaultValueJson5", "default_value_json5"],
  ["disableCURE", "disable_cure"],
  ["defaultSPRTPowerParam", "default_sprt_power_param"],
  ["store0100Exposures", "store0100_exposures"],
  ["sidecarURLFilters", "sidecar_url_filters"],
])("%s is %s in Python, as Pulumi's generator writes it", (name, expected) => {
  writeArgumentsFor("python");
  expect(argumentName(name)).toBe(expected);
});

test.each([
  ["runtime: yaml", "yaml"],
  ["runtime:\n  name: python\n  options:\n    virtualenv: venv", "python"],
  ["runtime: { name: go }", "go"],
  ["description: no runtime", undefined],
])("the runtime of a project: %s", (text, runtime) => {
  const folder = freshFolder();
  writeFileSync(path.join(folder, "Pulumi.yaml"), `name: flags\n${text}\n`);
  expect(runtimeIn(folder)).toBe(runtime);
});

test.each([
  ["nodejs", "deleteBeforeReplace: true"],
  ["python", "delete_before_replace=True"],
  ["go", "DeleteBeforeReplace: pulumi.Bool(true)"],
])("what only options of Pulumi replace, in a program for %s", (runtime, option) => {
  writeArgumentsFor(runtime);
  expect(inPlaceText(managedKind("gate"), {})).toBe(
    `is changed in place: a key can have one object at a time. ${option} takes it out of use first`,
  );
});

describe("names of nothing", () => {
  // A program of another language does not tell where it ends: its preview reports names of nothing all the same.

  const asking = (...conditions: Bag[]): Bag => ({
    rules: [{ name: "All", passPercentage: 100, conditions }],
  });
  const gate = (...targetValue: string[]): Bag => ({ type: "passes_gate", targetValue });
  const nowhere =
    "of this program or of the console: nobody passes it, and everyone fails it. Declare it first, or correct the name.";

  interface Declared {
    readonly name: string;
    readonly args: Bag;
    readonly kind?: string;
  }

  /** The preview of a program of new resources, by an engine with 16 planned creates side by side. */
  async function preview(
    program: readonly Declared[],
    { emulator = createEmulator(), sleep = hurriedClock().sleep } = {},
  ) {
    const { check, call, lines } = startPlugin(emulator, { sleep });
    const open = new Set<Promise<unknown>>();
    for (const { kind = "Gate", name, args } of program) {
      const { inputs, failures } = await check(urnOf(kind, name), args);
      expect(failures).toEqual([]);
      if (open.size >= 16) await Promise.race(open);
      const request = new proto.CreateRequest().setUrn(urnOf(kind, name)).setPreview(true);
      const create = call("create", request.setProperties(toStruct(inputs))).finally(() =>
        open.delete(create),
      );
      open.add(create);
    }
    await Promise.all(open);
    return lines.filter((line) => line.includes(" is no "));
  }

  test.each([
    ["yaml", "rules[0].conditions[0].targetValue"],
    ["python", "rules[0].conditions[0].target_value"],
    ["go", "Rules[0].Conditions[0].TargetValue"],
  ])("a gate and a segment that neither program nor console has, in %s", async (runtime, place) => {
    writeArgumentsFor(runtime);
    const segment = { ...gate("nobody"), type: "fails_segment" };
    const lines = await preview([
      { name: "one", args: asking(gate("nope")) },
      { name: "two", args: asking(segment) },
    ]);
    expect(lines).toEqual([
      `gate "one": ${place}: "nope" is no gate ${nowhere}`,
      `gate "two": ${place}: "nobody" is no segment ${nowhere}`,
    ]);
  });

  describe("no warning", () => {
    test.each([
      ["before", ["base", "asks"]],
      ["behind", ["asks", "base"]],
      ["forty resources behind", ["asks", ...Array.from({ length: 40 }, (_, at) => `asks_${at}`), "base"]],
    ])("of a gate that the program declares %s", async (_, names) => {
      const program = names.map((name) => ({ name, args: name === "base" ? {} : asking(gate("base")) }));
      expect(await preview(program)).toEqual([]);
    });

    test("of a gate that the console has, nor a wait", async () => {
      const emulator = createEmulator({ seed: { gates: [{ name: "base" }] } });
      const sleep = () => Promise.reject(new Error("waited"));
      expect(await preview([{ name: "asks", args: asking(gate("base")) }], { emulator, sleep })).toEqual([]);
    });
  });

  test("a misspelt name of a gate of the program", async () => {
    const program = [
      { name: "asks", args: asking(gate("chekout")) },
      { name: "checkout", args: {} },
    ];
    expect(await preview(program)).toEqual([
      'gate "asks": rules[0].conditions[0].targetValue: "chekout" is no gate of this program; did you mean "checkout"?',
    ]);
  });
});
