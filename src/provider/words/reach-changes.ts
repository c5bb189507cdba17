import { conditionType } from "../definitions/parts/condition-types";
import { isObject, stableText } from "../schema/json";
import { UNKNOWN } from "../schema/unknown";
import {
  type Box,
  common,
  conditionsIn,
  covers,
  type Deciding,
  decidingOf,
  marked,
  meet,
  type Region,
  Space,
} from "./reach-space";
import { ruleChanges } from "./rule-changes";

/** Environments: those that are named, or all but those. */
export interface Where {
  readonly all: boolean;
  /** With `all`, the ones left out. */
  readonly names: readonly string[];
}

/** Some of the units, as conditions tell them. */
export interface Audience {
  /** All of these hold; none: everyone. */
  readonly conditions: readonly unknown[];
  /** Only those of them for whom no rule before decides. */
  readonly isRest: boolean;
  /** Every unit for whom the rules are is among them. */
  readonly isWhole: boolean;
}

/** Those whom one rule decides for. */
export interface Slice extends Audience, Place {}

interface Place {
  readonly where: Where;
}

/** Those for whom one rule decided before and one decides after. */
export interface ReachChange extends Audience, Place {
  /** Places of the rules, counted from 0; undefined: no rule is for them. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** Percent of them who pass; undefined: not known yet. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** It is the same rule, so that whoever was in a share stays in a larger one. */
  readonly isSameRule: boolean;
}

/** Rules, and whether they count. */
export interface RulesInForce {
  readonly rules: readonly unknown[];
  /** Left out: the rules count. */
  readonly reach?: "nobody" | "everybody" | "rules";
}

/**
 * Everybody, by the rule that decides for them before and after. Who is in a share is drawn for each rule apart.
 * @param now milliseconds since 1970: no check comes before it any more. Left out: any time counts
 * @returns undefined where there is too much to tell apart
 */
export function reachChanges(
  before: RulesInForce,
  after: RulesInForce,
  now?: number,
): readonly ReachChange[] | undefined {
  const [olds, news] = [counting(before), counting(after)];
  const sides = [marked(olds, "before"), marked(news, "after")] as const;
  const space = Space.of(sides.flat(), now);
  const [was, is] = sides.map((rules) => space && decidingOf(space, rules));
  if (space === undefined || was === undefined || is === undefined) return undefined;
  const partners = new Map(ruleChanges(olds, news).kept.map(({ from, to }): [number, number] => [from, to]));
  const cut = new Cut(space, [olds, news], sides);
  const last = { before: olds.length, after: news.length };
  const regionsOf = ({ byRule, none }: Deciding) => [...byRule, none];
  return regionsOf(was).flatMap((one, from) =>
    regionsOf(is).flatMap((other, to): ReachChange[] => {
      const places = {
        before: from === last.before ? undefined : from,
        after: to === last.after ? undefined : to,
      };
      return cut.slices(common(one, other), places).map((slice) => ({
        ...places,
        ...slice,
        from: shareOf(before, places.before),
        to: shareOf(after, places.after),
        isSameRule:
          places.before === undefined || places.after === undefined
            ? places.before === places.after
            : partners.get(from) === to,
      }));
    }),
  );
}

/** The rules that decide for anybody. */
const counting = ({ rules, reach = "rules" }: RulesInForce): readonly unknown[] =>
  reach === "rules" ? rules : [];

/** Whom each rule decides for, by its place; undefined where there is too much to tell apart. */
export function slicesOf(rules: readonly unknown[], now?: number): (readonly Slice[])[] | undefined {
  const known = marked(rules, "rules");
  const space = Space.of(known, now);
  const deciding = space && decidingOf(space, known);
  if (space === undefined || deciding === undefined) return undefined;
  const cut = new Cut(space, [rules, rules], [known, known]);
  return [...deciding.byRule, deciding.none].map((region, at) =>
    cut.slices(region, { before: undefined, after: at === rules.length ? undefined : at }),
  );
}

/** A rule that no check comes to. Both are places in the list, counted from 0. */
export interface ShadowedRule {
  readonly at: number;
  /** The rules before it that decide for all whom it is for: the first that does so alone, else all that take a part. */
  readonly after: readonly number[];
}

/** Rules that no check comes to, because rules before them decide. What is not known yet counts as different. */
export function shadowedRules(rules: unknown, now?: number): ShadowedRule[] {
  if (!Array.isArray(rules)) return [];
  const known = marked(rules, "rules");
  const space = Space.of(known, now);
  const deciding = space && decidingOf(space, known);
  if (space === undefined || deciding === undefined) return [];
  const audiences = known.map((rule) => space.audienceOf(rule));
  return audiences.flatMap((audience, at) => {
    if (audience === undefined || (deciding.byRule[at] ?? []).length > 0) return [];
    const taking = audiences.flatMap((one, place) =>
      place < at && one && meet(one, audience) ? [place] : [],
    );
    const alone = taking.find((place) => covers([audiences[place] as Box], audience));
    return [{ at, after: alone === undefined ? taking : [alone] }];
  });
}

