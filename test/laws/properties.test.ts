import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { selfMember } from "../../src/provider/schema/internal";
import type { JsonObject } from "../../src/provider/schema/json";
import { secretOf } from "../../src/provider/schema/object-id";
import { type Node, treeOf } from "../../src/provider/schema/tree";
import { configRules, gateRules } from "../core/arbitraries";
import { sampleOf } from "../support/sample";
import { kinds, type Subject, startSubject } from "./subject";

jest.setTimeout(120_000);

/** Cases for each kind, few enough to wait for: every run draws others. */
const numRuns = sampleOf(15, 1000);

describe.each(kinds)("%s", (_, definition: ResourceDefinition) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await startSubject(definition);
  });
  afterAll(() => subject.close());

  test("whatever it is made of: created and read again, it is quiet, and taken over by another run it is the same", async () => {
    await fc.assert(
      fc.asyncProperty(argumentsOf(definition), async (args) => {
        subject.emulator.reset();
        await plant(subject, definition);
        subject.nextRun();
        fc.pre((await subject.problems(args)).length === 0);
        const made = await subject.up(args);
        expect(await subject.diff(made, args)).toEqual({ quiet: true, replaces: [] });
        const refreshed = await subject.refresh(made);
        expect(await subject.diff(refreshed ?? made, args)).toEqual({ quiet: true, replaces: [] });
        // What a secret leads to cannot be imported by its id.
        if (secretOf(definition) !== undefined) return;
        subject.nextRun();
        subject.emulator.clearRequests();
        const { adopt: _adopt, ...taken } = (await subject.up({ ...args, __adopt: made.id })).outputs;
        expect(steady(definition, taken)).toEqual(steady(definition, made.outputs));
        const wrote = subject.writes().map(({ route }) => route);
        expect(wrote.filter((route) => !sendsWhatNoReadShows(definition, args, route))).toEqual([]);
      }),
      { numRuns },
    );
  });
});

/** Outputs without what changes by itself and with each write, and without the mark of the resource. */
function steady({ fields }: ResourceDefinition, outputs: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(outputs).filter(([name]) => fields[name]?.facts.volatile !== true && name !== selfMember),
  );
}

/** What no read shows has to be said again when an object is taken over. */
function sendsWhatNoReadShows(
  { fields }: ResourceDefinition,
  args: JsonObject,
  route: string | undefined,
): boolean {
  const unread = Object.keys(args).some(
    (name) => fields[name]?.facts.remembered === true && !fields[name]?.facts.fixed,
  );
  return unread && route !== "create";
}

async function plant(subject: Subject, { samples }: ResourceDefinition): Promise<void> {
  for (const { name, ...rest } of samples.beside?.gates ?? [])
    await subject.raw.gate.create({ body: { name, ...rest } });
  for (const body of samples.beside?.dynamic_configs ?? []) await subject.raw.dynamicConfig.create({ body });
  for (const body of samples.beside?.experiments ?? []) await subject.raw.experiment.create({ body });
  for (const body of samples.beside?.holdouts ?? []) await subject.raw.holdout.create({ body });
  for (const body of samples.beside?.layers ?? []) await subject.raw.layer.create({ body });
}

/** The smallest sample and any part of the fullest, with other values where the schema is plain. */
function argumentsOf(definition: ResourceDefinition): fc.Arbitrary<JsonObject> {
  const { smallest, fullest } = definition.samples;
  const tree = treeOf(definition);
  const names = Object.keys(fullest).filter(
    (name) => !(name in smallest) && name !== "key" && name !== "name",
  );
  const values = names.map((name) => drawnValue(definition, name, tree[name]?.node ?? {}, fullest[name]));
  return fc.tuple(fc.subarray(names), fc.tuple(...values)).map(([chosen, drawn]) => ({
    ...smallest,
    // A silent program names what it makes, and leaves the name of what it takes over.
    ...("key" in smallest ? { name: "Given name" } : {}),
    // Other arguments of an experiment name its groups.
    ...("groups" in fullest ? { groups: fullest.groups } : {}),
    ...Object.fromEntries(chosen.map((name) => [name, drawn[names.indexOf(name)]])),
  }));
}

function drawnValue(
  { name: kind }: ResourceDefinition,
  name: string,
  node: Node,
  sample: unknown,
): fc.Arbitrary<unknown> {
  if (name === "rules" && kind === "gate") return gateRules;
  if (name === "rules" && kind === "dynamicConfig") return configRules;
  const plain = node.enum === undefined && node.pattern === undefined && node.sameAs === undefined;
  if (typeof sample === "boolean") return fc.boolean();
  if (node.enum !== undefined) return fc.constantFrom(...node.enum);
  if (plain && typeof sample === "string")
    return fc.string({ minLength: node.minLength ?? 1, maxLength: Math.min(node.maxLength ?? 60, 60) });
  const isWhole = Number.isInteger(sample) && (node.maximum ?? 1) >= 1;
  if (plain && isWhole && node.multipleOf === undefined) {
    return fc.integer({
      min: Math.ceil(node.minimum ?? 0),
      max: Math.floor(Math.min(node.maximum ?? 1000, 100_000)),
    });
  }
  return fc.constant(sample);
}
