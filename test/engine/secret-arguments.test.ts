import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

const hush = ["hush", "word"].join("-");
const start = async (definition: ResourceDefinition) => {
  subject = await startSubject(definition);
};

// Pulumi shows the value of the argument that a failure names, with the secrets in it.
test("a refused argument that is a secret is not shown, and one beside it is", async () => {
  await start(catalog.gate);
  const args = { key: "flag", idType: 5, isEnabled: hush, __program: { secrets: [["isEnabled"]] } };
  const problems = await subject.problems(args);
  expect(JSON.stringify(problems)).not.toContain(hush);
  expect(problems).toEqual([
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
  const paths = [
    ["rules", 0, "passPercentage"],
    ["rules", 1, "conditions"],
  ];
  const problems = await subject.problems({ key: "flag", rules, __program: { secrets: paths } });
  const reasons = problems.map(({ reason }) => reason);
  expect(reasons.join()).not.toContain(hush);
  expect(reasons).toContainEqual("rules[0].passPercentage: found [secret]; a number is needed");
  expect(reasons).toContainEqual('rules[1].passPercentage: found "many"; a number is needed');
  expect(
    await subject.problems({ key: "flag", rules: { a: hush }, __program: { secrets: [["rules", "a"]] } }),
  ).toEqual([{ property: "", reason: "rules: found [secret]; an array is needed" }]);
});

test("a secret that cannot change shows neither as it was nor as it is to be", async () => {
  await start(catalog.layer);
  const made = await subject.up({ name: "area", idType: hush, __program: { secrets: [["idType"]] } });
  const args = { name: "area", idType: "another", __program: { secrets: [["idType"]] } };
  const [problem] = await subject.problems(args, made.inputs);
  expect(problem?.reason).toMatch(
    /^idType: cannot change from \[secret\] to \[secret\]: .* Put \[secret\] back/,
  );
});

test("what is said of a change leaves secrets out, and which they are is neither kept nor a change", async () => {
  await start(catalog.gate);
  const rule = { name: hush, passPercentage: 10, conditions: [{ type: "public" }] };
  const told = (passPercentage: number) => ({
    key: "flag",
    rules: [{ ...rule, passPercentage }],
    __program: { secrets: [["rules", 0, "name"]] },
  });
  const made = await subject.up(told(10));
  expect(made.inputs).not.toHaveProperty("__program");
  expect(made.outputs).not.toHaveProperty("__program");
  expect(await subject.diff(made, { key: "flag", rules: [rule] })).toEqual({ quiet: true, replaces: [] });
  subject.nextRun();
  expect(await subject.diff(made, told(20))).toMatchObject({ quiet: false });
  expect(subject.lines.join("\n")).toContain("10 → 20");
  expect(subject.lines.join("\n")).not.toContain(hush);
});
