import { stackMark, stackOfMark } from "../decisions/stack-mark";
import type { ResourceDefinition } from "../schema/define";
import { resourceMember, stackMember } from "../schema/internal";
import type { JsonObject } from "../schema/json";
import type { Path } from "../schema/path";
import { quote, quoteField } from "../texts/issue-text";
import { hiddenValue } from "../texts/secret-texts";
import { type EngineContext, objectLabel } from "./context";

// No step of the engine changes its subject: a step that learns or sends something returns the next one.

/** A kind of object, in the console of a run. */
export interface KindHere {
  readonly context: EngineContext;
  readonly definition: ResourceDefinition;
}

/** An object of the console, by its id. */
export interface ObjectHere extends KindHere {
  readonly id: string;
}

/** An object that state has. */
export interface StoredObject extends ObjectHere {
  readonly state: JsonObject;
}

/** An object that a program declares. */
export interface DeclaredObject extends KindHere {
  readonly program: JsonObject;
}

/** An object that state has, or what counts as applied to one that it has not, and that is to become what a program declares. */
export interface Target extends StoredObject, DeclaredObject {}

/** An object with the values that a read has shown. */
export interface LiveObject extends ObjectHere {
  readonly live: JsonObject;
}

/** Members of a subject that lead to its journal entries. */
export interface Journalled extends Pick<StoredObject, "definition" | "state"> {
  readonly context: Pick<EngineContext, "journal" | "stack" | "backend">;
}

/** The journal of the stack that has an object in state, about that object. */
export function journalOf({ context, definition, state }: Journalled) {
  const { journal } = context;
  const [object, stack] = [objectLabel(definition, state), stackOf(context, state)];
  return {
    find: () => journal.find(object, stack),
    write: (entry: Parameters<typeof journal.write>[1]) => journal.write(object, entry, stack),
    entriesOfOthers: () => journal.entriesOfOthers(object, stack),
    drop: () => journal.drop(object, stack),
  };
}

/** The mark of the stack that has an object in state: that of this run, or where no program has told, the one in state. */
export function stackOf(
  { stack, backend }: Pick<EngineContext, "stack" | "backend">,
  state: JsonObject,
): string | undefined {
  const running = stack();
  const stored = state[stackMember];
  if (running !== undefined || typeof stored !== "string") return running;
  const { name, backend: before } = stackOfMark(stored);
  return stackMark({ name, backend: backend() ?? before });
}

/** A value at a path of the arguments in a message, which shows no secret: not of a secret field, nor one that the program has there. */
export function valueTextAt(
  { context, definition, program }: DeclaredObject,
  path: Path,
  value: unknown,
): string {
  const name = String(path[0]);
  const isSecret = definition.fields[name]?.traits.secret === true;
  if (isSecret || context.isSecret(program[resourceMember], name)) return hiddenValue;
  return path.length > 1 ? quote(value) : quoteField(definition, name, value);
}
