import type { ObjectDefinition } from "../../schema/define";
import { ConsoleError, unexpectedAnswer } from "../../schema/errors";
import type { JsonObject } from "../../schema/json";
import { addressIn, expectedId, idMember, nameField, secretOf } from "../../schema/object-id";
import type { Lifecycle } from "../../schema/verbs";
import { toWire } from "../../schema/wire-names";
import { quote } from "../../texts/issue-text";
import { idShown } from "../secret-ids";
import type { DeclaredObject } from "../subject";

/** A kind that programs make or only read. */
type AnyDefinition = ObjectDefinition & { readonly lifecycle?: Lifecycle };

/** True when an answer names an object, and another one than this. Answers of writes may name none. */
export function namesOtherObject(definition: AnyDefinition, id: string, answer: JsonObject): boolean {
  if (hasNoId(definition)) return false;
  const named = answer[idMember(definition)];
  return named !== undefined && named !== null && named !== id;
}

/** The one object of its kind has no id in the console, nor has a part of another object, nor what several arguments lead to. */
function hasNoId(definition: AnyDefinition): boolean {
  const { how } = definition.identity;
  return how === "singleton" || how === "address" || isPart(definition);
}

function isPart({ lifecycle }: AnyDefinition): boolean {
  return lifecycle?.create.how === "send" && lifecycle.create.fills === true;
}

/**
 * An answer about the object of this id. Some reads leave the id out and show the name (console-api/project.md,
 * section 2). @throws ConsoleError "unexpected-answer" for another object, and for what names none.
 */
export function requireSameObject(definition: AnyDefinition, id: string, answer: JsonObject): JsonObject {
  const member = idMember(definition);
  const named = answer[member];
  if (secretOf(definition) !== undefined) return requireSameSecret(member, id, answer);
  // The id of a part is that of the object which it belongs to.
  if (isPart(definition)) return { ...answer, [member]: id };
  // An answer need not repeat what the query named.
  const address = addressIn(definition, id);
  if (address !== undefined) return { ...answer, ...toWire(definition, address) };
  if (hasNoId(definition) || isSameId(definition, named, id)) return answer;
  if (named === undefined && typeof answer[nameField] === "string") return { ...answer, [member]: id };
  throw unexpectedAnswer(
    `The console was asked for ${quote(id)} and answered with an object whose ${member} is ${quote(named)}: ` +
      "the answer is ignored. Try again; if it stays so, report it to those who run the console.",
  );
}

/** Upper and lower case have no meaning in some ids, such as addresses. */
function isSameId({ identity, fields }: AnyDefinition, named: unknown, id: string): boolean {
  if (named === id || identity.how !== "key") return named === id;
  const isCaseless = fields[identity.argument]?.traits.sameAs === "caseless";
  return isCaseless && String(named).toLowerCase() === id.toLowerCase();
}

/** The same for an object that a secret leads to: reads may hide it, and no message shows it. */
function requireSameSecret(member: string, secret: string, answer: JsonObject): JsonObject {
  const named = answer[member] ?? secret;
  if (named === secret) return { ...answer, [member]: secret };
  throw unexpectedAnswer(
    `The console was asked for one object and answered with another, whose ${member} is a different one: the answer is ` +
      "ignored. Try again; if it stays so, report it to those who run the console.",
  );
}

/**
 * The id that a create answered. `sure`: it is the one that follows from the arguments; any other has to be read
 * before it is trusted. @throws ConsoleError "unexpected-answer" when there is none.
 */
export function answeredId(
  { context, definition, program }: DeclaredObject,
  answer: JsonObject,
  what: string,
): { readonly id: string; readonly sure: boolean } {
  const id =
    definition.identity.how === "address"
      ? expectedId(definition, program)
      : idShown({ context, definition }, answer);
  if (id !== undefined) return { id, sure: id === expectedId(definition, program) };
  throw new ConsoleError(
    `${what} succeeded, but its answer names no ${idMember(definition)}. Run the same command again.`,
    { category: "unexpected-answer", uncertain: true },
  );
}
