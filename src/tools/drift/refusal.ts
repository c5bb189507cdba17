import { idList } from "../../provider/id-lists/value-type";
import { isObject } from "../../provider/schema/json";
import { treeOf } from "../../provider/schema/tree";
import { countOf } from "../../provider/texts/count-text";
import { isNothing } from "../../provider/values/compare";
import type { Comparison, NewValue } from "./comparison";
import { objectOf } from "./report";
import type { Advice, Outcome } from "./source/edits";
import { expressible, literalText, styleOf } from "./source/literal-text";

/** Why something is not written, what to type there as TypeScript, and where. */
export type Refusal = { readonly why: string; readonly advice?: Advice; readonly place?: Outcome["place"] };

/** Labels of an argument in an outcome. */
export function labelsOf(comparison: Comparison, { name }: NewValue) {
  const labels = comparison.differences.flatMap((one) => (one.name === name ? [one.label] : []));
  const { resource } = comparison;
  return {
    object: objectOf(resource),
    urn: resource.urn,
    label: labels.length === 0 ? name : labels.join(", "),
  };
}

/** The outcome of an argument that is not written. */
export function refusal(comparison: Comparison, value: NewValue, { why, advice, place }: Refusal): Outcome {
  const told = labelsOf(comparison, value);
  const isHidden = isSecret(comparison, value.name) && !isNothing(value.live);
  const own = isHidden ? { type: "it" } : adviceFor(comparison, value.name, value.live);
  return { ...told, how: "refused", why, ...(advice ?? own), ...(place === undefined ? {} : { place }) };
}

/** The outcome of an object that is gone. */
export function goneOutcome(
  { resource, resource: { wanted }, hasOther }: Comparison,
  place: Outcome["place"],
): Outcome {
  return {
    ...{ object: objectOf(resource), urn: resource.urn, label: "(the whole of it)" },
    ...{
      how: "refused",
      why: hasOther ? "it is another object than the one in state" : "it was deleted in the console",
    },
    todo: hasOther
      ? 'type "pulumi refresh", then set adopt: true, or remove the resource from the program'
      : wanted === undefined
        ? 'the program does not have it either: "pulumi up" takes it out of state'
        : 'remove the resource from the program, or run "pulumi up --refresh", which makes it again',
    ...(place === undefined ? {} : { place }),
  };
}

/** Longest text to type, characters. */
const longest = 1000;

/** Advice about an argument; a long value is cut. */
export function adviceFor({ resource }: Comparison, name: string, live: unknown): Advice {
  if (isNothing(live)) return { todo: `remove ${name}` };
  const schema = treeOf(resource.definition)[name]?.node ?? {};
  if (schema.valueType === idList) {
    const ids = isObject(live) ? countOf(Number(live.count), "id") : "the ids";
    return { type: `${name}: the list of ${ids}, which is too long to show` };
  }
  const text = `${name}: ${literalText(isObject(live) || Array.isArray(live) ? expressible(schema, live) : live, styleOf(""))}`;
  return { type: text.length > longest ? `${text.slice(0, longest - 3)}...` : text };
}

/** True where an argument holds a secret. */
export function isSecret({ differences }: Comparison, name: string): boolean {
  return differences.some((one) => one.name === name && one.secret);
}
