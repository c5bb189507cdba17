import {
  isObject,
  type JsonObject,
  type KindFacts,
  type StoredObject,
  UNKNOWN,
} from "pulumi-feature-console/facts";
import type { LeavingObject } from "./rule";

/** A resource of the program. */
export interface DeclaredResource {
  readonly urn: string;
  readonly kind: KindFacts;
  /** Its arguments; undefined for one that is only read. */
  readonly args: JsonObject | undefined;
  /** URNs that it may have had. */
  readonly aliases: readonly string[];
}

/** The same object in the state: by its URN, by an alias, or by what it is called. */
export function storedObjectOf(
  { urn, kind, args, aliases }: DeclaredResource,
  objects: readonly StoredObject[],
): StoredObject | undefined {
  const names = new Set([urn, ...aliases]);
  const found = objects.find((one) => names.has(one.urn));
  if (found !== undefined || args === undefined) return found;
  const called = kind.programId(args);
  if (typeof called !== "string" || called === UNKNOWN) return undefined;
  return objects.find((one) => one.kind === kind && kind.programId(one.state) === called);
}

/** True where the program says something else than last time. What the state holds as a secret counts as the same. */
export function differs(now: unknown, then: unknown): boolean {
  if (then === UNKNOWN) return false;
  if (now === UNKNOWN) return true;
  if (Array.isArray(now) && Array.isArray(then))
    return now.length !== then.length || now.some((one, at) => differs(one, then[at]));
  if (!isObject(now) || !isObject(then)) return now !== then;
  return [...new Set([...Object.keys(now), ...Object.keys(then)])].some((name) =>
    differs(now[name], then[name]),
  );
}

/** Objects of the state that no resource of the program stands for any more, or that are replaced. */
export function leavingObjects(
  declared: readonly DeclaredResource[],
  objects: readonly StoredObject[],
): LeavingObject[] {
  const kept = new Map(declared.map((one) => [storedObjectOf(one, objects), one]));
  return objects.flatMap((object): LeavingObject[] => {
    const { kind, state, urn, isRetained } = object;
    const successor = kept.get(object);
    if (successor !== undefined && !isReplaced(object, successor)) return [];
    const how = kind.onDelete(state);
    if (isRetained || how === "retain") return [];
    return [{ name: nameOf(urn), kind, state, how, users: usersOf(object, declared) }];
  });
}

/** Its name in the program. */
function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

function isReplaced({ kind, state }: StoredObject, { args }: DeclaredResource): boolean {
  const called = args === undefined ? undefined : kind.programId(args);
  return called !== undefined && called !== UNKNOWN && called !== kind.programId(state);
}

function usersOf({ urn, id, kind, state }: StoredObject, declared: readonly DeclaredResource[]): string[] {
  const names = {
    id: new Set([id, kind.programId(state)]),
    name: new Set([kind.programId(state), state.name]),
  };
  return declared
    .filter((one) => one.urn !== urn)
    .filter(({ kind: user, args = {} }) =>
      user.referencesIn(args).some((one) => one.kind === kind.name && names[one.by].has(one.value)),
    )
    .map((user) => `${user.kind.title} ${JSON.stringify(nameOf(user.urn))}`);
}
