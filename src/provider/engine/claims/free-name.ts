import { isArchived } from "../../decisions/plan";
import { canBeRenamed } from "../../decisions/replacement-order";
import { auditOf } from "../../schema/audit";
import type { ResourceDefinition } from "../../schema/define";
import { isConsoleError } from "../../schema/errors";
import { type JsonObject, textOf } from "../../schema/json";
import { nameField } from "../../schema/object-id";
import { isClosed } from "../../values/machine";
import { type CreatedObject, nameOf, PartialFailure } from "../context";
import { isProtected } from "../edits/concurrent-edits";
import { readLive } from "../read";
import type { LiveObject, ObjectHere, StoredObject } from "../subject";
import { sendChanges } from "../update-strategies";
import type { FreeName } from "./origin";

/** The longest start of an id that leaves room for what is put behind it: names have at most 100 characters. */
const longestStart = 80;

/** Start of the name of an object while another one needs its own. */
function standInName(id: string): string {
  return `${id.slice(0, longestStart)} replaced`;
}

/** True for a live object that can be given another name: what has ended takes no changes. */
export function canFreeName(definition: ResourceDefinition, live: JsonObject): boolean {
  return canBeRenamed(definition) && !isArchived(definition, live) && !isClosed(definition, live);
}

/**
 * Gives an object another name, because names are taken once and the one that replaces it may well have the same.
 * @returns how it gets its name back; undefined where it keeps it.
 */
export async function freeName(object: ObjectHere): Promise<(() => Promise<unknown>) | undefined> {
  const { definition, id } = object;
  if (!canBeRenamed(definition)) return undefined;
  const live = await readLive(object);
  // Should the name be needed nevertheless, the create says that it is taken.
  if (live === undefined || !canFreeName(definition, live)) return undefined;
  const rename = (name: unknown) => renameTo({ ...object, live }, name);
  try {
    await rename(`${standInName(id)} ${textOf(auditOf(definition, live).version ?? "")}`.trim());
  } catch (error) {
    // It may have been carried out all the same, and then the object would be left under a name that nobody gave it.
    if (isConsoleError(error) && error.uncertain) await rename(live[nameField]).catch(() => undefined);
    throw error;
  }
  return () => rename(live[nameField]);
}

async function renameTo(object: LiveObject, name: unknown): Promise<void> {
  const { target } = await sendChanges({ ...object, program: {} }, { [nameField]: name });
  if (target.failure !== undefined) throw target.failure;
}

/**
 * Gives an object the name back that state has, where this run or one that was killed took it for its successor and there is
 * none. Reports where it cannot.
 */
async function giveNameBack(stored: StoredObject): Promise<void> {
  const { context, definition, id, state } = stored;
  try {
    const live = await readLive(stored);
    if (live === undefined || !String(live[nameField]).startsWith(standInName(id))) return;
    await renameTo({ ...stored, live }, state[nameField]);
  } catch (error) {
    if (!isConsoleError(error)) throw error;
    context.report(lostNameText(definition, id));
  }
}

/** Reports that an object that stays in use does not have its name. */
export function lostNameText(definition: ResourceDefinition, id: string): string {
  return `${nameOf(definition, id)} is in use and has lost its name: the next refresh shows it.`;
}

/**
 * Creates an object, or takes one over, under the name of the one that it replaces, which gets another name when the
 * console asks for it. Where nothing is created, the old one gets its name back.
 */
export async function createUnderName(
  replaced: StoredObject,
  make: (freeName: FreeName) => Promise<CreatedObject>,
): Promise<CreatedObject> {
  let isRenamed = false;
  try {
    const made = await make(async () => {
      if (isRenamed) return false;
      isRenamed = (await freeName(replaced)) !== undefined;
      return isRenamed;
    });
    if (!isRenamed || !isProtected(replaced.context, replaced.state)) return made;
    return { ...made, seenOfReplaced: await readLive(replaced) };
  } catch (error) {
    // The object that exists in spite of the failure has the name.
    if (!(error instanceof PartialFailure)) await giveNameBack(replaced);
    throw error;
  }
}
