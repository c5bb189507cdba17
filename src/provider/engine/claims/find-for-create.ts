import type { ResourceDefinition } from "../../schema/define";
import type { JsonObject } from "../../schema/json";
import { type EngineContext, objectLabel } from "../context";
import { readsBeforeCreate } from "../create";
import { isOfThisResource } from "./create-journal";
import { findClaim } from "./evidence";
import type { Takeover } from "./takeover";

/**
 * What a create would find in the place of its object if it ran now, and the journal entry about it. Changes nothing: it is
 * for previews, and asks of the console what the create would ask once the console says that the key is taken.
 */
export async function findForCreate(
  context: EngineContext,
  definition: ResourceDefinition,
  program: JsonObject,
): Promise<Pick<Takeover, "finding" | "entry">> {
  const { create: strategy } = definition.lifecycle;
  const entry = await context.journal.find(objectLabel(definition, program));
  const isOwn = entry?.did === "create" && isOfThisResource(entry, program);
  const attempt =
    (strategy.how === "send" && readsBeforeCreate(strategy, program)) || isOwn
      ? { entry }
      : { entry: undefined, former: entry };
  const finding = await findClaim(context, definition, program, { lost: false, ...attempt });
  return { finding, entry };
}
