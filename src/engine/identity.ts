import type { ObjectDefinition, ResourceDefinition } from "../core/define";
import { ConsoleError } from "../core/errors";
import { quote } from "../core/issue-text";
import type { JsonObject } from "../core/json";
import { expectedId, idMember } from "../core/object-id";
import type { Lifecycle } from "../core/verbs";

/** A kind that programs make or only read. */
type AnyDefinition = ObjectDefinition & { readonly lifecycle?: Lifecycle };

/** True when an answer names an object, and another one than this. Answers of writes may name none. */
export function isOfAnother(definition: AnyDefinition, id: string, answer: JsonObject): boolean {
  if (hasNoId(definition)) return false;
  const named = answer[idMember(definition)];
  return named !== undefined && named !== id;
}

/** The one object of its kind has no id in the console. */
function hasNoId({ identity }: AnyDefinition): boolean {
  return identity.how === "singleton";
}

/**
 * An answer about the object of this id. Some reads leave the id out and show the name (console-api/project.md,
 * section 2). @throws ConsoleError "unexpected-answer" for another object, and for what names none.
 */
export function ofThis(definition: AnyDefinition, id: string, answer: JsonObject): JsonObject {
  const member = idMember(definition);
  const named = answer[member];
  if (hasNoId(definition) || named === id) return answer;
  if (named === undefined && typeof answer.name === "string") return { ...answer, [member]: id };
  throw new ConsoleError(
    `The console was asked for ${quote(id)} and answered with an object whose ${member} is ${quote(named)}: ` +
      "the answer is not believed. Try again; if it stays so, report it to those who run the console.",
    { category: "unexpected-answer" },
  );
}

/**
 * The id that a create answered. `sure`: it is the one that follows from the arguments; any other has to be looked at
 * before it is believed. @throws ConsoleError "unexpected-answer" when there is none.
 */
export function answeredId(
  definition: ResourceDefinition,
  answer: JsonObject,
  wants: JsonObject,
  what: string,
): { readonly id: string; readonly sure: boolean } {
  const id = answer[idMember(definition)];
  if (typeof id === "string" && id !== "") return { id, sure: id === expectedId(definition, wants) };
  throw new ConsoleError(
    `${what} succeeded, but its answer names no ${idMember(definition)}. Run the same command again.`,
    { category: "unexpected-answer", uncertain: true },
  );
}
