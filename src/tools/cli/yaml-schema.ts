import { packageSchema } from "../import/program/typed-value";
import { type PackageSchema, programSchema } from "../yaml/program-schema";
import { defineCommand } from "./command";

export const yamlSchema = defineCommand({
  name: "yaml-schema",
  about: `Prints a JSON Schema for Pulumi.yaml and Main.yaml. An editor completes and checks resources of this package by it: save it as flags.schema.json, and begin the program with the line

  # yaml-language-server: $schema=./flags.schema.json`,
  examples: [
    "feature-console yaml-schema > flags.schema.json",
    "feature-console yaml-schema > .vscode/flags.schema.json",
  ],
  parameters: {},
  async run() {
    process.stdout.write(`${JSON.stringify(programSchema(packageSchema<PackageSchema>()))}\n`);
    return 0;
  },
});
