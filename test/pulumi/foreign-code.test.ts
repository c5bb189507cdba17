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

const resource = (name: string, text?: unknown) => {
  const values = text === undefined ? {} : { __provider: text };
  return {
    urn: `urn:pulumi:prod::shop::x::${name}`,
    type: `${typePrefix}Gate`,
    inputs: values,
    outputs: values,
  };
};
const own = providerText(catalog.gate);
const stolen = "exports.handler = () => { throw process.env.FEATURE_CONSOLE_API_KEY; };";

test("a state with this package's texts alone holds no other code", () => {
  const texts = Object.values(catalog).map((definition) => providerText(definition));
  expect(foreignCode([...texts.map((text, at) => resource(`n${at}`, text)), resource("old")])).toEqual([]);
  // The code of other dynamic providers is the program's own affair.
  expect(foreignCode([{ ...resource("theirs", stolen), type: "pulumi-nodejs:dynamic:Resource" }])).toEqual(
    [],
  );
});

test.each([
  ["another code", stolen],
  ["code behind ours", `${own} ${stolen}`],
  ["code before ours", `${stolen}\n${own}`],
  ["another module", own.replace("feature-console/", "feature-consol/")],
  [
    "what is no text",
    { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x" },
  ],
])("%s is found, in inputs or in outputs", (_, text) => {
  const found = ["urn:pulumi:prod::shop::x::bad"];
  expect(foreignCode([resource("good", own), resource("bad", text)])).toEqual(found);
  expect(foreignCode([{ ...resource("bad", own), outputs: { __provider: text as string } }])).toEqual(found);
  expect(foreignCodeText(found)).toBe(
    "The state holds code that is not this package's as the provider of urn:pulumi:prod::shop::x::bad: a refresh or a destroy would run it with the key of that run.",
  );
});

test("a report of a preview over such a state is refused", () => {
  const step = (text: string) =>
    readPreview(
      JSON.stringify({
        steps: [{ op: "same", urn: "u", oldState: resource("bad", text) }],
        changeSummary: {},
      }),
    );
  expect(() => requireOwnCode(step(own))).not.toThrow();
  expect(() => requireOwnCode(step(stolen))).toThrow(/holds code that is not this package's/);
});

const thing = "pulumi-nodejs:dynamic/other:Thing";
const other = (name: string, type: string, text: unknown) => ({ ...resource(name, text), type });
const urnOf = (name: string) => `urn:pulumi:prod::shop::x::${name}`;

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

test("a report names each resource of the state whose code the program does not register", () => {
  const step = (name: string, stored: string, registered?: string, op = "same") => ({
    ...{ op, urn: urnOf(name), oldState: other(name, thing, stored) },
    ...(registered === undefined ? {} : { newState: other(name, thing, registered) }),
  });
  const notes = (steps: object[], diagnostics: object[] = []) =>
    makeReview(readPreview(JSON.stringify({ steps, diagnostics, changeSummary: {} }))).notes.filter((note) =>
      note.includes("code that is"),
    );
  const theirs = "exports.handler = () => 1;";
  expect(notes([step("mine", theirs, theirs)])).toEqual([]);
  const [note, ...more] = notes([
    step("mine", theirs, theirs),
    step("changed", stolen, theirs, "update"),
    step("gone", stolen, undefined, "delete"),
    step("secret", "[secret]", "[secret]"),
  ]);
  expect(more).toEqual([]);
  expect(note).toContain(`as the provider of ${["changed", "gone", "secret"].map(urnOf).join(", ")}: `);
  expect(
    notes(
      [step("gone", stolen, undefined, "delete")],
      [{ severity: "warning", message: `warning: ${notes([step("gone", stolen, undefined, "delete")])[0]}` }],
    ),
  ).toHaveLength(1);
});
