import { mkdir, readlink, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { createClient } from "../../src/provider/client";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, nameOf, openBench, testKey, told, toldInAll } from "./bench";

jest.setTimeout(120_000);

const otherKey = `${testKey}-of-another`;
let bench: Bench;
let another: RunningEmulator;
beforeAll(async () => {
  bench = await openBench();
  another = await startEmulator({ key: otherKey });
  // The environment beats these: nobody listens there.
  await bench.stack.setConfig("feature-console:profile", "statsig");
  await bench.stack.setConfig("feature-console:baseUrl", "http://127.0.0.1:9");
  await bench.stack.setConfig("feature-console:apiKey", `${testKey}-wrong`, { secret: true });
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await bench?.close();
  await another?.close();
});

const segment = (more: string) => `new fc.Segment("people", { type: "rule_based", ${more} });`;
const elsewhere = (gate: string) => `
const provider = new fc.Provider("another", {
  profile: "custom",
  baseUrl: ${JSON.stringify(another.url)},
  apiKey: ${JSON.stringify(otherKey)},
});
new fc.Gate(${gate});`;
const leaving = `
new fc.Gate("left_by_pulumi", {}, { retainOnDelete: true });
new fc.Gate("left_by_us", { onDelete: "retain" });
const removed = new fc.Gate("removed", { onDelete: "delete" });
new fc.Gate("left_with_it", {}, { deletedWith: removed });
new fc.Gate("archived", { archiveReason: "No longer needed" });
new fc.Layer("Plain layer", { idType: "userID" });`;
const guarded = `new fc.Gate("guarded", {}, { protect: true });`;

test("the environment beats the configuration, an explicit provider beats both, and its key is encrypted", async () => {
  await bench.write(
    segment(`description: "One"`) + elsewhere(`"first", {}, { provider }`) + leaving + guarded,
  );
  await bench.stack.up();
  expect(bench.emulator.requests.filter(({ route }) => route === "create")).toHaveLength(8);
  expect(another.requests.map(({ path, route }) => [path, route])).toEqual([
    ["/console/v1/project", "get"],
    ["/console/v1/gates", "create"],
  ]);
  expect(JSON.stringify(await bench.state())).not.toContain(otherKey);
});

test("renamed under an alias, the key stays and nothing happens", async () => {
  await bench.write(
    segment(`description: "One"`) +
      elsewhere(`"second", {}, { provider, aliases: [{ name: "first" }] }`) +
      leaving +
      guarded,
  );
  await bench.stack.preview({ args: ["--expect-no-changes"] });
  await bench.stack.up();
  expect((await bench.state()).second).toMatchObject({
    id: "first",
    outputs: { key: "first", name: "first" },
  });
});

test("a change that the API cannot make is refused in the preview with the reason, and replaces when asked to", async () => {
  const rest = elsewhere(`"second", {}, { provider }`) + leaving + guarded;
  await bench.write(segment(`description: "Two"`) + rest);
  const refused = await bench.stack.preview({ mayFail: true });
  expect(refused.code).toBe(1);
  expect(refused.errors.filter((text) => text.includes("'people'"))).toEqual([
    expect.stringMatching(
      /property description .*cannot change from "One" to "Two": the console's API sets it at creation only\. Put "One" back, or set onImmutableChange: "replace"/,
    ),
  ]);
  await bench.write(segment(`description: "Two", onImmutableChange: "replace"`) + rest);
  bench.emulator.clearRequests();
  const foretold = await bench.stack.preview();
  expect(foretold.steps.find(({ urn }) => nameOf(urn) === "people")).toMatchObject({
    op: "replace",
    replaceReasons: ["description"],
  });
  expect(toldInAll(foretold)).toContain(
    "is deleted first, and is created anew without its history and results",
  );
  // It asks only for the project, and who uses the segment meanwhile.
  const others = bench.emulator.requests.filter(({ route }) => route !== "list");
  expect(others.map(({ path }) => path)).toEqual(["/console/v1/project"]);
  await bench.stack.up();
  const writes = bench.emulator.requests.filter(({ method }) => method !== "GET").map(({ route }) => route);
  expect(writes).toEqual(["delete", "create"]);
});

test("removed from the program: each leaves as it was told to; what is protected stays", async () => {
  const rest = segment(`description: "Two"`) + elsewhere(`"second", {}, { provider }`);
  await bench.write(rest + leaving);
  const refused = await bench.stack.preview({ mayFail: true });
  expect(refused.errors.join("\n")).toMatch(/guarded.*protect/s);
  await bench.write(rest + guarded);
  const lines = toldInAll(await bench.stack.preview());
  const stays = '"pulumi up" forgets it and leaves it in the console as it is';
  expect(lines).toContain(
    `gate "left_by_us" is no longer in the program. ${stays}, because of onDelete: "retain".`,
  );
  expect(lines).toContain(
    `gate "left_by_pulumi" is no longer in the program. ${stays}, because of retainOnDelete.`,
  );
  expect(lines).toContain(
    `gate "left_with_it" is no longer in the program, nor is "removed", which its deletedWith names: ${stays}.`,
  );
  await bench.stack.up();
  const left = async (id: string) =>
    (await bench.raw.gate.get({ id }).catch(({ category }) => ({ status: category }))).status;
  expect(
    await Promise.all(
      ["left_by_pulumi", "left_by_us", "left_with_it", "removed", "archived", "guarded"].map(left),
    ),
  ).toEqual(["In Progress", "In Progress", "In Progress", "not-found", "Archived", "In Progress"]);
  await expect(bench.raw.layer.get({ id: "plain_layer" })).rejects.toThrow(/404/);
});

test("without the package in the project's folder, the message names it, and nothing is lost", async () => {
  const before = await bench.state();
  bench.emulator.clearRequests();
  const restore = await withoutPackage();
  const refreshed = await bench.stack.refresh({ mayFail: true });
  const upped = await bench.stack.up({ mayFail: true });
  await restore();
  expect(Object.keys(told(refreshed))).toEqual(expect.arrayContaining(["people", "second", "guarded"]));
  for (const result of [refreshed, upped]) {
    expect(result.code).not.toBe(0);
    expect(result.errors.join("\n")).toMatch(/Cannot find module 'pulumi-feature-console/);
  }
  expect(bench.emulator.requests).toEqual([]);
  expect(await bench.state()).toEqual(before);
});

test("an explicit provider destroys what it made with the settings in the state", async () => {
  await bench.write(segment(`description: "Two"`) + guarded);
  await bench.stack.up({ env: { FEATURE_CONSOLE_PROFILE: "", FEATURE_CONSOLE_API_KEY: "" } });
  const { status } = await createClient({
    profile: "custom",
    baseUrl: another.url,
    apiKey: otherKey,
  }).gate.get({
    id: "first",
  });
  expect(status).toBe("Archived");
});

/** Takes the package out of the project's folder. Returns what brings it back. */
async function withoutPackage(): Promise<() => Promise<void>> {
  const modules = path.join(bench.project.folder, "node_modules");
  const installed = await readlink(modules);
  await rm(modules);
  await mkdir(path.join(modules, "@pulumi"), { recursive: true });
  for (const name of ["@pulumi/pulumi", "typescript", "@types"])
    await symlink(path.join(installed, name), path.join(modules, name), "junction");
  return async () => {
    await rm(modules, { recursive: true });
    await symlink(installed, modules, "junction");
  };
}
