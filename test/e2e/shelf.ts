import { expect } from "@jest/globals";
import { type EmulatorOptions, type RunningEmulator, startEmulator } from "../../src/emulator";
import { createRouteClient } from "../../src/provider/client/client";
import { isArchived } from "../../src/provider/decisions/plan";
import { catalog } from "../../src/provider/definitions";
import { isGone } from "../../src/provider/engine/read";
import { type ResourceDefinition, routeOf } from "../../src/provider/schema/define";
import { idMember } from "../../src/provider/schema/object-id";
import { canGo } from "../../src/provider/values/options";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createStack, type PulumiStack, type StateResource } from "../support/pulumi-cli";
import { settingsFor, testKey } from "./bench";

/** The console makes a tag by itself where an object names one, and no program owns it then. */
const madeByConsole = "Tag";

/** Several programs that share a console and a stack, as no two of them name one object. */
export interface Shelf {
  readonly emulator: RunningEmulator;
  readonly project: PackedProject;
  readonly stack: PulumiStack;
  /** Fails the test unless nothing is left to do and nothing drifted, and, after a destroy, nothing is left in use. */
  expectNothingLeft(): Promise<void>;
  close(): Promise<void>;
}

/** Makes a console that has applied these programs, by the name of their file. The first call may have to build the CLI. */
export async function openShelf(
  programs: Readonly<Record<string, string>>,
  options: Partial<EmulatorOptions> = {},
): Promise<Shelf> {
  const emulator = await startEmulator({ ...options, key: testKey });
  const program = Object.keys(programs).map((file) => `import "./${file.replace(/\.ts$/, "")}";\n`);
  const project = await createPackedProject({ program: program.join(""), files: programs });
  const stack = await createStack(project, { env: settingsFor(emulator) });
  const close = async () => {
    await stack.remove();
    await project.remove();
    await emulator.close();
  };
  const before = await inUse(emulator);
  await stack.up().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...{ emulator, project, stack },
    async expectNothingLeft() {
      expect((await inUse(emulator)).length).toBeGreaterThan(before.length);
      await stack.preview({ args: ["--refresh", "--expect-no-changes"] });
      const own = (await stack.exportStack()).deployment.resources?.map(labelOf) ?? [];
      await stack.destroy();
      const left = (await inUse(emulator)).filter((object) => !before.includes(object));
      expect(
        left.filter((object) => own.includes(object) || !object.startsWith(`${madeByConsole} `)),
      ).toEqual([]);
    },
    close,
  };
}

function labelOf({ type, id }: StateResource): string {
  return `${type.split(":").at(-1)} ${id}`;
}

/** Every object of every managed kind that is neither archived nor deactivated, by the console's own lists. */
async function inUse(emulator: RunningEmulator): Promise<string[]> {
  const client = createRouteClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey });
  const found: string[] = [];
  for (const definition of Object.values<ResourceDefinition>(catalog)) {
    const { read } = definition.lifecycle;
    // Without a list there is one object at a place at most; what no destroy removes stays, and its page says so.
    if (read.how === "remember" || read.list === undefined || !canGo(definition)) continue;
    for await (const item of client.items(routeOf(definition, read.list), {})) {
      if (isArchived(definition, item) || isGone(definition, item)) continue;
      found.push(`${definition.kind} ${String(item[idMember(definition)])}`);
    }
  }
  return found.sort();
}
