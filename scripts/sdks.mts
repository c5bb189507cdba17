import path from "node:path";
import { parseArgs } from "node:util";
import { packageSchemaFile } from "./generate/package-schema.ts";
import { removeTree } from "./process/atomic-folder.ts";
import { runInherited } from "./process/run.ts";
import { repositoryRoot } from "./pulumi-cli/environment.ts";
import { writeJavaSdk } from "./sdks/java.ts";
import { sdkProgram } from "./sdks/program.ts";

/** The languages in which a program can be written. */
const languages = ["go", "java", "nodejs", "python"];

/** Checks the package schema as Pulumi does, and writes an SDK for each language. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { out: { type: "string", default: path.join(repositoryRoot, "sdk") } },
    allowPositionals: true,
  });
  const asked = positionals.length === 0 ? languages : positionals;
  const unknown = asked.filter((language) => !languages.includes(language));
  if (unknown.length > 0)
    throw new Error(`No SDK for ${unknown.join(", ")}. There is one for ${languages.join(", ")}.`);
  const folder = path.resolve(process.env.INIT_CWD ?? repositoryRoot, values.out);
  const program = await sdkProgram();
  for (const language of asked) await removeTree(path.join(folder, language));
  const schema = path.join(repositoryRoot, packageSchemaFile);
  const others = asked.filter((language) => language !== "java");
  // Without a language it only checks the schema.
  const code = await runInherited(program, [schema, folder, ...others]);
  if (code !== 0) return code;
  if (asked.includes("java")) await writeJavaSdk(schema, path.join(folder, "java"));
  for (const language of asked) console.log(path.join(folder, language));
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
