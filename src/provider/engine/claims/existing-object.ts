import { routeOf } from "../../schema/define";
import { type ConsoleError, objectExists, withoutAnswer } from "../../schema/errors";
import { adoptMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { expectedId, nameField, programId, programIdArgument, secretOf } from "../../schema/object-id";
import { assignment } from "../../texts/argument-names";
import { countIs } from "../../texts/count-text";
import { quote } from "../../texts/issue-text";
import { managedNames } from "../../values/managed";
import { nameOf, objectLabel, PartialFailure } from "../context";
import { listOf } from "../listing";
import { isUnfilled } from "../object-part";
import { ownerOf } from "../ownership";
import { isGone, readLive } from "../read";
import { idShown } from "../secret-ids";
import type { DeclaredObject } from "../subject";
import { type Creating, equalsOwnCreate, originOf } from "./origin";

/** An object that is there already. */
export interface ExistingObject {
  readonly id: string;
  readonly live: JsonObject;
}

/** Most ids of a kind that each create writes to the journal: it grows with their square. Above, only those of its name. */
const mostNotedIds = 100;

/** Objects at the place of a new one. */
export interface FoundObjects {
  /** The object that a create would collide with, or that the program adopts. */
  readonly found?: ExistingObject | undefined;
  /** Ids of the objects that are there, by whatever name: one may be given it later. */
  readonly existingIds: readonly string[];
  /** Ids of the objects of that name beside which a create makes another one. */
  readonly namesakes?: readonly string[];
}

/**
 * Searches for the object of a create: by the id to import, by the id that the console will give, and where it generates
 * one, by name.
 */
export async function findExisting(creating: Creating): Promise<FoundObjects> {
  const { context, definition, program } = creating;
  const { create } = definition.lifecycle;
  const imported = create.how === "claim" ? undefined : program[adoptMember];
  const id = typeof imported === "string" ? imported : expectedId(definition, program);
  if (id === undefined) return findExistingByName(creating);
  const unread = create.how === "claim" && create.mayBeUnread === true ? {} : undefined;
  const live = (await readLive({ context, definition, id }, managedNames(definition, program))) ?? unread;
  const isFree = live === undefined || (imported === undefined && isUnfilled(definition, live));
  return isFree ? { existingIds: [] } : { found: { id, live }, existingIds: [id] };
}

/** Names of such objects are not unique: one is taken when it is the only one, or when it is this program's own. */
async function findExistingByName(creating: Creating): Promise<FoundObjects> {
  const { context, definition, program } = creating;
  const listed = await listNamed(creating);
  const named = listed.named.filter((id) => id !== creating.replacedId);
  // The one that is replaced among them: no create makes it, and it is no duplicate of what one makes.
  const existingIds = listed.all.length <= mostNotedIds ? listed.all : listed.named;
  const all: ExistingObject[] = [];
  for (const id of named) {
    const live = await readLive({ context, definition, id }, managedNames(definition, program));
    if (live !== undefined) all.push({ id, live });
  }
  const likely = all.filter((one) => equalsOwnCreate({ ...one, definition, program }));
  const isCreatedByUs = (one: ExistingObject) =>
    originOf({ ...one, definition, program }, creating, context.client.clockOffsetMs()) === "this-stack";
  // One that this stack made, and that is not as the program says any more, is not made a second time either.
  const createdByUs = likely.find(isCreatedByUs) ?? all.find(isCreatedByUs);
  if (createdByUs !== undefined) return { found: createdByUs, existingIds };
  if (program.adopt === true) {
    if (all.length > 1) throw ambiguous(creating, named);
    if (all.length === 0 && listed.hides) throw hidden(creating);
    return { found: all[0], existingIds };
  }
  // Nothing tells whether a killed run left it or somebody else made it: where the journal has no entry, it is not made twice.
  const [unclear] = creating.entry === undefined ? likely : [];
  return unclear === undefined ? { existingIds, namesakes: named } : { found: unclear, existingIds };
}

/** Objects of a kind as its list shows them. */
interface Listed {
  /** Ids of the objects that bear the name of what is wanted, but for those that a resource holds. */
  readonly named: readonly string[];
  /** Ids of all objects of the kind. */
  readonly all: readonly string[];
  /** True where an object of that name is there whose id the list does not show. */
  readonly hides: boolean;
}

/** Searches the list of a kind for the name of what is wanted. */
async function listNamed({ context, definition, program }: DeclaredObject): Promise<Listed> {
  const list = listOf(definition);
  if (list === undefined) return { named: [], all: [], hides: false };
  const called = programIdArgument(definition) ?? nameField;
  const { resource } = ownerOf(program);
  const named: string[] = [];
  const all: string[] = [];
  let hides = false;
  for await (const item of context.client.items(routeOf(definition, list), {})) {
    if (isGone(definition, item)) continue;
    const id = idShown({ context, definition }, item);
    if (id === undefined) {
      hides ||= item[called] === program[called];
      continue;
    }
    all.push(id);
    if (context.ownership.ownedBy(nameOf(definition, id), resource) === "another") continue;
    if (item[called] === program[called]) named.push(id);
  }
  return { named, all, hides };
}

/**
 * Refuses an object beside which another one of its name came up since `existingIds` were read: a request may be delivered twice,
 * and where names are not unique that makes two. Which is too many, nothing shows, and another stack may have made one.
 * @throws PartialFailure, with the object that the create made or found.
 */
export async function refuseDuplicateOf(
  declared: DeclaredObject,
  existingIds: readonly string[] | undefined,
  { id, live }: ExistingObject,
): Promise<void> {
  const { context, definition, program } = declared;
  if (definition.identity.how !== "server" || existingIds === undefined) return;
  // The create has done its part: what cannot be looked at is no reason to fail.
  const listed = await listNamed(declared).catch(withoutAnswer(undefined));
  const ids = new Set([id, ...(listed?.named ?? []).filter((one) => !existingIds.includes(one))]);
  if (ids.size < 2) return;
  const others = await context.journal.entriesOfOthers(objectLabel(definition, program));
  if (others.some(({ did, made }) => did === "create" && (made === undefined || ids.has(made)))) return;
  const named = `${countIs(ids.size, definition.title)} named ${quote(programId(definition, program))}`;
  const kept = `State keeps ${nameOf(definition, id)}.`;
  const message = `${named}: delete one in the console. ${kept}`;
  throw new PartialFailure(id, live, objectExists(message));
}

function ambiguous({ definition, program }: DeclaredObject, ids: readonly string[]): ConsoleError {
  const names = ids.map((id) => nameOf(definition, id)).join(", ");
  const way =
    secretOf(definition) === undefined
      ? `Name the one to take over by the import option, in the place of ${assignment("adopt", true)}.`
      : "Rename the others in the console, so that only the one to take over has this name.";
  return objectExists(
    `${ids.length} objects have the name ${JSON.stringify(programId(definition, program))}: ${names}. ${way}`,
  );
}

/** The secret that leads to it cannot be read; another object beside it is not the one that the program sets. */
function hidden({ definition, program }: DeclaredObject): ConsoleError {
  return objectExists(
    `The ${definition.title} ${JSON.stringify(programId(definition, program))} exists already, and cannot be taken over: the console does not ` +
      "show the secret value by which it is found. Leave out adopt to make another one, or choose another name.",
  );
}
