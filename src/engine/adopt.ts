import type { ResourceDefinition } from "../core/define";
import { ConsoleError } from "../core/errors";
import type { JsonObject } from "../core/json";
import { asNew, isClosed } from "../core/machine";
import { changesOf, differences, fixedChanges, isArchived, wantsArchived } from "../core/plan";
import { type EngineContext, type Made, nameOf, routeTo, Unfinished } from "./context";
import { holderOf } from "./holders";
import { refusalOf } from "./machine";
import { type Candidate, isOwn } from "./own";
import { bringInLine } from "./update";

/**
 * Decides what a create does with an object that is there already: revive an archived one, take over its own lost
 * create or what the program says to adopt, and refuse everything else with the reason.
 * @returns undefined when the object had to go, so that it can be created anew.
 */
export async function existing(
  context: EngineContext,
  definition: ResourceDefinition,
  found: Candidate & { id: string },
): Promise<Made | undefined> {
  const title = nameOf(definition, found.id);
  // Who had it before somebody archived it has it no more.
  const isFree = isArchived(definition, found.live) && !wantsArchived(definition, found.wants);
  if (!isFree && context.holders.isHeld(title)) throw declaredTwice(definition, found.id);
  if (isFree) context.holders.free(title);
  // From here on it is spoken for: another resource may be looking at the same time.
  context.holders.add(title, holderOf(found.wants));
  try {
    const made = await takeOver(context, definition, found);
    if (made === undefined) context.holders.free(title);
    return made;
  } catch (error) {
    if (error instanceof Unfinished) context.holders.leaveUnfinished(title);
    else context.holders.free(title);
    throw error;
  }
}

async function takeOver(
  context: EngineContext,
  definition: ResourceDefinition,
  found: Candidate & { id: string },
): Promise<Made | undefined> {
  const { id, live, wants } = found;
  if (isArchived(definition, live) && !wantsArchived(definition, wants)) {
    return revive(context, definition, found);
  }
  const adopting = wants.adopt === true || wants.__adopt !== undefined;
  if (!adopting && !isOwn(definition, { ...found, idsOf: context.idsOf })) throw exists(definition, found);
  const stuck = adopting ? stuckNames(definition, live, wants) : [];
  if (stuck.length > 0) throw cannotAdopt(definition, id, stuck);
  const state = adopting ? said(definition, wants, live) : wants;
  // Nothing is taken that would have to be left as it is.
  const subject = { context, definition, id, wants, live };
  const refusal = refusalOf(subject, changesOf(definition, live, wants, [], state));
  if (refusal !== undefined) throw refusal;
  if (!adopting && found.lost !== true)
    context.report(
      `${nameOf(definition, id)} was made by an interrupted run and untouched since: taken over.`,
    );
  return { id, live: await bringInLine(context, definition, { id, wants, state }, live) };
}

/**
 * What counts as said of an object that is there already, among the fields whose live value is not compared: what only a
 * create can say, whatever an object takes no more, and where a read shows a value, that value.
 */
function said(definition: ResourceDefinition, wants: JsonObject, live: JsonObject): JsonObject {
  const names = Object.keys(definition.fields).filter((name) => definition.fields[name]?.facts.remembered);
  return Object.fromEntries(
    names.map((name) => [
      name,
      isClosed(definition, live) || definition.fields[name]?.facts.fixed ? wants[name] : live[name],
    ]),
  );
}

async function revive(
  context: EngineContext,
  definition: ResourceDefinition,
  found: Candidate & { id: string },
): Promise<Made | undefined> {
  const { id, live } = found;
  // What comes into being begins at the beginning, also where something was before.
  const wants = asNew(definition, found.wants);
  const stuck = fixedChanges(definition, live, wants).filter(({ name }) => wants[name] !== undefined);
  const removal = definition.lifecycle.delete.remove;
  const subject = { context, definition, id, wants, live };
  const refusal = refusalOf(subject, changesOf(definition, live, wants, [], said(definition, wants, live)));
  if (
    (stuck.length > 0 || refusal !== undefined) &&
    wants.onImmutableChange === "replace" &&
    removal !== undefined
  ) {
    context.report(
      `${nameOf(definition, id)} was archived and cannot become what the program says: deleted for ever, to be created anew.`,
    );
    const { route, params } = routeTo(definition, removal.route, id);
    await context.client.maybeItem(route, { params });
    return undefined;
  }
  if (refusal !== undefined) throw refusal;
  context.report(`${nameOf(definition, id)} was archived: brought back and in line with the program.`);
  const state = said(definition, wants, live);
  return { id, live: await bringInLine(context, definition, { id, wants, state }, live) };
}

/** Fields in which the live object differs and that cannot be changed in place, or not without harm. */
function stuckNames(definition: ResourceDefinition, live: JsonObject, wants: JsonObject): string[] {
  const facts = (name: string) => definition.fields[name]?.facts;
  return Object.keys(changesOf(definition, live, wants, [])).filter(
    (name) =>
      facts(name)?.remembered !== true && (facts(name)?.fixed === true || facts(name)?.replaces === true),
  );
}

function cannotAdopt(definition: ResourceDefinition, id: string, names: string[]): ConsoleError {
  return new ConsoleError(
    `${nameOf(definition, id)} cannot be taken over: it differs in ${names.join(", ")}, which no update can change. ` +
      "Make the program say what is there.",
    { category: "exists" },
  );
}

/** Two resources of one program name the same object. */
export function declaredTwice(definition: ResourceDefinition, id: string): ConsoleError {
  return new ConsoleError(
    `${nameOf(definition, id)} belongs to another resource of this program already. Give one of the two another key or remove it.`,
    { category: "exists" },
  );
}

function exists(
  definition: ResourceDefinition,
  { id, live, wants }: Candidate & { id: string },
): ConsoleError {
  const paths = differences(definition, live, wants);
  const how =
    paths.length === 0 ? "It is what the program says" : `It differs in ${paths.slice(0, 20).join(", ")}`;
  return new ConsoleError(
    `${nameOf(definition, id)} exists already. ${how}. Set adopt: true to take it over` +
      `${paths.length === 0 ? "" : " and bring it in line"}, or choose another key.`,
    { category: "exists" },
  );
}
