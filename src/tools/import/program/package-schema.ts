import { readFileSync } from "node:fs";
import path from "node:path";

const file = path.join(__dirname, "..", "..", "..", "generated", "package-schema.json");

/** The package schema of the plugin, from which Pulumi makes the packages of other languages. */
export function packageSchema<T>(): T {
  return JSON.parse(readFileSync(file, "utf8")) as T;
}
