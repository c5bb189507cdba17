import { type Kind, listOf, type Spec, type SpecDocument } from "./specs";

/** Why nobody here knows what SDKs answer for an object, or for one that it asks; undefined where it is known. */
export function doubtOf(document: SpecDocument, kind: Kind, name: string): string | undefined {
  const doubts = document.not_known_here ?? {};
  if (Object.keys(doubts).length === 0) return undefined;
  const seen = new Set<string>();
  const open: [list: List, name: string][] = [[listOf(kind), name]];
  for (const [list, one] of open) {
    const place = `${list}/${one}`;
    if (seen.has(place)) continue;
    seen.add(place);
    const doubt = doubts[place];
    if (doubt !== undefined) return one === name ? doubt : `it depends on "${one}", and ${doubt}`;
    const spec = document[list].find((each) => each.name === one);
    if (spec !== undefined) open.push(...askedBy(spec));
  }
  return undefined;
}

/** A list of a document. */
export type List = ReturnType<typeof listOf>;

/** The objects that rules ask: gates by their conditions, experiments by the rules of a layer. */
export function askedBy({ rules }: Spec): [list: List, name: string][] {
  return rules.flatMap(({ conditions, configDelegate }) => [
    ...conditions
      .filter(({ type }) => type === "pass_gate" || type === "fail_gate")
      .map(({ targetValue }): [List, string] => ["feature_gates", String(targetValue)]),
    ...(configDelegate === undefined ? [] : [["dynamic_configs", configDelegate] as [List, string]]),
  ]);
}
