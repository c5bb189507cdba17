import type { ResourceDefinition } from "../core/define";
import type { JsonObject } from "../core/json";
import { managedBefore, managedMember, managedView, previousArgsIn } from "../core/managed";
import { changesOf, stateNames } from "../core/plan";
import { withServerSetMembers } from "../core/server-set-members";
import { withUnseenChanges } from "../core/unseen-changes";
import { type EngineContext, nameOf } from "./context";

/** An object as it is to become. */
export interface Target {
  readonly id: string;
  readonly wants: JsonObject;
  /** What the program owned before, and the values that no read shows. */
  readonly state: JsonObject;
}

/** An update as a preview has announced it, and what has changed in the console since: its fields, and its places. */
export interface Announced {
  readonly announced: Target;
  readonly unseen: readonly string[];
  readonly paths: readonly string[];
}

/**
 * An update without what the program did not change and the live object did: fields, and places inside those that both have
 * changed. A preview that knows nothing of such a change has not announced that it would be undone.
 */
export function withoutUnannounced(
  definition: ResourceDefinition,
  target: Target,
  live: JsonObject,
  isOpen: boolean,
): Announced {
  const { id, wants, state } = target;
  const managed = managedBefore(state);
  const announced = changesOf(definition, state, wants, managed);
  // What this stack brought back for its own change is archived again.
  const opened = isOpen ? stateNames(definition) : [];
  const changed = Object.keys(changesOf(definition, live, wants, managed, state)).filter(
    (name) => !opened.includes(name) && !stopsGrowing(definition, name, target),
  );
  const moved = changed.filter((name) => !(name in announced));
  const both = changed.filter((name) => name in announced && managed.includes(name));
  const merged = mergedFields(definition, target, live, both);
  const paths = [...moved, ...merged.flatMap(({ paths }) => paths)];
  if (paths.length === 0) return { announced: target, unseen: [], paths };
  const others = Object.fromEntries(Object.entries(wants).filter(([name]) => !moved.includes(name)));
  const values = Object.fromEntries(merged.map(({ name, value }) => [name, value]));
  const left = managed.filter((name) => !moved.includes(name));
  return {
    announced: { id, wants: { ...others, ...values }, state: { ...state, [managedMember]: left } },
    unseen: [...moved, ...Object.keys(values)],
    paths,
  };
}

/** Tells of what is left as the console has it. */
export function reportUnseen(
  context: EngineContext,
  definition: ResourceDefinition,
  { announced: { id }, paths }: Announced,
): void {
  if (paths.length === 0) return;
  context.report(
    `${nameOf(definition, id)}: ${paths.join(", ")} changed in the console since the last refresh: left as it is. ` +
      'Run "pulumi refresh" to see it; the next "pulumi up" then puts it back, but for what ignoreChanges names.',
  );
}

/** True for a list to which the console adds no more from now on: what it has added goes, as announced. */
function stopsGrowing(definition: ResourceDefinition, name: string, { wants, state }: Target): boolean {
  const flag = definition.fields[name]?.facts.growsWhile;
  return flag !== undefined && state[flag] === true && wants[flag] === false;
}

/** Fields that both the program and the console have changed, with what to send of them, where the console's is to stay in part. */
function mergedFields(
  definition: ResourceDefinition,
  { wants, state }: Target,
  live: JsonObject,
  names: readonly string[],
) {
  const now = managedView(definition, { live, wants, previousArgs: previousArgsIn(state) });
  return names.flatMap((name) => {
    const { remembered, readsOtherId } = definition.fields[name]?.facts ?? {};
    if (remembered === true || readsOtherId === true || wants[name] === undefined) return [];
    const three = { wanted: wants[name], seen: state[name], live: now[name] };
    const merged = withUnseenChanges(definition, name, three);
    return merged.paths.length === 0 ? [] : [{ name, ...merged }];
  });
}

/**
 * Fields in which the console has what nobody has seen yet, as the program says them: state tells what was seen, so that the
 * next update does not take the rest for announced either.
 */
export function asAnnounced(
  definition: ResourceDefinition,
  wants: JsonObject,
  live: JsonObject,
  unseen: readonly string[],
): JsonObject {
  const said = unseen.filter((name) => wants[name] !== undefined);
  return Object.fromEntries(
    said.map((name) => [name, withServerSetMembers(definition, name, wants[name], live[name])]),
  );
}
