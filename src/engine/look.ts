import type { ResourceDefinition } from "../core/define";
import { ConsoleError } from "../core/errors";
import { adoptMember } from "../core/internal";
import type { JsonObject } from "../core/json";
import { managedNames } from "../core/managed";
import { calledBy, expectedId, secretOf } from "../core/object-id";
import { type EngineContext, nameOf } from "./context";
import { listNamed } from "./duplicates";
import { type Attempt, isAsLeft, originOf } from "./own";
import { isVacant } from "./part";
import { observe } from "./read";

/** An object that is there already. */
export interface Found {
  readonly id: string;
  readonly live: JsonObject;
}

/** Most ids of a kind that each create notes: the journal would grow with their square. Above, only those of its name. */
const mostNoted = 100;

/** What a look saw. */
export interface Seen {
  /** The object that a create would collide with, or that the program wants taken over. */
  readonly found?: Found;
  /** Ids of the objects that are there, by whatever name: one may be given it later. */
  readonly there: readonly string[];
}

/**
 * Looks for the object of a create: by the id to import, by the id that the console will give, and where it generates
 * one, by name.
 */
export async function look(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
  attempt: Attempt,
): Promise<Seen> {
  const imported = wants[adoptMember];
  const id = typeof imported === "string" ? imported : expectedId(definition, wants);
  if (id === undefined) return lookByName(context, definition, wants, attempt);
  const live = await observe(context, definition, id, managedNames(definition, wants));
  const isFree = live === undefined || (imported === undefined && isVacant(definition, live));
  return isFree ? { there: [] } : { found: { id, live }, there: [id] };
}

/** Names of such objects are not unique: one is taken when it is the only one, or when it is this program's own. */
async function lookByName(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
  attempt: Attempt,
): Promise<Seen> {
  const listed = await listNamed(context, definition, wants);
  const named = listed.named.filter((id) => id !== attempt.leaving);
  const there = (listed.all.length <= mostNoted ? listed.all : named).filter((id) => id !== attempt.leaving);
  const all: Found[] = [];
  for (const id of named) {
    const live = await observe(context, definition, id, managedNames(definition, wants));
    if (live !== undefined) all.push({ id, live });
  }
  const likely = all.filter(({ id, live }) => isAsLeft(definition, { id, live, wants }));
  const isOwn = ({ id, live }: Found) =>
    originOf(definition, { id, live, wants }, attempt, context.client.clockOffsetMs()) === "this-stack";
  // One that this stack made, and that is not as the program says any more, is not made a second time either.
  const own = likely.find(isOwn) ?? all.find(isOwn);
  if (own !== undefined) return { found: own, there };
  if (wants.adopt === true) {
    if (all.length > 1) throw ambiguous(definition, wants, named);
    if (all.length === 0 && listed.hides) throw hidden(definition, wants);
    return all[0] === undefined ? { there } : { found: all[0], there };
  }
  // Nothing tells whether a killed run left it or somebody else made it: where nothing was noted, it is not made twice.
  const [unclear] = attempt.entry === undefined ? likely : [];
  return unclear === undefined ? { there } : { found: unclear, there };
}

function ambiguous(definition: ResourceDefinition, wants: JsonObject, ids: readonly string[]): ConsoleError {
  const names = ids.map((id) => nameOf(definition, id)).join(", ");
  const way =
    secretOf(definition) === undefined
      ? "Say which one to take over with the import option instead of adopt: true."
      : "In the console, give all but the one to take over another name.";
  return new ConsoleError(
    `There are ${ids.length} of the name ${JSON.stringify(calledBy(definition, wants))}: ${names}. ${way}`,
    { category: "exists" },
  );
}

/** What leads to it cannot be had; another one beside it is not what the program asks for. */
function hidden(definition: ResourceDefinition, wants: JsonObject): ConsoleError {
  return new ConsoleError(
    `There is a ${definition.title} of the name ${JSON.stringify(calledBy(definition, wants))}, and the console does not show ` +
      "what leads to it, so it cannot be taken over. Leave out adopt to make another one, or choose another name.",
    { category: "exists" },
  );
}
