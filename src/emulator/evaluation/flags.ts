import { keptIn } from "../../provider/schema/memoized";
import { listText } from "../../provider/texts/count-text";
import { closest } from "../../provider/texts/misspelling";
import { decisionOf, type Evaluated } from "./decision";
import { quiet, startOn, whole } from "./sdk";
import {
  byName,
  type Condition,
  called,
  doubtOf,
  isOwnRule,
  type Kind,
  kinds,
  parametersOf,
  type Spec,
  type SpecDocument,
  shutText,
  specsOfKind,
} from "./specs";
import type { ConfigAnswer, Decision, FlagUser, GateAnswer, LayerAnswer, SdkClient } from "./types";

/** Number of users by which a share is measured. */
const usersOfShare = 10_000;

type Answer = Pick<Evaluated, "passes" | "value">;

/** A document, and clients of the SDK that evaluate it. */
interface Evaluator {
  readonly document: SpecDocument;
  readonly client: SdkClient;
  /** Asked for single conditions: another client, so that the first one knows no flags but those of the document. */
  readonly prober: SdkClient;
  readonly probing: Probing;
}

/**
 * Hands flags to the service's own SDK.
 * @param environment the tier that it says; left out: none
 * @throws Error where the SDK is not installed.
 */
export async function flagsOn(document: SpecDocument, environment?: string): Promise<Flags> {
  const probing = probingOf(document);
  const client = await startOn(document, environment);
  const prober = await startOn(probing.document, environment);
  return new Flags({ document, client, prober, probing });
}

/** Flags as the service's own SDK evaluates them, each answer with the rule that decided. */
export class Flags {
  /** The SDK's client itself, for code of an application that takes one. */
  readonly sdk: SdkClient;
  readonly #of: Evaluator;
  readonly #gates: ReadonlyMap<string, Spec>;

  constructor(evaluator: Evaluator) {
    this.sdk = evaluator.client;
    this.#of = evaluator;
    this.#gates = byName(evaluator.document.feature_gates);
  }

