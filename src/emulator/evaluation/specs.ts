import { textsIn } from "../../provider/schema/json";
import { reachedFrom } from "../../provider/schema/references";
import {
  gatesAskedBy,
  type SpecCondition,
  type Spec as SpecOfConsole,
  type SpecRule,
} from "../sdk/spec/spec";

/** Members of a document that are read here: a document of the service may lack the others. */
type Read<T, Needed extends keyof T> = Pick<T, Needed> & { readonly [Name in keyof T]?: T[Name] };

/** A condition of the document that `statsig-node` evaluates. */
export type Condition = Omit<Read<SpecCondition, "type">, "additionalValues"> & {
  /** `salt`: of a draw. */
  readonly additionalValues?: Readonly<Record<string, string>> | null;
};

/** A rule of the document. */
export type Rule = Omit<Read<SpecRule, "id" | "passPercentage">, "conditions"> & {
  readonly conditions: readonly Condition[];
};

/** A gate, config, experiment, layer, segment or holdout of the document. */
export type Spec = Omit<Read<SpecOfConsole, "name" | "defaultValue">, "rules"> & {
  readonly rules: readonly Rule[];
};

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
  /** Why objects have no rules, such as `is archived`, by list and name. */
  readonly shut_here?: Readonly<Record<string, string>>;
}

/** Objects by their names. */
export const byName = (specs: readonly Spec[]): Map<string, Spec> =>
  new Map(specs.map((spec) => [spec.name, spec]));

/** The lists of a document. */
export const lists = ["feature_gates", "dynamic_configs", "layer_configs"] as const;

/** A list of a document. */
export type List = (typeof lists)[number];

/** Conditions of a document; `among`: of the objects at these places. */
const conditionsIn = (document: SpecDocument, among?: ReadonlySet<string>): Condition[] =>
  lists.flatMap((list) =>
    document[list]
      .filter(({ name }) => among?.has(`${list}/${name}`) ?? true)
      .flatMap(({ rules }) => rules.flatMap((rule) => rule.conditions)),
  );

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
export const listOf = (kind: Kind): List => places[kind].list;

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

/** Why no rule of an object decides, as far as its document shows: `it is archived`. */
export function shutText(
  { shut_here: shut }: SpecDocument,
  { name, entity, enabled, rules }: Spec,
): string | undefined {
  const list = entity === "feature_gate" ? "feature_gates" : "dynamic_configs";
  const why = entity === "layer" ? undefined : shut?.[`${list}/${name}`];
  if (why !== undefined) return `it ${why}`;
  if (rules.length > 0) return undefined;
  if (entity === "layer") return "no experiment runs in it";
  return shut === undefined && !enabled ? "it is off, archived or has no rules" : "it has no rules";
}

/** The names of the parameters of a layer. */
export function parametersOf({ layer_configs }: SpecDocument, layer: string): string[] {
  return Object.keys(layer_configs.find(({ name }) => name === layer)?.defaultValue ?? {});
}

/** The environments that rules and overrides of a document name, in alphabetical order. */
export function environmentsOf(document: SpecDocument, among?: ReadonlySet<string>): string[] {
  const names = conditionsIn(document, among)
    .filter(({ type }) => type === "environment_field")
    .flatMap(({ targetValue }) => textsIn(targetValue));
  return [...new Set(names)].sort();
}

/** The segments whose ids a document leaves to files beside it, in alphabetical order. */
export function segmentsInFiles(document: SpecDocument, among?: ReadonlySet<string>): string[] {
  const names = conditionsIn(document, among)
    .filter(({ operator }) => operator === "in_segment_list")
    .map(({ targetValue }) => String(targetValue));
  return [...new Set(names)].sort();
}

/** The places of some objects, and of all that they ask, maybe by way of others. */
export function askedFrom(document: SpecDocument, places: Iterable<string>): Set<string> {
  const asks = new Map<string, readonly string[]>(
    lists.flatMap((list) => document[list].map((spec) => [`${list}/${spec.name}`, askedBy(spec)] as const)),
  );
  return reachedFrom(places, (one) => asks.get(one) ?? []);
}

/** Why nobody here knows what SDKs answer for an object, or for one that it asks; undefined where it is known. */
export function doubtOf(document: SpecDocument, kind: Kind, name: string): string | undefined {
  const doubts = document.not_known_here ?? {};
  if (Object.keys(doubts).length === 0) return undefined;
  const asked = `${listOf(kind)}/${name}`;
  for (const place of askedFrom(document, [asked])) {
    const doubt = doubts[place];
    const other = place.slice(place.indexOf("/") + 1);
    if (doubt !== undefined) return place === asked ? doubt : `it depends on "${other}", and ${doubt}`;
  }
  return undefined;
}

/** The places of the objects that rules ask: gates by their conditions, experiments by the rules of a layer. */
export function askedBy({ rules }: Spec): string[] {
  const experiments = rules.flatMap(({ configDelegate }) => configDelegate ?? []);
  return [
    ...gatesAskedBy({ rules }).map((name) => `feature_gates/${name}`),
    ...experiments.map((name) => `dynamic_configs/${name}`),
  ];
}

/** The salt of a draw. */
export const saltOf = (condition: Condition | undefined): string | undefined =>
  condition?.additionalValues?.salt;

/** A condition that draws by another salt; undefined: by its own. */
export const withSalt = (condition: Condition, salt: string | undefined): Condition =>
  salt === undefined
    ? condition
    : { ...condition, additionalValues: { ...condition.additionalValues, salt } };

/** A rule that draws by other salts; undefined: by its own. */
export const resalted = (rule: Rule, saltFor: (salt: string | undefined) => string | undefined): Rule => ({
  ...rule,
  ...(rule.salt === undefined ? {} : { salt: saltFor(rule.salt) ?? rule.salt }),
  conditions: rule.conditions.map((one) => withSalt(one, saltFor(saltOf(one)))),
});

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
  return { ...spec, rules: spec.rules.map((rule) => resalted(rule, (salt) => salts.get(salt))) };
}
