import { type Condition, isOwnRule, kinds, type SpecDocument, specsOfKind } from "./specs";

/** A document in which the SDK can be asked for single conditions. */
export interface Probing {
  readonly document: SpecDocument;
  /** The gates that ask for one condition alone, by that condition in the document that they were made of. */
  readonly probes: ReadonlyMap<Condition, string>;
}

const probeName = "feature-console: condition ";

/** A gate for each condition of rules that people wrote, beside all gates: who passes it meets the condition, as the SDK itself says. */
export function probingOf(document: SpecDocument): Probing {
  const probes = new Map<Condition, string>();
  const names = new Map<string, string>();
  const gates: unknown[] = [];
  const asked = kinds.flatMap((kind) => specsOfKind(document, kind));
  for (const { rules, idType = "userID" } of asked) {
    for (const condition of rules.filter(isOwnRule).flatMap(({ conditions }) => conditions)) {
      const text = JSON.stringify([idType, condition]);
      const name = names.get(text) ?? `${probeName}${names.size + 1}`;
      probes.set(condition, name);
      if (names.has(text)) continue;
      names.set(text, name);
      gates.push(probeOf(name, condition, idType));
    }
  }
  const feature_gates = [...document.feature_gates, ...gates] as SpecDocument["feature_gates"];
  return { document: { ...document, feature_gates, dynamic_configs: [], layer_configs: [] }, probes };
}

function probeOf(name: string, condition: Condition, idType: string) {
  const rule = { name, id: name, salt: "", passPercentage: 100, conditions: [condition], returnValue: true };
  return {
    ...{ name, type: "feature_gate", entity: "feature_gate", salt: name, enabled: true, defaultValue: false },
    ...{ idType, rules: [{ ...rule, idType }] },
  };
}
