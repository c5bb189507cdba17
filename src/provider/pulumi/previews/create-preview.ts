import { foundText, isClaimCertain, takesOver } from "../../decisions/claim";
import type { Replaced } from "../../decisions/replacement-order";
import { inPlaceText } from "../../decisions/replacement-order";
import { findForCreate, inPlaceRefusal, nameOf, objectLabel } from "../../engine";
import type { Problem } from "../../schema/define";
import { isConsoleError, messageOf, withoutAnswer } from "../../schema/errors";
import { adoptMember, resourceMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { expectedId, programId } from "../../schema/object-id";
import { holdsUnknown } from "../../schema/unknown";
import { willFail } from "../../words/text";
import { orderIn } from "../arguments/program-note";
import type { KindInProcess } from "../process";
import { announceFinding, announceWarnings } from "./change-notice";
import { refuseBadReplacement } from "./replacement";

/**
 * Finds the problems of a create, and reports in a preview what it would do. What a replacement by its arguments would find
 * the diff has checked; one that only the program's options ask for shows here first.
 */
export async function previewCreate(
  kind: KindInProcess,
  replaced: Replaced | undefined,
  inputs: JsonObject,
): Promise<Problem[]> {
  const { definition, process } = kind;
  const { run, isPreview } = process;
  const called = String(programId(definition, inputs));
  if (isPreview === true) {
    announceWarnings(kind, { id: called, changed: Object.keys(inputs) }, {}, inputs);
    await announceInPlace(kind, replaced?.id, inputs);
  }
  if (replaced === undefined || run.object(nameOf(definition, replaced.id)).replaced !== undefined)
    return isPreview === true ? problemsOf(() => previewTakeover(kind, inputs, replaced?.id)) : [];
  run.replacing(nameOf(definition, replaced.id), inputs[resourceMember]);
  return problemsOf(async () => {
    // By an option alone, Pulumi creates first.
    const order = orderIn(run.resource(inputs[resourceMember]).note) ?? "create-first";
    await refuseBadReplacement(kind, { ...replaced, why: "options", order }, inputs);
    return [];
  });
}

/** True where state has the object for this very resource. */
function isHeld(
  { definition, process }: KindInProcess,
  { [resourceMember]: resource, ...inputs }: JsonObject,
): boolean {
  const id = expectedId(definition, inputs);
  return id !== undefined && process.run.resource(resource).inState === nameOf(definition, id);
}

/**
 * Reports what only options replace (`replaceOnChanges`, `--replace`, taint) and is changed where it is: Pulumi shows a replacement. What
 * a person deleted or archived since then is created or revived.
 */
async function announceInPlace(
  kind: KindInProcess,
  replacedId: string | undefined,
  inputs: JsonObject,
): Promise<void> {
  const { definition, process } = kind;
  const { run } = process;
  const id = expectedId(definition, inputs);
  const resource = inputs[resourceMember];
  if (id === undefined || definition.lifecycle.create.how !== "send") return;
  const object = nameOf(definition, id);
  const isKept = replacedId === undefined ? isHeld(kind, inputs) : replacedId === id;
  if (
    !isKept ||
    run.object(object).replaced !== undefined ||
    orderIn(run.resource(resource).note) === "delete-first"
  )
    return;
  // A preview without a console shows what state knows.
  const declared = process.declared(definition, inputs);
  const found = await findForCreate(declared).catch(withoutAnswer(undefined));
  const act = found?.finding.claim.act ?? "adopt";
  const report = (line: string) => process.reportOnce(line, resource);
  if (act === "adopt") {
    const refusal = found && (await inPlaceRefusal(declared, found.finding));
    report(refusal === undefined ? `${object} ${inPlaceText(definition, inputs)}.` : willFail(refusal));
  } else if (act === "send") report(foundText(object, "nothing", "would be created anew."));
  else if (found?.refusal !== undefined) report(willFail(found.refusal.message));
  else if (found !== undefined) announceFinding(kind, found.finding, inputs);
}

/** Problems that some work finds; what it throws of the console's is one. */
export async function problemsOf(work: () => Promise<Problem[]>): Promise<Problem[]> {
  try {
    return await work();
  } catch (error) {
    if (!isConsoleError(error)) throw error;
    return [{ path: [], message: messageOf(error) }];
  }
}

/** Says what a create would do about what it takes over. `replacedId`: id of the object that is deleted for it first. */
async function previewTakeover(
  kind: KindInProcess,
  inputs: JsonObject,
  replacedId: string | undefined,
): Promise<Problem[]> {
  const { definition, process } = kind;
  const { create } = definition.lifecycle;
  if (create.how === "run") return [];
  const called = programId(definition, inputs);
  const isOpen = [called, inputs[adoptMember], expectedId(definition, inputs)].some(holdsUnknown);
  if (create.how === "send" && !takesOver(inputs)) {
    // A replaced object is not new: its diff has looked for what stands against it.
    if (replacedId !== undefined) return [];
    // Told to replace it (`--replace`, taint), Pulumi asks for no difference.
    if (isHeld(kind, inputs)) return [];
    const { [resourceMember]: resource } = inputs;
    if (isOpen) process.newObjects.cannotLook(resource);
    else process.newObjects.look(resource, () => lookForNew(kind, inputs));
    return [];
  }
  if (isOpen) return [];
  const { finding, refusal } = await findForCreate(process.declared(definition, inputs), replacedId);
  if (refusal !== undefined) throw refusal;
  if (finding.found !== undefined) {
    const resource = inputs[resourceMember] as string | undefined;
    const object = nameOf(definition, finding.found.id);
    const record = process.run.object(object);
    const adopter = process.run.nameOfOther(record.adopter, resource);
    if (adopter !== undefined) return [{ path: [], message: takenTwiceText(object, adopter) }];
    record.adopter ??= resource;
  }
  announceFinding(kind, finding, inputs);
  return finding.found === undefined ? process.demands.newObject(definition, inputs) : [];
}

/** Reports what stands where a new object is to be, and what the create will do about it. */
async function lookForNew(kind: KindInProcess, inputs: JsonObject): Promise<void> {
  const { definition, process } = kind;
  // The end of the program says it.
  if ((await process.session().otherConsole({ asks: true })) !== undefined) return;
  const { finding, refusal } = await findForCreate(process.declared(definition, inputs));
  const { evidence, found } = finding;
  const { [resourceMember]: resource } = inputs;
  // Told to replace it, Pulumi shows a provider nothing of the state, and not every program can read it.
  if (found !== undefined && typeof resource === "string") {
    const object = nameOf(definition, found.id);
    if (await process.stack.isStored(resource, object, found.id))
      return announceInPlace(kind, undefined, inputs);
  }
  const report = (line: string) => process.reportOnce(line, resource);
  const isRenamed = async () =>
    evidence.place === "live" &&
    process.run.resource(resource).note?.preview !== undefined &&
    process.stack.isHeldByAnother(resource, definition, found?.id ?? "");
  if (holdsUnknown(inputs) && !isClaimCertain(evidence)) {
    const isArchived = evidence.place === "archived" ? " and is archived" : "";
    const exists = `${objectLabel(definition, inputs)} exists already${isArchived}`;
    report(`${exists}: whether this update will fail is not known yet.`);
  } else if (refusal === undefined) announceFinding(kind, finding, inputs);
  // Of a resource that was renamed and whose object is in use the end of its program says so, where one of our classes declares it.
  else if (!(await isRenamed())) report(willFail(refusal.message));
}

/** Two resources of a program cannot have one object. */
export function takenTwiceText(object: string, adopter: string): string {
  return `${object} is taken over by the resource "${adopter}" of this program already. Give one of the two another object, or remove it.`;
}
