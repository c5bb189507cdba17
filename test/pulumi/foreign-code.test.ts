import { expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import {
  codeOf,
  codeUncheckedText,
  foreignCode,
  foreignCodeText,
  otherCode,
  otherCodeText,
} from "../../src/provider/pulumi/runs/foreign-code";
import { providerText, typePrefix } from "../../src/provider/pulumi/stored-names";
import { makeReview, readPreview, requireOwnCode } from "../../src/tools/review";

const urnOf = (name: string) => `urn:pulumi:prod::shop::x::${name}`;
const resource = (name: string, text?: unknown) => {
  const values = text === undefined ? {} : { __provider: text };
  return { urn: urnOf(name), type: `${typePrefix}Gate`, inputs: values, outputs: values };
};
const own = providerText(catalog.gate);
const stolen = "exports.handler = () => { throw process.env.FEATURE_CONSOLE_API_KEY; };";

test("a state with this package's texts alone holds no other code", () => {
  const texts = Object.values(catalog).map((definition) => providerText(definition));
  expect(foreignCode([...texts.map((text, at) => resource(`n${at}`, text)), resource("old")])).toEqual([]);
  // The code of other dynamic providers is the program's own affair.
  const theirs = { ...resource("theirs", stolen), type: "pulumi-nodejs:dynamic:Resource" };
  expect(foreignCode([theirs])).toEqual([]);
});

test.each([
  ["another code", stolen],
  ["code behind ours", `${own} ${stolen}`],
  ["code before ours", `${stolen}\n${own}`],
  ["another module", own.replace("feature-console/", "feature-consol/")],
  ["what is no text", { ciphertext: "x" }],
])("%s is found, in inputs or in outputs", (_, text) => {
  const found = ["urn:pulumi:prod::shop::x::bad"];
  expect(foreignCode([resource("good", own), resource("bad", text)])).toEqual(found);
  expect(foreignCode([{ ...resource("bad", own), outputs: { __provider: text as string } }])).toEqual(found);
  expect(foreignCodeText(found)).toBe(
    "The state holds code that is not this package's as the provider of urn:pulumi:prod::shop::x::bad: a refresh or a destroy would run it with the key of that run.",
  );
});

const thing = "pulumi-nodejs:dynamic/other:Thing";
const other = (name: string, type: string, text: unknown) => ({ ...resource(name, text), type });

test.each([
  ["of another type", thing, stolen, true],
  ["of the usual type of a program", "pulumi-nodejs:dynamic:Resource", stolen, true],
  ["of a program in Python", "pulumi-python:dynamic:Resource", "gASVAAA=", true],
  ["a secret", thing, { ciphertext: "x" }, true],
  ["under another type, but this package's", thing, own, false],
  ["of no dynamic resource", "aws:s3/bucket:Bucket", stolen, false],
  ["of this package's types, which is refused", `${typePrefix}Gate`, stolen, false],
])("stored code %s is named unless the program brings it", (_, type, text, isNamed) => {
  const state = [other("bad", type, text), other("none", thing, undefined), resource("good", own)];
  expect(otherCode(state)).toEqual(isNamed ? [urnOf("bad")] : []);
  expect(otherCode(state, new Set([codeOf(type, text)]))).toEqual([]);
  expect(otherCode(state, new Set([codeOf(type, `${String(text)} `), codeOf("other", text)]))).toEqual(
    isNamed ? [urnOf("bad")] : [],
  );
});

test("the texts name each resource, and what runs the code", () => {
  expect(otherCodeText(["urn:a", "urn:b\u001b"], false)).toBe(
    "The state holds code that is not this package's, as the provider of urn:a, urn:b\\u001b: a refresh, also with --preview-only, a removal and a destroy run it with the key of that run.",
  );
  expect(otherCodeText(["urn:a"], true)).toContain("code that is neither this package's nor this program's");
  expect(codeUncheckedText("no answer within 10 s")).toMatch(
    /^The state was not read \(no answer within 10 s\): not known whether it holds code that is not this package's/,
  );
});

test("a report is refused over such a state, and names each resource whose code the program does not register", () => {
  const stateWith = (text: string) => {
    const steps = [{ op: "same", urn: "u", oldState: resource("bad", text) }];
    return readPreview(JSON.stringify({ steps, changeSummary: {} }));
  };
  expect(() => requireOwnCode(stateWith(own))).not.toThrow();
  expect(() => requireOwnCode(stateWith(stolen))).toThrow(/holds code that is not this package's/);

  const step = (name: string, stored: string, registered?: string, op = "same") => ({
    ...{ op, urn: urnOf(name), oldState: other(name, thing, stored) },
    ...(registered === undefined ? {} : { newState: other(name, thing, registered) }),
  });
  const notes = (steps: object[], diagnostics: object[] = []) =>
    makeReview(readPreview(JSON.stringify({ steps, diagnostics, changeSummary: {} }))).notes.filter((note) =>
      note.includes("code that is"),
    );
  const theirs = "exports.handler = () => 1;";
  const mine = step("mine", theirs, theirs);
  const gone = step("gone", stolen, undefined, "delete");
  expect(notes([mine])).toEqual([]);
  const changed = step("changed", stolen, theirs, "update");
  const [note, ...more] = notes([mine, changed, gone, step("secret", "[secret]", "[secret]")]);
  expect(more).toEqual([]);
  expect(note).toContain(`as the provider of ${["changed", "gone", "secret"].map(urnOf).join(", ")}: `);
  // A preview that has warned of it says it once.
  const warned = { severity: "warning", message: `warning: ${notes([gone])[0]}` };
  expect(notes([gone], [warned])).toHaveLength(1);
});
