import type { Condition, SpecDocument } from "./specs";

/** The environments that rules and overrides of a document name, in alphabetical order. */
export function environmentsOf(document: SpecDocument): string[] {
  const names = conditionsOf(document)
    .filter(({ type }) => type === "environment_field")
    .flatMap(({ targetValue }) => (Array.isArray(targetValue) ? targetValue.map(String) : []));
  return [...new Set(names)].sort();
}

/** The segments whose ids a document leaves to files beside it, in alphabetical order. */
export function segmentsInFiles(document: SpecDocument): string[] {
  const names = conditionsOf(document)
    .filter(({ operator }) => operator === "in_segment_list")
    .map(({ targetValue }) => String(targetValue));
  return [...new Set(names)].sort();
}

function conditionsOf({ feature_gates, dynamic_configs, layer_configs }: SpecDocument): Condition[] {
  return [...feature_gates, ...dynamic_configs, ...layer_configs]
    .flatMap(({ rules }) => rules)
    .flatMap((rule) => rule.conditions);
}
