import { type EngineContext, lookUpItem, lookUpList, lookups } from "../engine";
import { nativePrefix } from "../pulumi/stored-names";
import { toPulumi } from "../pulumi/wire";
import { ConsoleError } from "../schema/errors";
import type { JsonObject } from "../schema/json";

/**
 * Calls a function of the schema. A list is the member `items` of what it returns, and an answer of which no member is known is
 * `value`: a function of Pulumi returns an object with the members of its schema. @throws ConsoleError
 */
export async function invoke(
  token: string,
  args: JsonObject,
  context: () => EngineContext,
): Promise<JsonObject> {
  const lookup = lookups.find(({ name }) => `${nativePrefix}${name}` === token);
  if (lookup === undefined)
    throw new ConsoleError(`${token} is no function of this plugin. Install the version that has it.`, {
      category: "invalid-argument",
    });
  if (lookup.returnsList) return { items: (await lookUpList(lookup, args, context)).map(toPulumi) };
  const found = toPulumi(await lookUpItem(lookup, args, context));
  return lookup.isUntyped ? { value: found } : found;
}
