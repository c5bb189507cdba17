import { expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectChange, expectQuiet, rule, start, subject } from "../laws/harness";

const hush = ["hush", "word"].join("-");
/** A program some of whose arguments are secrets. */
const program = (args: JsonObject, ...secrets: (string | number)[][]) => ({
  ...args,
  __program: { secrets },
});
const key = "flag";

// Pulumi shows the value of the argument that a failure names, with the secrets in it.
test("a refused argument that is a secret is not shown, and one beside it is", async () => {
  await start(catalog.gate);
  const args = program({ key, idType: 5, isEnabled: hush }, ["isEnabled"]);
  expect(await subject.problems(args)).toEqual([
    { property: "", reason: "isEnabled: found [secret]; true or false is needed" },
    { property: "idType", reason: "found 5; text is needed" },
  ]);
});

test("a secret deep inside hides what is at, above and below it, and nothing else", async () => {
  await start(catalog.gate);
  const rules = [
    { name: "All", passPercentage: hush, conditions: [] },
    { name: "Some", passPercentage: "many", conditions: [{ type: "email", operator: hush, targetValue: 1 }] },
  ];
  const args = program({ key, rules }, ["rules", 0, "passPercentage"], ["rules", 1, "conditions"]);
  const reasons = (await subject.problems(args)).map(({ reason }) => reason);
  expect(reasons.join()).not.toContain(hush);
  expect(reasons).toContainEqual("rules[0].passPercentage: found [secret]; a number is needed");
  expect(reasons).toContainEqual('rules[1].passPercentage: found "many"; a number is needed');
  expect(await subject.problems(program({ key, rules: { a: hush } }, ["rules", "a"]))).toEqual([
    { property: "", reason: "rules: found [secret]; an array is needed" },
  ]);
});

test("a secret that cannot change shows neither as it was nor as it is to be", async () => {
  await start(catalog.layer);
  const area = (idType: string) => program({ name: "area", idType }, ["idType"]);
  const made = await subject.up(area(hush));
  const [problem] = await subject.problems(area("another"), made.inputs);
  expect(problem?.reason).toMatch(
    /^idType: cannot change from \[secret\] to \[secret\]: .* Put \[secret\] back/,
  );
});

test("what is said of a change leaves secrets out, and which they are is neither kept nor a change", async () => {
  await start(catalog.gate);
  const args = (share: number) => ({ key, rules: [rule(hush, share)] });
  const told = (share: number) => program(args(share), ["rules", 0, "name"]);
  const made = await subject.up(told(10));
  expect(made.inputs).not.toHaveProperty("__program");
  expect(made.outputs).not.toHaveProperty("__program");
  await expectQuiet(made, args(10));
  subject.nextRun();
  await expectChange(made, told(20));
  expect(subject.lines.join("\n")).toContain("10 → 20");
  expect(subject.lines.join("\n")).not.toContain(hush);
});
