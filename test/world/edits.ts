import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { programIdArgument } from "../../src/provider/schema/object-id";
import type { Snapshot } from "./console";
import { isAction, isOnlyOne, type KindPlay, kinds } from "./kinds";
import { type Declared, declared, type Held, nameOf } from "./programs";

/** How a program is changed; numbers choose among what is there, so that a step makes sense whatever came before. */
export type Edit =
  | "add"
  | "drop"
  | "change"
  | "rename with alias"
  | "rename"
  | "change key"
  | "swap keys"
  | "take a sibling's key"
  | "adopt"
  | "adopt no more"
  | "import"
  | "copy"
  | "ask another"
  | "say no state"
  | "replace on changes"
  | "move to the other stack";

/** Keys and names that programs and people use: few, so that they meet. */
export const pool = ["flag_0", "flag_1", "flag_2", "flag_3", "flag_4"];

/** What an edit looks at. */
export interface Surroundings {
  readonly program: readonly Declared[];
  readonly state: readonly Held[];
  readonly console: Snapshot;
  readonly kinds: readonly string[];
}

/** A program after an edit; the same one where the edit makes no sense. */
export function edited(around: Surroundings, how: Edit, n: readonly number[]): readonly Declared[] {
  return edits[how](around, (index) => n[index] ?? 0);
}

type Numbers = (index: number) => number;
type Change = (around: Surroundings, n: Numbers) => readonly Declared[];

const edits: Readonly<Record<Edit, Change>> = {
  add: (around, n) => added(around, n),
  drop: (around, n) => change(around, n, (one) => [undefined, one]),
  change: (around, n) => change(around, n, (one) => [{ ...one, args: changedArguments(one, n) }, one]),
  "rename with alias": (around, n) => renamed(around, n, true),
  rename: (around, n) => renamed(around, n, false),
  "change key": (around, n) =>
    change(around, n, (one) => [withKey(one, chosenKey(around, one, n(2), n(3))), one], canHaveKey),
  "swap keys": (around, n) =>
    withTwo(around, n, (one, two) => [withKey(one, keyOf(two)), withKey(two, keyOf(one))]),
  "take a sibling's key": (around, n) =>
    withTwo(around, n, (one, two) => [
      withKey(one, keyOf(two)),
      n(3) % 3 === 0 ? undefined : withKey(two, at(pool, n(4))),
    ]),
  adopt: (around, n) => change(around, n, (one) => [withArgument(one, "adopt", true), one], canAdopt),
  "adopt no more": (around, n) =>
    change(around, n, (one) => [{ ...withArgument(one, "adopt", undefined), imports: undefined }, one]),
  import: (around, n) =>
    change(around, n, (one) => [{ ...one, imports: importable(around, one, n(2)) }, one], canAdopt),
  copy: (around, n) => copied(around, n),
  "ask another": (around, n) => asking(around, n),
  "say no state": (around, n) => change(around, n, (one) => [withoutState(one), one], saysState),
  "replace on changes": (around, n) =>
    change(around, n, (one) => [
      {
        ...one,
        args: changedArguments(one, n),
        replaceOnChanges: ["description", "rules", "isEnabled"],
        deleteBeforeReplace: [undefined, true, false][n(4) % 3],
      },
      one,
    ]),
  "move to the other stack": (around, n) => change(around, n, (one) => [undefined, one]),
};

/** The argument that says which object is meant. */
export function identityOf(kind: string): string {
  const known = kinds[kind];
  return (known && programIdArgument(known.definition)) ?? "name";
}

/** The key, or the name that decides it, as the program says it or leaves it to the resource's name. */
export function keyOf({ kind, name, args }: Declared): string {
  return String(args[identityOf(kind)] ?? name);
}

function at<T>(list: readonly T[], number: number): T {
  return list[number % list.length] as T;
}

function playOf({ kind }: Pick<Declared, "kind">): KindPlay {
  return kinds[kind] as KindPlay;
}

const canHaveKey = (one: Declared) => !isAction(playOf(one)) && !isOnlyOne(playOf(one));
const canAdopt = (one: Declared) => !isAction(playOf(one));

