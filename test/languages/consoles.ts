import { readFileSync } from "node:fs";
import path from "node:path";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { pulumiEnvironment, repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { startEmulator } from "../../src/emulator";
import { isObject } from "../../src/provider/schema/json";
import { testKey } from "../emulator/desk";
import { contentsOf, idsOf } from "../import/console/contents";
import { settingsFor } from "../import/proof";
import { createPackedProject } from "../support/packed-project";
import { createStack, type PulumiStack } from "../support/pulumi-cli";
import { createYamlProject } from "../support/yaml-project";

/** Opens a project of one language, whose environment leads to a console, and a stack of it. */
export type Opening = (
  env: Readonly<Record<string, string>>,
) => Promise<{ readonly stack: PulumiStack; close(): Promise<void> }>;

/** The text of a file of the example of a language. */
function exampleText(language: string, file: string): string {
  return readFileSync(path.join(repositoryRoot, "examples", "languages", language, file), "utf8");
}

/** The program in TypeScript. `source`: the module that it loads this package as. */
export const typescript =
  (source: string): Opening =>
  async (env) => {
    const program = exampleText("typescript", "index.ts").replace('"pulumi-feature-console"', `"${source}"`);
    const project = await createPackedProject({ program, name: "languages" });
    const commands = path.join(project.folder, "node_modules", ".bin");
    return opened(project.folder, env, [commands], project.remove);
  };

/** The program in YAML. */
export const yaml: Opening = (env) => createYamlProject(exampleText("yaml", "Pulumi.yaml"), env);

/** A project in a folder. `commands`: folders that come first on PATH. */
export async function opened(
  folder: string,
  env: Readonly<Record<string, string>>,
  commands: readonly string[],
  remove: () => Promise<void>,
): ReturnType<Opening> {
  const { PATH } = (await pulumiEnvironment(cleanEnvironment())).env;
  const stack = await createStack(
    { folder },
    { env: { ...env, PATH: [...commands, PATH].join(path.delimiter) } },
  );
  return {
    stack,
    async close() {
      await stack.remove();
      await remove();
    },
  };
}

/**
 * What an empty console holds after `pulumi up` of a project, by kind and id, without what the console draws by itself: generated ids
 * and times. @throws Error where the next preview has changes.
 */
export async function consoleMadeBy(open: Opening): Promise<unknown> {
  const emulator = await startEmulator({ key: testKey });
  let project: Awaited<ReturnType<Opening>> | undefined;
  try {
    project = await open(settingsFor(emulator.url, testKey));
    await project.stack.up({ timeoutMs: 300_000 });
    await project.stack.preview({ args: ["--expect-no-changes"], timeoutMs: 300_000 });
    const kinds = Object.entries(await contentsOf(emulator)).filter(([, objects]) => objects.size > 0);
    const contents = kinds.map(([kind, objects]) => [
      kind,
      [...objects.values()].map((one) => JSON.stringify(undrawn(one))).sort(),
    ]);
    return { ...Object.fromEntries(contents), idsOfTesters: await idsOf(emulator, "testers") };
  } finally {
    await project?.close();
    await emulator.close();
  }
}

/** Members whose values the console draws by itself. */
const drawn = /^(id|baseID|controlGroupID|holdoutIDs?|.*Time)$/;

function undrawn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(undrawn);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !drawn.test(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, undrawn(member)]).sort());
}
