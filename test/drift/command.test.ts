import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import "../../src/embedded-console";
import type { Command } from "../../src/tools/cli/command";
import { drift as driftCommand, explain } from "../../src/tools/cli/drift";
import { promote } from "../../src/tools/cli/promote";
import { type Ended, runCommand } from "../cli/run-command";
import { createStandIns, type StandIns } from "../support/stand-ins";
import { Desk } from "./desk";

// The commands themselves, where the CLI answers what the desk's stack would. month.test.ts of the e2e tests has them work with Pulumi.

let api: Desk;
let pulumi: StandIns;
beforeAll(async () => {
  api = new Desk();
  pulumi = createStandIns("pulumi");
  const write = (file: string, text: string) => writeFileSync(path.join(api.folder, file), text);
  write("Pulumi.yaml", "name: desk\nruntime: nodejs\n");
  mkdirSync(path.join(api.folder, "node_modules"));
  const compiler = path.join("node_modules", "typescript");
  symlinkSync(path.join(repositoryRoot, compiler), path.join(api.folder, compiler));
  await api.apply(
    'new fc.Gate("checkout", {\n  key: "checkout_v2",\n  description: "New checkout", // the shop\'s\n});\nnew fc.Gate("other", { description: "Other" });\n',
  );
  for (const id of ["checkout_v2", "other"]) await api.edit(id, { description: "Once more" });
});
afterAll(async () => {
  await pulumi.remove();
  await api.close();
});

async function typed(command: Command, ...args: string[]): Promise<Ended> {
  const answers = {
    "stack export": { deployment: await api.stack.exported() },
    preview: await api.stack.preview(),
  };
  const lines = Object.entries({ ...answers, config: {} }).map(([asked, answer]) => {
    const file = path.join(pulumi.folder, `${asked.replace(" ", "-")}.json`);
    writeFileSync(file, JSON.stringify(answer));
    return [`pulumi ${asked}`, `cat '${file}'`] as const;
  });
  pulumi.answer(Object.fromEntries(lines));
  const PATH = [pulumi.folder, process.env.PATH].join(path.delimiter);
  return runCommand(command, args, { cwd: api.folder, env: { FEATURE_CONSOLE_PROFILE: "embedded", PATH } });
}

const drift = (...args: string[]) => typed(driftCommand, ...args);

test("names without --accept or --patch, and both forms of output, are wrong usage before anything is read", async () => {
  expect(await drift("checkout")).toMatchObject({
    ...{ status: 2, out: "" },
    errors: expect.stringContaining("names of resources go with --accept or --patch"),
  });
  expect((await drift("--patch", "--json")).status).toBe(2);
  expect(pulumi.take()).toEqual([]);
});

test("a patch goes to standard output alone, and writes nothing", async () => {
  const before = api.program;
  const { status, out } = await drift("--patch", "checkout");
  expect(out).toContain(
    '-  description: "New checkout", // the shop\'s\n+  description: "Once more", // the shop\'s\n',
  );
  expect([status, out.startsWith("--- a/index.ts\n+++ b/index.ts\n")]).toEqual([7, true]);
  expect(api.program).toBe(before);
});

test("names and ids accept what they name, and JSON says who changed what", async () => {
  expect(await drift("--accept", "nobody")).toMatchObject({
    ...{ status: 2, out: "" },
    errors: expect.stringContaining('the stack has no resource "nobody"'),
  });
  pulumi.take();
  const { status, out } = await drift("--json", "--accept", "checkout_v2");
  // The other one is left as it is.
  expect(status).toBe(7);
  const told = JSON.parse(out) as { outcomes: unknown[]; objects: { name: string }[] };
  expect(told.outcomes).toEqual([expect.objectContaining({ how: "accepted", label: "description" })]);
  expect(told.objects.find(({ name }) => name === "checkout")).toMatchObject({
    differences: [{ path: "description", console: "Once more" }],
  });
  expect(api.program).toContain('"Once more"');
  expect(api.program).toContain('"Other"');
  const refreshes = pulumi.take().filter(({ line }) => line.startsWith("pulumi refresh"));
  expect(refreshes).toEqual([{ line: expect.stringMatching(/--target \S+::checkout\b/), key: "" }]);
});

test("a name that the stack does not have is wrong usage, with the one that was meant", async () => {
  for (const ended of [
    await typed(explain, "chekout"),
    await typed(promote, "dev", "prod", "chekout", "--yes"),
  ])
    expect(ended).toMatchObject({ status: 2, errors: expect.stringContaining('did you mean "checkout"?') });
  expect((await typed(explain)).status).toBe(2);
});
