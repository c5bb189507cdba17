import type { SpecDocument } from "./specs";

/** The environments that rules and overrides of a document name, in alphabetical order. */
export function environmentsOf({ feature_gates, dynamic_configs, layer_configs }: SpecDocument): string[] {
  const conditions = [...feature_gates, ...dynamic_configs, ...layer_configs]
    .flatMap(({ rules }) => rules)
    .flatMap((rule) => rule.conditions);
  const names = conditions
    .filter(({ type }) => type === "environment_field")
    .flatMap(({ targetValue }) => (Array.isArray(targetValue) ? targetValue.map(String) : []));
  return [...new Set(names)].sort();
}
