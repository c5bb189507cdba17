import { inputNames, type ResourceDefinition, wireName } from "../schema/define";
import { objectExists, objectNotFound } from "../schema/errors";
import { equalJson, givenIn, isObject, type JsonObject, kept } from "../schema/json";
import { expectedId, programIdArgument } from "../schema/object-id";
import type { ClearedPart } from "../schema/verbs";
import { toWire } from "../schema/wire-names";
import { assignment } from "../texts/argument-names";
import { isNothing } from "../values/compare";
import { managedBefore, managedNames } from "../values/managed";
import { type CreatedObject, nameOf, PartialFailure, routeTo } from "./context";
import { converge } from "./converge";
import { ownerOf } from "./ownership";
import { readLive, shownBy } from "./read";
import type { DeclaredObject, StoredObject } from "./subject";

/** True for a part of another object that nobody has filled: it is free, as if it were not there. */
export function isUnfilled(definition: ResourceDefinition, live: JsonObject): boolean {
  const { create } = definition.lifecycle;
  if (create.how !== "send" || create.fills !== true) return false;
  const names = inputNames(definition).filter((name) => name !== programIdArgument(definition));
  const isEmpty = (value: unknown) => isNothing(value) || (Array.isArray(value) && value.length === 0);
  return names.every((name) => isEmpty(live[name]));
}

/**
 * Fills a part that nobody has filled. @throws ConsoleError "not-found" where the object it belongs to is not there, "exists"
 * where somebody has filled it since it was read.
 */
export async function fillPart(declared: DeclaredObject): Promise<CreatedObject> {
  const { context, definition, program } = declared;
  const id = String(expectedId(definition, program));
  const live = await readLive({ ...declared, id }, managedNames(definition, program));
  if (live === undefined)
    throw objectNotFound(
      `There is no ${programIdArgument(definition)} "${id}" in the console. Create it first, and pass its id as an output.`,
    );
  if (!isUnfilled(definition, live))
    throw objectExists(
      `${nameOf(definition, id)} was given values a moment ago, and they stay. Look at them in the console, then run ` +
        `"pulumi up" again, with ${assignment("adopt", true)} where they are to match the program.`,
    );
  context.ownership.claim(nameOf(definition, id), ownerOf(program));
  try {
    return { id, live: await converge({ ...declared, id, state: {}, live }) };
  } catch (error) {
    // A plain refusal has changed nothing: there is nothing that state would have to know of.
    const isUntouched =
      error instanceof PartialFailure && !error.error.uncertain && isUnfilled(definition, error.live);
    if (!isUntouched) throw error;
    context.ownership.releaseByAll(nameOf(definition, id));
    throw error.error;
  }
}

/** Takes out of a part what the state says is this resource's; the rest stays. */
export async function clearPart(stored: StoredObject, name: string, clears: ClearedPart): Promise<void> {
  const { context, definition, id, state } = stored;
  const { route, params } = routeTo(definition, name, id);
  const live = await shownBy(stored, clears.read);
  const body = { ...live };
  for (const field of managedBefore(state)) {
    const member = wireName(definition, field);
    const ours = toWire(definition, { [field]: state[field] })[member];
    const held = live[member];
    if (Array.isArray(held) && Array.isArray(ours)) body[member] = subtract(held, ours);
  }
  if (equalJson(body, live)) return;
  await context.client.maybeItem(route, { params, body: clears.shape?.(body) ?? body });
}

/**
 * The rest of a live list without our elements: equal elements go; of an object that says the same apart from its lists,
 * our elements of those lists go, and the object itself once they are empty. Null and absent are the same.
 */
export function subtract(live: readonly unknown[], ours: readonly unknown[]): unknown[] {
  return live.flatMap((one) => {
    const same = ours.filter((other) => equalJson(identity(one), identity(other)));
    if (same.length === 0) return [one];
    return isObject(one) && Object.values(one).some(Array.isArray) ? withoutElements(one, same) : [];
  });
}

function withoutElements(one: Record<string, unknown>, same: readonly unknown[]): unknown[] {
  const left = Object.entries(one).map(([name, value]) => {
    const ours = same.flatMap((other) => (isObject(other) && Array.isArray(other[name]) ? other[name] : []));
    return [name, Array.isArray(value) ? subtract(value, ours) : value] as const;
  });
  const isEmpty = left.every(([, value]) => !Array.isArray(value) || value.length === 0);
  return isEmpty ? [] : [Object.fromEntries(left)];
}

/** Members of an element apart from its lists. */
function identity(one: unknown): unknown {
  if (!isObject(one)) return one;
  return kept(givenIn(one), (_, value) => !Array.isArray(value));
}