/** A new resource as the numbers choose it, under a name. */
function drawn(around: Surroundings, kind: string, name: string, n: Numbers): Declared {
  const play = kinds[kind] as KindPlay;
  const hasKey = !isAction(play) && !isOnlyOne(play);
  const taken = around.program.filter((one) => one.kind === kind).map(keyOf);
  const free = pool.filter((key) => !taken.includes(key));
  const says = hasKey && free.length > 0 && (n(2) % 2 === 0 || taken.includes(name));
  const args: JsonObject = {
    ...drawnArguments(play, n(3)),
    ...(says ? { [identityOf(kind)]: at(free, n(4)) } : {}),
    ...(n(5) % 16 === 0 && !isAction(play) ? { adopt: true } : {}),
  };
  if (play.about !== undefined) args[play.about.argument] = objectFor(around, play.about.kind, n(6));
  return declared(kind, name, args);
}

/** Names of the pool that no resource of a kind has. */
function freeNames({ program }: Surroundings, kind: string): string[] {
  return pool.filter((name) => !program.some((one) => one.kind === kind && one.name === name));
}

/** Arguments of a kind, without its key. */
export function drawnArguments(play: KindPlay, number: number): JsonObject {
  const args: JsonObject = { ...play.base };
  let left = number;
  for (const [name, choices] of Object.entries(play.choices)) {
    const value = at(choices, left);
    left = Math.floor(left / choices.length) + (left % 7);
    if (value !== undefined) args[name] = value;
  }
  return settled(play, args, number);
}

/** Arguments that can stand beside each other. */
function settled(play: KindPlay, args: JsonObject, number: number): JsonObject {
  const { isEnabled, status, ...rest } = args;
  const state = isEnabled === undefined ? { status } : { isEnabled };
  const said = Object.values(state)[0] === undefined ? {} : state;
  return { ...rest, ...said, ...play.contents?.(args, number) };
}

function changedArguments(one: Declared, n: Numbers): JsonObject {
  const play = playOf(one);
  const names = Object.keys(play.choices);
  if (names.length === 0) return one.args;
  const name = at(names, n(2));
  const choices = play.choices[name] ?? [];
  const value = at(choices, n(3));
  const { [name]: _, ...args } = one.args;
  const clash = name === "status" ? "isEnabled" : name === "isEnabled" ? "status" : "";
  const { [clash]: __, ...kept } = args;
  const next = value === undefined ? args : { ...kept, [name]: value };
  return name === "type" ? settled(play, withoutContents(next), n(4)) : next;
}

const saysState = ({ args }: Declared) => args.status !== undefined || args.isEnabled !== undefined;

function withoutState(one: Declared): Declared {
  return withArgument(withArgument(one, "status", undefined), "isEnabled", undefined);
}

function withoutContents({ rules: _rules, ids: _ids, ...args }: JsonObject): JsonObject {
  return args;
}

function added(around: Surroundings, n: Numbers): readonly Declared[] {
  const kind = at(around.kinds, n(0));
  const free = freeNames(around, kind);
  if (free.length === 0) return around.program;
  return [...around.program, drawn(around, kind, at(free, n(1)), n)];
}

/** Puts something, or nothing, in the place of a resource; references to it follow. */
function change(
  around: Surroundings,
  n: Numbers,
  next: (one: Declared) => readonly [Declared | undefined, Declared],
  fits: (one: Declared) => boolean = () => true,
): readonly Declared[] {
  const able = around.program.filter(fits);
  if (able.length === 0) return around.program;
  const [after, before] = next(at(able, n(1)));
  return replaced(around, before, after, n(7));
}

function replaced(around: Surroundings, before: Declared, after: Declared | undefined, number: number) {
  const id = around.state.find((held) => nameOf(held) === nameOf(before))?.id ?? keyOf(before);
  // A reference to what the program drops stays as a text, or goes too.
  const successor = after === undefined ? (number % 3 === 0 ? undefined : id) : { $id: nameOf(after) };
  return around.program.flatMap((one): Declared[] => {
    if (one === before) return after === undefined ? [] : [after];
    return [{ ...one, args: referring(one.args, nameOf(before), successor) }];
  });
}

function referring(args: JsonObject, name: string, successor: unknown): JsonObject {
  if (!JSON.stringify(args).includes(`"$id":"${name}"`)) return args;
  const isIt = (value: unknown) => isObject(value) && value.$id === name;
  const walk = (value: unknown): unknown => {
    if (isIt(value)) return successor;
    if (Array.isArray(value)) {
      const kept = value.filter(
        (one) => successor !== undefined || !JSON.stringify(one).includes(`"$id":"${name}"`),
      );
      return kept.map(walk);
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, walk(one)]));
  };
  return walk(args) as JsonObject;
}

