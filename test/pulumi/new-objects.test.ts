import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import type { Resource } from "../support/driver";
import { freshFolder } from "../support/folders";
import { emulator, type Job, raw, start, startJob } from "./stage";

// What a preview looks for of objects that are to be created, and what it says of them.

let folder: string;
beforeEach(() => {
  folder = freshFolder();
  return start();
});

const job = (more: Job = {}) => startJob({ folder, ...more });
/** A preview of a program that declares these resources, in a process of its own. @returns what it told. */
const preview = async (
  program: readonly JsonObject[],
  definition: ResourceDefinition = catalog.gate,
  more: Job = {},
) => {
  const { of, lines } = job(more);
  const declared = program.length;
  for (const args of program)
    await of(definition).checked({ ...args, __program: { name: args.key, preview: true, declared } });
  return lines;
};
const asked = () => emulator.requests.map(({ method, path }) => `${method} ${path.slice(11)}`);
const colours = {
  ...{ key: "colours", hypothesis: "Blue sells" },
  groups: ["Control", "Test"].map((name) => ({ name, size: 50, parameterValues: {} })),
};
const gates = (count: number) => Array.from({ length: count }, (_, index) => ({ key: `gate_${index}` }));
const failing = "This update will fail: ";

test("a new gate whose key is free: one read, and not a word; the update looks at nothing beforehand", async () => {
  expect(await preview([{ key: "checkout" }])).toEqual([]);
  expect(asked()).toEqual(["GET /gates/checkout"]);
  emulator.clearRequests();
  await job().up({ key: "checkout", __program: { preview: false, declared: 1 } });
  expect(asked()).toEqual(["GET /project", "POST /gates"]);
});

test("a key that is taken: the update will fail, and how to go on; the update says the same", async () => {
  const ours = { key: "checkout", description: "Ours" };
  await raw.gate.create({ body: { id: "checkout", name: "checkout", description: "Theirs" } });
  const lines = await preview([ours]);
  expect(lines).toEqual([
    expect.stringMatching(
      /^This update will fail: gate "checkout" exists already\. It differs in description\. .*adopt: true/,
    ),
  ]);
  await expect(job().up(ours)).rejects.toThrow(lines[0]?.replace(failing, ""));
});

test("of a gate that comes back the preview shows what it empties, and the state in which it begins", async () => {
  const args = { key: "ours", description: "Ours", tags: ["old"] };
  await job().destroy(await job().up(args));
  const fresh = { key: "ours", description: "Ours", status: "Launched" };
  expect(await preview([fresh])).toEqual([
    'gate "ours" is archived: would be brought back and would change status, tags (−1)\n' +
      '    ~ status: "Archived" => "Launched"\n    ~ tags: ["old"] => []',
  ]);
  await job().up(fresh);
  expect(await raw.gate.get({ id: "ours" })).toMatchObject({ status: "Launched", tags: [] });
});

test("of a value that is not known yet, a gate that comes back may change, and no line shows Pulumi's mark of it", async () => {
  const args = { key: "ours", description: "Ours" };
  await job().destroy(await job().up(args));
  expect(await preview([{ ...args, description: UNKNOWN, idType: "userID", tags: ["new"] }])).toEqual([
    'gate "ours" is archived: would be brought back and would change tags (+1) and may change description\n' +
      '    ~ description: "Ours" => not known yet\n    ~ tags: [] => ["new"]',
  ]);
});

test("whether a gate fails that is as somebody else archived it, but for a value that is not known yet, is open", async () => {
  const theirs = { id: "theirs", name: "theirs", description: "Theirs" };
  await raw.gate.create({ body: theirs });
  await raw.gate.archive({ id: "theirs", body: { archiveReason: "old" } });
  expect(await preview([{ key: "theirs", description: UNKNOWN }])).toEqual([
    'gate "theirs" exists already and is archived: whether this update will fail is not known yet.',
  ]);
});

test("two experiments of 60 % each, of a layer that this update makes, ask for 120 % of it", async () => {
  const line =
    'experiment "red" and experiment "tan" ask for 120 % of layer "shop" together: whichever starts last gets only the rest.';
  const shop = { name: "shop", idType: "userID" };
  const told = async (layerID: unknown, isPreview: boolean) => {
    const { of, lines } = job();
    const note = { preview: isPreview, declared: 3 };
    await of(catalog.layer).checked({ ...shop, __program: { ...note, name: "shop" } });
    for (const key of ["red", "tan"])
      await of(catalog.experiment).checked({
        ...{ ...colours, key, layerID, allocation: 60, status: "active" },
        __program: { ...note, name: key, sources: { layerID: "Layer shop" } },
      });
    return lines;
  };
  expect(await told(UNKNOWN, true)).toContain(line);
  expect(await told("shop", false)).toEqual([line]);
});

