import path from "node:path";
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { RunningEmulator } from "../../src/emulator";
import { catalog, managed } from "../../src/provider/definitions";
import { Plugin } from "../../src/provider/native/plugin";
import { nativeReader } from "../../src/provider/pulumi/provider-settings";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Adapter, adapters } from "../laws/subject";
import type { Resource } from "../support/driver";
import { freshFolder } from "../support/folders";
import { configFor, startProcess } from "../support/in-process";
import { transportByKey } from "../support/projects-by-key";
import { clock, type Job, newConsole, personAt, pulumiThatExports, startJob } from "./stage";

// One address and a project for each key, and another address: a stack's objects stay those of its own console.

const [stagingKey, productionKey] = [["console", "staging"].join("-"), ["console", "production"].join("-")];

let staging: RunningEmulator;
let production: RunningEmulator;
let elsewhere: RunningEmulator;
let folder: string;
beforeEach(async () => {
  const project = (id: string, key: string) => newConsole({ key, seed: { projects: [{ id }] } });
  staging = await project("staging", stagingKey);
  production = await project("production", productionKey);
  elsewhere = await project("elsewhere", stagingKey);
  folder = freshFolder();
});

/** One run of Pulumi at the address with both projects. */
function withKey(key: string, more: Job = {}) {
  const byKey = transportByKey({ [stagingKey]: staging, [productionKey]: production });
  const settings = { "feature-console:apiKey": key };
  return startJob({ folder, at: staging, settings, through: () => byKey, ...more });
}
const right = (more: Job = {}) => withKey(stagingKey, more);
const wrong = (more: Job = {}) => withKey(productionKey, more);
const atElsewhere = (more: Job = {}) => right({ at: elsewhere, through: (transport) => transport, ...more });
const moving = { FEATURE_CONSOLE_MOVE: "1" };

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
  const resource = await right({ adapter }).up(gate);
  await clock.sleep(1000);
  await wrong({ adapter }).up({ ...gate, __program: { name: "theirs" } });
  for (const one of [staging, production]) one.clearRequests();
  return resource;
}
/** A key that may not read which project it is of. */
const mayNotRead = (one: RunningEmulator, status = 403) =>
  one.addFaults([{ method: "GET", path: "/project", times: 100, status, body: { status, message: "No" } }]);
const writesTo = (one: RunningEmulator) => asked(one).filter((request) => !request.startsWith("GET"));

const otherProject =
  'gate "checkout" is in project staging of the console, and the settings lead to project production (feature-console:apiKey, embeddedPath). ' +
  "Set the key of staging again, or use a stack of its own for each project. To make the objects of this stack anew in production and " +
  "leave those of staging as they are, set FEATURE_CONSOLE_MOVE=1 for one run.";
const otherAddress = "is in another console than the one that the settings lead to";

