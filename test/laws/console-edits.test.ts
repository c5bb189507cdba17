import { describe, expect, test } from "@jest/globals";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { equalJson, isObject, type JsonObject } from "../../src/provider/schema/json";
import { type Path, pathText, replacedAt, valueAt } from "../../src/provider/schema/path";
import { itemsOf, type Node, propertiesOf, treeOf } from "../../src/provider/schema/tree";
import { meaning } from "../../src/provider/values/compare";
import { keysOf } from "../../src/provider/values/matching";
import { canGo } from "../../src/provider/values/options";
import { samplesOf } from "../samples";
import { playsAll } from "../support/sample";
import { expectQuiet, refreshed, start, subject } from "./harness";
import { kinds, type Resource } from "./subject";

// Kinds whose objects change, and not only operations. Of what nothing reads nobody sees an edit.
const changing = kinds.filter(
  ([, { lifecycle }]) => lifecycle.update.length > 0 && lifecycle.read.how !== "remember",
);

/**
 * Every place in a value: elements and members. The elements of a set have no places, and another key makes another element.
 */
function pathsIn(node: Node, value: unknown, path: Path, keys: readonly string[] = []): Path[] {
  if (Array.isArray(value)) {
    const items = itemsOf(node) ?? {};
    const inside = keysOf(items, node.keyedBy);
    if (node.unordered === true && inside.length === 0) return [path];
    return [path, ...value.flatMap((one: unknown, at) => pathsIn(items, one, [...path, at], inside))];
  }
  if (!isObject(value)) return [path];
  const properties = propertiesOf(node) ?? {};
  const members = Object.entries(value).filter(([name]) => !keys.includes(name));
  return [path, ...members.flatMap(([name, one]) => pathsIn(properties[name] ?? {}, one, [...path, name]))];
}

const placesOf = (definition: ResourceDefinition, args: JsonObject) =>
  Object.entries(args).flatMap(([name, value]) =>
    pathsIn(treeOf(definition)[name]?.node ?? {}, value, [name]),
  );

const withValue = (args: JsonObject, path: Path, value: unknown) =>
  replacedAt(args, path, () => value) as JsonObject;

/** Other values of the same kind, the likeliest first. */
function othersOf(value: unknown, path: Path): unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 1, value / 2, value - 1].filter((one) => one !== value);
  const isNameInside = path.length > 1 && path.at(-1) === "name";
  if (typeof value === "string") return isNameInside ? [] : [`${value}x`, `${value}1`];
  return Array.isArray(value) && value.length > 1 ? [value.slice(0, -1)] : [];
}

interface Change {
  readonly path: Path;
  readonly args: JsonObject;
}

/** One live object, its program, and the changes of it that the console takes in both directions. */
async function takenChanges(made: Resource, full: JsonObject) {
  const { fields } = subject.definition;
  const taken: Change[] = [];
  let current = made;
  for (const path of sampled(placesOf(subject.definition, full), 3)) {
    const facts = fields[String(path[0])]?.traits;
    if (facts === undefined || facts.remembered || facts.readsOtherId || facts.fixed || facts.replaces)
      continue;
    for (const value of othersOf(valueAt(full, path), path)) {
      const args = withValue(full, path, value);
      const change = await changedAndBack(current, args, full, path);
      if (change === undefined) continue;
      current = change;
      taken.push({ path, args });
      break;
    }
  }
  return { taken, current };
}

/** The resource after a change and back; undefined where the provider or the console does not take it. */
async function changedAndBack(made: Resource, args: JsonObject, full: JsonObject, path: Path) {
  if ((await subject.problems(args, made.inputs)).length > 0) return undefined;
  try {
    const { quiet, replaces } = await subject.diff(made, args);
    if (quiet || replaces.length > 0) return undefined;
    const changed = await subject.update(made, args);
    const seen = await subject.refresh(changed);
    if (seen === undefined || !equalJson(valueAt(seen.inputs, path), valueAt(changed.inputs, path)))
      return undefined;
    return await subject.update(changed, full);
  } catch {
    return undefined;
  }
}

