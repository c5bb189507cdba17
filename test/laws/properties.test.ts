import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { selfMember } from "../../src/provider/schema/internal";
import type { JsonObject } from "../../src/provider/schema/json";
import { secretOf } from "../../src/provider/schema/object-id";
import { type Node, treeOf } from "../../src/provider/schema/tree";
import { configRules, gateRules } from "../core/arbitraries";
import { samplesOf } from "../samples";
import { caseCount } from "../support/sample";
import { mustStayQuiet } from "./quiet";
import { kinds, type Subject, startSubject } from "./subject";

jest.setTimeout(120_000);

/** Cases for each kind, few enough to wait for: every run draws others. */
const numRuns = caseCount(6, 1000);

describe.each(kinds)("%s", (_, definition: ResourceDefinition) => {
  const { fields } = definition;
  let subject: Subject;
  beforeAll(async () => {
    subject = await startSubject(definition);
  });
  afterAll(() => subject.close());

  /** Outputs without what changes by itself and with each write, and without the mark of the resource. */
  const steady = ({ adopt: _adopt, ...outputs }: JsonObject) =>
    Object.entries(outputs).filter(([name]) => fields[name]?.traits.volatile !== true && name !== selfMember);

  test("whatever it is made of: created and read again, it is quiet, and taken over by another run it is the same", async () => {
    await fc.assert(
      fc.asyncProperty(argumentsOf(definition), async (args) => {
        subject.emulator.reset();
        await plant(subject, definition);
        subject.nextRun();
        fc.pre((await subject.problems(args)).length === 0);
        const made = await subject.up(args);
        await mustStayQuiet(subject, made, args);
        // What a secret leads to cannot be imported by its id.
        if (secretOf(definition) !== undefined) return;
        subject.nextRun();
        subject.emulator.clearRequests();
        const taken = await subject.up({ ...args, __adopt: made.id });
        expect(Object.fromEntries(steady(taken.outputs))).toEqual(Object.fromEntries(steady(made.outputs)));
        // What no read shows has to be said again when an object is taken over.
        const isUnread = Object.keys(args).some(
          (name) => fields[name]?.traits.remembered === true && !fields[name]?.traits.fixed,
        );
        const wrote = subject.writes().filter(({ route }) => !isUnread || route === "create");
        expect(wrote.map(({ route }) => route)).toEqual([]);
      }),
      { numRuns },
    );
  });
});

async function plant({ raw }: Subject, definition: ResourceDefinition): Promise<void> {
  const { beside = {} } = samplesOf(definition);
  for (const { name, ...rest } of beside.gates ?? []) await raw.gate.create({ body: { name, ...rest } });
  for (const body of beside.dynamic_configs ?? []) await raw.dynamicConfig.create({ body });
  for (const body of beside.experiments ?? []) await raw.experiment.create({ body });
  for (const body of beside.holdouts ?? []) await raw.holdout.create({ body });
  for (const body of beside.layers ?? []) await raw.layer.create({ body });
}

/** The smallest sample and any part of the fullest, with other values where the schema is plain. */
function argumentsOf(definition: ResourceDefinition): fc.Arbitrary<JsonObject> {
  const { smallest, fullest } = samplesOf(definition);
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
  if (typeof sample === "boolean") return fc.boolean();
  if (node.enum !== undefined) return fc.constantFrom(...node.enum);
  if (node.pattern !== undefined || node.sameAs !== undefined) return fc.constant(sample);
  const { minLength = 1, maxLength = 60, minimum = 0, maximum = 1000 } = node;
  if (typeof sample === "string") return fc.string({ minLength, maxLength: Math.min(maxLength, 60) });
  const isWhole = Number.isInteger(sample) && (node.maximum ?? 1) >= 1 && node.multipleOf === undefined;
  return isWhole
    ? fc.integer({ min: Math.ceil(minimum), max: Math.floor(Math.min(maximum, 100_000)) })
    : fc.constant(sample);
}