test("a layer's parameter that goes in the update in which a running experiment drops it: two updates do it", async () => {
  const parameter = (name: string) => ({ name, type: "string", defaultValue: "none" });
  const page = (...names: string[]) => ({ name: "page", idType: "userID", parameters: names.map(parameter) });
  const trial = (...names: string[]) => ({
    ...{ key: "trial", layerID: "page", hypothesis: "More", status: "active" },
    groups: ["Control", "Test"].map((name) => ({
      ...{ name, size: 50, parameterValues: Object.fromEntries(names.map((one) => [one, name])) },
    })),
  });
  const made = job();
  const layer = await made.of(catalog.layer).up(page("title", "colour"));
  const experiment = await made.of(catalog.experiment).up(trial("title", "colour"));
  const line =
    'This update will fail: layer "page": parameters: "colour" is dropped while experiment "trial" runs with it, and the console changes ' +
    'layer "page" first. Make two updates: take "colour" out of experiment "trial", then drop it.';
  const told = async (after: JsonObject, trialAfter: JsonObject) => {
    const { of, lines } = job();
    const note = (name: string) => ({ __program: { name, preview: true, declared: 2 } });
    await of(catalog.layer).diff(layer, { ...after, ...note("page") });
    await of(catalog.experiment).diff(experiment, { ...trialAfter, ...note("trial") });
    return lines.filter((one) => one.startsWith(failing) || one.startsWith("experiment"));
  };
  expect(await told(page("title"), trial("title"))).toEqual([line]);
  const lacks = (at: number) =>
    `experiment "trial": groups[${at}].parameterValues.colour: layer "page" has no parameter "colour".`;
  const used = await told(page("title"), trial("title", "colour"));
  expect(used.sort()).toEqual([line, lacks(0), lacks(1)].sort());
  expect(await told(page("title", "colour"), trial("title"))).toEqual([]);
  await expect(job().of(catalog.layer).update(layer, page("title"))).rejects.toThrow(/colour/);
});

describe("a decision ships values that the program sets otherwise as defaults of the layer", () => {
  const page = (values: JsonObject) => ({
    ...{ name: "page", idType: "userID" },
    parameters: ["colour", "title"].map((name) => ({ name, type: "string", defaultValue: values[name] })),
  });
  const trial = (more: JsonObject) => ({
    ...{ key: "trial", layerID: "page", hypothesis: "More", ...more },
    groups: ["Control", "Test"].map((name) => ({
      ...{ name, size: 50, parameterValues: { colour: name, title: "none" } },
    })),
  });
  const decided = { status: "decision_made", launchedGroup: "Test", decisionReason: "It sells" };
  const line = (names: string) =>
    `experiment "trial": this decision changes the default of ${names} in layer "page", which the program sets otherwise. ` +
    `Leave out defaultValue of ${names}, or an update after a refresh takes the decision back.`;

  test.each<[string, JsonObject, JsonObject, string[]]>([
    ["one of two", { colour: "none", title: "none" }, decided, [line('"colour"')]],
    ["both", { colour: "none", title: "other" }, decided, [line('"colour", "title"')]],
    ["none that the program sets", { title: "none" }, decided, []],
    ["the same", { colour: "Test", title: "none" }, decided, []],
    ["one not known yet", { colour: UNKNOWN, title: "none" }, decided, []],
    ["no decision", { colour: "none", title: "none" }, { status: "active" }, []],
  ])("%s", async (_, values, becoming, lines) => {
    const made = job();
    await made.of(catalog.layer).up(page({ colour: "none", title: "none" }));
    const active = await made.of(catalog.experiment).up(trial({ status: "active" }));
    for (const order of ["the layer first", "the layer last"]) {
      const { of, lines: told } = job();
      const note = (name: string) => ({ __program: { name, preview: true, declared: 2 } });
      const checksLayer = () => of(catalog.layer).checked({ ...page(values), ...note("page") });
      if (order === "the layer first") await checksLayer();
      await of(catalog.experiment).diff(active, { ...trial(becoming), ...note("trial") });
      if (order === "the layer last") await checksLayer();
      expect(told.filter((one) => one.includes("decision"))).toEqual(lines);
    }
  });
});

