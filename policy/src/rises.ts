import {
  environmentsOf,
  isCatchAll,
  isObject,
  type JsonObject,
  type Path,
  pathText,
  type Reach,
  type ReachChange,
  reachChanges,
  ruleChanges,
  UNKNOWN,
  type Where,
} from "pulumi-feature-console/facts";
import type { DeclaredObject, Finding, Parameter } from "./rule";

/** A share of units that grows, in percent. */
export interface Rise {
  /** Whose share it is: `rules[1]`. */
  readonly place: string;
  readonly from: number;
  readonly to: number;
}

/** Which rises a rule looks at. */
export interface RiseParameters {
  readonly environments: readonly string[];
  readonly newObjects: boolean;
  readonly newRules: string;
}

/** The parameters that rules about rises share. */
export const riseParameters: { readonly [Name in keyof RiseParameters]: Parameter } = {
  environments: {
    type: "array",
    items: { type: "string" },
    description: "Environments that matter. An empty list: the rules that hold in every one.",
    default: ["production"],
  },
  newObjects: {
    type: "boolean",
    description: "Whether a new object counts as one with 0 % so far.",
    default: false,
  },
  newRules: {
    type: "string",
    enum: ["everyone", "all", "none"],
    description: 'Which new rules of an object count: "everyone" (those for everybody), "all" or "none".',
    default: "everyone",
  },
};

/** The shares that grow, by environment, and places of which it is not known yet whether they do. */
export function risesOf(
  { kind, args: said, before, isChanged }: DeclaredObject,
  { environments, newObjects, newRules }: RiseParameters,
  judge: (rise: Rise, environment: string | undefined) => string | undefined,
): Finding[] {
  const field = kind.rulesField;
  if (field === undefined || (before === undefined && (!newObjects || kind.keepsRollout(said)))) return [];
  // What was a secret in the state cannot be compared.
  if (before?.[field] === UNKNOWN) return [{ unknown: [field] }];
  if (!isChanged) return [];
  const args = before === undefined ? said : kind.withConsoleOwned(before, said);
  if (args[field] === UNKNOWN) return [{ unknown: [field] }];
  const was = before ?? {};
  const reachBefore = kind.reachOf(was) ?? (before === undefined ? "nobody" : "rules");
  const reachAfter = kind.reachOf(args) ?? (before === undefined ? "rules" : reachBefore);
  const sides = {
    ...{ field, newRules, reachBefore, reachAfter },
    ...{ before: listOf(was[field]), after: listOf(args[field] ?? was[field]) },
  };
  const messages = new Map<string, string>();
  const unknowns = new Map<string, Path>();
  for (const environment of environments.length > 0 ? environments : [undefined])
    for (const rise of risesIn(environment, sides)) {
      if ("unknown" in rise) unknowns.set(rise.unknown.join("."), rise.unknown);
      else if (rise.to > rise.from) {
        const message = judge(rise, environment);
        if (message !== undefined) messages.set(`${rise.place} ${environment}`, message);
      }
    }
  return [
    ...[...messages.values()].map((message) => ({ message })),
    ...[...unknowns.values()].map((unknown) => ({ unknown })),
  ];
}

/** An object before and after, and how to look at it. */
interface Sides {
  readonly field: string;
  readonly newRules: string;
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
  readonly reachBefore: Reach;
  readonly reachAfter: Reach;
}

type Found = Rise | { readonly unknown: Path };

function risesIn(environment: string | undefined, sides: Sides): Found[] {
  const { reachBefore, reachAfter } = sides;
  if (reachAfter === "nobody" || reachBefore === "everybody") return [];
  const [was, is] = [{ rules: reachBefore === "nobody" ? [] : sides.before }, { rules: sides.after }];
  if (reachAfter === "everybody") {
    const everyone = shareOfEveryone(was.rules, environment);
    return everyone === undefined
      ? [{ unknown: [sides.field] }]
      : [{ place: "everybody", from: everyone, to: 100 }];
  }
  const changes = reachChanges(was, is);
  if (changes === undefined) return [{ unknown: [sides.field] }];
  const kept = new Set(ruleChanges(was.rules, is.rules).kept.map(({ to }) => to));
  return changes
    .filter(({ where }) => holdsIn(where, environment))
    .flatMap((change) => risesOfChange(change, sides, kept));
}

function holdsIn({ all, names }: Where, environment: string | undefined): boolean {
  return environment === undefined ? all : names.includes(environment) !== all;
}

/** What rises for those for whom one rule decided before, and one decides after. */
function risesOfChange(
  change: ReachChange,
  { field, after, before, newRules }: Sides,
  kept: ReadonlySet<number>,
): Found[] {
  const { before: from, after: to, isSameRule } = change;
  const rule = to === undefined ? undefined : after[to];
  if (to === undefined || rule === undefined) return [];
  const path = [field, to];
  if (!isObject(rule)) return [{ unknown: path }];
  const isForAll = change.conditions.length === 0;
  const counts = newRules === "all" || (newRules === "everyone" && isForAll);
  // Whoever an older rule was for, and is for another old one now, has no new rule.
  const isOld = kept.has(to) && (isForAll || from !== undefined);
  if (!isSameRule && !counts && !isOld) return [];
  const earlier = from === undefined ? undefined : before[from];
  return sharesOf(rule).flatMap(({ name, share, member }): Found[] => {
    if (share === UNKNOWN) return [{ unknown: [...path, ...member] }];
    const was = earlier === undefined ? 0 : shareNamed(earlier, name);
    if (was === undefined) return [{ unknown: path }];
    return [{ place: pathText(name === "" ? path : [...path, ...member]), from: was, to: numberOf(share) }];
  });
}

interface Share {
  /** Of the variant; empty for the rule itself. */
  readonly name: string;
  readonly share: unknown;
  readonly member: Path;
}

/** The shares of a rule: its own, and those of its variants. A rule that says none is for all whom it matches. */
function sharesOf(rule: JsonObject): Share[] {
  const variants = Array.isArray(rule.variants) ? rule.variants.filter(isObject) : [];
  return [
    { name: "", share: rule.passPercentage ?? 100, member: ["passPercentage"] },
    ...variants.map((variant, at) => ({
      name: String(variant.name),
      share: variant.passPercentage ?? 0,
      member: ["variants", at, "passPercentage"],
    })),
  ];
}

/** Undefined where the state holds it as a secret. */
function shareNamed(rule: unknown, name: string): number | undefined {
  const share = isObject(rule) ? sharesOf(rule).find((one) => one.name === name)?.share : undefined;
  return share === UNKNOWN ? undefined : numberOf(share);
}

/** The share of those for whom the first rule for everybody is, in an environment. */
function shareOfEveryone(rules: readonly unknown[], environment: string | undefined): number | undefined {
  const first = rules.find((rule) => {
    const where = isObject(rule) && isCatchAll(rule) ? environmentsOf(rule) : undefined;
    return where === "all" || where?.has(environment) === true;
  });
  return first === undefined ? 0 : shareNamed(first, "");
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
