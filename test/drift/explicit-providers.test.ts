import { expect, test } from "@jest/globals";
import { explicitSettings } from "../../src/tools/stack/explicit-providers";

const provider = (kind: string, name: string, inputs: Readonly<Record<string, string>>) => ({
  ...{
    urn: `urn:pulumi:dev::shop::pulumi:providers:${kind}::${name}`,
    type: `pulumi:providers:${kind}`,
    inputs,
  },
});

test("explicit providers of both adapters are found with their settings, and default ones are not", () => {
  const resources = [
    provider("pulumi-nodejs", "default", {}),
    provider("pulumi-nodejs", "us", {
      "feature-console:explicit": "true",
      "feature-console:baseUrl": "https://us",
    }),
    // A name such as those that Pulumi gives its own.
    provider("pulumi-nodejs", "default_other", {
      "feature-console:explicit": "true",
      "feature-console:baseUrl": "https://other",
    }),
    provider("feature-console", "default_0_2_0", { baseUrl: "https://stack" }),
    provider("feature-console", "eu", { baseUrl: "https://eu", version: "0.2.0" }),
    provider("aws", "other", { baseUrl: "https://aws" }),
  ];
  const found = [...explicitSettings({ resources }, () => undefined, {})].map(([urn, read]) => [
    urn.split("::").at(-1),
    read("feature-console:baseUrl"),
  ]);
  expect(found).toEqual([
    ["us", "https://us"],
    ["default_other", "https://other"],
    ["eu", "https://eu"],
  ]);
});
