import type { Switches, SwitchName } from "../../src/emulator/console/rules/switches";

/** `filledDefaults: none`. */
type Answer = { [Q in SwitchName]: `${Q}: ${Switches[Q]}` }[SwitchName];

/** What a plan shows of a case although nothing is wrong. */
export interface Deviation {
  /** Part of the answer by which a write is refused. */
  readonly refusal?: string;
  /** Lines of the first plan. */
  readonly first?: readonly string[];
  /** Lines of the plan after the same was sent again; left out: the same as those of the first. */
  readonly again?: readonly string[];
}

/** Cases that cannot hold where the console answers a question in one way, by the very meaning of that answer. */
interface Exceptions {
  readonly why: string;
  /** `kind: what` -> what is so instead. */
  readonly cases: Readonly<Record<string, Deviation>>;
}

const unshown = (...lines: string[]): Deviation => ({
  first: lines.map((one) => `${one}, read undefined`),
});
const countOf = 'metricEvents[0].type: sent "count"';
const anyone = ['changeTeamConfigs: sent "anyone"', 'reviewApproval: sent "anyone"'];
const twice = (name: string, id: string) => `${name}: sent ["${id}"], read ["${id}","${id}"]`;

export const exceptions: Readonly<Partial<Record<Answer, Exceptions>>> = {
  "filledDefaults: none": {
    why: "A default that was sent is not shown: another tool has to know which defaults are declared.",
    cases: {
      "gate: every argument": unshown("isTemplate: sent false"),
      "dynamicConfig: every argument": unshown("isTemplate: sent false"),
      "dynamicConfig: new rules with empty ids": unshown("rules[0].returnValue: sent {}"),
      "segment: every argument": unshown('idType: sent "userID"'),
      "segment: ids kept by the user store": unshown('idType: sent "userID"'),
      "holdout: every argument": unshown("isGlobal: sent false"),
      "holdout: nothing held out": unshown("passPercentage: sent 0"),
      "metric: every argument of a sum": unshown(countOf),
      "metric: a count": unshown(countOf),
      "metric: a ratio": unshown(countOf, 'metricEvents[1].type: sent "count"'),
      "metric: users of an event": unshown(countOf),
      "metric: a percentile": unshown(countOf),
      "metric: a latest value": unshown(countOf),
      "metric: a warehouse ratio": unshown(
        "warehouseNative.denominatorCustomRollupMeasureInMinutes: sent false",
      ),
      "metric: a warehouse funnel": unshown(
        "warehouseNative.funnelTimeToConvert: sent false",
        "warehouseNative.funnelUseExposureAsFirstEvent: sent false",
      ),
      "metricSource: every argument of a query": unshown('sourceType: sent "query"'),
      "qualifyingEvent: every argument of a query": unshown('sourceType: sent "query"'),
      "tag: not a core tag": unshown("isCore: sent false"),
      "alert: nothing as thresholds": unshown("alertThreshold: sent 0", "evaluationDelayMs: sent 0"),
      "alert: the least window": unshown("evaluationDelayMs: sent 0"),
      "alert: a number that is greater": unshown('condition: sent "greater"'),
      "team: sparse": unshown(...anyone),
      "team: nulls and an empty description": unshown(...anyone),
    },
  },
  "holdoutUnitTypes: refuse": {
    why: "The case holds back objects that count by users, from a holdout that counts by devices.",
    cases: { "holdout: every argument": { refusal: "have another unit type than stableID" } },
  },
  "absentOverrides: missing": {
    why: "A tool that sent empty lists reads that there is nothing.",
    cases: Object.fromEntries(
      ["gateOverrides: empty lists", "gateOverrides: no environments"]
        .flatMap((one) => [one, one.replace("gate", "holdout")])
        .map((one) => [one, { refusal: "Overrides not found" }]),
    ),
  },
  "unusualOperators: refuse": {
    why: "The operator is not among the usual ones of the type, and the console takes no other.",
    cases: {
      "gate: a rule for countries by pattern": {
        refusal: "Invalid operator 'str_matches' for condition type 'country'",
      },
    },
  },
  "holdoutMembers: append": {
    why: "The members of a holdout that are sent again are there twice.",
    cases: {
      "holdout: every argument": {
        first: [],
        again: [twice("gateIDs", "beta"), twice("experimentIDs", "button"), twice("layerIDs", "shop")],
      },
    },
  },
  "holdoutGateIds: internal": {
    why: "The targeting gate of a holdout is shown by another id than the one that was sent.",
    cases: { "holdout: every argument": { first: ['targetingGateID: sent "beta", read "internal-YmV0YQ"'] } },
  },
};

/** What holds of a case where the console answers in these ways; undefined: everything. */
export function deviationOf(name: string, behaviour: Record<string, string>): Deviation | undefined {
  const found = Object.entries(behaviour).flatMap(
    ([question, answer]) => exceptions[`${question}: ${answer}` as Answer]?.cases[name] ?? [],
  );
  if (found.length === 0) return undefined;
  const { refusal } = found.find((one) => one.refusal !== undefined) ?? {};
  const lines = { first: found.flatMap(firstOf), again: found.flatMap((one) => one.again ?? firstOf(one)) };
  return refusal === undefined ? lines : { refusal };
}

function firstOf({ first = [] }: Deviation): readonly string[] {
  return first;
}
