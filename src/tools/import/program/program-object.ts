import type { Unsaid } from "../../../provider/engine/expressed/smallest-form";
import type { ResourceDefinition } from "../../../provider/schema/define";
import type { JsonObject } from "../../../provider/schema/json";
import { nameField } from "../../../provider/schema/object-id";
import { pathText } from "../../../provider/schema/path";
import { referencesIn } from "../../../provider/schema/references";
import type { Found } from "../reading";

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
export interface Link {
  readonly path: string;
  readonly to: ProgramObject;
  readonly by: "id" | "name";
}

/** Which object is meant by an id, or by a name. */
export interface Directory<T> {
  readonly find: (kind: string, by: "id" | "name", value: unknown) => T | undefined;
}

/** A directory of objects. Where two have one name, the name tells none. */
export function directoryOf<T extends Pick<Found, "definition" | "id" | "live">>(
  objects: readonly T[],
): Directory<T> {
  const byId = new Map<string, T>();
  const byName = new Map<string, T | undefined>();
  for (const one of objects) {
    byId.set(placeOf(one.definition.name, one.id), one);
    const name = placeOf(one.definition.name, one.live[nameField]);
    byName.set(name, byName.has(name) ? undefined : one);
  }
  return { find: (kind, by, value) => (by === "id" ? byId : byName).get(placeOf(kind, value)) };
}

function placeOf(kind: string, value: unknown): string {
  return `${kind} ${String(value)}`;
}

/** The links of every object. */
export function linksOf(
  objects: readonly ProgramObject[],
  { find }: Directory<ProgramObject>,
): ReadonlyMap<ProgramObject, readonly Link[]> {
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