describe.each(adapters)("a staging stack (%s) with the key of production", (adapter) => {
  test("finds no difference and asks nothing; changes, archives, refreshes and creates nothing", async () => {
    const resource = await made(adapter);
    expect(await wrong({ adapter }).diff(resource, gate)).toMatchObject({ quiet: true });
    expect(asked(production)).toEqual([]);
    await expect(wrong({ adapter }).update(resource, fuller)).rejects.toThrow(otherProject);
    await expect(wrong({ adapter }).destroy(resource)).rejects.toThrow(otherProject);
    await expect(wrong({ adapter }).refresh(resource)).rejects.toThrow(otherProject);
    // A new object, once a resource has shown the state.
    const run = wrong({ adapter });
    await run.diff(resource, gate);
    const created = run.up({ key: "new_gate", __program: { name: "new_gate" } });
    await expect(created).rejects.toThrow(otherProject);
    expect(new Set(asked(production))).toEqual(new Set(["GET /project"]));
    expect(asked(staging)).toEqual([]);
    // With its own key, a change costs one request more than the change: the question for the project.
    await right({ adapter }).update(resource, fuller);
    const [first, ...others] = asked(staging);
    expect([first, others.includes("GET /project")]).toEqual(["GET /project", false]);
  });

  test("leaves staging alone with FEATURE_CONSOLE_MOVE=1, takes nothing of somebody else, and makes the object anew", async () => {
    const resource = await right({ adapter }).up(gate);
    const person = personAt(production, productionKey).gate;
    await person.create({ body: { id: "checkout", name: "Theirs" } });
    const move = () => wrong({ adapter, says: moving });
    expect(await move().plan(resource, gate)).toMatchObject({
      ...{ replaces: ["key"], deleteBeforeReplace: false },
    });
    await expect(move().replace(resource, gate)).rejects.toThrow("exists already");
    expect(await person.get({ id: "checkout" })).toMatchObject({ name: "Theirs", version: 1 });
    const anew = { ...gate, key: "anew" };
    const old = await right({ adapter }).up(anew);
    for (const one of [staging, production]) one.clearRequests();
    const run = move();
    const moved = await run.replace(old, anew);
    expect(run.lines).toEqual(['gate "anew" stays in the other console as it is.']);
    expect(asked(staging)).toEqual([]);
    expect(writesTo(production)).toEqual(["POST /gates"]);
    production.clearRequests();
    expect(await wrong({ adapter }).diff(moved, anew)).toMatchObject({ quiet: true });
    expect((await wrong({ adapter }).refresh(moved))?.id).toBe("anew");
    // The journal has the new one still, though the state of the old one has gone.
    expect((await wrong({ adapter }).up(anew)).id).toBe("anew");
  });

  test("which may not be read, changes and archives nothing of production", async () => {
    for (const one of [staging, production]) mayNotRead(one);
    const resource = await made(adapter);
    const run = wrong({ adapter });
    await expect(run.update(resource, fuller)).rejects.toThrow(
      /is another object than the one in state .* or the key belongs to another project.*Nothing was sent/s,
    );
    await run.destroy(resource);
    expect(run.lines).toEqual([
      expect.stringContaining('gate "checkout" stays as it is, and this stack forgets it'),
    ]);
    expect(writesTo(production)).toEqual([]);
    const own = right({ adapter });
    await own.destroy(await own.update(resource, fuller));
    expect(writesTo(staging)).toHaveLength(2);
  });

  const described = (args: JsonObject) => [args, { ...args, description: "Other" }] as const;
  const overrides = (user: string) => ({ gate: "checkout", passingUserIDs: [user] });
  test.each<readonly [ResourceDefinition, JsonObject, JsonObject]>([
    [catalog.tag, ...described({ name: "core", description: "Ours" })],
    [catalog.unitIdType, ...described({ name: "deviceID", description: "Ours" })],
    [managed.gateOverrides, overrides("a"), overrides("b")],
  ])(
    "which may not be read, leaves a $title, which shows neither its creation nor its creator",
    async (definition, args, others) => {
      mayNotRead(production);
      for (const run of [right(), wrong()]) await run.up({ key: "checkout" });
      const ours = await right({ adapter }).of(definition).up(args);
      await wrong({ adapter }).of(definition).up(args);
      production.clearRequests();
      const told = new RegExp(
        `${definition.title} .* is in project .* of the console. This key may not read to which project it leads, and the object shows neither when nor by whom it was created: nothing was sent. Allow the key to read its project, or set the key of .* again.`,
      );
      await expect(wrong({ adapter }).of(definition).update(ours, others)).rejects.toThrow(told);
      await expect(wrong({ adapter }).of(definition).destroy(ours)).rejects.toThrow(told);
      expect(writesTo(production)).toEqual([]);
      // A key that was refused for a moment is asked for its project again.
      staging.addFaults([{ method: "GET", path: "/project", status: 401, times: 1 }]);
      staging.clearRequests();
      const updated = await right({ adapter }).of(definition).update(ours, others);
      await right({ adapter }).of(definition).destroy(updated);
      expect(writesTo(staging).length).toBeGreaterThan(1);
    },
  );
});