/** The percent of those a rule decides for who pass; undefined where that is not known yet. */
function shareOf({ rules, reach = "rules" }: RulesInForce, place: number | undefined): number | undefined {
  if (reach !== "rules") return reach === "nobody" ? 0 : 100;
  return place === undefined ? 0 : passPercentageOf(rules[place]);
}

/** The percent of those a rule decides for who pass it; undefined where that is not known yet. */
function passPercentageOf(rule: unknown): number | undefined {
  const share = isObject(rule) ? rule.passPercentage : UNKNOWN;
  if (typeof share === "number") return share;
  return share === undefined || share === null ? 100 : undefined;
}

/** Cuts regions into parts for which there are words. */
class Cut {
  readonly #space: Space;
  readonly #rules: readonly [readonly unknown[], readonly unknown[]];
  readonly #audiences: readonly (readonly (Box | undefined)[])[];

  constructor(
    space: Space,
    rules: readonly [readonly unknown[], readonly unknown[]],
    sides: readonly [readonly unknown[], readonly unknown[]],
  ) {
    this.#space = space;
    this.#rules = rules;
    this.#audiences = sides.map((side) => side.map((rule) => space.audienceOf(rule)));
  }

  /** One part for each set of environments in which the same words tell who is in it. */
  slices(region: Region, places: Pick<ReachChange, "before" | "after">): Slice[] {
    const cells = this.#cells();
    const groups = new Map<string, { audience: Audience; cells: number[] }>();
    for (const cell of cells) {
      const here = this.#in(region, cell);
      if (here.length === 0) continue;
      const audience = this.#audience(here, places, cell);
      const id = stableText([audience.conditions, audience.isRest]);
      const known = groups.get(id) ?? { audience, cells: [] };
      known.cells.push(cell);
      groups.set(id, known);
    }
    return [...groups.values()].map((group) => ({ ...group.audience, where: this.#where(group.cells) }));
  }

  /** The cells of the dimension of environments. */
  #cells(): number[] {
    const { environment, dimensions } = this.#space;
    return environment < 0 ? [0] : [...(dimensions[environment]?.cells ?? []).keys()];
  }

  #in(region: Region, cell: number): Region {
    const { environment, all } = this.#space;
    if (environment < 0) return region;
    const here = all.map((cells, at) => (at === environment ? 1n << BigInt(cell) : cells));
    return common(region, [here]);
  }

  #audience(here: Region, { before, after }: Pick<ReachChange, "before" | "after">, cell: number): Audience {
    const { all } = this.#space;
    const places = [before, after] as const;
    const [was = all, is = all] = places.map((place, side) =>
      place === undefined ? all : this.#audiences[side]?.[place],
    );
    const [narrow] = this.#in([meet(was, is) ?? all], cell);
    const [wide] = this.#in([all], cell);
    const [mine] = this.#in([is], cell);
    const [theirs] = this.#in([was], cell);
    if (narrow === undefined) return { conditions: [], isRest: true, isWhole: false };
    const same = (one: Box | undefined) => stableText(one?.map(String)) === stableText(narrow.map(String));
    const said = [this.#conditions(0, before), this.#conditions(1, after)] as const;
    const conditions = same(wide) ? [] : same(mine) ? said[1] : same(theirs) ? said[0] : joined(...said);
    if (covers(here, narrow)) return { conditions, isRest: false, isWhole: true };
    const rest = { conditions, isRest: true, isWhole: false };
    const [only, more] = here;
    if (only === undefined || more !== undefined || same(wide)) return rest;
    const exact = this.#space.conditionsFor(only, narrow);
    if (exact === undefined || exact.length > 2) return rest;
    return { conditions: exact, isRest: this.#space.isNarrowed(only, narrow), isWhole: false };
  }

  #conditions(side: 0 | 1, place: number | undefined): readonly unknown[] {
    const rule = place === undefined ? undefined : this.#rules[side][place];
    if (!isObject(rule)) return place === undefined ? [] : [UNKNOWN];
    const conditions = conditionsIn(rule);
    return this.#space.environment < 0 ? conditions : conditions.filter((one) => !isOnEnvironment(one));
  }

  #where(cells: readonly number[]): Where {
    const { environment, dimensions } = this.#space;
    const all = dimensions[environment]?.cells ?? [];
    const isAll = environment < 0 || cells.some((cell) => all[cell]?.hasOthers === true);
    const named = all.flatMap(({ values }, cell) => (cells.includes(cell) === isAll ? [] : values));
    return { all: isAll, names: isAll && environment < 0 ? [] : named };
  }
}

const isOnEnvironment = (condition: unknown): boolean =>
  isObject(condition) && conditionType(condition.type)?.environment === true;

function joined(one: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  const known = new Set(one.map(stableText));
  return [...one, ...other.filter((condition) => !known.has(stableText(condition)))];
}
