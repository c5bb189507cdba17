import { z } from "zod";
import type { Problem, Warning } from "../../schema/define";
import type { JsonObject } from "../../schema/json";
import { keptIn } from "../../schema/memoized";
import { UNKNOWN } from "../../schema/unknown";
import { quote } from "../../texts/issue-text";
import { isNothing } from "../../values/compare";
import { conditionOperator } from "./condition-operators";
import { conditionType, shapeOf } from "./condition-types";

/** A finding about one value, and whether a condition with that value alone can never hold. */
interface Finding {
  readonly message: string;
  readonly isDead?: true;
}

type Find = (value: string | number) => Finding | undefined;

/**
 * Certain problems: a condition without the member that its type is about, which the console refuses, and one that holds for
 * nobody because no server SDK can read its target value (console-api/specs.md, section 4).
 */
export function conditionProblems(condition: JsonObject): Problem[] {
  const { type, targetValue } = condition;
  const needs = conditionType(type)?.needs;
  if (needs !== undefined && isNothing(condition[needs]))
    return [{ path: [needs], message: `missing; "${String(type)}" needs it` }];
  const found = findingsIn(condition);
  const values = [targetValue].flat().length;
  const isDead = found.length === values && found.every((one) => one.isDead === true);
  return isDead ? found.map((one) => ({ path: one.path, message: one.message, ofNewValue: true })) : [];
}

/** Unusual or surely unintended values, which are no reason to refuse. */
export function conditionWarnings(condition: JsonObject): Warning[] {
  const { type, operator, targetValue } = condition;
  const own: Warning[] = findingsIn(condition).map((one) => ({ path: one.path, message: one.message }));
  const isEmpty = Array.isArray(targetValue) && targetValue.length === 0;
  const empty = isEmpty ? whenEmpty(type, operator) : undefined;
  if (empty !== undefined)
    own.push({ path: ["targetValue"], message: `is empty, so the condition ${empty} holds` });
  return [...unusualPair(condition), ...own];
}

const dead = "so the condition never holds";

/** Meaning of an empty list (console-api/specs.md, section 4), by the operator, or the type where it has none. */
function whenEmpty(type: unknown, operator: unknown): "never" | "always" | undefined {
  if (!isNothing(operator)) return conditionOperator(operator)?.whenEmpty;
  const { asks, environment } = conditionType(type) ?? {};
  if (asks === "not in") return "always";
  return asks === "in" || environment === true ? "never" : undefined;
}

function findingsIn({ type, operator, targetValue }: JsonObject): (Problem & Finding)[] {
  const find = finderOf(type, operator);
  if (find === undefined || isNothing(targetValue)) return [];
  return [targetValue].flat().flatMap((value: unknown, index) => {
    if ((typeof value !== "string" && typeof value !== "number") || holdsUnknownText(value)) return [];
    const finding = find(value);
    const path = ["targetValue", ...(Array.isArray(targetValue) ? [index] : [])];
    return finding === undefined ? [] : [{ path, ...finding }];
  });
}

function holdsUnknownText(value: string | number): boolean {
  return typeof value === "string" && value.includes(UNKNOWN);
}

function finderOf(type: unknown, operator: unknown): Find | undefined {
  const { compares, contains, pattern, list, exact } = conditionOperator(operator) ?? {};
  const { clock, valuesAre } = conditionType(type) ?? {};
  if (pattern === true) return patternFinding;
  if (contains === true) return partFinding;
  if (compares === "version") return versionFinding;
  if (compares === "time" || clock === true) return timeFinding;
  if (list === undefined || exact === true || valuesAre === undefined) return undefined;
  return valuesAre === "countries" ? countryFinding : addressFinding;
}

