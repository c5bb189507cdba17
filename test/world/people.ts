import { differences } from "../../src/provider/decisions/plan";
import { acceptedFields, routeOf } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { fromWire, toWire } from "../../src/provider/schema/wire-names";
import { sameMeaning } from "../../src/provider/values/compare";
import { type Actor, ann, type SharedConsole, type Stored } from "./console";
import { drawnArguments, identityOf, keyOf, pool } from "./edits";
import { isAction, isOnlyOne, type KindPlay, kinds } from "./kinds";
import type { Declared } from "./programs";

export type Deed =
  | "make"
  | "make as declared"
  | "change"
  /** Something else at a place that a program has changed and not applied. */
  | "change the same"
  | "remove"
  /** Deletes an object and creates it again under its key. */
  | "make anew"
  | "ask another";

export interface Sight {
  readonly console: SharedConsole;
  readonly kinds: readonly string[];
  /** What all stacks declare, with ids in the place of references. */
  readonly declared: readonly Declared[];
}

/** Does something in the console by hand; tells what, or undefined where there is nothing to do it to. */
export function perform(
  { console, kinds: used, declared }: Sight,
  how: Deed,
  n: readonly number[],
): string | undefined {
  const at = <T>(list: readonly T[], index: number): T => list[(n[index] ?? 0) % list.length] as T;
  const makeable = used.filter((name) => canMake(kinds[name] as KindPlay));
  const there = [...console.snapshot().values()].filter(({ kind }) => used.includes(kind));
  // Some people have a script with a key, and leave no name.
  const signed = (n[7] ?? 0) % 3 !== 0;
  if (how === "make") {
    const kind = at([...makeable, undefined], 0);
    if (kind === undefined) return undefined;
    const args = { ...drawnArguments(kinds[kind] as KindPlay, n[1] ?? 0), [identityOf(kind)]: at(pool, 2) };
    return make(console, kind, args, signed);
  }
  if (how === "make as declared") {
    const able = declared.filter(({ kind }) => canMake(kinds[kind] as KindPlay));
    if (able.length === 0) return undefined;
    const one = at(able, 1);
    const { name = one.name } = one.args;
    return make(console, one.kind, { name, ...one.args, [identityOf(one.kind)]: keyOf(one) }, signed);
  }
  if (how === "change the same") return collide(console, declared, n, signed);
  if (how === "ask another") return ask(console, there, n);
  if (there.length === 0) return undefined;
  const target = at(there, 1);
  if (how === "remove") return send(console, target, "delete", {}, signed);
  if (how === "make anew") return makeAnew(console, target, signed);
  const edits = kinds[target.kind]?.edits ?? [];
  if (edits.length === 0) return undefined;
  const { route, bodies } = at(edits, 2);
  return send(console, target, route, at(bodies, 3), signed);
}

function canMake(play: KindPlay): boolean {
  return !isAction(play) && !isOnlyOne(play);
}

function make(console: SharedConsole, kind: string, args: JsonObject, signed: boolean): string | undefined {
  const { definition } = kinds[kind] as KindPlay;
  const { create } = definition.lifecycle;
  if (create.how !== "send") return undefined;
  const route = routeOf(definition, create.route);
  const names = acceptedFields(definition, route);
  const said = Object.entries({ name: args.key, ...args }).filter(
    ([name, value]) => names.includes(name) && value !== undefined,
  );
  const author = signed && names.includes("creatorEmail") ? { creatorEmail: ann } : {};
  const body = toWire(definition, { ...Object.fromEntries(said), ...author });
  const { status } = console.ask(signed ? ann : "person", route.method, route.path, body);
  return `makes ${kind} ${String(args[identityOf(kind)])}${signed ? "" : " by a key"} (${status})`;
}

/** Only where nothing stands against the removal. */
function makeAnew(console: SharedConsole, target: Stored, signed: boolean): string | undefined {
  const { kind, id, item, key } = target;
  if (!canMake(kinds[kind] as KindPlay)) return undefined;
  const { definition } = kinds[kind] as KindPlay;
  const identity = identityOf(kind);
  const args = { ...fromWire(definition, item), [identity]: identity === "key" ? id : item.name };
  const removed = send(console, target, "delete", {}, signed);
  if (removed === undefined || console.find(key) !== undefined) return removed;
  console.wait(1000);
  return `${removed}, and ${make(console, kind, args, signed)}`;
}

/** Asks the console for something about an object, by a route of its kind; undefined where the kind has none. */
export function request(
  console: SharedConsole,
  { kind, id }: Pick<Stored, "kind" | "id">,
  name: string,
  body?: JsonObject,
  actor: Actor = "person",
): ReturnType<SharedConsole["ask"]> | undefined {
  const route = kinds[kind]?.definition.routes[name];
  if (route === undefined) return undefined;
  const path = route.path.replace(/\{\w+\}/, encodeURIComponent(id));
  return console.ask(actor, route.method, path, body);
}

function send(console: SharedConsole, target: Stored, name: string, body: JsonObject, signed: boolean) {
  const answer = request(console, target, name, body, signed ? ann : "person");
  if (answer === undefined) return undefined;
  const { kind, id } = target;
  return `${name} ${kind} ${id}${signed ? "" : " by a key"} (${answer.status})`;
}

/** Sets something else where a program has changed an argument and the console does not know of it yet. */
function collide(
  console: SharedConsole,
  declared: readonly Declared[],
  n: readonly number[],
  signed: boolean,
): string | undefined {
  const places = declared.flatMap((one) => {
    const { definition, choices } = kinds[one.kind] as KindPlay;
    const stored = console.find(`${one.kind} ${keyOf(one)}`);
    if (stored === undefined || stored.archived || definition.routes.patch === undefined) return [];
    const live = fromWire(definition, stored.item);
    const places = differences(definition, live, one.args);
    return [...new Set(places.map(({ path }) => String(path[0])))].flatMap((name) =>
      (choices[name] ?? [])
        .filter((value) => value !== undefined && name !== "key" && name !== "name" && name !== "onDelete")
        .filter(
          (value) =>
            ![live[name], one.args[name]].some((other) => sameMeaning(definition, name, value, other)),
        )
        .map((value) => ({ stored, body: toWire(definition, { [name]: value }) })),
    );
  });
  if (places.length === 0) return undefined;
  const { stored, body } = places[(n[1] ?? 0) % places.length] as (typeof places)[number];
  return send(console, stored, "patch", body, signed);
}

/** A gate of somebody's own that asks an object. */
function ask(console: SharedConsole, there: readonly Stored[], n: readonly number[]): string | undefined {
  const able = there.filter(({ kind, archived }) => (kind === "segment" || kind === "gate") && !archived);
  if (able.length === 0) return undefined;
  const target = able[(n[1] ?? 0) % able.length] as Stored;
  const conditions = [{ type: `passes_${target.kind}`, targetValue: target.id }];
  const body = {
    name: `asker_${(n[2] ?? 0) % 3}`,
    rules: [{ name: "Asked", passPercentage: 100, conditions }],
  };
  const { status } = console.ask("person", "POST", "/gates", body);
  return `makes gate ${body.name}, which asks ${target.kind} ${target.id} (${status})`;
}
