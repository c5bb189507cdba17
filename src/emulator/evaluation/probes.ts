import { type Condition, isOwnRule, kinds, type SpecDocument, specsOfKind } from "./specs";

/** A document in which the SDK can be asked for single conditions. */
export interface Probing {
  /** The gates that those pass who have no value for what a condition looks at, by that condition. */
  readonly absences: ReadonlyMap<Condition, string>;
  /** The gates that those pass who have a list there. */
  readonly lists: ReadonlyMap<Condition, string>;
  readonly document: SpecDocument;
  /** The gates that ask for one condition alone, by that condition in the document that they were made of. */
  readonly probes: ReadonlyMap<Condition, string>;
}

const probeName = "feature-console: condition ";

/** A gate for each condition of rules that people wrote, beside all gates: who passes it meets the condition, as the SDK itself says. */
export function probingOf(document: SpecDocument): Probing {
  const probes = new Map<Condition, string>();
  const absences = new Map<Condition, string>();
  const lists = new Map<Condition, string>();
  const names = new Map<string, string>();
  const gates: unknown[] = [];
  const asked = kinds.flatMap((kind) => specsOfKind(document, kind));
  for (const { rules, idType = "userID" } of asked) {
    for (const condition of rules.filter(isOwnRule).flatMap(({ conditions }) => conditions)) {
      const place = (asked: Condition): string => {
        const text = JSON.stringify([idType, asked]);
        const known = names.get(text);
        const name = known ?? `${probeName}${names.size + 1}`;
        names.set(text, name);
        if (known === undefined) gates.push(probeOf(name, asked, idType));
        return name;
      };
      probes.set(condition, place(condition));
      if (!negativeOfLists.has(condition.operator ?? "")) continue;
      absences.set(condition, place({ ...condition, operator: "eq", targetValue: null }));
      lists.set(condition, place({ ...condition, operator: "array_contains_none", targetValue: [nothing] }));
    }
  }
  const feature_gates = [...document.feature_gates, ...gates] as SpecDocument["feature_gates"];
  return {
    document: { ...document, feature_gates, dynamic_configs: [], layer_configs: [] },
    probes,
    absences,
    lists,
  };
}

/** Operators that ask what a list does not have, and hold for lists alone. */
const negativeOfLists = new Set(["array_contains_none", "not_array_contains_all"]);
/** A text that no list has. */
const nothing = "\u0001";

function probeOf(name: string, condition: Condition, idType: string) {
  const rule = { name, id: name, salt: "", passPercentage: 100, conditions: [condition], returnValue: true };
  return {
    ...{ name, type: "feature_gate", entity: "feature_gate", salt: name, enabled: true, defaultValue: false },
    ...{ idType, rules: [{ ...rule, idType }] },
  };
}
