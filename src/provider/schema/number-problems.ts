import type { Problem, Warning } from "./define";
import { isObject } from "./json";
import { type Path, valueAt } from "./path";

/**
 * Findings about numbers that no JSON can say, at any depth. Pulumi hands them over as they are and keeps them in state;
 * a request would say null in their place.
 */
export const numberProblems = (value: unknown): Problem[] =>
  numbersIn(value).flatMap(({ path, number }) =>
    Number.isFinite(number) ? [] : [{ path, message: `found ${number}; JSON has no such number` }],
  );

/** The most digits of a decimal number that every number of JavaScript, and of Pulumi's wire, keeps. */
const keptDigits = 15;

/**
 * Whole numbers beyond 2^53 are often not those of the program: its language, or Pulumi's wire, has rounded them before anybody could
 * look. A number of few digits and many zeros is taken as it is, and so is one that was there before: an update keeps the digits that
 * the console has. `textFor`: the argument that holds the same value as text, by the path of the number.
 */
export const roundedNumbers = (
  value: unknown,
  before: unknown = {},
  textFor: (path: Path) => string | undefined = () => undefined,
): Warning[] =>
  numbersIn(value).flatMap(({ path, number }) => {
    const digits = number.toExponential().replace(/e.*|\D/g, "");
    if (Math.abs(number) <= Number.MAX_SAFE_INTEGER || digits.length <= keptDigits) return [];
    if (valueAt(before, path) === number) return [];
    const text = textFor(path);
    const advice =
      text === undefined
        ? "set it in the console: an update keeps the digits that the console has"
        : `set ${text}`;
    const message = `${JSON.stringify(number)} may be rounded: whole numbers are exact up to 2^53. If each digit counts, ${advice}`;
    return [{ path, message }];
  });

function numbersIn(value: unknown, path: Path = []): { readonly path: Path; readonly number: number }[] {
  if (typeof value === "number") return [{ path, number: value }];
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => numbersIn(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => numbersIn(member, [...path, name]));
}