function renamed(around: Surroundings, n: Numbers, alias: boolean): readonly Declared[] {
  return change(around, n, (one) => {
    const free = freeNames(around, one.kind);
    if (free.length === 0) return [one, one];
    const key =
      one.args[identityOf(one.kind)] ??
      (alias || n(4) % 4 === 0 || !canHaveKey(one) ? undefined : keyOf(one));
    const said = key === undefined ? {} : { [identityOf(one.kind)]: key };
    const args = isOnlyOne(playOf(one)) ? one.args : { ...one.args, ...said };
    const aliases = alias ? [...one.aliases, one.name] : [];
    return [{ ...one, name: at(free, n(2)), args, aliases }, one];
  });
}

function withTwo(
  around: Surroundings,
  n: Numbers,
  next: (one: Declared, two: Declared) => readonly [Declared, Declared | undefined],
): readonly Declared[] {
  const able = around.program.filter(canHaveKey);
  if (able.length === 0) return around.program;
  const one = at(able, n(1));
  const others = able.filter((other) => other !== one && other.kind === one.kind);
  if (others.length === 0) return around.program;
  const two = at(others, n(2));
  const [first, second] = next(one, two);
  const program = replaced(around, one, first, n(7));
  const now = program.find((other) => nameOf(other) === nameOf(two)) as Declared;
  return replaced(
    { ...around, program },
    now,
    second && { ...second, args: { ...now.args, ...keyArgument(second) } },
    n(6),
  );
}

function keyArgument(one: Declared): JsonObject {
  const argument = identityOf(one.kind);
  return { [argument]: one.args[argument] };
}

function withKey(one: Declared, key: string): Declared {
  return withArgument(one, identityOf(one.kind), key);
}

function withArgument(one: Declared, name: string, value: unknown): Declared {
  const { [name]: _, ...rest } = one.args;
  return { ...one, args: value === undefined ? rest : { ...rest, [name]: value } };
}

/** Any of the pool, or the key of an object that is there. */
function chosenKey({ console }: Surroundings, { kind }: Declared, number: number, other: number): string {
  const there = [...console.values()]
    .filter((stored) => stored.kind === kind)
    .map(({ id, item }) => (identityOf(kind) === "key" ? id : String(item.name)));
  return other % 2 === 0 && there.length > 0 ? at(there, number) : at(pool, number);
}

function importable({ console }: Surroundings, one: Declared, number: number): string {
  const named = [...console.values()].filter(
    ({ kind, id, item }) => kind === one.kind && (id === keyOf(one) || item.name === keyOf(one)),
  );
  return named.length > 0 ? at(named, number).id : keyOf(one);
}

function copied(around: Surroundings, n: Numbers): readonly Declared[] {
  const able = around.program.filter(canHaveKey);
  if (able.length === 0) return around.program;
  const one = at(able, n(1));
  const free = freeNames(around, one.kind);
  if (free.length === 0) return around.program;
  const name = at(free, n(2));
  return [...around.program, { ...withKey(one, keyOf(one)), name, aliases: [], imports: undefined }];
}

const asked = ["gate", "segment"];

/** Something that can be asked: an output of a resource that comes before, or the id of any object that is there. */
function objectFor(
  { program, console }: Surroundings,
  kind: string,
  number: number,
  before = program.length,
): unknown {
  const earlier = program.slice(0, before).filter((one) => one.kind === kind);
  if (earlier.length > 0 && number % 3 !== 0) return { $id: nameOf(at(earlier, number)) };
  const there = [...console.values()].filter((stored) => stored.kind === kind && !stored.archived);
  return there.length > 0 ? at(there, number).id : at(pool, number);
}

/** A rule by which a gate or a config asks a segment or another gate. */
function asking(around: Surroundings, n: Numbers): readonly Declared[] {
  const able = around.program.filter(({ kind }) => kind === "gate" || kind === "dynamicConfig");
  if (able.length === 0) return around.program;
  const one = at(able, n(1));
  const kind = at(asked, n(2));
  const target = objectFor(around, kind, n(3), around.program.indexOf(one));
  if (target === keyOf(one)) return around.program;
  const rule = {
    ...{ name: "Asked", passPercentage: 50, conditions: [{ type: `passes_${kind}`, targetValue: target }] },
    ...(one.kind === "dynamicConfig" ? { returnValue: { most: 9 } } : {}),
  };
  return around.program.map((other) =>
    other === one ? { ...one, args: { ...one.args, rules: [rule] } } : other,
  );
}
