import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog, parts } from "../../src/provider/definitions";
import { acceptedFields, type ResourceDefinition, wireName } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { harsh, mild, mixture } from "../laws/consoles";
import { quiet } from "../laws/quiet";
import { type Resource, type Subject, startSubject } from "../laws/subject";
import { playsAll } from "../support/sample";
import { allCases, casesOver } from "./all-cases";
import { nameOf } from "./cases";
import { deviationOf, exceptions } from "./exceptions";
import { handleCase } from "./handled";
import { differences, isNone } from "./plan";
import { type ToolKind, tools } from "./tools";
import { adopted } from "./unusual-adopted";
import { declared, type Unusual } from "./unusual-declared";

const settings = playsAll ? [mild, harsh, mixture(1), mixture(2)] : [mild, harsh];

describe.each(settings)("where the console is $name", (setting) => {
  const { behaviour } = setting;
  const inTurn = casesOver(setting, settings);
  // What cannot hold is met wherever it does not.
  const cases = allCases.filter(
    (one) => inTurn.includes(one) || deviationOf(nameOf(one), behaviour) !== undefined,
  );
  test.each(cases.map((one) => [nameOf(one), one] as const))("acceptance: %s", (_, one) =>
    handleCase(one, behaviour),
  );
});

test("acceptance: every kind has cases, two hundred or more in all, each with a name of its own", () => {
  const kinds = Object.keys(tools) as ToolKind[];
  expect(kinds.filter((kind) => !allCases.some((one) => one.kind === kind))).toEqual([]);
  expect(new Set(allCases.map(nameOf)).size).toBe(allCases.length);
  expect(allCases.length).toBeGreaterThanOrEqual(200);
});

test("acceptance: what cannot hold is told of cases that there are", () => {
  const told = Object.values(exceptions).flatMap(({ cases }) => Object.keys(cases));
  const names = new Set(allCases.map(nameOf));
  expect(told.filter((name) => !names.has(name))).toEqual([]);
  expect(told.length).toBe(31);
});

const definitions = Object.entries<ResourceDefinition>({ ...catalog, ...parts });
test.each(definitions)("acceptance: every argument of %s is said with a value, [A2]", (kind, definition) => {
  const said = new Set(
    allCases
      .filter((one) => one.kind === kind)
      .flatMap(({ body }) => Object.entries(body).flatMap(([name, value]) => (isNone(value) ? [] : [name]))),
  );
  const taken = Object.values(definition.routes).flatMap((route) => acceptedFields(definition, route));
  const missing = new Set(taken.map((name) => wireName(definition, name)).filter((name) => !said.has(name)));
  expect([...missing]).toEqual([]);
});

test.each<[string, JsonObject, JsonObject, string]>([
  ["another value", { a: 1 }, { a: 2 }, "a: sent 1, read 2"],
  ["nothing read", { a: "x" }, {}, 'a: sent "x", read undefined'],
  ["something where nothing was sent", { a: "" }, { a: "x" }, 'a: sent "", read "x"'],
  ["an element less", { a: [{ b: 1 }] }, { a: [] }, 'a: sent [{"b":1}], read []'],
  [
    "a value more inside what people put there",
    { returnValue: { a: 1 } },
    { returnValue: { a: 1, b: 2 } },
    'returnValue: sent {"a":1}, read {"a":1,"b":2}',
  ],
  [
    "no id where one is to be filled in",
    { rules: [{ id: "" }] },
    { rules: [{}] },
    'rules[0].id: sent "", read undefined',
  ],
])("acceptance: a plan shows %s", (_, sent, read, line) => {
  expect(differences(sent, read)).toEqual([line]);
});

describe("valid and unusual programs", () => {
  let subject: Subject | undefined;
  afterEach(async () => {
    await subject?.close();
    subject = undefined;
  });

  const programs: readonly Unusual[] = [...declared, ...adopted];
  /** The readings of the reference that concern how values are stored and shown, at their mildest and at their hardest. */
  const readings = [
    ["mild", mild.behaviour],
    ["scalar", { ...mild.behaviour, singleTargets: "scalar", emptyMembers: "absent", filledDefaults: "all" }],
    [
      "list",
      {
        ...harsh.behaviour,
        unusualOperators: "accept",
        unknownTags: "create",
        unknownTargetApps: "create",
        unknownReferences: "accept",
        unknownEnvironments: "accept",
      },
    ],
  ] as const;

  describe.each(readings)("where the console's reading is %s", (_reading, behaviour) => {
    test.each(programs.map((one) => [one.what, one] as const))(
      "unusual, [O1] [O2] [A13]: %s",
      async (_, { kind, says, there }) => {
        const definition: ResourceDefinition = catalog[kind];
        const seed = there === undefined ? {} : { [there[0]]: [there[1]] };
        const on = await startSubject(definition, { behaviour, seed });
        subject = on;
        const args = there === undefined ? says : { ...says, adopt: true };
        expect(await on.problems(args)).toEqual([]);
        const made = await on.up(args);
        if (there === undefined) on.emulator.clearRequests();
        expect(await on.diff(made, args)).toEqual(quiet);
        on.nextRun();
        const refreshed = (await on.refresh(made)) as Resource;
        expect(await on.diff(refreshed, args)).toEqual(quiet);
        await on.update(refreshed, args);
        expect(on.writes().map(({ method, path }) => `${method} ${path}`)).toEqual([]);
      },
    );
  });
});
