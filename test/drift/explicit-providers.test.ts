import { expect, test } from "@jest/globals";
import { explicitSettings } from "../../src/tools/stack/consoles";

const provider = (kind: string, name: string, inputs: Readonly<Record<string, string>>) => {
  const type = `pulumi:providers:${kind}`;
  return { urn: `urn:pulumi:dev::shop::${type}::${name}`, type, inputs };
};
const explicit = (baseUrl: string) => ({
  ...{ "feature-console:explicit": "true", "feature-console:baseUrl": baseUrl },
});

test("explicit providers of both adapters are found with their settings, and default ones are not", () => {
  const resources = [
    provider("pulumi-nodejs", "default", {}),
    provider("pulumi-nodejs", "us", explicit("https://us")),
    // A name such as those that Pulumi gives its own.
    provider("pulumi-nodejs", "default_other", explicit("https://other")),
    provider("feature-console", "default_0_2_0", { baseUrl: "https://stack" }),
    provider("feature-console", "eu", { baseUrl: "https://eu", version: "0.2.0" }),
    provider("aws", "other", { baseUrl: "https://aws" }),
  ];
  const found = [...explicitSettings({ resources }, () => undefined, {})];
  const addresses = found.map(([urn, read]) => [urn.split("::").at(-1), read("feature-console:baseUrl")]);
  expect(Object.fromEntries(addresses)).toEqual({
    ...{ us: "https://us", default_other: "https://other", eu: "https://eu" },
  });
});