test.each([401, 403, 404])(
  "a key that may not read its project (%i) goes on, and state keeps what it knew",
  async (status) => {
    const resource = await right().up(gate);
    expect(resource.outputs).toMatchObject({ __project: "staging" });
    mayNotRead(staging, status);
    const run = right();
    expect((await run.update(resource, fuller)).outputs).toMatchObject({ __project: "staging" });
    const another = await run.up({ key: "another", __program: { name: "another" } });
    expect(another.outputs).not.toHaveProperty("__project");
  },
);

test("a console that does not answer for its project stops a change of what is known, and no new object", async () => {
  const resource = await right().up(gate);
  const page = { status: 200, body: "<html>", contentType: "text/html" };
  staging.addFaults([{ method: "GET", path: "/project", times: 100, ...page }]);
  await expect(right().update(resource, fuller)).rejects.toThrow(/GET \/project/);
  const another = await right().up({ key: "another", __program: { name: "another" } });
  expect(another.id).toBe("another");
});

test("a state without a project learns it at the next update and at a refresh, and differs in nothing before", async () => {
  const resource = await right().up(gate);
  const { __project: _, ...outputs } = resource.outputs;
  const old = { ...resource, outputs };
  staging.clearRequests();
  expect(await right().diff(old, gate)).toMatchObject({ quiet: true });
  expect(asked(staging)).toEqual([]);
  expect((await right().refresh(old))?.outputs).toMatchObject({ __project: "staging" });
  expect((await right().update(old, fuller)).outputs).toMatchObject({ __project: "staging" });
});

test("a get stays in its project", async () => {
  await right().up(gate);
  const got = await right().get("checkout");
  expect(got.outputs).toMatchObject({ __project: "staging" });
  await expect(wrong().refresh(got)).rejects.toThrow(otherProject);
  expect(asked(production)).toEqual(["GET /project"]);
});

describe("what the program tells of its state", () => {
  const consoles = [{ object: 'gate "checkout"', console: "another_one_", project: "staging" }];
  const fresh = (program: JsonObject) => ({ key: "first", __program: { name: "first", ...program } });

  test("stops a new gate that stands first before any request, in an update and in a preview", async () => {
    const run = atElsewhere();
    for (const preview of [false, true]) {
      const problems = await run.problems(fresh({ preview, declared: 2, consoles }));
      expect(problems).toEqual([{ property: "", reason: expect.stringContaining(otherAddress) }]);
    }
    expect(elsewhere.requests).toEqual([]);
    const move = atElsewhere({ says: moving });
    expect((await move.up(fresh({ preview: false, declared: 1, consoles }))).id).toBe("first");
  });

  test("stops a new gate of another project, which is asked for its id alone", async () => {
    const resource = await right().up(gate);
    const told = [{ ...consoles[0], console: resource.outputs.__console }];
    for (const preview of [false, true]) {
      const run = wrong();
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
    return configured(own, { ...pulumiThatExports(folder, [stored]), ...says }, () => undefined);
  };
  const configured = (name: string, environment: Record<string, string>, say: (line: string) => void) => {
    const { transport } = elsewhere;
    const ports = { folder, transport, environment: () => environment };
    const started = new Plugin((report) => startProcess({}, { ...ports, report }), say);
    const values = Object.fromEntries(
      Object.entries(configFor(elsewhere, stagingKey)).map(([full, value]) => [full.split(":")[1], value]),
    ) as JsonObject;
    started.configure(nativeReader({ values, providerName: name }), provider(name));
    return started;
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
    const run = plugin("default", "default", moving);
    expect(await run.create(urn, args("first"))).toMatchObject({ id: "first" });
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
});
