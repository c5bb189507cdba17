import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { ignoredNote } from "../../src/provider/pulumi/arguments/program-note";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Subject, startSubject } from "../laws/subject";
import { withIgnoredChanges } from "../support/ignore-changes";

let subject: Subject;
afterEach(() => subject?.close());

const rule = (name: string, passPercentage: number) => ({
  name,
  passPercentage,
  conditions: [{ type: "user_id", operator: "any", targetValue: [name] }],
});
const ignoreChanges = ["rules[*].passPercentage"];

/** A program with the option, as its class and Pulumi hand it on. */
const ignoring = (program: JsonObject, olds: JsonObject): JsonObject => ({
  ...withIgnoredChanges(ignoreChanges, olds, program),
  __program: { preview: true, ...ignoredNote({ ignoreChanges }, program) },
});

test.each(["dynamic", "native"] as const)(
  "%s: an inserted rule is refused, one at the end goes live with its own percentage",
  async (adapter) => {
    subject = await startSubject(catalog.gate, { adapter });
    const gate = { key: "checkout", rules: [rule("everyone", 10)] };
    const made = await subject.up(gate);
    await subject.raw.gate.patch({ id: "checkout", body: { rules: [rule("everyone", 66)] } as never });
    subject.nextRun();
    const seen = await subject.refresh(made);
    if (seen === undefined) throw new Error("it is gone");
    const inserted = { ...gate, rules: [rule("new", 5), rule("everyone", 10)] };
    subject.nextRun();
    if (adapter === "dynamic") {
      const [problem] = await subject.problems(ignoring(inserted, seen.inputs), seen.inputs);
      expect(problem?.reason).toContain(
        'rules[0].passPercentage: "new" would go live with 66, the value of "everyone", and not with 5',
      );
    }
    const appended = { ...gate, rules: [rule("everyone", 10), rule("new", 5)] };
    subject.nextRun();
    await subject.update(seen, ignoring(appended, seen.inputs));
    expect(await subject.raw.gate.get({ id: "checkout" })).toMatchObject({
      rules: [rule("everyone", 66), rule("new", 5)],
    });
  },
);

test("a program notes the lists into which its ignored paths lead, and nothing else", () => {
  const args = { rules: [1], tags: [2], defaultValue: { a: 3 } };
  expect(ignoredNote({}, args)).toEqual({});
  expect(ignoredNote({ ignoreChanges: ["tags", "defaultValue.a", "*"] }, args)).toEqual({});
  expect(ignoredNote({ ignoreChanges: ["rules[0].x", "rules[*]", "tags"] }, args)).toEqual({
    ignored: { paths: ["rules[0].x", "rules[*]"], args: { rules: [1] } },
  });
});
