import type { ResourceDefinition } from "../core/define";
import { ConsoleError } from "../core/errors";
import { resourceMember } from "../core/internal";
import type { JsonObject } from "../core/json";
import { calledBy, expectedId } from "../core/object-id";
import { onDeleteOf } from "../core/options";
import { holdsUnknown } from "../core/unknown";
import { announcement, findClaim, nameOf, refusalFor } from "../engine";
import type { ProviderProcess } from "./process";

/**
 * Looks at the place of the new object before the old one is touched, and says what would be done about what is there.
 * @throws ConsoleError "exists" when the new object could not be made: then nothing is replaced.
 */
export async function refuseBadReplacement(
  definition: ResourceDefinition,
  process: ProviderProcess,
  id: string,
  olds: JsonObject,
  news: JsonObject,
): Promise<void> {
  const object = nameOf(definition, id);
  const next = expectedId(definition, news);
  if (definition.lifecycle.create.how !== "send") return;
  const how = onDeleteOf(definition, olds);
  if (staysTaken(definition, how, next === id, olds, news))
    throw new ConsoleError(
      `${object} cannot be replaced: onDelete: "${how}" leaves its key and name taken. Nothing was changed. ` +
        'Set onDelete: "delete" in an up of its own first, choose another key and name, or put the old value back.',
      { category: "exists" },
    );
  if (next === undefined || next === id || holdsUnknown(next)) return;
  const heir = process.run.declarerOf(object, news[resourceMember]);
  if (heir !== undefined)
    throw new ConsoleError(
      `${object} would be out of use while the resource "${heir}" of this program takes its place. Nothing was changed. ` +
        "To exchange what two objects say, exchange their arguments; to move one, do it in two ups.",
      { category: "exists" },
    );
  const context = process.context();
  const entry = await context.journal?.find(nameOf(definition, String(calledBy(definition, news))));
  const finding = await findClaim(context, definition, news, { lost: false, entry });
  if (finding.claim.act === "refuse") {
    const { message } = refusalFor(definition, { finding, wants: news, entry }, finding.claim.reason);
    throw new ConsoleError(`${message} ${object} stays as it is.`, { category: "exists" });
  }
  const lines = announcement(definition, finding, news);
  if (lines.length > 0 && process.isPreview !== false) process.sayOnce(lines.join("\n"));
}

/** True where the new object would find the place of the old one taken: it is left, or archived for ever. */
function staysTaken(
  definition: ResourceDefinition,
  how: string,
  sameId: boolean,
  olds: JsonObject,
  news: JsonObject,
): boolean {
  const comesBack = how === "archive" && definition.lifecycle.archived !== undefined;
  if (how === "delete" || comesBack) return false;
  const sameName = definition.fields.name?.facts.fixed === true && olds.name === news.name;
  return sameId || sameName;
}
