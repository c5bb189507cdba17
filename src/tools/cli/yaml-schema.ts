import { readFileSync } from "node:fs";
import path from "node:path";
import { type PackageSchema, programSchema } from "../yaml/program-schema";
import { type Command, parseArguments } from "./command";

const help = `Usage: feature-console yaml-schema

Prints a JSON Schema for Pulumi.yaml and Main.yaml. An editor completes and checks resources of this package by it:
save it as flags.schema.json, and begin the program with the line

  # yaml-language-server: $schema=./flags.schema.json

  --help                This text
`;

/** Prints the schema by which editors complete programs in YAML. */
export const yamlSchema: Command = {
  summary: "Print a JSON Schema by which editors complete programs in YAML.",
  help,
  async run(args) {
    parseArguments({ args: [...args], options: {}, allowPositionals: false });
    const file = path.join(__dirname, "..", "..", "generated", "package-schema.json");
    const schema = JSON.parse(readFileSync(file, "utf8")) as PackageSchema;
    process.stdout.write(`${JSON.stringify(programSchema(schema))}\n`);
    return 0;
  },
};
