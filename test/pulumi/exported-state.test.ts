import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { providerOf } from "../../src/provider/pulumi/provider";
import { exportedObjects } from "../../src/provider/pulumi/runs/exported-state";
import type { JsonObject } from "../../src/provider/schema/json";
import type { Backend } from "../support/driver";
import { freshFolder } from "../support/folders";
import { configFor, inProcess, startProcess } from "../support/in-process";
import { emulator, pulumiThatExports, raw, start } from "./stage";

let folder: string;
beforeEach(() => {
  folder = freshFolder();
  return start();
});

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/feature-console:Gate::checkout";
const former = urn.replace("::checkout", "::pay");

const calls = (): string[] => {
  const file = path.join(folder, "calls");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
};

/** A run of an update whose CLI exports these resources. */
function update(resources: readonly JsonObject[]): Backend {
  const environment = pulumiThatExports(folder, resources);
  const run = startProcess(configFor(emulator), { folder, environment: () => environment });
  return inProcess(providerOf(catalog.gate, run));
}

/** A gate that was updated since it was created, so that nothing shows whose it is. */
async function makeTheirs(): Promise<void> {
  await raw.gate.create({ body: { id: "checkout", name: "checkout", description: "First" } });
  await raw.gate.patch({ id: "checkout", body: { description: "Second" } });
}

async function create(backend: Backend, ...formerUrns: string[]) {
  const note = { name: "checkout", urn, preview: false, stack: "acme/shop/dev" };
  const __program = { ...note, ...(formerUrns.length > 0 ? { formerUrns } : {}) };
  const args = { key: "checkout", description: "Third", __program };
  const { inputs, failures } = await backend.check({}, args);
  expect(failures).toEqual([]);
  return backend.create(inputs);
}

test("what state has for the resource is its own, by the URN of now and by those before", async () => {
  await makeTheirs();
  for (const [stored, ...formerUrns] of [[urn], [former, former]] as const) {
    const outputs = { description: "Second" };
    const made = await create(update([{ urn: stored, id: "checkout", outputs }]), ...formerUrns);
    expect(made).toMatchObject({ id: "checkout", properties: { description: "Third" } });
  }
  const exported = "stack export --stack acme/shop/dev --non-interactive --color never";
  expect(calls()).toEqual([exported, exported]);
});

test.each([
  ["another resource's", [{ urn: former, id: "checkout" }]],
  ["another object", [{ urn, id: "checkout_two" }]],
  ["nothing", []],
])("where state has %s, the object is somebody else's", async (_, resources) => {
  await makeTheirs();
  await expect(create(update(resources))).rejects.toThrow('gate "checkout" exists already');
  expect(calls()).toHaveLength(1);
});

test("a create that nothing stands against asks no state", async () => {
  await create(update([{ urn, id: "checkout" }]));
  expect(calls()).toEqual([]);
});

test("a CLI that fails, or prints something else, shows nothing", async () => {
  for (const result of [
    { status: 1, stdout: JSON.stringify({ deployment: { resources: [{ urn, id: "checkout" }] } }) },
    { status: 0, stdout: "no JSON" },
    { status: 0, stdout: "{}" },
  ])
    expect((await exportedObjects(async () => ({ ...result, stderr: "" }), "dev")) ?? []).toEqual([]);
  expect(await exportedObjects(() => Promise.reject(new Error("no pulumi")), "dev")).toBeUndefined();
});

test("a stack that has no resource yet is known to have none", async () => {
  const stdout = JSON.stringify({ version: 3, deployment: { manifest: {} } });
  expect(await exportedObjects(async () => ({ status: 0, stdout, stderr: "" }), "dev")).toEqual([]);
  const other = JSON.stringify({ version: 3, deployment: { resources: {} } });
  expect(
    await exportedObjects(async () => ({ status: 0, stdout: other, stderr: "" }), "dev"),
  ).toBeUndefined();
});

test("the options by which resources end are those of the state", async () => {
  const retained = { urn, id: "checkout", retainOnDelete: true, deletedWith: former };
  const plain = { urn: former, id: "pay", deletedWith: "", retainOnDelete: false };
  const stdout = JSON.stringify({ version: 3, deployment: { resources: [retained, plain] } });
  const [first, second] =
    (await exportedObjects(() => Promise.resolve({ status: 0, stdout, stderr: "" }), "dev")) ?? [];
  expect(first).toMatchObject({ isRetained: true, deletedWith: former });
  expect(second).not.toMatchObject({ isRetained: expect.anything() });
  expect(second).not.toMatchObject({ deletedWith: expect.anything() });
});
