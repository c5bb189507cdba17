import { describe, expect, test } from "@jest/globals";
import type { Switches } from "../../src/emulator/console/rules/switches";
import { managed } from "../../src/provider/definitions";
import { inputNames, type ResourceDefinition } from "../../src/provider/schema/define";
import { type JsonObject, stableText } from "../../src/provider/schema/json";
import { programIdArgument } from "../../src/provider/schema/object-id";
import { type Node, propertiesOf, treeOf } from "../../src/provider/schema/tree";
import { fromWire } from "../../src/provider/schema/wire-names";
import { deskOf, type Item } from "../emulator/desk";
import { harsh, mild, mixture } from "../laws/consoles";
import { eachObject } from "../laws/objects";
import { quiet } from "../laws/quiet";
import { type Resource, type Subject, startSubject } from "../laws/subject";
import { playsAll } from "../support/sample";
import { allCases, casesOver } from "./all-cases";
import { type Case, nameOf } from "./cases";
import { deviationOf } from "./exceptions";
import { furnitureOf, type Handled, handle } from "./handled";
import { pick, settled } from "./plan";
import { type Tool, type ToolKind, tools } from "./tools";

/** Cases that our program cannot take over quietly, and why. */
const hindrances: readonly {
  readonly cases: readonly string[];
  readonly why: string;
  /** The answer of the console; left out: whatever it answers. */
  readonly where?: Partial<Switches>;
  /** How it is refused; left out: something is sent once. */
  readonly refusal?: string;
}[] = [
  {
    cases: ["key: client"],
    why: "A key without a description could not be told from others.",
    refusal: "describe the key's purpose",
  },
  {
    cases: ["key: sparse", "key: every argument", "key: nulls"],
    why: "Nothing leads to a key whose value is not shown.",
    where: { keysInReads: "hide" },
    refusal: "does not show the secret value by which it is found",
  },
  {
    cases: ["holdout: every argument"],
    why: "The targeting gate is shown by another id, so it is sent.",
    where: { holdoutGateIds: "internal" },
  },
];

function hindranceOf(name: string, behaviour: Switches) {
  return hindrances.find(
    ({ cases, where = {} }) =>
      cases.includes(name) &&
      Object.entries(where).every(([question, answer]) => behaviour[question as keyof Switches] === answer),
  );
}

const definitionOf = ({ kind }: Case): ResourceDefinition => managed[kind === "idList" ? "segment" : kind];

/** Kinds that are parts of an object of the furniture. */
const owners: Readonly<Partial<Record<ToolKind, JsonObject>>> = {
  gateOverrides: { gate: "beta" },
  holdoutOverrides: { holdout: "held" },
  experimentOverrides: { experiment: "button" },
  layerOverrides: { layer: "shop" },
};

const isAbsent = (value: unknown) => value === "" || value === null || value === undefined;

/**
 * What a program says to take over the object of a case: the body under the names used here, without what stands for
 * nothing there, and without what only the console sets.
 */
function programOf(definition: ResourceDefinition, one: Case, made: Item): JsonObject {
  const { body, reads = {}, kind } = one;
  const said = fromWire(definition, { ...body, ...pick(reads, (name) => name in body) });
  const tree = treeOf(definition);
  const args = inputNames(definition).flatMap((name): [string, unknown][] => {
    const isRequired = definition.fields[name]?.schema.safeParse(undefined).success === false;
    const value = said[name];
    return value === undefined || (isAbsent(value) && !isRequired)
      ? []
      : [[name, eachObject(tree[name]?.node ?? {}, value, name, withoutAbsent)]];
  });
  return { ...identityOf(definition, made), ...Object.fromEntries(args), ...owners[kind], adopt: true };
}

function identityOf({ identity, fields }: ResourceDefinition, made: Item): JsonObject {
  const key = identity.how === "key" && identity.argument === "key" ? { key: made.id } : {};
  return { ...key, ...("name" in fields && made.name !== undefined ? { name: made.name } : {}) };
}

function withoutAbsent(node: Node, value: JsonObject): JsonObject {
  const properties = propertiesOf(node) ?? {};
  return Object.fromEntries(
    Object.entries(value).filter(([name, member]) => {
      const { serverSet, sameAs } = properties[name] ?? {};
      const isKept = node.required?.includes(name) === true || sameAs === "opaque" || !isAbsent(member);
      return isKept && serverSet === undefined;
    }),
  );
}

/** What people read of an object and call it nothing by. */
function textOf(definition: ResourceDefinition): string | undefined {
  const calling = programIdArgument(definition);
  return ["description", "message", "triggerNotice"].find((name) => {
    const field = definition.fields[name];
    return field?.mode === "input" && !field.traits.fixed && name !== calling;
  });
}

/** An update takes one text and leaves the rest as it was. */
async function mustKeep(subject: Subject, object: Handled, resource: Resource, args: JsonObject) {
  const text = textOf(subject.definition);
  if (text === undefined) return;
  const before = settled(await object.read());
  const changed = { ...args, [text]: "Changed by the case" };
  const updated = await subject.update(resource, changed);
  const after = settled(await object.read());
  expect(after[text]).toBe("Changed by the case");
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (name !== text) expect([name, held(after[name])]).toEqual([name, held(before[name])]);
  expect(await subject.diff(updated, changed)).toEqual(quiet);
}

const held = (value: unknown) => stableText(value ?? null);

async function takeOver(one: Case, behaviour: Switches): Promise<void> {
  const hindrance = hindranceOf(nameOf(one), behaviour);
  const tool: Tool = tools[one.kind];
  const subject = await startSubject(definitionOf(one), { behaviour, seed: furnitureOf(one) });
  try {
    const object = await handle(deskOf(subject.emulator), tool, one.body, one.made ?? {});
    const args = programOf(subject.definition, one, object.made);
    subject.emulator.clearRequests();
    if (hindrance?.refusal !== undefined) {
      await expect(subject.up(args)).rejects.toThrow(hindrance.refusal);
      return;
    }
    expect(await subject.problems(args)).toEqual([]);
    const taken = await subject.up(args);
    const writes = subject.writes();
    // What no read shows is sent once: nothing else tells that it is so.
    const isUnread = tool.unread?.some((name) => one.body[name] != null) === true;
    if (!isUnread && hindrance === undefined) expect(writes.map(({ path }) => path)).toEqual([]);
    expect(await subject.diff(taken, args)).toEqual(quiet);
    subject.nextRun();
    const seen = (await subject.refresh(taken)) as Resource;
    expect(await subject.diff(seen, args)).toEqual(quiet);
    if (one.isFinal !== true) await mustKeep(subject, object, seen, args);
  } finally {
    await subject.close();
  }
}

const settings = playsAll ? [mild, harsh, mixture(1)] : [mild, harsh];

describe.each(settings)("where the console is $name", (setting) => {
  const inTurn = casesOver(setting, settings);
  // What hinders is met wherever it does.
  const cases = allCases.filter(
    (one) =>
      inTurn.includes(one) ||
      (hindranceOf(nameOf(one), setting.behaviour) !== undefined &&
        deviationOf(nameOf(one), setting.behaviour)?.refusal === undefined),
  );
  test.each(cases.map((one) => [nameOf(one), one] as const))("taken over: %s", (_, one) =>
    takeOver(one, setting.behaviour),
  );
});

test("taken over: what hinders is told of cases that there are", () => {
  const names = new Set(allCases.map(nameOf));
  expect(hindrances.flatMap(({ cases }) => cases).filter((name) => !names.has(name))).toEqual([]);
});
