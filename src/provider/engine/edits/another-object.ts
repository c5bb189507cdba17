import { creationText, isFormer, isSameObject } from "../../decisions/same-object";
import type { ResourceDefinition } from "../../schema/define";
import type { JsonObject } from "../../schema/json";
import { assignment } from "../../texts/argument-names";
import { askAgain, nameOf } from "../context";
import type { StoredObject } from "../subject";

/**
 * Reads an object of a state. A read may be late (docs/assumptions.md, row 21) and show the object that this stack replaced: one that is
 * older than the state's is read again.
 */
export function unlessFormer(
  { context, definition, state }: StoredObject,
  read: () => Promise<JsonObject | undefined>,
): Promise<JsonObject | undefined> {
  return askAgain(context, read, (live) => live === undefined || !isFormer(definition, state, live));
}

/** The same, and only where it is another object than the state's: it took its place under the same id. */
export async function otherObject(
  stored: StoredObject,
  read: () => Promise<JsonObject | undefined>,
): Promise<JsonObject | undefined> {
  const { definition, state } = stored;
  const live = await unlessFormer(stored, read);
  return live !== undefined && isSameObject(definition, state, live) === "other" ? live : undefined;
}

/** Consequence for each verb that finds another object than the one of its state, with the command to type. */
const consequences = {
  update: () =>
    ` Nothing was sent. If the key is right, type "pulumi refresh", which forgets the former object; then set ${assignment("adopt", true)} to take over ` +
    "the new one, or remove the resource from the program.",
  refresh: () =>
    ` A refresh drops the former object from the state; only with ${assignment("adopt", true)} does "pulumi up" then take over the new one.`,
  delete: () => "",
};

/** The sentence of a verb that finds another object than the one of its state. */
export function anotherObjectText(
  verb: keyof typeof consequences,
  { definition, id, state }: Pick<StoredObject, "definition" | "id" | "state">,
  live: JsonObject,
): string {
  const left = verb === "delete" ? "stays as it is, and this stack forgets it: it " : "";
  const is = `is another object than the one in state${differenceText(definition, state, live)}: ${reasons}.`;
  return `${nameOf(definition, id)} ${left}${is}${consequences[verb]()}`;
}

const reasons = "a person deleted and created it again, or the key belongs to another project";

function differenceText(definition: ResourceDefinition, state: JsonObject, live: JsonObject): string {
  const [then, now] = [creationText(definition, state), creationText(definition, live)];
  return then === undefined || now === undefined
    ? " (its ids are other ones)"
    : ` (created ${now}, in state ${then})`;
}
