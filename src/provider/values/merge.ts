import type { ResourceDefinition } from "../schema/define";
import { equalJson, isObject, type JsonObject, picked } from "../schema/json";
import type { Path } from "../schema/path";
import { itemsOf, type Node, propertiesOf, type Place as SchemaPlace, treeOf } from "../schema/tree";
import { placeText } from "../texts/argument-names";
import { canonical, canonicalLive, isNothing, sameUnder } from "./compare";
import { type ListPairs, type ObjectLists, pairsByContent, pairsByName, type Three } from "./list-pairs";
import { keysOf } from "./matching";
import type { Values } from "./walk";

/** A place that the program and the console changed to different values. Undefined: nothing there. */
export interface EditConflict extends Values {
  readonly path: Path;
  /** Names of the elements that the path leads through, such as that of a rule. */
  readonly within: readonly string[];
  /** The values are names of elements: both changed the order of a list. */
  readonly isOrder?: true;
  /** The argument that the program sets, where another one has the same meaning. */
  readonly programAt?: string;
}

/** Values of the program that undo nothing that no preview has shown yet. */
export interface Merged {
  /** At conflicts it is the program's. */
  readonly value: unknown;
  /** Places where the live value was kept. */
  readonly paths: readonly string[];
  readonly conflicts: readonly EditConflict[];
}

/**
 * The value to send of a field that both the program and the console changed: wherever the program sets what was there when the
 * object was last read, the live value stays, because no preview has announced that it would go. This is also how an ignored path is
 * left alone: the engine puts the value of last time there, and a dynamic provider cannot see that. Where both changed the same
 * place, that is a conflict.
 */
export function withUnseenChanges(
  definition: ResourceDefinition,
  name: string,
  { program, seen, live }: Values,
): Merged {
  const { node = {}, traits } = treeOf(definition)[name] ?? {};
  const merge = new Merge(definition);
  // Of an object that the program shares with others, state holds the program's members alone, as of a sparse one.
  const root = traits?.keepsOthers === true ? { ...node, sparse: true as const } : node;
  const place = { node: root, pattern: name, path: [name], within: [] };
  const value = merge.value(place, {
    program,
    seen: canonical(definition, name, seen),
    live: canonicalLive(definition, name, live),
  });
  return { value, paths: [...new Set(merge.kept)], conflicts: merge.conflicts };
}

/** A place in the schema, and in the value. */
interface Place extends SchemaPlace {
  readonly path: Path;
  readonly within: readonly string[];
}

type Lists = Three<readonly unknown[]>;

/** An element of the merged list, and the live one that it stands for. */
interface Element {
  readonly value: JsonObject;
  readonly live: JsonObject | undefined;
}

/** Any JSON: compared as it is. */
const opaque: Node = { sameAs: "opaque" };

/** The merge of one field. */
class Merge {
  readonly kept: string[] = [];
  readonly conflicts: EditConflict[] = [];
  readonly #definition: ResourceDefinition;

  constructor(definition: ResourceDefinition) {
    this.#definition = definition;
  }

