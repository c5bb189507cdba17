import { existsSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Adapter, adapters } from "../laws/subject";
import type { Resource } from "../support/driver";
import { freshFolder } from "../support/folders";
import { allOf } from "../support/raw-client";
import { emulator, killed, raw, type StartedJob, start, startJob } from "./stage";

// What a preview and an update report of objects that they take over, and of changes that Pulumi's own diff does not show.

let folder: string;
beforeEach(() => {
  folder = freshFolder();
  return start();
});

/** `pulumi preview`, in a process of its own. @returns what it told. */
const preview = async (
  args: JsonObject,
  more: JsonObject = {},
  definition: ResourceDefinition = catalog.gate,
  adapter: Adapter = "dynamic",
) => {
  const { of, lines } = startJob({ folder, adapter });
  await of(definition).checked({ ...args, __program: { preview: true, ...more } });
  return lines;
};
const upBy = ({ of }: StartedJob, args: JsonObject, definition: ResourceDefinition = catalog.gate) =>
  of(definition).up({ __program: { preview: false }, ...args });
/** `pulumi up --skip-preview`, in another one. */
const up = (args: JsonObject, definition: ResourceDefinition = catalog.gate) =>
  upBy(startJob({ folder }), args, definition);
/** The same. @returns what it told. */
const toldBy = async (
  args: JsonObject,
  definition: ResourceDefinition = catalog.gate,
  adapter: Adapter = "dynamic",
) => {
  const job = startJob({ folder, adapter });
  await upBy(job, args, definition);
  return job.lines;
};
/** The preview of a change of a resource. @returns what it told. */
const previewOf = async (made: Resource, args: JsonObject, definition: ResourceDefinition = catalog.gate) => {
  const { of, lines } = startJob({ folder });
  await of(definition).diff(made, { ...args, __program: { preview: true } });
  return lines;
};

const gate = { key: "checkout", description: "Ours", adopt: true };
const theirs = { id: "checkout", name: "checkout", description: "Theirs" };
const live = () => raw.gate.get({ id: "checkout" });
/** A gate of somebody else, with what a person does to it. */
const ofTheirs = {
  make: () => raw.gate.create({ body: theirs }),
  change: (body: JsonObject) => raw.gate.patch({ id: "checkout", body }),
};
const overwrites =
  'gate "checkout" exists and differs from the program:\n    ~ description: "Theirs" => "Ours"';

describe.each(adapters)("an update that takes an object over (%s)", (adapter) => {
  const told = (args: JsonObject) => toldBy(args, catalog.gate, adapter);

  test("names each value that it overwrites, of an object that came after the preview too", async () => {
    expect(await preview(gate, {}, catalog.gate, adapter)).toEqual([]);
    await ofTheirs.make();
    expect(await told(gate)).toEqual([overwrites]);
    expect(await live()).toMatchObject({ description: "Ours" });
  });

  test("names the values of that moment, whatever a preview found", async () => {
    await ofTheirs.make();
    const both = { ...gate, isEnabled: false };
    await preview(both, {}, catalog.gate, adapter);
    await ofTheirs.change({ description: "Theirs, anew", tags: ["shop"], isEnabled: false });
    expect(await told(both)).toEqual([overwrites.replace("Theirs", "Theirs, anew")]);
    expect(await live()).toMatchObject({ description: "Ours", tags: ["shop"], isEnabled: false });
  });

  test("does so for an import, and is silent about what matches the program", async () => {
    await ofTheirs.make();
    const { adopt: _, ...imported } = { ...gate, __adopt: "checkout" };
    expect(await told(imported)).toEqual([overwrites]);
    expect(await told(imported)).toEqual([]);
  });

  test("does so for an object that was archived since the preview", async () => {
    await ofTheirs.make();
    await preview(gate, {}, catalog.gate, adapter);
    await raw.gate.archive({ id: "checkout" });
    const [line = ""] = await told(gate);
    expect(line.split("\n")).toEqual([
      'gate "checkout" was archived: brought back and in line with the program.',
      '    ~ description: "Theirs" => "Ours"',
    ]);
  });

  test("does so before it sends anything: a kill takes no line away", async () => {
    await ofTheirs.make();
    let dying: StartedJob | undefined;
    await killed({ folder, adapter }, (job) => {
      dying = job;
      return upBy(job, gate);
    });
    expect(dying?.lines).toEqual([overwrites]);
  });
});

test("a preview names the values that the update would overwrite, and keeps nothing on disk", async () => {
  await ofTheirs.make();
  expect(await preview(gate)).toEqual([
    'gate "checkout" exists: would change description\n    ~ description: "Theirs" => "Ours"',
  ]);
  expect(existsSync(path.join(folder, ".feature-console"))).toBe(false);
});

