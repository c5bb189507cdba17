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

/** Gates in one run of Pulumi with these settings, in a process of its own. */
function gates({ adapter = "dynamic", key = stagingKey, address = staging, says = {} }: Asked = {}) {
  const byKey = transportByKey({ [stagingKey]: staging, [productionKey]: production });
  const transport = address === staging ? byKey : address.transport;
  const config = configFor(address, key);
  return startRun({ config, adapter, folder, transport, environment: () => says }).of(catalog.gate);
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
  const resource = await gates({ adapter }).up(gate);
  await gates({ adapter, key: productionKey }).up({ ...gate, __program: { name: "theirs" } });
  for (const one of [staging, production]) one.clearRequests();
  return resource;
}

const otherProject =
  'gate "checkout" is in project staging of the console, and the settings lead to project production (feature-console:apiKey, embeddedPath). ' +
  "Set the key of staging again, or use a stack of its own for each project. To make the objects of this stack anew in production and " +
  "leave those of staging as they are, set FEATURE_CONSOLE_MOVE=1 for one run.";
const otherAddress = "is in another console than the one that the settings lead to";

describe.each(adapters)("a staging stack (%s) with the key of production", (adapter) => {
  const wrong = () => gates({ adapter, key: productionKey });

  test("finds no difference and asks nothing; changes, archives, refreshes and creates nothing", async () => {
    const resource = await made(adapter);
    expect(await wrong().diff(resource, gate)).toMatchObject({ quiet: true });
    expect(asked(production)).toEqual([]);
    await expect(wrong().update(resource, fuller)).rejects.toThrow(otherProject);
    await expect(wrong().destroy(resource)).rejects.toThrow(otherProject);
    await expect(wrong().refresh(resource)).rejects.toThrow(otherProject);
    // A new object, once a resource has shown the state.
    const run = wrong();
    await run.diff(resource, gate);
    const created = run.up({ key: "new_gate", __program: { name: "new_gate" } });
    await expect(created).rejects.toThrow(otherProject);
    expect(new Set(asked(production))).toEqual(new Set(["GET /project"]));
    expect(asked(staging)).toEqual([]);
  });

  test("leaves staging alone with FEATURE_CONSOLE_MOVE=1, and makes the object anew", async () => {
    const resource = await gates({ adapter }).up(gate);
    staging.clearRequests();
    const move = gates({ adapter, key: productionKey, says: { FEATURE_CONSOLE_MOVE: "1" } });
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
    await gates({ adapter }).update(resource, fuller);
    const [first, ...others] = asked(staging);
    expect([first, others.includes("GET /project")]).toEqual(["GET /project", false]);
  });
});

describe("a key that may not read its project", () => {
  test.each([401, 403, 404])("(%i) goes on, and state keeps what it knew", async (status) => {
    const resource = await gates().up(gate);
    expect(resource.outputs).toMatchObject({ __project: "staging" });
    staging.addFaults([
      { method: "GET", path: "/project", times: 100, status, body: { status, message: "No" } },
    ]);
    const run = gates();
    expect((await run.update(resource, fuller)).outputs).toMatchObject({ __project: "staging" });
    expect((await run.up({ key: "another", __program: { name: "another" } })).outputs).not.toHaveProperty(
      "__project",
    );
  });
});

test("a console that does not answer for its project stops a change of what is known, and no new object", async () => {
  const resource = await gates().up(gate);
  const page = { status: 200, body: "<html>", contentType: "text/html" };
  staging.addFaults([{ method: "GET", path: "/project", times: 100, ...page }]);
  await expect(gates().update(resource, fuller)).rejects.toThrow(/GET \/project/);
  const another = await gates().up({ key: "another", __program: { name: "another" } });
  expect(another.id).toBe("another");
});

test("a state without a project learns it at the next update and at a refresh, and differs in nothing before", async () => {
  const resource = await gates().up(gate);
  const { __project: _, ...outputs } = resource.outputs;
  const old = { ...resource, outputs };
  staging.clearRequests();
  expect(await gates().diff(old, gate)).toMatchObject({ quiet: true });
  expect(asked(staging)).toEqual([]);
  expect((await gates().refresh(old))?.outputs).toMatchObject({ __project: "staging" });
  expect((await gates().update(old, fuller)).outputs).toMatchObject({ __project: "staging" });
});

test("a get stays in its project", async () => {
  await gates().up(gate);
  const got = await gates().get("checkout");
  expect(got.outputs).toMatchObject({ __project: "staging" });
  await expect(gates({ key: productionKey }).refresh(got)).rejects.toThrow(otherProject);
  expect(asked(production)).toEqual(["GET /project"]);
});

test("what an interrupted run created in one project is no evidence in another one", async () => {
  const theirs = { key: "shared", description: "Same", __program: { name: "shared" } };
  await gates({ key: productionKey }).up(theirs);
  // The journal of this stack has it of production; in staging somebody else makes the same.
  const foreign = startProcess(configFor(staging, stagingKey), { transport: staging.transport });
  await inProcess(providerOf(catalog.gate, foreign)).create({
    key: "shared",
    name: "shared",
    description: "Same",
  });
  await expect(gates().up(theirs)).rejects.toThrow(/exists already/);
});

