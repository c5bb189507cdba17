import { expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { foreignCode, foreignCodeText } from "../../src/provider/pulumi/runs/foreign-code";
import { providerText, typePrefix } from "../../src/provider/pulumi/stored-names";
import { readPreview, requireOwnCode } from "../../src/tools/review";

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