test("an experiment that ran and was archived does not come back running: the preview of the revert says so", async () => {
  const running = { ...colours, status: "active" };
  const experiments = () => job().of(catalog.experiment);
  await experiments().destroy(await experiments().up(running));
  const lines = await preview([running], catalog.experiment);
  expect(lines).toEqual([expect.stringMatching(/^This update will fail: experiment "colours" .*archived/)]);
  await expect(experiments().up(running)).rejects.toThrow(lines[0]?.replace(failing, ""));
});

test("25 new objects are looked for side by side, and of the others a line gives the number", async () => {
  let underWay = 0;
  let most = 0;
  const through = ({ send }: Transport): Transport => ({
    async send(request) {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setTimeout(resolve, 20));
      underWay -= 1;
      return send(request);
    },
  });
  await raw.gate.create({ body: { name: "gate_24" } });
  emulator.clearRequests();
  expect(await preview(gates(30), catalog.gate, { through })).toEqual([
    expect.stringMatching(/^This update will fail: gate "gate_24" exists already/),
    "5 new objects not checked: a preview looks for 25 in the console.",
  ]);
  expect(asked()).toHaveLength(25);
  expect(most).toBeGreaterThan(4);
});

test("an object whose key is not known yet is not looked for", async () => {
  expect(await preview([{ key: UNKNOWN }, { key: "checkout" }])).toEqual([
    "1 new object not checked: its key is not known before the update.",
  ]);
  expect(asked()).toEqual(["GET /gates/checkout"]);
});

test("a console that does not answer makes one line, and a refused key another; neither preview fails", async () => {
  emulator.addFaults([{ method: "GET", path: "/gates", times: 1000, reset: "before" }]);
  expect(await preview(gates(30))).toEqual([
    expect.stringMatching(/^30 new objects not checked: GET \/gates\/gate_\d: no answer/),
  ]);
  emulator.clearFaults();
  emulator.addFaults([{ method: "GET", path: "/gates", times: 1000, status: 401 }]);
  emulator.clearRequests();
  expect(await preview(gates(30))).toEqual([
    expect.stringMatching(/^30 new objects not checked: GET \/gates\/gate_\d answered 401/),
  ]);
  expect(asked().length).toBeLessThanOrEqual(8);
});

const untried =
  'API key not verified: this preview made no requests. "npx feature-console doctor --for up" verifies it.';

test("a preview of an update asks nobody and says so once; an empty one says nothing", async () => {
  const first = job();
  const made = [await first.up({ key: "one" }), await first.up({ key: "two", __program: { name: "two" } })];
  /** Plans the same for both in a run. @returns what it told, one resource after the other. */
  const planned = async (more: JsonObject, isPreview = true) => {
    const { plan, lines } = job();
    const told: (readonly string[])[] = [];
    for (const one of made) {
      const before = lines.length;
      const note = { name: one.id, preview: isPreview, declared: 2 };
      await plan(one, { key: one.id, ...more, __program: note });
      told.push(lines.slice(before));
    }
    return told;
  };
  emulator.clearRequests();
  const [one, two] = await planned({ description: "New" });
  expect(one).not.toContain(untried);
  expect(two?.filter((line) => line === untried)).toHaveLength(1);
  expect(asked()).toEqual([]);
  expect(await planned({})).toEqual([[], []]);
  expect(await planned({ description: "New" }, false)).toEqual([[], []]);
});

test("what is replaced under its own key is not new: nothing is said of it", async () => {
  const made = await job().up({ key: "checkout", idType: "userID" });
  const { plan, checked, lines } = job();
  const next = { key: "checkout", idType: "stableID", __program: { preview: true, declared: 1 } };
  expect((await plan(made, next)).replaces).toEqual(["idType"]);
  await checked(next);
  expect(lines.filter((line) => /exists|new object/.test(line))).toEqual([]);
});

