import { isArchived } from "../../decisions/plan";
import type { ReplacementOrder } from "../../decisions/replacement-order";
import type { ResourceDefinition } from "../../schema/define";
import { type ConsoleError, objectExists } from "../../schema/errors";
import type { JsonObject } from "../../schema/json";
import {
  expectedId,
  hasUniqueNames,
  idMember,
  nameField,
  nameFor,
  programIdArgument,
} from "../../schema/object-id";
import { assignment } from "../../texts/argument-names";
import { sameMeaning } from "../../values/compare";
import { isClosed } from "../../values/machine";
import { onDeleteOf } from "../../values/options";
import { nameOf } from "../context";
import { listOf, wholeList } from "../listing";
import { readLive } from "../read";
import type { KindHere, Target } from "../subject";
import { canFreeName } from "./free-name";
import { laterAdopter } from "./origin";

/**
 * Refuses a replacement whose new object could not have its name: it belongs to an object of another id, or the old one
 * keeps it. Asks for the old object where state says that the name is its own, and for the list where it is not.
 * @throws ConsoleError "exists".
 */
export async function refuseTakenName(replaced: Target, order: ReplacementOrder): Promise<void> {
  const { definition, id, state, program } = replaced;
  const next = expectedId(definition, program);
  // If the id is the name, the search by id has answered this.
  const { identity } = definition;
  if (!hasUniqueNames(definition) || (identity.how === "key" && identity.argument === nameField)) return;
  const name = nameFor(definition, program);
  // A part of another object has no name.
  if (name === undefined) return;
  if (sameMeaning(definition, nameField, state[nameField], name)) {
    if (next === id) return;
    const old = await readLive(replaced);
    const isOwn = old !== undefined && sameMeaning(definition, nameField, old[nameField], name);
    const isLeft = isOwn && (await laterAdopter(replaced)) !== undefined;
    if (isOwn && (isLeft || keepsName(definition, state, old))) throw nameKept(definition, id, name);
    if (isOwn && order === "create-first" && !canFreeName(definition, old))
      throw nameHeld(definition, { id, next, name });
    if (isOwn) return;
  }
  const idsOfSameName = await idsOfName(replaced, name);
  if (idsOfSameName.some((one) => one !== id && one !== next)) throw nameTaken(definition, program);
}

/** Ids of the objects of a name, archived ones too where the list shows them. */
async function idsOfName({ context, definition }: KindHere, name: unknown): Promise<unknown[]> {
  const list = listOf(definition);
  if (list === undefined) return [];
  const items = await Array.fromAsync(context.client.items(...wholeList(definition, list)));
  const named = items.filter((item) => sameMeaning(definition, nameField, item[nameField], name));
  return named.map((item) => item[idMember(definition)]);
}

/** True where the delete leaves the name with the old object: it stays, or is archived and takes no other name. */
function keepsName(definition: ResourceDefinition, state: JsonObject, live: JsonObject): boolean {
  const how = onDeleteOf(definition, state);
  if (how === "archive") return isArchived(definition, live) || isClosed(definition, live);
  return how === "retain";
}

function nameKept(definition: ResourceDefinition, id: string, name: unknown): ConsoleError {
  return objectExists(
    `The name ${JSON.stringify(name)} stays taken: ${nameOf(definition, id)} has it, which is not deleted. Choose another name.`,
  );
}

/** The new object is created while the old one is there, and that one takes no other name. */
function nameHeld(
  definition: ResourceDefinition,
  { id, next, name }: { readonly id: string; readonly next: string | undefined; readonly name: unknown },
): ConsoleError {
  const argument = programIdArgument(definition);
  const another = argument === undefined || next === undefined ? "This change" : `Another ${argument}`;
  return objectExists(
    `${another} makes another ${definition.title}, which is created before ${nameOf(definition, id)} goes, and that one keeps the name ${JSON.stringify(name)} till then: ` +
      `it cannot be renamed. Put ${argument ?? "the old value"} back, choose another name too, or set ${assignment("deleteBeforeReplace", true)}.`,
  );
}

/** Says that the name of a new object is taken. */
export function nameTaken(
  definition: ResourceDefinition,
  program: JsonObject,
  cause?: ConsoleError,
): ConsoleError {
  return objectExists(
    `The name ${JSON.stringify(nameFor(definition, program))} belongs to another ${definition.title}, under another id; it may be an archived one. ` +
      `Choose another name, or use the id of that object as the key and set ${assignment("adopt", true)}.`,
    { cause },
  );
}
