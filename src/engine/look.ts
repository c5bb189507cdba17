import { expectedId, type ResourceDefinition } from "../core/define";
import { ConsoleError } from "../core/errors";
import type { JsonObject } from "../core/json";
import { managedNames } from "../core/managed";
import { type EngineContext, nameOf } from "./context";
import { type Attempt, explains, isOwn, mayBeOwn } from "./own";
import { observe } from "./read";
import { idsNamed } from "./twins";

/** An object that is there already. */
export interface Found {
  readonly id: string;
  readonly live: JsonObject;
  /** It was not there before this stack sent a create of it. */
  readonly mine: boolean;
  /** This run sent a create of it whose answer was lost. */
  readonly lost: boolean;
}

/** What a look saw. */
export interface Seen {
  /** The object that a create would collide with, or that the program wants taken over. */
  readonly found?: Found;
  /** Ids of the objects that bear the name, but for those that this run has made. */
  readonly there: readonly string[];
}

/**
 * Looks for the object of a create: by the id to import, by the id that the console will give, and where it thinks one
 * up, by name.
 */
export async function look(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
  attempt: Attempt,
): Promise<Seen> {
  const id = typeof wants.__adopt === "string" ? wants.__adopt : expectedId(definition, wants);
  if (id === undefined) return lookByName(context, definition, wants, attempt);
  const live = await observe(context, definition, id, managedNames(definition, wants));
  return live === undefined
    ? { there: [] }
    : { found: { id, live, mine: explains(attempt, id), lost: attempt.lost }, there: [id] };
}

/** Names of such objects are not unique: one is taken when it is the only one, or when it is this program's own. */
async function lookByName(
  context: EngineContext,
  definition: ResourceDefinition,
  wants: JsonObject,
  attempt: Attempt,
): Promise<Seen> {
  const there = await idsNamed(context, definition, wants);
  const all: Found[] = [];
  for (const id of there) {
    const live = await observe(context, definition, id, managedNames(definition, wants));
    if (live !== undefined) all.push({ id, live, mine: explains(attempt, id), lost: attempt.lost });
  }
  const own = all.find(({ live, mine, lost }) => isOwn(definition, { live, wants, mine, lost }));
  if (own !== undefined) return { found: own, there };
  if (wants.adopt === true) {
    if (all.length > 1) throw ambiguous(definition, wants, there);
    return all[0] === undefined ? { there } : { found: all[0], there };
  }
  const unclear = all.find(({ live }) => mayBeOwn(definition, { live, wants, mine: false }));
  if (unclear !== undefined && attempt.noted === undefined) throw perhapsOurs(definition, unclear.id, wants);
  return { there };
}

function ambiguous(definition: ResourceDefinition, wants: JsonObject, ids: readonly string[]): ConsoleError {
  return new ConsoleError(
    `There are ${ids.length} of the name ${JSON.stringify(wants[definition.identity.argument])}: ${ids.join(", ")}. ` +
      "Say which one to take over with the import option instead of adopt: true.",
    { category: "exists" },
  );
}

function perhapsOurs(definition: ResourceDefinition, id: string, wants: JsonObject): ConsoleError {
  return new ConsoleError(
    `${nameOf(definition, id)} has the name ${JSON.stringify(wants[definition.identity.argument])} already and is as this ` +
      "program would make it; an interrupted run may have left it. Set adopt: true to take it over, or choose another name.",
    { category: "exists" },
  );
}