/** Parts of a pattern that JavaScript does not know and the other server SDKs do: `(?i)`, `(?P<name>`, `(?>`, `a++`. */
const otherDialects: readonly (readonly [RegExp, string])[] = [
  [/\(\?[a-zA-Z]*(-[a-zA-Z]+)?\)/g, ""],
  [/\(\?P?<(?![=!])\w+>|\(\?>|\(\?[a-zA-Z]+(-[a-zA-Z]+)?:/g, "(?:"],
  [/(?<=[*+?}])\+/g, ""],
];

function patternFinding(value: string | number): Finding | undefined {
  const pattern = String(value);
  if (pattern === "") return { message: 'found ""; an empty pattern matches every text' };
  const reason = compileError(pattern);
  if (reason === undefined) return undefined;
  const found = `found ${quote(pattern)}; the pattern does not compile`;
  const other = otherDialects.reduce((text, [part, plain]) => text.replace(part, plain), pattern);
  if (compileError(other) === undefined)
    return { message: `${found} in JavaScript (${reason}), so with statsig-node the condition never holds` };
  return { message: `${found} (${reason}), ${dead}`, isDead: true };
}

function compileError(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return String(error).split(": ").at(-1);
  }
}

function partFinding(value: string | number): Finding | undefined {
  return value === "" ? { message: 'found ""; every text contains an empty one' } : undefined;
}

function versionFinding(value: string | number): Finding | undefined {
  const text = String(value);
  if (/^\d+(\.\d+)*(-.*)?$/.test(text)) return undefined;
  const [version = ""] = text.split("-");
  const isRead = version !== "" && version.split(".").every((part) => !Number.isNaN(Number(part)));
  const found = `found ${quote(value)}; a version is numbers with dots, such as 1.20.3`;
  return isRead
    ? { message: `${found}: server SDKs read this one differently` }
    : { message: `${found}, ${dead}`, isDead: true };
}

/** In milliseconds a time in March 1973 or before; in seconds, from March 1973 on. */
const [firstSeconds, lastSeconds] = [100_000_000, 100_000_000_000];

function timeFinding(value: string | number): Finding | undefined {
  const time = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
  if (!(time >= firstSeconds && time < lastSeconds)) return undefined;
  const day = new Date(time).toISOString().slice(0, 10);
  return {
    message: `found ${quote(value)}, which is ${day}: times are in milliseconds; did you mean ${time * 1000}?`,
  };
}

function countryFinding(value: string | number): Finding | undefined {
  const text = String(value);
  const isCode = /^[a-z]{2}$/i.test(text);
  const meant = isCode ? presentCode(text) : codeOf(text);
  if (isCode && meant === text.toUpperCase()) return undefined;
  const advice = meant === undefined ? "" : `; did you mean "${meant}"?`;
  return { message: `found ${quote(value)}; a country is two letters such as "NL"${advice}` };
}

/** By the code of a program: a locale takes longer to make than all else of a condition. */
const presentCodes = new Map<string, string>();

/** The code that stands today for a country: GB for UK. */
function presentCode(code: string): string {
  return keptIn(presentCodes, code, () => new Intl.Locale(`und-${code}`).region ?? code.toUpperCase());
}

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** The code of a country by its English name. */
function codeOf(name: string): string | undefined {
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const wanted = name.trim().toLowerCase();
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .find((code) => names.of(code)?.toLowerCase() === wanted && presentCode(code) === code);
}

const address = z.union([z.ipv4(), z.ipv6()]);

function addressFinding(value: string | number): Finding | undefined {
  if (address.safeParse(value).success) return undefined;
  return {
    message: `found ${quote(value)}, which is no address; server SDKs compare whole addresses, such as 192.0.2.1`,
  };
}

/** A pair of type and operator, or a target value, that the reference does not show (console-api/corrections.md, section 2). */
function unusualPair(value: JsonObject): Warning[] {
  const type = conditionType(value.type);
  if (type === undefined || value.operator === UNKNOWN) return [];
  if (!isNothing(value.operator) && typeof value.operator !== "string") return [];
  const operator = typeof value.operator === "string" ? value.operator : "";
  const shape = shapeOf(type, operator);
  const name = String(value.type);
  if (shape === undefined) {
    const usual = Object.keys(type.operators).filter((item) => item !== "");
    const what = operator === "" ? `no operator is unusual for` : `"${operator}" is unusual for`;
    return [
      {
        path: ["operator"],
        message: `${what} "${name}": usual is ${usual.length > 0 ? usual.join(", ") : "none"}`,
        refusedBy: "unusualOperators",
      },
    ];
  }
  const message = targetWarning(shape, value.targetValue, operator === "" ? name : operator);
  return message === undefined ? [] : [{ path: ["targetValue"], message }];
}

function targetWarning(shape: string, target: unknown, what: string): string | undefined {
  if (shape === "any" || target === UNKNOWN) return undefined;
  const missing = isNothing(target);
  if (shape === "none") {
    return missing || (Array.isArray(target) && target.length === 0)
      ? undefined
      : `"${what}" takes none: it is not sent`;
  }
  if (missing) return `missing; "${what}" usually has one`;
  if (shape === "texts" || shape === "values" || shape === "some") return undefined;
  const one = Array.isArray(target) && target.length === 1 ? target[0] : target;
  if (Array.isArray(one)) return `found ${one.length} values; "${what}" usually has one`;
  if (isNothing(one)) return `missing; "${what}" usually has one`;
  if (one === UNKNOWN || shape === "text" || typeof one !== "string") return undefined;
  return one.trim() !== "" && Number.isFinite(Number(one))
    ? undefined
    : `found "${one}"; "${what}" usually has a number`;
}
