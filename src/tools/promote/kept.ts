import { idList } from "../../provider/id-lists/value-type";
import type { ResourceDefinition } from "../../provider/schema/define";
import { type JsonObject, kept } from "../../provider/schema/json";
import { carriedRollouts } from "../../provider/values/carried-rollouts";

/** Values that a promotion can leave as the stack has them. */
export const keepable = ["percentages", "ids"] as const;

export type Kept = (typeof keepable)[number];

/** The arguments of an object in the first stack, with what is kept of the second. Rules stand for each other by name, else by content. */
export function withKept(
  definition: ResourceDefinition,
  { from, to }: { readonly from: JsonObject; readonly to: JsonObject },
  keep: readonly Kept[],
): JsonObject {
  const shares = keep.includes("percentages")
    ? carriedRollouts(definition, { program: from, live: to }, { into: "program", all: true })
    : [];
  const whole = Object.entries(definition.fields).flatMap(([name, { traits }]) => {
    const isShare = traits.share === true && keep.includes("percentages");
    const isIds = traits.valueType === idList && keep.includes("ids");
    return isShare || isIds ? [[name, to[name]] as const] : [];
  });
  const all = { ...from, ...Object.fromEntries([...shares, ...whole]) };
  return kept(all, (_, value) => value !== undefined);
}
