import { type JsonObject, textsIn } from "../../../provider/schema/json";
import { reachedFrom } from "../../../provider/schema/references";

/** A condition of a server SDK. Every member is always there: one that is missing makes an SDK refuse the whole document. */
export interface SpecCondition {
  readonly type: string;
  readonly operator: string | null;
  readonly targetValue: unknown;
  readonly field: string | null;
  readonly additionalValues: Readonly<Record<string, string>>;
  /** The unit type of `unit_id` and `user_bucket`. */
  readonly idType: string;
}

/** A rule: the first one whose conditions all hold decides, and its percentage says for whom. */
export interface SpecRule {
  readonly name: string;
  readonly id: string;
  /** Decides together with the salt of its spec who is in the percentage; "" stays "". */
  readonly salt: string;
  /** 0 to 100. "Fail" is 0, never a `returnValue` of false, which the two SDKs read differently. */
  readonly passPercentage: number;
  readonly conditions: readonly SpecCondition[];
  readonly returnValue: unknown;
  readonly idType: string;
  readonly groupName?: string;
  readonly isExperimentGroup?: boolean;
  /** The experiment whose answer is the answer. */
  readonly configDelegate?: string;
}

/** A gate, config, experiment, layer, segment or holdout as server SDKs read it (console-api/specs.md, section 2). */
export interface Spec {
  readonly name: string;
  readonly type: "feature_gate" | "dynamic_config";
  readonly entity: string;
  readonly salt: string;
  /** False only together with no rules: one of the SDKs runs the rules all the same. */
  readonly enabled: boolean;
  readonly defaultValue: unknown;
  readonly rules: readonly SpecRule[];
  readonly idType: string;
  readonly version: number;
  readonly isActive?: boolean;
  readonly hasSharedParams?: boolean;
  readonly explicitParameters?: readonly string[];
  readonly targetAppIDs?: readonly string[];
}

/** A condition before it has the unit type of its spec; one with a unit type of its own keeps that. */
export type Condition = Omit<SpecCondition, "idType"> & Partial<Pick<SpecCondition, "idType">>;

/** A rule before it has the unit type of its spec. */
export type Rule = Omit<SpecRule, "idType" | "conditions"> & { readonly conditions: readonly Condition[] };

/** A condition with what is left out filled in. */
export function conditionOf(condition: Pick<Condition, "type"> & Partial<Condition>): Condition {
  return { operator: null, targetValue: null, field: null, additionalValues: {}, ...condition };
}

/** The condition that everybody meets. */
export const everybody = conditionOf({ type: "public" });

/** Units of a list. */
export const unitsIn = (ids: readonly unknown[]): Condition =>
  conditionOf({ type: "unit_id", operator: "any", targetValue: ids.map(String) });

/** Those who pass a gate of the document. */
export const passing = (gate: string): Condition => conditionOf({ type: "pass_gate", targetValue: gate });

/** Those who fail a gate of the document. */
export const failing = (gate: string): Condition => conditionOf({ type: "fail_gate", targetValue: gate });

/** Requests of an environment. */
export const fromEnvironments = (names: readonly unknown[], operator = "any"): Condition =>
  conditionOf({ type: "environment_field", field: "tier", operator, targetValue: names.map(String) });

/** A rule that decides for all who meet its conditions; its percentage is 100 where none is given. */
export function ruleOf(rule: Pick<Rule, "id" | "conditions" | "returnValue"> & Partial<Rule>): Rule {
  return { name: rule.id, salt: "", passPercentage: 100, ...rule };
}

/** Rules with the unit type of their spec. */
export const rulesBy = (idType: string, rules: readonly Rule[]): SpecRule[] =>
  rules.map((rule) => ({
    ...{ ...rule, idType },
    conditions: rule.conditions.map((one) => ({ ...one, idType: one.idType ?? idType })),
  }));

/** A gate of the document that no object of the console is. */
export const gateBetween = (name: string, rules: readonly Rule[], idType: string): Spec => ({
  ...{ name, type: "feature_gate", entity: "segment", salt: name, enabled: true, defaultValue: false },
  ...{ rules: rulesBy(idType, rules), idType, version: 1 },
});

/** The members of an item that every spec has. */
export function headOf(item: JsonObject): Pick<Spec, "idType" | "version" | "targetAppIDs"> {
  const apps = textsIn(item.targetApps);
  const version = Number(item.version ?? 1);
  return {
    idType: typeof item.idType === "string" && item.idType !== "" ? item.idType : "userID",
    version: Number.isSafeInteger(version) ? version : 1,
    ...(apps.length === 0 ? {} : { targetAppIDs: apps }),
  };
}

/** Rules, as far as they ask gates. */
interface Asking {
  readonly rules: readonly {
    readonly conditions: readonly Pick<Partial<SpecCondition>, "type" | "targetValue">[];
  }[];
}

/** The gates that rules ask. */
export function gatesAskedBy({ rules }: Asking): string[] {
  return rules
    .flatMap(({ conditions }) => conditions)
    .filter(({ type }) => type === "pass_gate" || type === "fail_gate")
    .map(({ targetValue }) => String(targetValue));
}

/** The gates, segments and holdouts that ask themselves, directly or by way of others. */
export function askingThemselves(gates: readonly Spec[]): Spec[] {
  const asked = new Map(gates.map((gate) => [gate.name, gatesAskedBy(gate)]));
  const askedBy = (name: string): readonly string[] => asked.get(name) ?? [];
  // Nearly all lead to no circle: those that ask none but such.
  const open = new Set(asked.keys());
  for (let before = Number.POSITIVE_INFINITY; open.size < before; ) {
    before = open.size;
    for (const name of open) if (!askedBy(name).some((other) => open.has(other))) open.delete(name);
  }
  return gates.filter(({ name }) => open.has(name) && reachedFrom(askedBy(name), askedBy).has(name));
}
