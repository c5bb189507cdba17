import type { Unsaid } from "../../../provider/engine/expressed/smallest-form";
import type { ResourceDefinition } from "../../../provider/schema/define";
import type { JsonObject } from "../../../provider/schema/json";
import { nameField } from "../../../provider/schema/object-id";
import { pathText } from "../../../provider/schema/path";
import { referencesIn } from "../../../provider/schema/references";
import type { Found } from "../reading";
import { compareText } from "./names";
import { ordered } from "./order";

/** An object that a program says. */
export interface ProgramObject {
  readonly definition: ResourceDefinition;
  readonly kind: string;
  readonly id: string;
  /** Name of the resource. */
  readonly name: string;
  readonly live: JsonObject;
  readonly args: JsonObject;
  readonly inputs: JsonObject;
  readonly notExpressible: readonly Unsaid[];
}

/** A value of an object that stands for another object of the same program. */
interface Link {
  readonly path: string;
  readonly to: ProgramObject;
  readonly by: "id" | "name";
}

/** Finds the object that is meant by an id, or by a name. */
export type Finder<T> = (kind: string, by: "id" | "name", value: unknown) => T | undefined;

/** Finds one of these objects. Where two have one name, the name tells none. */
export function finderOf<T extends Pick<Found, "definition" | "id" | "live">>(
  objects: readonly T[],
): Finder<T> {
  const byId = new Map<string, T>();
  const byName = new Map<string, T | undefined>();
  for (const one of objects) {
    byId.set(placeOf(one.definition.name, one.id), one);
    const name = placeOf(one.definition.name, one.live[nameField]);
    byName.set(name, byName.has(name) ? undefined : one);
  }
  return (kind, by, value) => (by === "id" ? byId : byName).get(placeOf(kind, value));
}

function placeOf(kind: string, value: unknown): string {
  return `${kind} ${String(value)}`;
}

function linksOf(objects: readonly ProgramObject[]): ReadonlyMap<ProgramObject, readonly Link[]> {
  const find = finderOf(objects);
  return new Map(
    objects.map((one) => [
      one,
      referencesIn(one.definition, one.args).flatMap(({ path, kind, by, value }): Link[] => {
        const to = find(kind, by, value);
        return to === undefined || to === one ? [] : [{ path: pathText(path), to, by }];
      }),
    ]),
  );
}

/** The objects of a program by kind and name, and with the references that a program can keep. */
export type LinkedObjects = ReturnType<typeof linkedObjects>;

/** Links objects by the ids and names that they hold, and cuts circles. The same objects give the same links in whatever order. */
export function linkedObjects(objects: readonly ProgramObject[]) {
  const sorted = objects.toSorted((a, b) => compareText(a.kind, b.kind) || compareText(a.name, b.name));
  const all = linksOf(sorted);
  const needs = new Map([...all].map(([one, own]) => [one, own.map(({ to }) => to)]));
  const { order, cut } = ordered(sorted, needs);
  const links = new Map(
    [...all].map(([one, own]) => [one, own.filter(({ to }) => cut.get(one)?.has(to) !== true)]),
  );
  return { sorted, order, links, cut };
}

/** Remarks for a reader of an object's code, a sentence each. `unusual`: sentences about its values. */
export function remarksOn(
  { cut }: Pick<LinkedObjects, "cut">,
  one: ProgramObject,
  unusual: readonly string[] = [],
): string[] {
  return [
    ...[...(cut.get(one) ?? [])].map(
      (other) =>
        `This and ${other.definition.title} ${JSON.stringify(other.name)} refer to each other: here by its id.`,
    ),
    ...unusual,
    ...one.notExpressible.map(({ path, why }) => `Not as in the console: ${path} (${why}).`),
  ];
}
