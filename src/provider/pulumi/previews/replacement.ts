import { type Replaced, type ReplacementOrder, replacementOrder } from "../../decisions/replacement-order";
import { findForCreate, nameOf, refuseTakenName, usersNow } from "../../engine";
import type { Problem, ResourceDefinition } from "../../schema/define";
import { isConsoleError, objectExists, withoutAnswer } from "../../schema/errors";
import { adoptMember, resourceMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { expectedId, nameField, programId } from "../../schema/object-id";
import { holdsUnknown, UNKNOWN } from "../../schema/unknown";
import { argumentName, assignment } from "../../texts/argument-names";
import { restoredProblems } from "../../values/machine";
import { onDeleteOf } from "../../values/options";
import { replacementText } from "../../words";
import { orderIn } from "../arguments/program-note";
import type { KindInProcess } from "../process";
import type { ReplacedDependent } from "../runs/run";
import { announceFinding } from "./change-notice";

/**
 * Refuses a replacement by arguments that would harm, and otherwise keeps what it replaces for the create. A preview reports in which
 * order the two come and go.
 * @throws ConsoleError "exists": then nothing is replaced.
 */
export async function prepareReplacement(
  kind: KindInProcess,
  { names, ...replaced }: ReplacedDependent,
  news: JsonObject,
): Promise<void> {
  const { definition, process } = kind;
  const record = process.run.resource(news[resourceMember]);
  const order = orderIn(record.note) ?? replacementOrder(definition, replaced.id, news);
  await refuseBadReplacement(kind, { ...replaced, why: "arguments", order }, news);
  record.replaces = { ...replaced, object: nameOf(definition, replaced.id) };
  if (process.isPreview !== false) await announceOrder(kind, { ...replaced, order, names }, news);
}

async function announceOrder(
  { definition, process }: KindInProcess,
  replaced: ReplacedDependent & { readonly order: ReplacementOrder },
  news: JsonObject,
): Promise<void> {
  const { id, state, order, names } = replaced;
  if (definition.lifecycle.create.how !== "send") return;
  const isCertain = names.some((name) => !holdsUnknown(news[name]));
  // Its users matter while nothing is there. The sentence leaves them out if the console does not show them.
  const users =
    order === "delete-first" && isCertain
      ? await usersNow({ context: process.context(), definition, id }).catch(withoutAnswer([]))
      : [];
  const isRetained = await process.stack.isRetained(String(news[resourceMember]), id);
  const old = isRetained ? { ...state, onDelete: "retain" } : state;
  const text = replacementText(definition, { id, state: old, order, users }, news);
  // Programs of other languages than TypeScript do not note the option.
  const reversed =
    process.isPreview === undefined && !isRetained && expectedId(definition, news) !== id
      ? ` (with ${assignment("deleteBeforeReplace", true)}, the other way round)`
      : "";
  const condition = isCertain
    ? ""
    : `If ${names.map(argumentName).join(", ")} ${names.length === 1 ? "changes" : "change"}, `;
  process.reportOnce(`${condition}${text}${reversed}.`, news[resourceMember]);
}

/** A replacement that arguments or only Pulumi's options ask for. */
interface Replacing extends Replaced {
  readonly why: "arguments" | "options";
  readonly order: ReplacementOrder;
}

/**
 * Reads what has the key and the name of the new object before the old one is touched, and says what would be done about what
 * is there.
 * @throws ConsoleError "exists" when the new object could not be made: then nothing is replaced.
 */
export async function refuseBadReplacement(
  kind: KindInProcess,
  { id, state, why, order }: Replacing,
  news: JsonObject,
): Promise<void> {
  const { definition, process } = kind;
  const object = nameOf(definition, id);
  const next = expectedId(definition, news);
  if (definition.lifecycle.create.how !== "send") return;
  const how = onDeleteOf(definition, state);
  const comesBack = how === "archive" && definition.lifecycle.archived !== undefined;
  const keepsName =
    definition.fields[nameField]?.traits.fixed === true && state[nameField] === news[nameField];
  const isTaken = how !== "delete" && !comesBack && (next === id || keepsName);
  // An object that only the program's options replace can be changed in place.
  if (why === "arguments" && isTaken)
    throw objectExists(
      `${object} cannot be replaced: ${assignment("onDelete", how)} leaves its key and name taken. Nothing was changed. ` +
        `Set ${assignment("onDelete", "delete")} in an up of its own first, choose another key and name, or put the old value back.`,
    );
  if (why === "arguments" && next === id && order === "create-first")
    throw objectExists(
      `${object} cannot be replaced with ${assignment("deleteBeforeReplace", false)}: a key can have one object at a time. Nothing was changed. ` +
        "Leave the option out, or choose another key.",
    );
  if (why === "options" && next === id && order === "delete-first" && how === "archive")
    refuseWithoutReturn(definition, { id, state }, news);
  if ([next, programId(definition, news), news[nameField]].some(holdsUnknown)) return;
  const successor = process.run.nameOfOther(process.run.object(object).declarer, news[resourceMember]);
  if (next !== undefined && next !== id && successor !== undefined)
    throw objectExists(
      `${object} goes only at the end of the update, and the resource "${successor}" of this program takes its place before. Nothing was changed. ` +
        'To exchange what two objects do, exchange their arguments; to move one, run "pulumi up" twice: first without, then with it.',
    );
  try {
    if (next !== id || news[adoptMember] !== undefined) await refuseTakenPlace(kind, id, news);
    await refuseTakenName({ context: process.context(), definition, id, state, program: news }, order);
  } catch (error) {
    if (!isConsoleError(error, "exists") && !isConsoleError(error, "not-found")) throw error;
    throw objectExists(`${error.message} ${object} stays as it is.`);
  }
}

/** Refuses to archive an object that would not come back as the program sets it: an experiment ends for good. */
function refuseWithoutReturn(
  definition: ResourceDefinition,
  { id, state }: Replaced,
  news: JsonObject,
): void {
  const { field, is } = definition.lifecycle.archived ?? {};
  const [problem] = field === undefined ? [] : restoredProblems(definition, { ...state, [field]: is }, news);
  if (problem === undefined) return;
  throw objectExists(
    `${nameOf(definition, id)} cannot be replaced with ${assignment("deleteBeforeReplace", true)}, because it ${problem.message}. ` +
      "Nothing was changed. Leave the option out, or choose another key.",
  );
}

/**
 * Problems of a replacement that Pulumi decided on by the arguments of last time, which let it, where those of now
 * do not. Without a preview it shows after the object has gone: then only what could not come back is refused.
 */
export function withdrawnReplaceProblems(
  { definition, process }: KindInProcess,
  resource: string | undefined,
  inputs: JsonObject,
): Problem[] {
  const dependent = process.run.resource(resource).replacedDependent;
  const option = inputs.onImmutableChange;
  if (dependent === undefined || option === "replace" || option === UNKNOWN) return [];
  const { id, state, names } = dependent;
  if (names.some((name) => definition.fields[name]?.traits.replaces === true)) return [];
  const isGone = process.run.object(nameOf(definition, id)).isDeleted === true;
  if (isGone ? onDeleteOf(definition, state) !== "archive" : process.isPreview === false) return [];
  const object = nameOf(definition, id);
  const why =
    `because ${names.map(argumentName).join(", ")} comes from a resource that is replaced, and the program of the last up set ` +
    assignment("onImmutableChange", "replace");
  const message = isGone
    ? `${object} was archived in this run, ${why}. It cannot come back as it is to be: set ${assignment("onImmutableChange", "replace")} again ` +
      "to delete it and create it anew, or make it one of another key"
    : `${object} would be deleted and created anew, ${why}. Keep ${assignment("onImmutableChange", "replace")} in this up, and remove it in ` +
      "the next; or put back what replaces the other resource. Nothing was changed";
  return [{ path: names.slice(0, 1), message }];
}

async function refuseTakenPlace(kind: KindInProcess, id: string, news: JsonObject): Promise<void> {
  const { definition, process } = kind;
  const { finding, refusal } = await findForCreate(process.declared(definition, news), id);
  if (refusal !== undefined) throw refusal;
  if (process.isPreview !== false) announceFinding(kind, finding, news);
}
