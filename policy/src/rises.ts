import {
  environmentsOf,
  isCatchAll,
  isObject,
  type JsonObject,
  type Path,
  pathText,
  type Reach,
  ruleChanges,
  UNKNOWN,
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
    description: "Whether a new object counts as one that nobody has passed so far.",
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

interface Placed {
  readonly rule: unknown;
  readonly at: number;
}

type Found = Rise | { readonly unknown: Path };

function risesIn(environment: string | undefined, sides: Sides): Found[] {
  const { reachBefore, reachAfter, newRules } = sides;
  if (reachAfter === "nobody" || reachBefore === "everybody") return [];
  const was = reachBefore === "nobody" ? [] : rulesIn(environment, sides.before);
  const is = rulesIn(environment, sides.after);
  const everyone = shareOfEveryone(was);
  if (reachAfter === "everybody")
    return everyone === undefined
      ? [{ unknown: [sides.field] }]
      : [{ place: "everybody", from: everyone, to: 100 }];
  const changes = ruleChanges(
    was.map(({ rule }) => rule),
    is.map(({ rule }) => rule),
  );
  const partners = new Map(changes.kept.map(({ from, to }) => [to, was[from]?.rule]));
  return is.flatMap(({ rule, at }, index) => {
    const path = [sides.field, at];
    if (!isObject(rule)) return [{ unknown: path }];
    const earlier = partners.get(index);
    const counts = newRules === "all" || (newRules === "everyone" && isCatchAll(rule));
    return earlier !== undefined || counts ? risesOfRule(rule, path, { earlier, everyone }) : [];
  });
}

interface Before {
  /** The same rule. */
  readonly earlier: unknown;
  /** The share of those for whom no other rule is; undefined where the state holds it as a secret. */
  readonly everyone: number | undefined;
}

function risesOfRule(rule: JsonObject, path: Path, { earlier, everyone }: Before): Found[] {
  const isForAll = isCatchAll(rule);
  const isForSame = earlier !== undefined && (!isForAll || isCatchAll(earlier));
  return sharesOf(rule).map(({ name, share, member }) => {
    if (share === UNKNOWN) return { unknown: [...path, ...member] };
    const from = isForSame ? shareNamed(earlier, name) : isForAll && name === "" ? everyone : 0;
    if (from === undefined) return { unknown: path };
    return { place: pathText(name === "" ? path : [...path, ...member]), from, to: numberOf(share) };
  });
}

/** The rules that hold in an environment; undefined: those that hold in every one. */
function rulesIn(environment: string | undefined, rules: readonly unknown[]): Placed[] {
  return rules.flatMap((rule, at) => {
    const holdsIn = isObject(rule) ? environmentsOf(rule) : undefined;
    // What is not known yet may hold there.
    const holds = holdsIn === undefined || holdsIn === "all" || holdsIn.has(environment);
    return holds ? [{ rule, at }] : [];
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

function shareOfEveryone(rules: readonly Placed[]): number | undefined {
  const first = rules.find(({ rule }) => isCatchAll(rule))?.rule;
  return first === undefined ? 0 : shareNamed(first, "");
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
