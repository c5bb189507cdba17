import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { catalog } from "../../src/provider/definitions";
import { Plugin } from "../../src/provider/native/plugin";
import { providerOf } from "../../src/provider/pulumi/provider";
import { nativeReader } from "../../src/provider/pulumi/provider-settings";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Adapter, adapters } from "../laws/subject";
import type { Resource } from "../support/driver";
import { configFor, inProcess, startProcess } from "../support/in-process";
import { transportByKey } from "../support/projects-by-key";
import { startRun } from "../support/run";

// One address and a project for each key, and another address: a stack's objects stay those of its own console.

const [stagingKey, productionKey] = [["console", "staging"].join("-"), ["console", "production"].join("-")];

let staging: RunningEmulator;
let production: RunningEmulator;
let elsewhere: RunningEmulator;
let folder: string;
beforeEach(async () => {
  const seed = (id: string) => ({ projects: [{ id }] });
  staging = await startEmulator({ key: stagingKey, seed: seed("staging") });
  production = await startEmulator({ key: productionKey, seed: seed("production") });
  elsewhere = await startEmulator({ key: stagingKey, seed: seed("elsewhere") });
  folder = mkdtempSync(path.join(tmpdir(), "whose-console-"));
});
afterEach(async () => {
  await Promise.all([staging.close(), production.close(), elsewhere.close()]);
  await removeTree(folder);
});

interface Asked {
  readonly adapter?: Adapter;
  readonly key?: string;
  readonly address?: RunningEmulator;
  readonly says?: Record<string, string>;
}

/** One run of Pulumi with these settings, in a process of its own. */
function runOf({ adapter = "dynamic", key = stagingKey, address = staging, says = {} }: Asked) {
  const byKey = transportByKey({ [stagingKey]: staging, [productionKey]: production });
  const transport = address === staging ? byKey : address.transport;
  const config = configFor(address, key);
  return startRun({ config, adapter, folder, transport, environment: () => says }).of;
}

const asked = ({ requests }: RunningEmulator) =>
  requests.map(({ method, path: to }) => `${method} ${to.slice(11)}`);
const gate = {
  key: "checkout",
  description: "Ours",
  rules: [{ name: "all", passPercentage: 10, conditions: [] }],
};
const fuller = { ...gate, rules: [{ name: "all", passPercentage: 0, conditions: [] }] };

/** The object in both projects, as a promotion leaves it: in state, that of staging. */
async function made(adapter: Adapter): Promise<Resource> {
  const resource = await runOf({ adapter })(catalog.gate).up(gate);
  await runOf({ adapter, key: productionKey })(catalog.gate).up({ ...gate, __program: { name: "theirs" } });
  for (const one of [staging, production]) one.clearRequests();
  return resource;
}

const otherProject =
  'gate "checkout" is in project staging of the console, and the settings lead to project production (feature-console:apiKey, embeddedPath). ' +
  "Set the key of staging again, or use a stack of its own for each project. To make the objects of this stack anew in production and " +
  "leave those of staging as they are, set FEATURE_CONSOLE_MOVE=1 for one run.";
const otherAddress = "is in another console than the one that the settings lead to";

describe.each(adapters)("a staging stack (%s) with the key of production", (adapter) => {
  const wrong = () => runOf({ adapter, key: productionKey })(catalog.gate);

  test("changes, archives and refreshes nothing: production is asked for its project alone", async () => {
    const resource = await made(adapter);
    await expect(wrong().update(resource, fuller)).rejects.toThrow(otherProject);
    await expect(wrong().destroy(resource)).rejects.toThrow(otherProject);
    await expect(wrong().refresh(resource)).rejects.toThrow(otherProject);
    expect(new Set(asked(production))).toEqual(new Set(["GET /project"]));
    expect(asked(staging)).toEqual([]);
  });

  test("asks nothing in a preview without changes, and finds no difference", async () => {
    const resource = await made(adapter);
    expect(await wrong().diff(resource, gate)).toMatchObject({ quiet: true });
    expect([...asked(production), ...asked(staging)]).toEqual([]);
  });

  test("creates nothing new, once a resource has shown the state", async () => {
    const resource = await made(adapter);
    const run = runOf({ adapter, key: productionKey });
    await run(catalog.gate).diff(resource, gate);
    await expect(run(catalog.gate).up({ key: "new_gate", __program: { name: "new_gate" } })).rejects.toThrow(
      otherProject,
    );
    expect(asked(production)).toEqual(["GET /project"]);
  });

  test("leaves staging alone with FEATURE_CONSOLE_MOVE=1, and makes the object anew", async () => {
    const resource = await runOf({ adapter })(catalog.gate).up(gate);
    staging.clearRequests();
    const move = runOf({ adapter, key: productionKey, says: { FEATURE_CONSOLE_MOVE: "1" } })(catalog.gate);
    const plan = await move.plan(resource, gate);
    expect([plan.replaces.length > 0, plan.deleteBeforeReplace]).toEqual([true, false]);
    const moved = await move.up(gate);
    await move.destroy(resource);
    expect(asked(staging)).toEqual([]);
    expect(asked(production)).toContain("POST /gates");
    production.clearRequests();
    expect(await wrong().diff(moved, gate)).toMatchObject({ quiet: true });
    expect((await wrong().refresh(moved))?.id).toBe("checkout");
  });

  test("a change costs one request more than before: the question for the project", async () => {
    const resource = await made(adapter);
    const right = runOf({ adapter })(catalog.gate);
    await right.update(resource, fuller);
    expect(asked(staging).filter((one) => one === "GET /project")).toHaveLength(1);
    expect(asked(staging)[0]).toBe("GET /project");
  });
});

