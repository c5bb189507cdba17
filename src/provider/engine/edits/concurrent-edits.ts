import { concurrentEdit, seenMark } from "../../decisions/console-edits";
import { auditNames } from "../../schema/audit";
import { changeRefused } from "../../schema/errors";
import { seenMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { argumentName } from "../../texts/argument-names";
import { managedBefore } from "../../values/managed";
import { overwriteOption, protectOption } from "../../values/options";
import { isArchived } from "../../values/states";
import { type EngineContext, nameOf } from "../context";
import { readLive, unreadable } from "../read";
import type { DeclaredObject, StoredObject } from "../subject";
import { changesForMessage, type SeenLive } from "./authors";

/** A resource's own option counts before the setting of its provider. */
function isOn(option: string, setting: boolean | undefined, { [option]: own }: JsonObject): boolean {
  return typeof own === "boolean" ? own : setting === true;
}

/** True where a resource is to be changed only as it was last seen. */
export function isProtected({ protectsEdits }: EngineContext, args: JsonObject): boolean {
  return isOn(protectOption, protectsEdits, args);
}

/** True where an update overwrites what somebody changed since the object was last seen. */
export function overwrites({ overwritesEdits }: EngineContext, args: JsonObject): boolean {
  return isOn(overwriteOption, overwritesEdits, args);
}

/** Marks in state of an object that this run has written or read, where it is protected or was. */
export function seenMarks({ context, definition, program }: DeclaredObject, live: JsonObject): JsonObject {
  return isProtected(context, program) || program[seenMember] !== undefined ? seenMark(definition, live) : {};
}

/** Lets a protected object be written only as state has it. @throws ConsoleError "refused", before anything is sent. */
export async function refuseConcurrentEdit(object: SeenLive): Promise<void> {
  const { definition, id, state, live } = object;
  const edit = concurrentEdit(definition, state, live);
  if (edit === undefined) return;
  const { version } = auditNames(definition);
  const counted =
    version === undefined || edit.from === undefined ? "" : `, version ${edit.from} to ${edit.to}`;
  const fields = edit.names.length === 0 ? "" : ` It differs in ${edit.names.map(argumentName).join(", ")}.`;
  const { text } = await changesForMessage(
    object,
    edit.names.map((name) => ({ path: [name] })),
  );
  throw changeRefused(
    `${nameOf(definition, id)} was changed in the console since the last refresh (${text}${counted}).` +
      `${fields} Nothing was sent, because ${argumentName(protectOption)} is set. Run "pulumi refresh" to see the change, then look at ` +
      "the preview and run the command again.",
  );
}

/** The same before a delete, which reads for it. What is gone or archived already may go. */
export async function refuseUnseen(stored: StoredObject): Promise<void> {
  const { context, definition, state } = stored;
  if (!isProtected(context, state) || definition.lifecycle.read.how === "remember") return;
  const live = await readLive(stored, managedBefore(state));
  if (live === undefined || isArchived(definition, live)) return;
  await refuseConcurrentEdit({ ...stored, live: { ...unreadable(definition, state, live), ...live } });
}
