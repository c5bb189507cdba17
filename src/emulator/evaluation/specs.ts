/** A condition of the document that `statsig-node` evaluates, as far as it is looked at here. */
export interface Condition {
  readonly type: string;
  readonly operator?: string | null;
  readonly targetValue?: unknown;
  readonly field?: string | null;
  readonly idType?: string;
  /** `salt`: of a draw. */
  readonly additionalValues?: Readonly<Record<string, string>> | null;
}

/** A rule of the document. */
export interface Rule {
  readonly id: string;
  readonly salt?: string;
  /** The name that people gave to the rule, or the group of the experiment. */
  readonly groupName?: string;
  readonly isExperimentGroup?: boolean;
  readonly passPercentage: number;
  readonly returnValue?: unknown;
  readonly conditions: readonly Condition[];
  /** The experiment whose answer is the answer. */
  readonly configDelegate?: string;
}

/** A gate, config, experiment, layer, segment or holdout of the document. */
export interface Spec {
  readonly name: string;
  readonly entity?: string;
  readonly idType?: string;
  readonly enabled?: boolean;
  readonly defaultValue: unknown;
  readonly rules: readonly Rule[];
}

/** True for a rule that people wrote; the others are those of overrides, holdouts, groups and states. */
export const isOwnRule = ({ groupName, isExperimentGroup }: Rule): boolean =>
  groupName !== undefined && isExperimentGroup === undefined;

/** The document that `statsig-node` evaluates, by kinds. */
export interface SpecDocument {
  readonly feature_gates: readonly Spec[];
  readonly dynamic_configs: readonly Spec[];
  readonly layer_configs: readonly Spec[];
  /** Why nobody here knows what SDKs of the real console answer, by list and name: `feature_gates/checkout`. */
  readonly not_known_here?: Readonly<Record<string, string>>;
}

/** List and entities of each kind that can be asked for. */
const places = {
  gate: { list: "feature_gates", entities: ["feature_gate"], called: "gate" },
  config: { list: "dynamic_configs", entities: ["dynamic_config", "autotune"], called: "dynamic config" },
  experiment: { list: "dynamic_configs", entities: ["experiment"], called: "experiment" },
  layer: { list: "layer_configs", entities: ["layer"], called: "layer" },
} as const;

/** A kind that can be asked for. */
export type Kind = keyof typeof places;

/** The list in which the objects of a kind stand. */
export const listOf = (kind: Kind): (typeof places)[Kind]["list"] => places[kind].list;

/** Every kind by its name. */
export const kinds = Object.keys(places) as readonly Kind[];

/** Title of a kind. */
export const called = (kind: Kind): string => places[kind].called;

/** The objects of a kind; one that does not say what it is counts. */
export function specsOfKind(document: SpecDocument, kind: Kind): Spec[] {
  const { list, entities } = places[kind];
  const isOne = ({ entity }: Spec): boolean => entity === undefined || entities.some((one) => one === entity);
  return document[list].filter(isOne);
}

/** `gate "checkout"`. */
export const titleOf = ({ name, entity = "feature_gate" }: Spec): string =>
  `${entity.replace("feature_", "").replaceAll("_", " ")} "${name.replace(/^segment:/, "")}"`;

/** The names of the parameters of a layer. */
export function parametersOf({ layer_configs }: SpecDocument, layer: string): string[] {
  return Object.keys(layer_configs.find(({ name }) => name === layer)?.defaultValue ?? {});
}

/**
 * The document with draws that depend on names alone. Ids of rules are new in every console, and with them who is in a share: so
 * the same program decides the same for a user, run after run, as long as gate and rule keep their names.
 */
export function drawnByNames(document: SpecDocument): SpecDocument {
  const { feature_gates, dynamic_configs } = document;
  return {
    ...document,
    feature_gates: feature_gates.map((spec) => specDrawnByNames(spec)),
    dynamic_configs: dynamic_configs.map((spec) => specDrawnByNames(spec)),
  };
}

/** The same of one object; rules that `live` has keep its draws. */
export function specDrawnByNames(spec: Spec, live?: Spec): Spec {
  const kept = new Set<unknown>(live?.rules.map(({ salt }) => salt));
  // The variants of a rule share its salt, in their percentage and in their draw.
  const salts = new Map<unknown, string>();
  for (const { salt, groupName = "" } of spec.rules) {
    if (!salt || salts.has(salt) || kept.has(salt)) continue;
    const name = `${spec.name} ${groupName}`;
    const isTaken = [...salts.values()].includes(name);
    salts.set(salt, isTaken ? `${name} ${salts.size}` : name);
  }
  const redrawn = (condition: Condition): Condition => {
    const salt = salts.get(condition.additionalValues?.salt);
    return salt === undefined
      ? condition
      : { ...condition, additionalValues: { ...condition.additionalValues, salt } };
  };
  const rules = spec.rules.map((rule) => ({
    ...rule,
    ...(rule.salt === undefined ? {} : { salt: salts.get(rule.salt) ?? rule.salt }),
    conditions: rule.conditions.map(redrawn),
  }));
  return { ...spec, rules };
}