describe("a key that may not read its project", () => {
  test.each([401, 403, 404])("(%i) goes on, and state keeps what it knew", async (status) => {
    const resource = await runOf({})(catalog.gate).up(gate);
    expect(resource.outputs).toMatchObject({ __project: "staging" });
    staging.addFaults([
      { method: "GET", path: "/project", times: 100, status, body: { status, message: "No" } },
    ]);
    const run = runOf({})(catalog.gate);
    expect((await run.update(resource, fuller)).outputs).toMatchObject({ __project: "staging" });
    expect((await run.up({ key: "another", __program: { name: "another" } })).outputs).not.toHaveProperty(
      "__project",
    );
  });
});

test("a console that does not answer for its project stops a change of what is known, and no new object", async () => {
  const resource = await runOf({})(catalog.gate).up(gate);
  const page = { status: 200, body: "<html>", contentType: "text/html" };
  staging.addFaults([{ method: "GET", path: "/project", times: 100, ...page }]);
  await expect(runOf({})(catalog.gate).update(resource, fuller)).rejects.toThrow(/GET \/project/);
  const another = await runOf({})(catalog.gate).up({ key: "another", __program: { name: "another" } });
  expect(another.id).toBe("another");
});

test("a state without a project learns it at the next update and at a refresh, and differs in nothing before", async () => {
  const resource = await runOf({})(catalog.gate).up(gate);
  const { __project: _, ...outputs } = resource.outputs;
  const old = { ...resource, outputs };
  staging.clearRequests();
  expect(await runOf({})(catalog.gate).diff(old, gate)).toMatchObject({ quiet: true });
  expect(asked(staging)).toEqual([]);
  expect((await runOf({})(catalog.gate).refresh(old))?.outputs).toMatchObject({ __project: "staging" });
  expect((await runOf({})(catalog.gate).update(old, fuller)).outputs).toMatchObject({ __project: "staging" });
});

test("a get stays in its project", async () => {
  await runOf({})(catalog.gate).up(gate);
  const got = await runOf({})(catalog.gate).get("checkout");
  expect(got.outputs).toMatchObject({ __project: "staging" });
  await expect(runOf({ key: productionKey })(catalog.gate).refresh(got)).rejects.toThrow(otherProject);
  expect(asked(production)).toEqual(["GET /project"]);
});

test("what an interrupted run created in one project is no evidence in another one", async () => {
  const theirs = { key: "shared", description: "Same", __program: { name: "shared" } };
  await runOf({ key: productionKey })(catalog.gate).up(theirs);
  // The journal of this stack has it of production; in staging somebody else makes the same.
  const foreign = startProcess(configFor(staging, stagingKey), { transport: staging.transport });
  await inProcess(providerOf(catalog.gate, foreign)).create({
    key: "shared",
    name: "shared",
    description: "Same",
  });
  await expect(runOf({})(catalog.gate).up(theirs)).rejects.toThrow(/exists already/);
});

describe("what the program tells of its state", () => {
  const consoles = [{ object: 'gate "checkout"', console: "another_one_", project: "staging" }];
  const fresh = (program: JsonObject) => ({ key: "first", __program: { name: "first", ...program } });

  test("stops a new gate that stands first before any request, in an update and in a preview", async () => {
    const run = runOf({ address: elsewhere })(catalog.gate);
    for (const preview of [false, true]) {
      const problems = await run.problems(fresh({ preview, declared: 2, consoles }));
      expect(problems).toEqual([{ property: "", reason: expect.stringContaining(otherAddress) }]);
    }
    expect(elsewhere.requests).toEqual([]);
  });

  test("does not hold with FEATURE_CONSOLE_MOVE=1", async () => {
    const run = runOf({ address: elsewhere, says: { FEATURE_CONSOLE_MOVE: "1" } })(catalog.gate);
    expect((await run.up(fresh({ preview: false, declared: 1, consoles }))).id).toBe("first");
  });

  const here = [{ ...consoles[0], console: "" }];
  test("stops a new gate of another project, which is asked for its id alone", async () => {
    const resource = await runOf({})(catalog.gate).up(gate);
    const told = [{ ...here[0], console: resource.outputs.__console }];
    for (const preview of [false, true]) {
      const run = runOf({ key: productionKey })(catalog.gate);
      const program = fresh({ preview, declared: 1, consoles: told });
      if (preview) expect((await run.problems(program))[0]?.reason).toBe(otherProject);
      else await expect(run.up(program)).rejects.toThrow(otherProject);
    }
    expect(new Set(asked(production))).toEqual(new Set(["GET /project"]));
  });
});

