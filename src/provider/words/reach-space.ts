import { conditionOperator } from "../definitions/parts/condition-operators";
import { conditionType, environmentType } from "../definitions/parts/condition-types";
import { isObject, type JsonObject, listIn, stableText } from "../schema/json";
import type { Path } from "../schema/path";
import { holdsUnknown, UNKNOWN } from "../schema/unknown";
import { type Cell, type Dimension, dimensionKey, dimensionsOf, environmentKey } from "./reach-conditions";

/** Units by the cells that they are in: of each dimension a set of cells, one bit each. */
export type Box = readonly bigint[];
/** Boxes that have nothing in common. */
export type Region = readonly Box[];

/** Most boxes that a search tells apart. */
const mostBoxes = 4000;

/** Too many ways in which units differ. */
class TooMuch extends Error {}

/** Everything that rules tell units apart by. */
export class Space {
  readonly dimensions: readonly Dimension[];
  /** The dimension of environments; -1: rules do not tell them apart, or not by their names alone. */
  readonly environment: number;
  readonly all: Box;
  readonly #places: ReadonlyMap<string, readonly [dimension: number, condition: number]>;

  private constructor(dimensions: readonly Dimension[]) {
    this.dimensions = dimensions;
    this.environment = dimensions.findIndex(({ key, isList }) => key === environmentKey && isList);
    this.all = dimensions.map(({ cells }) => (1n << BigInt(cells.length)) - 1n);
    this.#places = new Map(
      dimensions.flatMap(({ conditions }, at) =>
        conditions.map((one, index) => [stableText(one), [at, index]] as const),
      ),
    );
  }

  /** The space of rules; undefined where it is too large. `now`: milliseconds since 1970. */
  static of(rules: readonly unknown[], now?: number): Space | undefined {
    const dimensions = dimensionsOf(rules.flatMap(conditionsOf), now);
    return dimensions === undefined ? undefined : new Space(dimensions);
  }

  /** Whom a rule is for; undefined: nobody. */
  audienceOf(rule: unknown): Box | undefined {
    const conditions = conditionsOf(rule);
    if (conditions.some((one) => conditions.some((other) => asksForNoValueOf(one, other)))) return undefined;
    return conditions.reduce<Box | undefined>(
      (box, one) => (box === undefined ? undefined : meet(box, this.#boxOf(one))),
      this.all,
    );
  }

  #boxOf(condition: unknown): Box {
    const key = dimensionKey(condition);
    if (key === undefined) return this.all;
    const [at, index] = this.#places.get(stableText(condition)) ?? [-1, -1];
    return this.all.map((cells, dimension) => (dimension === at ? this.#holding(at, index) : cells));
  }

  #holding(dimension: number, condition: number): bigint {
    return maskOf(this.dimensions[dimension]?.cells ?? [], ({ holds }) => holds[condition] === true);
  }

  /**
   * Conditions that are met in the cells of a box and nowhere else, as far as it lies in a wider one only by what that one tells
   * apart too; undefined where there are no such words.
   */
  conditionsFor(box: Box, wider: Box): readonly JsonObject[] | undefined {
    const found = box.flatMap((cells, at): (JsonObject | undefined)[] =>
      at === this.environment || wider[at] === this.all[at] ? [] : [this.#conditionFor(at, cells)],
    );
    return found.some((one) => one === undefined || isUnknownMark(one)) ? undefined : (found as JsonObject[]);
  }

  /** True where a box is narrower than another in something that the other does not tell apart. */
  isNarrowed(box: Box, wider: Box): boolean {
    return box.some(
      (cells, at) => at !== this.environment && wider[at] === this.all[at] && cells !== this.all[at],
    );
  }

  #conditionFor(at: number, cells: bigint): JsonObject | undefined {
    const dimension = this.dimensions[at];
    if (dimension === undefined) return undefined;
    const { conditions, cells: all, isList } = dimension;
    const same = conditions.findIndex((_, index) => this.#holding(at, index) === cells);
    if (same >= 0) return conditions[same];
    const [first] = conditions;
    if (isList && first !== undefined) return listCondition(first, all, cells);
    const opposite = conditions.findIndex(
      (_, index) => (this.all[at] ?? 0n) - this.#holding(at, index) === cells,
    );
    return opposite < 0 ? undefined : oppositeOf(conditions[opposite]);
  }
}

/** A condition on a list of values that says which cells are meant. */
function listCondition(like: JsonObject, all: readonly Cell[], cells: bigint): JsonObject | undefined {
  const isIn = (at: number) => ((cells >> BigInt(at)) & 1n) === 1n;
  const hasOthers = all.some((cell, at) => cell.hasOthers && isIn(at));
  const named = all.flatMap((cell, at) => (isIn(at) === hasOthers ? [] : cell.values));
  return { ...like, operator: hasOthers ? "none" : "any", targetValue: named };
}

function oppositeOf(condition: JsonObject | undefined): JsonObject | undefined {
  if (condition === undefined) return undefined;
  const type = conditionType(condition.type)?.opposite;
  if (type !== undefined) return { ...condition, type };
  const operator = conditionOperator(condition.operator)?.opposite;
  return operator === undefined ? undefined : { ...condition, operator };
}

function maskOf(cells: readonly Cell[], isIn: (cell: Cell) => boolean): bigint {
  return cells.reduce((mask, cell, at) => (isIn(cell) ? mask | (1n << BigInt(at)) : mask), 0n);
}

const unknownMark = "not known yet";

/** Rules in which each condition that is not known yet is another one: nobody knows that two of them are the same. */
export function marked(rules: readonly unknown[], side: string): unknown[] {
  return rules.map((rule, at) => {
    const mark = (place: string): JsonObject => ({
      ...{ type: unknownMark, targetValue: `${side} ${at} ${place}` },
    });
    if (!isObject(rule)) return { conditions: [mark("rule")] };
    const { environments } = rule;
    const known = conditionsIn(rule).map((one, index) =>
      holdsUnknown(one) || !isObject(one) ? mark(String(index)) : one,
    );
    const isOpen = holdsUnknown(environments);
    return {
      ...rule,
      conditions: isOpen ? [...known, mark("environments")] : known,
      ...(isOpen ? { environments: null } : {}),
    };
  });
}

const isUnknownMark = ({ type }: JsonObject): boolean => type === unknownMark;

/** The conditions of a rule, of which one may not be known yet, or all. */
export function conditionsIn({ conditions }: JsonObject): readonly unknown[] {
  return Array.isArray(conditions) ? conditions : conditions === UNKNOWN ? [UNKNOWN] : [];
}

/** A condition of a rule, or its environments as one, and where it is. */
export interface Part {
  readonly path: Path;
  readonly condition: unknown;
}

/** The parts of a rule that all have to hold. */
export function partsOf(rule: unknown): Part[] {
  if (!isObject(rule)) return [];
  const { conditions, environments } = rule;
  const list = listIn(conditions);
  const own = list.map((condition, at): Part => ({ path: ["conditions", at], condition }));
  if (environments === undefined || environments === null) return own;
  const condition = { type: environmentType, operator: "any", targetValue: [environments].flat() };
  return [{ path: ["environments"], condition }, ...own];
}

const conditionsOf = (rule: unknown): unknown[] => partsOf(rule).map(({ condition }) => condition);

/** True for parts that no unit meets together. */
export function holdForNobody(parts: readonly Part[], now: number | undefined): boolean {
  const rule = { conditions: parts.map(({ condition }) => condition) };
  const space = Space.of([rule], now);
  return space !== undefined && space.audienceOf(rule) === undefined;
}

/** True where one condition asks that something has no value and another one, which may compare it as another sort, for some. */
function asksForNoValueOf(one: unknown, other: unknown): boolean {
  if (
    !isObject(one) ||
    !isObject(other) ||
    conditionOperator(one.operator)?.presence !== "absent" ||
    one.type !== other.type
  )
    return false;
  if ((one.field ?? null) !== (other.field ?? null)) return false;
  if ((one.customID ?? null) !== (other.customID ?? null)) return false;
  return ["number", "version", "array"].includes(conditionOperator(other.operator)?.compares ?? "");
}

/** The common part of two boxes; undefined where there is none. */
export function meet(one: Box, other: Box): Box | undefined {
  const both = one.map((cells, at) => cells & (other[at] ?? 0n));
  return both.includes(0n) ? undefined : both;
}

/** A box without what another one takes. */
function without(box: Box, taken: Box): Box[] {
  if (meet(box, taken) === undefined) return [box];
  const rest = [...box];
  return box.flatMap((cells, at) => {
    const left = cells & ~(taken[at] ?? 0n);
    const part = rest.map((one, index) => (index === at ? left : one));
    rest[at] = cells & (taken[at] ?? 0n);
    return left === 0n ? [] : [part];
  });
}

/** Whom rules decide for: of each rule those whom no rule before it takes, and at the end those for whom no rule is. */
export interface Deciding {
  readonly byRule: readonly Region[];
  readonly none: Region;
}

/** Units by the rule that decides for them; undefined where there are too many groups. */
export function decidingOf(space: Space, rules: readonly unknown[]): Deciding | undefined {
  try {
    let left: Region = [space.all];
    const byRule = rules.map((rule): Region => {
      const audience = space.audienceOf(rule);
      if (audience === undefined) return [];
      const own = common(left, [audience]);
      left = limited(left.flatMap((box) => without(box, audience)));
      return own;
    });
    return { byRule, none: left };
  } catch (error) {
    if (error instanceof TooMuch) return undefined;
    throw error;
  }
}

function limited(boxes: Region): Region {
  if (boxes.length > mostBoxes) throw new TooMuch();
  return boxes;
}

/** The common part of two regions. */
export function common(one: Region, other: Region): Region {
  return one.flatMap((box) =>
    other.flatMap((next) => {
      const both = meet(box, next);
      return both === undefined ? [] : [both];
    }),
  );
}

/** True where a region has all of a box. */
export function covers(region: Region, box: Box): boolean {
  let left: Box[] = [box];
  for (const taken of region) left = left.flatMap((one) => without(one, taken));
  return left.length === 0;
}