/** The change that comes closest to another one: in the same element, the same field, or elsewhere. */
function beside({ path }: Change, changes: readonly Change[]): Change | undefined {
  const shared = (other: Change) => {
    const differs = path.findIndex((step, at) => other.path[at] !== step);
    return differs < 0 || differs >= other.path.length ? -1 : differs;
  };
  return changes.filter((one) => shared(one) >= 0).sort((a, b) => shared(b) - shared(a))[0];
}

/** Of each kind, the deepest and the shallowest alike. All of them take a minute. */
const mostPlaces = 4;

function sampled<T>(all: readonly T[], times = 1): T[] {
  const step = playsAll ? 1 : Math.max(1, all.length / (mostPlaces * times));
  return Array.from({ length: Math.ceil(all.length / step) }, (_, at) => all[Math.floor(at * step)] as T);
}

/** How many places were tried of each kind. */
const tried = new Map<string, number>();

describe.each(changing)("%s", (_, definition: ResourceDefinition) => {
  const { fullest } = samplesOf(definition);
  let taken: Change[] = [];
  let made: Resource;

  test("what the console changed at an ignored path stays, whatever else an up changes, before a refresh and after", async () => {
    await start(definition);
    ({ taken, current: made } = await takenChanges(await subject.up(fullest), fullest));
    tried.set(definition.kind, taken.length);
    for (const ignored of sampled(taken)) {
      const other = beside(ignored, taken);
      if (other === undefined) continue;
      const { path } = ignored;
      const what = `${pathText(path)} while the program changes ${pathText(other.path)}`;
      // Somebody in the console: state knows nothing of it.
      await subject.update(made, ignored.args);
      const mustHold = async (resource: Resource, expected: JsonObject) => {
        const { inputs } = await refreshed(resource);
        for (const [name, value] of Object.entries(expected)) {
          if (equalJson(value, fullest[name])) continue;
          const [found, meant] = [inputs[name], value].map((one) => meaning(definition, name, one));
          expect([what, found]).toEqual([what, meant]);
        }
      };
      const both = (args: JsonObject) => withValue(args, path, valueAt(ignored.args, path));
      // Pulumi puts the argument of last time at an ignored path, and here the program has it still.
      const once = await subject.update(made, other.args);
      await mustHold(once, both(other.args));
      expect([what, (await subject.diff(once, other.args)).quiet]).toEqual([what, true]);
      const twice = await subject.update(once, fullest);
      await mustHold(twice, both(fullest));
      // A refresh brings the live value into the arguments of last time.
      const third = await subject.update(await refreshed(twice), both(other.args));
      await mustHold(third, both(other.args));
      made = await subject.update(await refreshed(third), fullest);
    }
  });

  test("protected, its own updates go, one over somebody's edit is refused, and goes after a refresh", async () => {
    const [change] = taken;
    if (change === undefined) throw new Error("the console takes no change of it");
    const protectedBy = (args: JsonObject) => ({ ...args, protectConcurrentEdits: true });
    const [full, changed] = [protectedBy(fullest), protectedBy(change.args)];
    const mustRefuse = async (work: Promise<unknown>) => {
      await expect(work).rejects.toThrow(/was changed in the console since the last refresh/);
      expect(subject.writes()).toEqual([]);
    };
    await start(definition);
    const there = await subject.update(await subject.up(full), changed);
    const back = await subject.update(there, full);
    await expectQuiet(back, full);
    const seen = await refreshed(back);
    await expectQuiet(seen, full);
    // Somebody else: state knows nothing of it.
    await subject.update(seen, changed);
    subject.emulator.clearRequests();
    await mustRefuse(subject.update(seen, { ...full, onDelete: "retain" }));
    if (canGo(definition)) await mustRefuse(subject.destroy(seen));
    await expectQuiet(await subject.update(await refreshed(seen), full), full);
  });
});

test("every kind was tried, at many places", () => {
  const untried = [...tried].filter(([, count]) => count === 0).map(([kind]) => kind);
  const total = [...tried.values()].reduce((sum, count) => sum + count, 0);
  expect(untried).toEqual([]);
  if (playsAll) console.info(`${total} places of ${tried.size} kinds`);
  expect(total).toBeGreaterThan(100);
});