test("a resource that was renamed without an alias: the end of its program says so, and the lookup does not", async () => {
  const { id, outputs } = await job().up({ key: "checkout", __program: { name: "old" } });
  const type = "pulumi-nodejs:dynamic/feature-console:Gate";
  const urnOf = (name: string) => `urn:pulumi:dev::shop::${type}::${name}`;
  const told = async (name: string, note: JsonObject) => {
    const stored = { urn: urnOf("old"), type, id, outputs, provider: undefined, isHeld: true };
    const { checked, lines } = job({ exportStack: () => Promise.resolve([stored]) });
    const place = { name, urn: urnOf(name), stack: "shop/dev", declared: 1 };
    await checked({ key: "checkout", __program: { ...place, ...note } });
    return lines;
  };
  expect(await told("renamed", { preview: true })).toEqual([]);
  const unread = { stack: undefined, preview: true };
  expect(await told("renamed", unread)).toEqual([expect.stringContaining(failing)]);
});

const noted = { preview: true, retained: true, createsFirst: true };
const stays = 'gate "two" is created, and gate "checkout" stays as it is.';

test.each([
  [true, stays, noted],
  [
    undefined,
    'gate "two" is created first; gate "checkout" is archived after what uses it has moved.',
    noted,
  ],
  [true, stays, {}],
] as const)(
  "an object that is replaced stays where the last update has set retainOnDelete: %s, %s %j",
  async (isRetained, line, more) => {
    const type = "pulumi-nodejs:dynamic/feature-console:Gate";
    const urn = `urn:pulumi:dev::shop::${type}::moved`;
    const made = await job().up({ key: "checkout", __program: { name: "moved", urn } });
    const stored = {
      ...{ urn, type, id: made.id, outputs: made.outputs, provider: undefined, isHeld: true },
      ...(isRetained && { isRetained }),
    };
    const { plan, lines } = job({ exportStack: () => Promise.resolve([stored]) });
    const note = { name: "moved", urn, stack: "shop/dev", ...more };
    await plan(made, { key: "two", __program: note });
    expect(lines).toContain(line);
  },
);

test("what only replaceOnChanges or --replace replaces is changed in place, and the preview says so once", async () => {
  const made = await job().up({ key: "checkout", description: "One" });
  const inPlace =
    'gate "checkout" is changed in place: a key can have one object at a time. deleteBeforeReplace: true takes it out of use first.';
  const told = async (isAsked: boolean, note: JsonObject, description = "Two") => {
    const { plan, checked, lines } = job();
    const args = { key: "checkout", description, __program: { preview: true, declared: 1, ...note } };
    if (isAsked) expect((await plan(made, args)).replaces).toEqual([]);
    await checked(args);
    return lines.filter((line) => !line.startsWith("API key not verified"));
  };
  expect(await told(true, {})).toEqual([inPlace]);
  expect(await told(false, { held: made.outputs })).toEqual([inPlace]);
  expect(await told(true, { deletesFirst: true })).toEqual([]);
  await raw.gate.patch({ id: "checkout", body: { description: "By hand" } });
  const conflict = expect.stringMatching(
    /^This update will fail: gate "checkout" changed in the console .*: description was "One", is "By hand" now, and the program sets "Two"/,
  );
  expect(await told(true, {})).toEqual([conflict]);
  // It may turn out as it was.
  expect((await told(true, {}, UNKNOWN)).join()).not.toContain("will fail");
});

test("a preview whose program cannot read state knows from the stack that a gate is replaced in place, and keeps an edit", async () => {
  const type = "pulumi-nodejs:dynamic/feature-console:Gate";
  const note = { name: "moved", urn: `urn:pulumi:dev::shop::${type}::moved`, stack: "shop/dev" };
  const made = await job().up({ key: "checkout", __program: note });
  await raw.gate.patch({ id: "checkout", body: { description: "By hand" } });
  const stored = { ...note, type, id: made.id, outputs: made.outputs, provider: undefined, isHeld: true };
  const replaced = job({ exportStack: () => Promise.resolve([stored]) });
  await replaced.checked({ key: "checkout", __program: { ...note, preview: true, declared: 1 } });
  expect(replaced.lines).toEqual([
    expect.stringMatching(/^gate "checkout" is changed in place: a key can have one object at a time\./),
  ]);
});

test("an experiment that runs is not taken out of use by an option: it would come back as abandoned", async () => {
  const running = { ...colours, status: "active" };
  const made = await job().of(catalog.experiment).up(running);
  const { of } = job();
  const next = { ...running, description: "Two", __program: { preview: true, deletesFirst: true } };
  expect((await of(catalog.experiment).plan(made, next)).replaces).toEqual([]);
  await expect(of(catalog.experiment).checked(next)).rejects.toThrow(
    "cannot be replaced with deleteBeforeReplace: true, because it comes back from the archive as",
  );
  expect(await raw.experiment.get({ id: "colours" })).toMatchObject({ status: "active" });
});