describe("what the program tells of its state", () => {
  const consoles = [{ object: 'gate "checkout"', console: "another_one_", project: "staging" }];
  const fresh = (program: JsonObject) => ({ key: "first", __program: { name: "first", ...program } });

  test("stops a new gate that stands first before any request, in an update and in a preview", async () => {
    const run = gates({ address: elsewhere });
    for (const preview of [false, true]) {
      const problems = await run.problems(fresh({ preview, declared: 2, consoles }));
      expect(problems).toEqual([{ property: "", reason: expect.stringContaining(otherAddress) }]);
    }
    expect(elsewhere.requests).toEqual([]);
  });

  test("does not hold with FEATURE_CONSOLE_MOVE=1", async () => {
    const run = gates({ address: elsewhere, says: { FEATURE_CONSOLE_MOVE: "1" } });
    expect((await run.up(fresh({ preview: false, declared: 1, consoles }))).id).toBe("first");
  });

  const here = [{ ...consoles[0], console: "" }];
  test("stops a new gate of another project, which is asked for its id alone", async () => {
    const resource = await gates().up(gate);
    const told = [{ ...here[0], console: resource.outputs.__console }];
    for (const preview of [false, true]) {
      const run = gates({ key: productionKey });
      const program = fresh({ preview, declared: 1, consoles: told });
      if (preview) expect((await run.problems(program))[0]?.reason).toBe(otherProject);
      else await expect(run.up(program)).rejects.toThrow(otherProject);
    }
    expect(new Set(asked(production))).toEqual(new Set(["GET /project"]));
  });
});

describe("a program of another language", () => {
  const type = "feature-console:index:Gate";
  const urn = `urn:pulumi:dev::shop::${type}::first`;
  const provider = (name: string) => `urn:pulumi:dev::shop::pulumi:providers:feature-console::${name}`;
  const args = (key: string) => ({ key, name: key });
  /** A plugin whose CLI exports a gate of the provider `of`, which is in another console. */
  const plugin = (of: string, own = of, says = {}) => {
    const stored = {
      ...{ urn: urn.replace("first", "checkout"), id: "checkout", type, provider: `${provider(of)}::1` },
      outputs: { __featureConsole: { __console: "another_one_" } },
    };
    const file = path.join(folder, "pulumi");
    const exported = JSON.stringify({ deployment: { resources: [stored] } });
    writeFileSync(file, `#!/bin/sh\ncat <<'END'\n${exported}\nEND\n`);
    chmodSync(file, 0o755);
    const environment = { PATH: `${folder}${path.delimiter}${process.env.PATH}`, ...says };
    return configured(own, environment, () => undefined);
  };
  const configured = (name: string, environment: Record<string, string>, say: (line: string) => void) => {
    const { transport } = elsewhere;
    const ports = { folder, transport, environment: () => environment };
    const made = new Plugin((report) => startProcess({}, { ...ports, report }), say);
    const values = Object.fromEntries(
      Object.entries(configFor(elsewhere, stagingKey)).map(([full, value]) => [full.split(":")[1], value]),
    ) as JsonObject;
    made.configure(nativeReader({ values, providerName: name }), provider(name));
    return made;
  };

  test("stops before its first request: a create, a look of a preview, a get and a lookup", async () => {
    const created = async () => plugin("default", "default_0_3_0").create(urn, args("first"));
    await expect(created()).rejects.toThrow(otherAddress);
    const checked = await plugin("default").check(urn, {}, { values: { key: "first" }, secrets: [] }, false);
    const reason = expect.stringContaining(otherAddress);
    expect(checked.failures).toEqual([{ property: "", reason }]);
    await expect(plugin("default").find(urn, "first")).rejects.toThrow(otherAddress);
    const { client } = plugin("default").context();
    const { get, list } = catalog.gate.routes;
    await expect(client.item(get, { params: { id: "first" } })).rejects.toThrow(otherAddress);
    await expect(client.items(list, {}).next()).rejects.toThrow(otherAddress);
    expect(elsewhere.requests).toEqual([]);
  });

  test("an object of an explicit provider speaks for that one alone", async () => {
    expect(await plugin("eu", "default").create(urn, args("first"))).toMatchObject({ id: "first" });
    await expect(plugin("eu").create(urn, args("second"))).rejects.toThrow(otherAddress);
    expect(await plugin("default", "eu").create(urn, args("third"))).toMatchObject({ id: "third" });
  });

  test("says so where no CLI exports the state", async () => {
    const said: string[] = [];
    const environment = { PATH: path.join(folder, "empty"), PULUMI_CONFIG: "{}" };
    const without = configured("default", environment, (line) => said.push(line));
    await without.create(urn, args("unseen"));
    await without.create(`${urn}_more`, args("unseen_more"));
    expect(said).toEqual([
      'The Pulumi CLI did not export the state: not known whether it names another console than the settings lead to. Put "pulumi" on the PATH.',
    ]);
  });

  test("goes on with FEATURE_CONSOLE_MOVE=1", async () => {
    const run = plugin("default", "default", { FEATURE_CONSOLE_MOVE: "1" });
    expect(await run.create(urn, args("first"))).toMatchObject({ id: "first" });
  });
});