describe("a program of another language", () => {
  const type = "feature-console:index:Gate";
  const provider = (name: string) => `urn:pulumi:dev::shop::pulumi:providers:feature-console::${name}`;
  /** A plugin whose CLI exports a gate of this provider in a console of this digest. */
  const plugin = (of: string, own: string, marks: JsonObject, says = {}) => {
    const stored = {
      ...{
        urn: `urn:pulumi:dev::shop::${type}::checkout`,
        id: "checkout",
        type,
        provider: `${provider(of)}::1`,
      },
      outputs: { __featureConsole: marks },
    };
    writeFileSync(
      path.join(folder, "pulumi"),
      `#!/bin/sh\necho "$@" >> "${path.join(folder, "calls")}"\ncat <<'END'\n${JSON.stringify({ deployment: { resources: [stored] } })}\nEND\n`,
    );
    chmodSync(path.join(folder, "pulumi"), 0o755);
    const environment = () => ({ PATH: `${folder}${path.delimiter}${process.env.PATH}`, ...says });
    const { transport } = elsewhere;
    const made = new Plugin(
      (report) => startProcess({}, { folder, transport, environment, report }),
      () => undefined,
    );
    const settings = Object.entries(configFor(elsewhere, stagingKey)).map(([name, value]) => [
      name.split(":")[1],
      value,
    ]);
    const values = Object.fromEntries(settings) as JsonObject;
    made.configure(nativeReader({ values, providerName: own }), provider(own));
    return made;
  };
  const urn = `urn:pulumi:dev::shop::${type}::first`;
  const away = { __console: "another_one_" };

  test("stops before its first request: a create, a look of a preview, a get and a lookup", async () => {
    const create = async () =>
      plugin("default", "default_0_3_0", away).create(urn, { key: "first", name: "first" });
    await expect(create()).rejects.toThrow(otherAddress);
    const preview = plugin("default", "default", away);
    expect((await preview.check(urn, {}, { values: { key: "first" }, secrets: [] }, false)).failures).toEqual(
      [{ property: "", reason: expect.stringContaining(otherAddress) }],
    );
    await expect(plugin("default", "default", away).find(urn, "first")).rejects.toThrow(otherAddress);
    const { client } = plugin("default", "default", away).context();
    const { get } = catalog.gate.routes;
    await expect(client.item(get, { params: { id: "first" } })).rejects.toThrow(otherAddress);
    await expect(client.items(catalog.gate.routes.list, {}).next()).rejects.toThrow(otherAddress);
    expect(elsewhere.requests).toEqual([]);
  });

  test("an object of an explicit provider speaks for that one alone", async () => {
    const args = { key: "first", name: "first" };
    expect((await plugin("eu", "default", away).create(urn, args)).id).toBe("first");
    await expect(plugin("eu", "eu", away).create(urn, { ...args, key: "second" })).rejects.toThrow(
      otherAddress,
    );
    await expect(
      plugin("default", "eu", away).create(urn, { key: "third", name: "third" }),
    ).resolves.toMatchObject({
      id: "third",
    });
  });

  test("says so where no CLI exports the state", async () => {
    const said: string[] = [];
    const without = new Plugin(
      (report) =>
        startProcess(configFor(elsewhere, stagingKey), {
          ...{ folder, transport: elsewhere.transport, report },
          environment: () => ({ PATH: path.join(folder, "empty"), PULUMI_CONFIG: "{}" }),
        }),
      (line) => said.push(line),
    );
    without.configure((name) => configFor(elsewhere, stagingKey)[name] as string, provider("default"));
    await without.create(urn, { key: "unseen", name: "unseen" });
    await without.create(`${urn}_more`, { key: "unseen_more", name: "unseen_more" });
    expect(said).toEqual([
      'The Pulumi CLI did not export the state: not known whether it names another console than the settings lead to. Put "pulumi" on the PATH.',
    ]);
  });

  test("goes on with FEATURE_CONSOLE_MOVE=1", async () => {
    const run = plugin("default", "default", away, { FEATURE_CONSOLE_MOVE: "1" });
    expect((await run.create(urn, { key: "first", name: "first" })).id).toBe("first");
  });
});
