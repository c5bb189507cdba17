import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, expect, jest, test } from "@jest/globals";
import { pulumiEnvironment, repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { createRouteClient } from "../../src/provider/client/client";
import { isArchived } from "../../src/provider/decisions/plan";
import { catalog } from "../../src/provider/definitions";
import { isGone } from "../../src/provider/engine/read";
import { type ResourceDefinition, routeOf } from "../../src/provider/schema/define";
import { idMember } from "../../src/provider/schema/object-id";
import { canGo } from "../../src/provider/values/options";
import { exampleContent, exampleNames, exampleStack } from "../support/examples";
import { createPackedProject } from "../support/packed-project";
import { createStack, FIRST_CLI_TIMEOUT_MS, type StateResource } from "../support/pulumi-cli";
import { settingsFor, testKey } from "./bench";

jest.setTimeout(180_000);

/** Folders that cannot be run, each with the reason. */
const waived: Readonly<Record<string, string>> = {
  app: "its kinds are in other programs; app.test.ts runs all of it",
  automation: "its program has one gate, as others have; automation.test.ts runs all of it",
};

/** The console makes a tag by itself where an object names one, and no program owns it then. */
const madeByConsole = ["Tag"];

const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  await pulumiEnvironment();
}, FIRST_CLI_TIMEOUT_MS);
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

test("every waived folder is there", () => {
  expect(exampleNames()).toEqual(expect.arrayContaining(Object.keys(waived)));
});

test("the lockfile knows every example, or `npm ci` refuses to work", () => {
  const lock = JSON.parse(readFileSync(path.join(repositoryRoot, "package-lock.json"), "utf8"));
  expect(Object.keys(lock.packages)).toEqual(
    expect.arrayContaining(exampleNames().map((name) => `examples/${name}`)),
  );
});

test.each(exampleNames().filter((name) => !(name in waived)))(
  "%s: up, nothing left to do, nothing drifted, destroy, nothing left in use",
  async (name) => {
    const emulator = await startEmulator({ key: testKey });
    closing.push(() => emulator.close());
    const project = await createPackedProject(exampleContent(name));
    closing.push(() => project.remove());
    const named = exampleStack(name);
    const env = settingsFor(emulator);
    const stack = await createStack(project, { env, ...(named === undefined ? {} : { stack: named }) });
    closing.push(() => stack.remove());

    const before = await inUse(emulator);
    await stack.up();
    expect((await inUse(emulator)).length).toBeGreaterThan(before.length);
    const typesChecked = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    await stack.preview({ args: ["--expect-no-changes"], env: typesChecked });
    await stack.refresh({ args: ["--expect-no-changes"] });
    const own = (await stack.exportStack()).deployment.resources?.map(labelOf) ?? [];
    await stack.destroy();
    const left = (await inUse(emulator)).filter((object) => !before.includes(object));
    expect(left.filter((object) => own.includes(object) || !isMadeByConsole(object))).toEqual([]);
  },
);

function labelOf({ type, id }: StateResource): string {
  return `${type.split(":").at(-1)} ${id}`;
}

function isMadeByConsole(object: string): boolean {
  return madeByConsole.some((kind) => object.startsWith(`${kind} `));
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