  /** Asks a gate for a user. @throws Error where there is no such gate, or nobody here knows. */
  gate(name: string, user: FlagUser): GateAnswer {
    const spec = this.#known("gate", name);
    const answer = this.sdk.getFeatureGate(whole(user), name, quiet);
    return { ...answer, ...this.#decision(user, spec, answer.ruleID, { passes: answer.value }) };
  }

  /** Asks a dynamic config for a user. @throws Error where there is no such config. */
  config(name: string, user: FlagUser): ConfigAnswer {
    const spec = this.#known("config", name);
    const answer = this.sdk.getConfig(whole(user), name, quiet);
    const { value } = answer;
    return Object.assign(answer, this.#decision(user, spec, answer.getRuleID(), { value }));
  }

  /** Asks an experiment for a user. @throws Error where there is no such experiment. */
  experiment(name: string, user: FlagUser): ConfigAnswer {
    const spec = this.#known("experiment", name);
    const answer = this.sdk.getExperiment(whole(user), name, quiet);
    return Object.assign(answer, this.#decision(user, spec, answer.getRuleID()));
  }

  /** Asks a layer for a user. @throws Error where there is no such layer. */
  layer(name: string, user: FlagUser): LayerAnswer {
    const spec = this.#known("layer", name);
    const answer = this.sdk.getLayer(whole(user), name, quiet);
    const allocated = answer.getAllocatedExperimentName();
    const experiment = this.#of.document.dynamic_configs.find((one) => one.name === allocated);
    const ruleID = answer.getRuleID();
    const decides = experiment?.rules.some(({ id }) => id === ruleID) ? experiment : spec;
    const decision = this.#decision(user, decides, ruleID);
    // Experiments of one layer may have groups of one name.
    const rule =
      decides === spec || decision.rule === null ? decision.rule : `${decides.name} / ${decision.rule}`;
    return Object.assign(answer, decision, { rule });
  }

  /** The names of the parameters of a layer. */
  parametersOf(layer: string): string[] {
    this.#spec("layer", layer);
    return parametersOf(this.#of.document, layer);
  }

  /**
   * The share of 10,000 users who pass a gate. They differ in their ids alone, and have everything else from `user`, other ids than
   * that of the gate's unit too; the same 10,000 each time.
   * @throws Error where there is no such gate.
   */
  share(gate: string, user: FlagUser = {}): Share {
    const { idType: unit = "userID" } = this.#known("gate", gate);
    const types = this.#idTypes();
    let passing = 0;
    for (let number = 0; number < usersOfShare; number += 1) {
      const ids = Object.fromEntries(types.map((type) => [type, `${type}-${number}`]));
      const own = isUserID(unit) ? {} : { [unit]: `${unit}-${number}` };
      const userID = isUserID(unit) ? undefined : user.userID;
      const customIDs = { ...ids, ...user.customIDs, ...own };
      const one = { ...user, userID: userID ?? `user-${number}`, customIDs };
      if (this.sdk.checkGate(one, gate, quiet)) passing += 1;
    }
    return shareOf(passing, usersOfShare);
  }

  /**
   * Which of some users pass a gate, and by which rule: an object for `console.table`, and for a comparison as a whole.
   * @throws Error where there is no such gate.
   */
  whoPasses<const Name extends string>(
    gate: string,
    users: Readonly<Record<Name, FlagUser>>,
  ): Record<Name, { passes: boolean; rule: string | null }> {
    const rows = Object.entries<FlagUser>(users).map(([name, user]) => {
      const { value, rule } = this.gate(gate, user);
      return [name, { passes: value, rule }];
    });
    return Object.fromEntries(rows);
  }

  #decision(user: FlagUser, spec: Spec, ruleID: string, answer: Answer = {}): Decision {
    const gate = (name: string): Spec | undefined => this.#gates.get(name);
    const probes = (condition: Condition) => this.#of.probing.probes.get(condition);
    const meets = (condition: Condition) => this.#probe(user, probes(condition)?.meets);
    const lacks = (condition: Condition) => this.#lacks(user, probes(condition));
    const shut = shutText(this.#of.document, spec);
    return decisionOf({ spec, ruleID, shut, gate, meets, lacks, ...answer });
  }

  #lacks(user: FlagUser, probes: Probes | undefined): "value" | "list" | undefined {
    if (this.#probe(user, probes?.hasNoValue) === true) return "value";
    return this.#probe(user, probes?.hasList) === false ? "list" : undefined;
  }

  #probe(user: FlagUser, probe: string | undefined): boolean | undefined {
    if (probe === undefined) return undefined;
    const { value, evaluationDetails } = this.#of.prober.getFeatureGate(whole(user), probe, quiet);
    return evaluationDetails?.reason === "Unsupported" ? undefined : value;
  }

  /** @throws Error where something that decides is not known here, such as the stage of a release. */
  #known(kind: Kind, name: string): Spec {
    const spec = this.#spec(kind, name);
    const doubt = doubtOf(this.#of.document, kind, name);
    if (doubt !== undefined) throw new Error(`${called(kind)} "${name}": not known here: ${doubt}`);
    return spec;
  }

  /** The SDK answers its default for an unknown name: here a misspelt name is an error. */
  #spec(kind: Kind, name: string): Spec {
    const known = specsOfKind(this.#of.document, kind);
    const found = known.find((spec) => spec.name === name);
    if (found !== undefined) return found;
    const names = known.map((spec) => spec.name);
    throw new Error(`no ${called(kind)} "${name}"; ${this.#otherKind(name) ?? meantText(name, names)}`);
  }

  #otherKind(name: string): string | undefined {
    const isNamed = (spec: Spec): boolean => spec.name === name;
    const kind = kinds.find((one) => specsOfKind(this.#of.document, one).some(isNamed));
    return kind === undefined ? undefined : `what has that name is of kind ${kind}: ask for that kind`;
  }

  /** The types of ids that gates, segments and holdouts look at, beside that of users. */
  #idTypes(): string[] {
    const types = [...this.#gates.values()].flatMap(({ idType = "userID", rules }) => [
      idType,
      ...rules.flatMap(({ conditions }) => conditions.map((one) => one.idType ?? idType)),
    ]);
    return [...new Set(types)].filter((type) => !isUserID(type));
  }
}

const isUserID = (type: string): boolean => type.toLowerCase() === "userid";

function meantText(name: string, names: readonly string[]): string {
  const meant = closest(name, names);
  if (meant !== undefined) return `did you mean "${meant}"?`;
  return names.length === 0 ? "there is none" : `there are ${listText(names, 10)}`;
}

/** A measured share of users; percentages from 0 to 100. */
export interface Share {
  readonly percent: number;
  /** The lower end of the interval in which the real share is in 999 of 1,000 measurements. */
  readonly low: number;
  readonly high: number;
  /** Number of users asked. */
  readonly count: number;
}

/** Normal quantile of 99.9 %, both sides. */
const quantile = 3.2905;

/** The share and its interval by Wilson, which is right also near 0 and 100 %. */
export function shareOf(passing: number, count: number): Share {
  const share = passing / count;
  const square = quantile ** 2 / count;
  const middle = (share + square / 2) / (1 + square);
  const half = (quantile * Math.sqrt((share * (1 - share)) / count + square / (4 * count))) / (1 + square);
  const percent = (value: number): number => Math.round(value * 10_000) / 100;
  return {
    percent: percent(share),
    low: percent(Math.max(0, middle - half)),
    high: percent(Math.min(1, middle + half)),
    count,
  };
}

/** Gates that ask for one condition, or for what it looks at. */
interface Probes {
  readonly meets: string;
  /** Those pass who have no value there. Only of a condition on what a list does not have. */
  readonly hasNoValue?: string;
  readonly hasList?: string;
}

/** A document in which the SDK can be asked for single conditions. */
export type Probing = ReturnType<typeof probingOf>;

const probeName = "feature-console: condition ";

/** A gate for each condition of rules that people wrote, beside all gates: who passes it meets the condition, as the SDK itself says. */
export function probingOf(document: SpecDocument) {
  /** By the conditions of the document. */
  const probes = new Map<Condition, Probes>();
  const names = new Map<string, string>();
  const gates: unknown[] = [];
  const asked = kinds.flatMap((kind) => specsOfKind(document, kind));
  for (const { rules, idType = "userID" } of asked) {
    for (const condition of rules.filter(isOwnRule).flatMap(({ conditions }) => conditions)) {
      const place = (asked: Condition): string =>
        keptIn(names, JSON.stringify([idType, asked]), () => {
          const name = `${probeName}${names.size + 1}`;
          gates.push(probeOf(name, asked, idType));
          return name;
        });
      const isOnLists = negativeOfLists.has(condition.operator ?? "");
      probes.set(condition, {
        meets: place(condition),
        ...(isOnLists && {
          hasNoValue: place({ ...condition, operator: "eq", targetValue: null }),
          hasList: place({ ...condition, operator: "array_contains_none", targetValue: [nothing] }),
        }),
      });
    }
  }
  const feature_gates = [...document.feature_gates, ...gates] as SpecDocument["feature_gates"];
  const probed: SpecDocument = { ...document, feature_gates, dynamic_configs: [], layer_configs: [] };
  return { document: probed, probes };
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
