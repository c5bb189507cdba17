import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import Ajv from "ajv";
import { parse } from "yaml";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { type PackageSchema, programSchema } from "../../src/tools/yaml/program-schema";

const read = (file: string) => readFileSync(path.join(repositoryRoot, file), "utf8");
const schema = JSON.parse(read("src/generated/package-schema.json")) as PackageSchema;
const judge = new Ajv({ strict: false, allErrors: true }).compile(programSchema(schema));
const example = read("examples/languages/yaml/Pulumi.yaml");

function problemsIn(text: string): string[] {
  judge(parse(text));
  return (judge.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

test("the example in YAML has no problem", () => {
  expect(problemsIn(example)).toEqual([]);
});

test.each([
  ["a misspelt argument", "description: New", "descripton: New", /checkout_v2.*descripton/],
  ["a misspelt kind", "feature-console:Tag", "feature-console:Tags", /shop\/type/],
  [
    "a text for a number",
    "passPercentage: 12.5",
    "passPercentage: half",
    /rules\/1\/passPercentage must be number/,
  ],
  [
    "a missing argument",
    "      type: id_list\n",
    "",
    /testers\/properties must have required property 'type'/,
  ],
])("%s is found at its place", (_, right, wrong, problem) => {
  expect(example).toContain(right);
  expect(problemsIn(example.replace(right, wrong)).join("\n")).toMatch(problem);
});

test("a resource of another package is not judged", () => {
  expect(problemsIn("resources: { bucket: { type: 'aws:s3:Bucket', properties: { any: 1 } } }")).toEqual([]);
});
