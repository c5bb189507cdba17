import { type Replaced, type ReplacementOrder, sharesName } from "../decisions/replacement-order";
import type { ResourceDefinition } from "../schema/define";
import type { JsonObject } from "../schema/json";
import { expectedId, idArguments, nameFor } from "../schema/object-id";
import { holdsUnknown } from "../schema/unknown";
import type { OnDelete } from "../schema/verbs";
import { argumentName, assignment } from "../texts/argument-names";
import { listText } from "../texts/count-text";
import { quote } from "../texts/issue-text";
import { onDeleteOf, optionsOf } from "../values/options";

/** A replacement that a sentence is about. */
export interface OrderedReplacement extends Replaced {
  readonly order: ReplacementOrder;
  /** Objects that ask for the old one while it is out of use, as far as they are known. */
  readonly users?: readonly string[];
}

/**
 * In which order an object and the one in its place come and go, and what is asked for meanwhile, in one sentence without a full
 * stop. Previews print it, and reports give it as a reason.
 */
export function replacementText(
  definition: ResourceDefinition,
  replaced: OrderedReplacement,
  program: JsonObject,
): string {
  const { id, state, order, users = [] } = replaced;
  const nameOf = (one: string) => `${definition.title} ${quote(one)}`;
  const next = expectedId(definition, program);
  const isKnown = !idArguments(definition).some((name) => holdsUnknown(program[name]));
  const [old, other] = [
    nameOf(id),
    next !== undefined && isKnown ? nameOf(next) : `the new ${definition.title}`,
  ];
  const how = onDeleteOf(definition, state);
  const gone = goneText(definition, how);
  if (order === "create-first") {
    if (how === "retain") return `${other} is created, and ${old} stays as it is`;
    const name = sharesName(definition, replaced, program)
      ? ` under the name ${quote(String(nameFor(definition, program)))}, which ${old} gives up`
      : "";
    return `${other} is created first${name}; ${old} is ${gone} after what uses it has moved`;
  }
  const comesBack = how === "archive" && definition.lifecycle.archived?.undo !== undefined;
  const anew = comesBack
    ? "and comes back as the program sets it"
    : "and is created anew without its history and results";
  const then = next === id ? anew : `and then ${other} is created`;
  return `${old} is ${gone} first, ${then}; meanwhile ${meanwhileText(definition, users)}`;
}

function goneText({ lifecycle }: ResourceDefinition, how: OnDelete): string {
  if (how === "archive") return "archived";
  return lifecycle.delete.remove?.clears === undefined ? "deleted" : "emptied";
}

function meanwhileText(
  { whenGone = "it is out of use" }: ResourceDefinition,
  users: readonly string[],
): string {
  if (users.length === 0) return whenGone;
  return `${whenGone}, and ${users.join(", ")} ${users.length === 1 ? "asks" : "ask"} for it`;
}

/** Most users that a sentence names. */
const mostUsers = 20;

/** Why an object cannot go while others use it. No program can see whether this very run lets it go: hence the words in brackets. */
export function inUseText(
  gone: {
    readonly definition: ResourceDefinition;
    /** `gate "checkout"`. */
    readonly label: string;
    readonly how: OnDelete;
  },
  users: readonly string[],
): string {
  const { definition, label, how } = gone;
  const it = users.length === 1 ? "refers to it" : "refer to it";
  const option = how === "archive" ? "forceArchive" : "forceDelete";
  const force =
    option in optionsOf(definition)
      ? `; or put it back with ${assignment(option, true)}, run "pulumi up", then take it out`
      : "";
  return (
    `${label} is no longer in the program, and "pulumi up" cannot ${how} it while ${listText(users, mostUsers)} ${it} ` +
    `(a run with --target, or ${argumentName("retainOnDelete")}, leaves it alone). Take the reference away first${force}.`
  );
}
