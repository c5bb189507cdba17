import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { catalog, type KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { adapters, type Subject, startSubject } from "../laws/subject";
import { problemsOf, valid, withRule } from "./subjects";
import { wrongArguments } from "./wrong-arguments";

test.each(wrongArguments)(
  "%s (%s) is reported once, with its place and what is needed",
  (_, kind, args, ...problems) => {
    const told = problems.map((one) => (typeof one === "string" ? one : expect.stringMatching(one)));
    expect(problemsOf(kind, args)).toEqual(told);
  },
);

test("all problems of a resource are reported together", () => {
  const args = {
    ...{ id: "x", createdTime: 1, isEnabled: 1, status: "Launched" },
    ...withRule([{ type: "email", operator: "bigger" }], { id: "y", passPercentage: 101 }),
  };
  expect(
    problemsOf("gate", args)
      .map((line) => line.split(":")[0])
      .sort(),
  ).toEqual([
    ...["createdTime", "id", "isEnabled"],
    ...["rules[0].conditions[0].operator", "rules[0].id", "rules[0].passPercentage", "status"],
  ]);
});

describe.each(adapters)("the provider refuses them before it asks the console (%s)", (adapter) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await startSubject(catalog.gate, { adapter });
  });
  afterAll(() => {
    expect(subject.emulator.requests).toEqual([]);
    return subject.close();
  });

  // Pulumi prints the value of the argument that a failure names: of a place inside one, a long one and a missing one it is left out.
  test.each<[string, KindName, JsonObject, string, RegExp]>([
    ["an argument", "gate", { isEnabled: "yes" }, "isEnabled", /^found "yes"; true or false/],
    ["a slip", "gate", { descripton: "x" }, "descripton", /^unknown argument; did you mean "description"\?/],
    ["a long argument", "gate", { key: "k".repeat(101) }, "", /^key: found "k+\.\.\.; at most 100/],
    [
      "a place inside an argument",
      "layer",
      { parameters: [{ name: "a", defaultValue: 1 }] },
      "",
      /^parameters\[0\]\.type: /,
    ],
    ["what is missing", "segment", { type: undefined }, "", /^type: missing/],
  ])("%s", async (_, kind, args, property, reason) => {
    const problems = await subject.of(catalog[kind]).problems({ ...valid[kind], ...args });
    expect(problems).toEqual([{ property, reason: expect.stringMatching(reason) }]);
  });
});