test("what an option replaces in place fails where its state cannot change so, and the preview says so", async () => {
  const type = "pulumi-nodejs:dynamic/feature-console:Experiment";
  const note = { name: "moved", urn: `urn:pulumi:dev::shop::${type}::moved`, stack: "shop/dev" };
  const made = await job()
    .of(catalog.experiment)
    .up({ ...colours, status: "active", __program: note });
  const stored = { ...note, type, id: made.id, outputs: made.outputs, provider: undefined, isHeld: true };
  const { of, lines } = job({ exportStack: () => Promise.resolve([stored]) });
  const more = { preview: true, declared: 1, held: made.outputs };
  await of(catalog.experiment).checked({ ...colours, status: "setup", __program: { ...note, ...more } });
  expect(lines).toEqual([
    expect.stringMatching(/^This update will fail: .*cannot change from "active" to "setup"/),
  ]);
});

test.each([
  ["deleted", 'gate "checkout" is gone: would be created anew.'],
  ["archived", 'gate "checkout" is archived: would be brought back'],
])("what is replaced in place, and a person has %s, is told as the update finds it", async (what, line) => {
  const made = await job().up({ key: "checkout" });
  await (what === "deleted" ? raw.gate.delete({ id: "checkout" }) : raw.gate.archive({ id: "checkout" }));
  const { checked, lines } = job();
  await checked({ key: "checkout", __program: { preview: true, declared: 1, held: made.outputs } });
  expect(lines).toEqual([expect.stringMatching(`^${line}`)]);
});

describe("an experiment that its program has archived", () => {
  const experiments = () => job().of(catalog.experiment);
  const plan = (made: Resource, args: JsonObject, isPreview = true) =>
    experiments().plan(made, { ...args, __program: { preview: isPreview } });
  const archived = async (status: string) => {
    const made = await experiments().up({ ...colours, status });
    return experiments().update(made, { ...colours, status: "archived" });
  };

  test("comes back as ended if it ran: a preview refuses setup and active", async () => {
    const made = await archived("active");
    emulator.clearRequests();
    for (const status of ["setup", "active"])
      await expect(plan(made, { ...colours, status })).rejects.toThrow(
        /experiment "colours": status: comes back from the archive as "abandoned", and cannot change from "abandoned" to /,
      );
    expect(emulator.requests).toEqual([]);
  });

  test.each<[string, string, JsonObject, string[]]>([
    ["to setup with allowReset", "active", { status: "setup", allowReset: true }, []],
    ["and starts if it never ran", "setup", { status: "active" }, ["setup"]],
  ])("comes back %s, as its preview says", async (_, ran, program, also) => {
    const made = await archived(ran);
    for (const status of also) await plan(made, { ...colours, status });
    for (const isPreview of [true, false]) await plan(made, { ...colours, ...program }, isPreview);
    await experiments().update(made, { ...colours, ...program });
    expect(await raw.experiment.get({ id: "colours" })).toMatchObject({ status: program.status });
  });
});

describe("an alert that two resources take over", () => {
  const named = (name: string, args: object) => ({ ...args, __program: { name, preview: true } });
  const alerts = () => job().of(catalog.alert);

  test("is refused to the second by a preview", async () => {
    const { problems } = alerts();
    const { id } = await raw.alert.create({ body: { name: "Few orders" } });
    expect(await problems(named("one", { name: "Few orders", __adopt: id }))).toEqual([]);
    const [problem] = await problems(named("two", { name: "Many orders", __adopt: id }));
    expect(problem?.reason).toBe(
      `alert "${id}" is taken over by the resource "one" of this program already. Give one of the two another object, or remove it.`,
    );
  });

  test("is refused to the one that has it in state and goes on with it", async () => {
    const first = await alerts().up({ name: "Few orders", __program: { name: "first" } });
    const { problems, diff } = alerts();
    expect(await problems(named("second", { name: "Few orders", __adopt: first.id }))).toEqual([]);
    await expect(diff(first, named("first", { name: "Many orders" }))).rejects.toThrow(
      `alert "${first.id}" is taken over by the resource "second" of this program already.`,
    );
  });
});