test("an import is read once, by the preview too; an import, and a get, of what is not there are refused", async () => {
  await ofTheirs.make();
  emulator.clearRequests();
  expect(await preview({ key: "checkout", description: "Theirs", __adopt: "checkout" })).toEqual([
    'gate "checkout" exists: matches the program',
  ]);
  expect(emulator.requests.map(({ path: to }) => to)).toEqual(["/console/v1/gates/checkout"]);
  const absent = { key: "no_such_gate", __adopt: "no_such_gate", __program: { preview: true } };
  expect(await startJob({ folder }).problems(absent)).toEqual([
    expect.objectContaining({
      reason:
        'There is no gate "no_such_gate" to import. Correct the id, or remove the import option to create a new one.',
    }),
  ]);
  await expect(startJob({ folder }).get("no_such_gate")).rejects.toThrow(
    'Cannot read gate "no_such_gate": There is no gate "no_such_gate" in the console. Correct the id, or create the object.',
  );
});

test("of a long list, a preview names the places that differ", async () => {
  const rule = (name: string, passPercentage: number) => ({
    ...{ name, passPercentage },
    conditions: [{ type: "country", operator: "any", targetValue: ["NZ", "AU", "DE", "FR", "IT"] }],
  });
  const rules = [rule("Staff", 100), rule("Everybody else in these countries", 10)];
  await raw.gate.create({ body: { id: "checkout", name: "checkout", rules } });
  const ours = [rule("Staff", 100), rule("Everybody else in these countries", 50), rule("New", 5)];
  const [line = ""] = await preview({ key: "checkout", adopt: true, rules: ours });
  expect(line.split("\n")).toEqual([
    'gate "checkout" exists: would change rules (+1)',
    '    ~ rules["Everybody else in these countries"].passPercentage: 10 => 50',
    expect.stringMatching(/^ {4}~ rules\["New"\]: nothing => \{"name":"New",/),
  ]);
});

test("the value of an argument that is a secret is not shown, and lists say what they gain and lose", async () => {
  const rules = (...names: string[]) =>
    names.map((name) => ({ name, passPercentage: 100, conditions: [{ type: "public" }], returnValue: {} }));
  const theirConfig = { name: "limits", defaultValue: { token: "live-token" }, tags: ["one"] };
  await raw.dynamicConfig.create({ body: { ...theirConfig, rules: rules("A", "Z") } });
  const ours = { key: "limits", adopt: true, defaultValue: { token: "next-token" }, tags: ["two", "three"] };
  const args = { ...ours, rules: rules("A", "B", "C") };
  const secrets = [["defaultValue", "token"]];
  const said = (await preview(args, { secrets }, catalog.dynamicConfig)).join("\n");
  expect(said).toMatch(/would change (?=.*\brules \(\+2 −1\))(?=.*\btags \(\+2 −1\))/);
  const done = await toldBy({ ...args, __program: { preview: false, secrets } }, catalog.dynamicConfig);
  for (const text of [said, done.join("\n")]) {
    expect(text).toContain("    ~ defaultValue: [secret] => [secret]");
    expect(text).not.toMatch(/(live|next)-token/);
  }
});

test("an object that every project has, such as the list of environments, is named by the update as well", async () => {
  const environments = [
    { name: "staging", isProduction: true, requiresReview: false, requiresReleasePipeline: false },
  ];
  expect((await toldBy({ environments }, catalog.environments)).join("\n")).toMatch(
    /^environment list "project" exists and differs from the program:\n {4}~ environments.production: .* => nothing\n {4}~ environments.staging.isProduction: false => true\n/,
  );
});

test("a second object of one name is announced, where names need not be unique", async () => {
  const { id } = await raw.alert.create({ body: { name: "Errors", message: "Theirs" } });
  const ours = { name: "Errors", message: "Ours" };
  expect(await preview(ours, { declared: 1 }, catalog.alert)).toContain(
    `alert "Errors" would be another one of this name, beside alert "${id}", which the program does not manage. Set adopt: true to take over ` +
      "the only one there is.",
  );
  await up(ours, catalog.alert);
  expect(await allOf(raw.alert.list())).toHaveLength(2);
});

test("a gate that the program keeps archived no more comes back: nothing says that it stays, and it settles", async () => {
  const made = await up({ key: "checkout", status: "Archived" });
  await raw.gate.unarchive({ id: "checkout", body: {} });
  const { update, lines } = startJob({ folder });
  const updated = await update(made, { key: "checkout" });
  const said = [...(await previewOf(made, { key: "checkout" })), ...lines];
  expect(said.filter((line) => line.includes("stays Archived"))).toEqual([]);
  expect(updated.outputs.status).toBe("In Progress");
  expect(await startJob({ folder }).diff(updated, { key: "checkout" })).toMatchObject({ quiet: true });
});

test("a gate that comes back stays off, which is told, where the program no longer sets isEnabled", async () => {
  const made = await up({ key: "checkout", isEnabled: false });
  await raw.gate.archive({ id: "checkout", body: { archiveReason: "old" } });
  const seen = (await startJob({ folder }).refresh(made)) as Resource;
  expect(await previewOf(seen, { key: "checkout" })).toEqual([
    `gate "checkout"${kept("isEnabled", false, "true")}`,
    'gate "checkout": it is archived: would be brought back',
  ]);
  expect((await startJob({ folder }).update(seen, { key: "checkout" })).outputs.status).toBe("Disabled");
});

const { gate: gates, metric: metrics, dynamicConfig: configs } = catalog;
const rate = { type: "event_user", metricEvents: [{ name: "buy" }] };
const [stays, bypass] = ["the program no longer sets", { gradualRolloutStrategy: { type: "bypass" } }];
/** The line about what stays. `usual`: the value that would change it, where one does. */
const kept = (name: string, value: unknown, usual?: string) =>
  ` stays with ${name}: ${JSON.stringify(value)}: ${stays} ${name}.` +
  (usual === undefined ? "" : ` Set ${name}: ${usual} to change it.`);
const asking = { requiredReview: true };

type Removal = [removed: JsonObject, told: string, definition?: ResourceDefinition, rest?: JsonObject];
test.each<Removal>([
  [{ reviewSettings: asking }, kept("reviewSettings", asking, "{ requiredReview: false }")],
  [{ type: "PERMANENT" }, kept("type", "PERMANENT", '"TEMPORARY"')],
  [{ measureMetricLifts: false }, kept("measureMetricLifts", false, "true")],
  [{ isCore: true }, kept("isCore", true, "false"), catalog.tag, { description: "d" }],
  [{ defaultValue: { on: 1 } }, kept("defaultValue", { on: 1 }), configs],
  [{ directionality: "decrease" }, kept("directionality", "decrease", '"increase"'), metrics, rate],
  [{ isEnabled: false }, `gate "kept" stays Disabled: ${stays} isEnabled. Set isEnabled: true to change it.`],
  [bypass, 'gate "kept": removing gradualRolloutStrategy changes nothing: no update can clear it.'],
  // The console's own default.
  [{ type: "TEMPORARY" }, ""],
])(
  "%j is removed, and no update can clear it: it stays, which is told, and nothing is updated",
  async (removed, told, definition = gates, rest = {}) => {
    const args = {
      ...(definition === gates || definition === configs ? { key: "kept" } : { name: "kept" }),
      ...rest,
    };
    const made = await up({ ...args, ...removed }, definition);
    const lines = await previewOf(made, args, definition);
    expect(lines.join("\n")).toContain(told);
    expect(lines).toHaveLength(told === "" ? 0 : 1);
    expect(await startJob({ folder }).of(definition).diff(made, args)).toMatchObject({ quiet: true });
  },
);

test("a preview warns of a number that may be rounded, until it is applied, and shows a null that goes", async () => {
  const config = { key: "limits", defaultValue: { none: null, shop: 1234567890123456800 } };
  const line =
    'dynamic config "limits": defaultValue.shop: 1234567890123456800 may be rounded: whole numbers are exact up to 2^53. ' +
    "If each digit counts, set defaultValueJson5.";
  expect(await preview(config, {}, catalog.dynamicConfig)).toContain(line);
  const made = await up(config, catalog.dynamicConfig);
  expect(await previewOf(made, { ...config, description: "Shops" }, catalog.dynamicConfig)).toEqual([]);
  const next = { key: "limits", defaultValue: { shop: 1234567890123457000 } };
  const lines = await previewOf(made, next, catalog.dynamicConfig);
  expect(lines.join("\n")).toContain("1234567890123457000 may be rounded");
  // Pulumi's own diff shows none.
  expect(lines).toContain('dynamic config "limits": defaultValue.none: null → removed');
});

test("a preview reports deletedWith at the creation: at the end of the resource nobody asks its provider", async () => {
  const line =
    'gate "checkout" has deletedWith: when the other resource goes, also in a destroy, Pulumi forgets it and leaves it in the console as it is.';
  expect(await preview({ key: "checkout" }, { deletedWith: true })).toContain(line);
  const { inputs } = await up({ key: "checkout" });
  const { checked, lines } = startJob({ folder });
  await checked({ key: "checkout", __program: { preview: true, deletedWith: true } }, inputs);
  expect(lines).not.toContain(line);
});

test("the first change after 0.1.0, whose state does not mark the resource, shows no mark; state has it afterwards", async () => {
  const made = await up({ key: "old", description: "Before" });
  const { __resource: _, ...inputs } = made.inputs;
  const { __resource: mark, ...outputs } = made.outputs;
  const job = startJob({ folder });
  const updated = await job.update({ id: made.id, inputs, outputs }, { key: "old", description: "After" });
  expect(updated.inputs).not.toHaveProperty("__resource");
  expect(updated.outputs).toMatchObject({ description: "After", __resource: mark });
  expect(await startJob({ folder }).diff(updated, { key: "old", description: "After" })).toMatchObject({
    quiet: true,
  });
});
