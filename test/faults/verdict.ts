import type { ResourceDefinition } from "../../src/provider/schema/define";
import { isObject } from "../../src/provider/schema/json";
import { idMember } from "../../src/provider/schema/object-id";
import type { Given } from "./front";

/** Words of errors that nobody wrote on purpose. */
const accidental =
  /is a bug|Cannot read propert|is not a function|is not iterable|Maximum call stack|Cannot convert|malformed|Unexpected (token|end|non|string|number)|\[object|in JSON at|circular|must be an instance|deadline|serializ/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey must not be in a message.
const control = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/;

/** What the console refuses in its own words is to be put right by them. */
const refusal = / answered 4\d\d: (?!no message)/;

const advice =
  /\b(Allow the key to|Check|check|Run|run the same|try again|Set|Use|use a key|wait|Wait|look at|Correct|Make|delete one in the console)\b/;

/** What is wrong with an error message. `isRandom`: it may repeat an answer in which anything stands, and that nobody can put right. */
export function unreadable(message: string, isRandom: boolean): string[] {
  const longest = isRandom ? 2100 : 600;
  const findings: [string, boolean][] = [
    [
      "does not say what was attempted",
      !/^(?:(create|read|update|delete): Cannot \1|Cannot look up) /.test(message),
    ],
    ["holds a stack", /\n\s+at /.test(message)],
    ["is an accident", accidental.test(message)],
    ["holds control characters", control.test(message)],
    [`is longer than ${longest} characters`, message.length > longest],
    ["holds a value that is no text", !isRandom && /\bundefined\b|\bNaN\b/.test(message)],
    ["does not say what to do", !isRandom && !advice.test(message) && !refusal.test(message)],
  ];
  return findings.flatMap(([what, isSo]) => (isSo ? [`the error ${what}: ${message.slice(0, 800)}`] : []));
}

/** What no state may hold. */
export function stateFaults(id: unknown, state: unknown): string[] {
  const faults = [
    (typeof id !== "string" || id === "") && "the id is empty",
    !holdsPlainJson(state) && "the state holds what JSON cannot say",
  ];
  return faults.filter((fault) => fault !== false);
}

function holdsPlainJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "object" && value !== null) return Object.values(value).every(holdsPlainJson);
  return value === null || typeof value === "string" || typeof value === "boolean";
}

/** True for an answer that says, in the console's own form, that an object is not there: then gone is the right result. */
export function saysGone(definition: ResourceDefinition, id: string, { method, reply }: Given): boolean {
  const body = parsed(reply.text);
  if (method !== "GET" || !isObject(body)) return false;
  const { read } = definition.lifecycle;
  const told = typeof body.message === "string" && body.message !== "";
  const fields = Array.isArray(body.errors) ? body.errors : [];
  if (reply.status === 404) return told || fields.length > 0;
  const absentAs400 = read.how === "get" && definition.routes[read.route]?.absentAs400 === true;
  if (reply.status === 400) return absentAs400 && told && /not found/i.test(String(body.message));
  const list = Array.isArray(body.data) ? (body.data as unknown[]) : [body.data ?? body];
  const ids = list.map((item) => (isObject(item) ? item[idMember(definition)] : undefined));
  return read.how === "fromList" && ids.every((one) => typeof one === "string" && one !== id);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}