  value(place: Place, { program, seen, live }: Values): unknown {
    if (this.#hasProgramsValues(place, program, live) || this.#same(place, seen, live)) return program;
    if (this.#same(place, program, seen)) return this.#keep(place.path, live);
    if (place.node.valueType === undefined) {
      if (Array.isArray(program) && Array.isArray(seen) && Array.isArray(live))
        return this.#list(place, { program, seen, live });
      if (isObject(program) && isObject(seen) && isObject(live))
        return this.#members(place, { program, seen, live });
    }
    return this.#conflict(place, program, { seen, live });
  }

  #same({ node, pattern }: Place, one: unknown, other: unknown): boolean {
    return sameUnder(node, one, other, { definition: this.#definition, pattern });
  }

  /** Notes that the live value stays. */
  #keep<T>(path: Path, live: T): T {
    this.kept.push(placeText(this.#definition, path));
    return live;
  }

  /** Notes that both changed a place. The program's value counts, should the update go on. */
  #conflict<T>({ path, within }: Place, program: T, { seen, live }: Values): T {
    this.conflicts.push({ path, within, program, seen, live });
    return program;
  }

  #members(place: Place, objects: Three<JsonObject>): JsonObject {
    const { node, pattern, path } = place;
    const properties = node.sameAs === "opaque" ? undefined : propertiesOf(node);
    const all = { ...objects.program, ...objects.seen, ...objects.live };
    const result: JsonObject = {};
    for (const names of formsTogether(properties ?? {}, all)) {
      const [first = ""] = names;
      const inside = properties?.[first] ?? (properties === undefined ? opaque : {});
      const at = { ...place, node: inside, pattern: `${pattern}.${first}`, path: [...path, first] };
      const [program, seen, live] = [objects.program, objects.seen, objects.live].map((one) =>
        picked(one, names),
      ) as [JsonObject, JsonObject, JsonObject];
      Object.assign(result, this.#forms(place, at, { program, seen, live }));
    }
    return result;
  }

  /** One member of an object, as the forms of its value. `at`: the place of the first of them. */
  #forms(place: Place, at: Place, { program, seen, live }: Three<JsonObject>): JsonObject {
    const names = Object.keys({ ...program, ...seen, ...live });
    const first = String(at.path.at(-1));
    const shown = ({ [first]: value }: JsonObject) =>
      isNothing(value) ? (at.node.serverDefault ?? value) : value;
    const isSame = (one: JsonObject, other: JsonObject) =>
      names.length > 1 ? this.#same(place, one, other) : this.#same(at, shown(one), shown(other));
    const [set, before, now] = [program, seen, live].map((forms) =>
      Object.values(forms).find((value) => value !== undefined),
    );
    const isSparse = place.node.sparse === true;
    // Nothing undoes the members that a sparse object leaves out: they go along when it is sent.
    if (set === undefined && isSparse) return {};
    if (isSame(program, live) || isSame(seen, live)) return program;
    if (isSame(program, seen)) return this.#keep(at.path, live);
    // State has only those members of a sparse object that the program set before.
    if (before === undefined && isSparse) return program;
    if (names.length === 1 && set !== undefined) {
      const value = this.value(at, { program: program[first], seen: seen[first], live: live[first] });
      return value === undefined ? {} : { [first]: value };
    }
    this.#conflict(at, set, { seen: before, live: now });
    return program;
  }

  #list(place: Place, lists: Lists): unknown {
    const { program, seen, live } = lists;
    const { node, pattern, path } = place;
    const items = itemsOf(node) ?? opaque;
    const inside = { ...place, node: items, pattern: `${pattern}[]` };
    const isSame = (one: unknown, other: unknown) => this.#same(inside, one, other);
    const isNamed = keysOf(items, node.keyedBy).length > 0;
    const objects = [program, seen, live].every((list) => list.every(isObject))
      ? (lists as ObjectLists)
      : undefined;
    if (isNamed && objects !== undefined)
      return this.#elements(inside, objects, pairsByName(items, objects, node.keyedBy, isSame));
    if (node.unordered === true) return this.#set(inside, lists);
    if (objects !== undefined) {
      const pairs = pairsByContent(objects, isSame);
      return pairs === undefined
        ? this.#conflict(place, program, lists)
        : this.#elements(inside, objects, pairs);
    }
    // A bare value stands for the one at its place, as long as there are as many.
    if (program.length !== seen.length || program.length !== live.length)
      return this.#conflict(place, program, lists);
    return program.map((one, at) =>
      this.value({ ...inside, path: [...path, at] }, { program: one, seen: seen[at], live: live[at] }),
    );
  }

  #set(place: Place, { program, seen, live }: Lists): unknown {
    const isIn = (list: readonly unknown[], one: unknown) =>
      list.some((other) => this.#same(place, one, other));
    const gone = seen.filter((one) => isIn(program, one) && !isIn(live, one));
    const added = live.filter((one) => !isIn(seen, one) && !isIn(program, one));
    if (gone.length + added.length === 0) return program;
    return this.#keep(place.path, [...program.filter((one) => !isIn(gone, one)), ...added]);
  }

  /** The elements of the program; one that only the console has stays where it stands. */
  #elements(place: Place, lists: ObjectLists, pairs: ListPairs): unknown[] {
    const { program, live } = lists;
    const merged = program.flatMap((one, at) => this.#element(elementAt(place, at, one), one, pairs));
    this.#noteRemoved(place, lists, pairs);
    const elements = [...this.#inLiveOrder(place, merged, lists, pairs)];
    const known = new Set([...pairs.liveOf.values(), ...elements.map((one) => one.live)]);
    for (const [at, one] of live.entries()) {
      if (known.has(one)) continue;
      const before = elements.findLastIndex(
        (other) => other.live !== undefined && live.indexOf(other.live) < at,
      );
      elements.splice(before + 1, 0, this.#keep([...place.path, at], { value: one, live: one }));
    }
    return elements.map(({ value }) => value);
  }

  /** An element of the program: none, where the console removed it and the program left it as it was. */
  #element(place: Place, program: JsonObject, { seenOf, liveOf, both, isGuessed }: ListPairs): Element[] {
    const seen = seenOf.get(program);
    const live = seen === undefined ? both.get(program) : liveOf.get(seen);
    const isChanged = () => !this.#same(place, program, seen);
    const conflict = () => this.#conflict(place, program, { seen, live });
    if (seen === undefined) {
      if (live !== undefined && !this.#hasProgramsValues(place, program, live)) conflict();
      return [{ value: program, live }];
    }
    if (live === undefined) return isChanged() ? [{ value: conflict(), live }] : this.#keep(place.path, []);
    const isOther = isGuessed && isChanged() && !areOneSort(place.node, [program, seen, live]);
    if (!isOther) return [{ value: this.value(place, { program, seen, live }) as JsonObject, live }];
    const isTouched = !this.#same(place, live, seen) && !this.#same(place, live, program);
    return [{ value: isTouched ? conflict() : program, live }];
  }

  /** True for a live value that is as the program sets it, as far as the program sets it: a sparse object leaves members to the console. */
  #hasProgramsValues(place: Place, program: unknown, live: unknown): boolean {
    if (this.#same(place, program, live)) return true;
    if (place.node.sparse !== true || !isObject(program) || !isObject(live)) return false;
    return this.#same(place, program, picked(live, Object.keys(program)));
  }

  /** Notes the elements that the program removes and the console changed. */
  #noteRemoved(place: Place, { program, seen }: ObjectLists, { seenOf, liveOf }: ListPairs): void {
    const remaining = new Set(program.map((one) => seenOf.get(one)));
    for (const [index, one] of seen.entries()) {
      const live = liveOf.get(one);
      if (remaining.has(one) || live === undefined || this.#hasProgramsValues(place, one, live)) continue;
      this.#conflict(elementAt(place, index, one), undefined, { seen: one, live });
    }
  }

  /** The elements in the order of the console, where that is new and the program keeps to the one that was seen. */
  #inLiveOrder(
    place: Place,
    elements: readonly Element[],
    { seen, live }: ObjectLists,
    { liveOf }: ListPairs,
  ): readonly Element[] {
    const seenAt = new Map<unknown, number>([...liveOf].map(([one, now]) => [now, seen.indexOf(one)]));
    const old = elements.filter((one) => seenAt.has(one.live));
    const wasAt = (one: Element) => seenAt.get(one.live) ?? 0;
    const isAt = (one: Element) => live.indexOf(one.live as JsonObject);
    const before = old.toSorted((one, other) => wasAt(one) - wasAt(other));
    const now = old.toSorted((one, other) => isAt(one) - isAt(other));
    if (isRising(before.map(isAt)) || isRising(old.map(isAt))) return elements;
    if (!isRising(old.map(wasAt))) {
      const names = (list: readonly Element[]) => list.map(({ value }) => value.name ?? value);
      const { path, within } = place;
      const orders = { program: names(old), seen: names(before), live: names(now) };
      this.conflicts.push({ path, within, ...orders, isOrder: true });
      return elements;
    }
    const ordered = now.values();
    const moved = elements.map((one) => (seenAt.has(one.live) ? (ordered.next().value ?? one) : one));
    return this.#keep(place.path, moved);
  }
}

function elementAt(place: Place, index: number, { name }: JsonObject): Place {
  const within = typeof name === "string" ? [...place.within, name] : place.within;
  return { ...place, path: [...place.path, index], within };
}

/** Members of an object in groups: those that are forms of one value stand together. */
function formsTogether(properties: Record<string, Node>, values: JsonObject): string[][] {
  return [...Map.groupBy(Object.keys(values), (name) => properties[name]?.aliasOf ?? name).values()];
}

/** True for elements of one sort: those alike in the required members that take one value out of a list. */
function areOneSort(
  { required = [], properties = {} }: Node,
  [first, ...others]: readonly JsonObject[],
): boolean {
  const choices = required.filter((member) => properties[member]?.enum !== undefined);
  return choices.every((member) => others.every((other) => equalJson(other[member], first?.[member])));
}

function isRising(numbers: readonly number[]): boolean {
  return numbers.every((one, at) => at === 0 || one > (numbers[at - 1] ?? 0));
}
