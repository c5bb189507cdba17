import { conditionOperator } from "../definitions/parts/condition-operators";
import { conditionType, environmentType, userType } from "../definitions/parts/condition-types";
import { isObject, type JsonObject, stableText } from "../schema/json";
import { holdsUnknown } from "../schema/unknown";
import { listOf, mostCombined, operatorOf, samplesOf, sortOf, subsetsOf, testOf } from "./reach-values";

/** One way in which a unit can answer all conditions about one thing. */
export interface Cell {
  /** For each condition whether it holds. */
  readonly holds: readonly boolean[];
  /** Values named by conditions that are in this cell, as they were first written. */
  readonly values: readonly string[];
  /** Values that no condition names are in it too. */
  readonly hasOthers: boolean;
}

/** A thing that conditions look at, and every way in which one unit can answer all of them together. */
export interface Dimension {
  readonly key: string;
  readonly conditions: readonly JsonObject[];
  readonly cells: readonly Cell[];
  /** Only "one of" and "none of", without regard to case: then cells are sets of values. */
  readonly isList: boolean;
}

/** The key of the dimension of environments. */
export const environmentKey = `${environmentType} text`;

/** Key that conditions about one thing share; undefined for the one that everybody meets. */
export function dimensionKey(condition: unknown): string | undefined {
  const type = isObject(condition) ? conditionType(condition.type) : undefined;
  if (type?.everyone === true) return undefined;
  if (!isObject(condition) || holdsUnknown(condition)) return `opaque ${stableText(condition)}`;
  if (type?.asks !== undefined) return `member ${type.refersTo}`;
  const sort = sortOf(condition);
  if (sort === undefined || type?.opaque === true) return `opaque ${stableText(condition)}`;
  if (type?.clock === true) return "time";
  const isUser = type?.needs === "customID" && String(condition.customID ?? "").toLowerCase() === "userid";
  const more = [condition.field, condition.customID].filter((one) => typeof one === "string");
  return [isUser ? userType : [condition.type, ...more].join(" "), sort].join(" ");
}

/**
 * Dimensions of conditions, each condition once.
 * @param now milliseconds since 1970, before which no check comes any more; left out: any time counts
 * @returns undefined where there are too many ways to answer them
 */
export function dimensionsOf(conditions: readonly unknown[], now?: number): Dimension[] | undefined {
  const groups = new Map<string, Map<string, JsonObject>>();
  for (const one of conditions) {
    const key = dimensionKey(one);
    if (key === undefined) continue;
    const group = groups.get(key) ?? new Map<string, JsonObject>();
    group.set(stableText(one), (isObject(one) ? one : { type: one }) as JsonObject);
    groups.set(key, group);
  }
  const found = [...groups].flatMap(([key, group]): (Dimension | undefined)[] => {
    const all = [...group.values()];
    if (key.startsWith("member ")) return memberDimensions(key, all);
    if (key.startsWith("opaque ")) return [opaqueDimension(key, all)];
    return [comparedDimension(key, all, now)];
  });
  return found.includes(undefined) ? undefined : (found as Dimension[]);
}

const opaqueDimension = (key: string, conditions: readonly JsonObject[]): Dimension => ({
  ...{ key, conditions, isList: false },
  cells: [true, false].map((is) => ({ holds: conditions.map(() => is), values: [], hasOthers: true })),
});

/** Objects that share no condition are independent of each other. */
function memberDimensions(key: string, conditions: readonly JsonObject[]): Dimension[] {
  const parts: { ids: Set<string>; conditions: JsonObject[] }[] = [];
  for (const one of conditions) {
    const ids = new Set(listOf(one.targetValue));
    const joined = parts.filter((part) => [...part.ids].some((id) => ids.has(id)));
    for (const part of joined) parts.splice(parts.indexOf(part), 1);
    parts.push({
      ids: new Set([...joined.flatMap((part) => [...part.ids]), ...ids]),
      conditions: [...joined.flatMap((part) => part.conditions), one],
    });
  }
  return parts.flatMap(({ ids, conditions: asked }) => {
    // Objects that the same conditions name stand for each other.
    const named = (id: string) => asked.map(({ targetValue }) => listOf(targetValue).includes(id)).join();
    const names = [...new Map([...ids].map((id) => [named(id), id])).values()];
    if (names.length > mostCombined)
      return asked.map((one) => opaqueDimension(`${key} ${stableText(one)}`, [one]));
    const cells = subsetsOf(names).map((members) =>
      asked.map(({ type, targetValue }) => {
        const isIn = listOf(targetValue).some((id) => members.includes(id));
        return conditionType(type)?.asks === "not in" ? !isIn : isIn;
      }),
    );
    return [{ key: `${key} ${names.join(" ")}`, conditions: asked, isList: false, cells: distinct(cells) }];
  });
}

function comparedDimension(
  key: string,
  conditions: readonly JsonObject[],
  now: number | undefined,
): Dimension | undefined {
  const isList = conditions.every((one) => {
    const operator = conditionOperator(operatorOf(one));
    return operator?.list !== undefined && operator.exact !== true;
  });
  const tests = conditions.map((one) => testOf(one, conditions, now));
  const open = new Map<string, { cell: boolean[]; values: string[]; hasOthers: boolean }>();
  for (const { value, isNamed } of samplesOf(conditions, now)) {
    for (const cell of filledIn(tests.map((holds) => holds(value))) ?? []) {
      const id = cell.map(Number).join("");
      const known = open.get(id) ?? { cell, values: [], hasOthers: false };
      if (isNamed) known.values.push(String(value));
      else known.hasOthers = true;
      open.set(id, known);
    }
  }
  if (open.size === 0 || open.size > 400) return undefined;
  const cells = [...open.values()].map(({ cell, values, hasOthers }) => ({ holds: cell, values, hasOthers }));
  return { key, conditions, cells, isList };
}

/** Every way to fill in what is not known; undefined where there are too many. */
function filledIn(answers: readonly (boolean | undefined)[]): boolean[][] | undefined {
  let all: boolean[][] = [[]];
  for (const answer of answers) {
    all = all.flatMap((one) =>
      answer === undefined
        ? [
            [...one, true],
            [...one, false],
          ]
        : [[...one, answer]],
    );
    if (all.length > 256) return undefined;
  }
  return all;
}

function distinct(cells: readonly (readonly boolean[])[]): Cell[] {
  const byText = new Map(cells.map((holds) => [holds.map(Number).join(""), holds]));
  return [...byText.values()].map((holds) => ({ holds, values: [], hasOthers: true }));
}
