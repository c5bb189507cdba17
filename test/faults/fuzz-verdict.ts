import type { ResourceDefinition } from "../../src/provider/schema/define";
import { isObject } from "../../src/provider/schema/json";
import { idMember } from "../../src/provider/schema/object-id";
import { ProviderCallError } from "../support/dynamic-host";
import type { Given } from "./fuzz-relay";

/** Longest message that a person should meet, with what the host puts in front. */
const longestMessage = 2100;

/** Words of errors that nobody wrote on purpose. */
const accidental =
  /is a bug in|Cannot read propert|is not a function|is not iterable|Maximum call stack|Cannot convert|malformed|Unexpected (token|end|non|string|number)|\[object|in JSON at|circular|must be an instance|deadline|serializ/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey must not be in a message.
const control = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/;

/** The text that a person would read of a failed verb. */
export function messageOf(error: unknown): string {
  if (error instanceof ProviderCallError) return error.partial?.reasons.join("\n") ?? error.message;
  return error instanceof Error ? error.message : String(error);
}

/** What is wrong with a message; nothing where it is as it should be. */
export function messageFaults(message: string, about: string, key: string): string[] {
  const faults = [
    !message.includes(`Cannot ${about}`) && `does not say "Cannot ${about}"`,
    accidental.test(message) && "is an accident",
    message.length > longestMessage && `has ${message.length} characters`,
    message.includes(key) && "holds the key",
    control.test(message) && "holds control characters",
  ];
  const shown = message.replaceAll(key, "[key]").slice(0, 400);
  return faults.flatMap((fault) =>
    fault === false ? [] : [`the message ${fault}: ${JSON.stringify(shown)}`],
  );
}

/** What no state may hold. */
export function stateFaults(id: unknown, state: unknown, key: string): string[] {
  const text = JSON.stringify(state);
  const faults = [
    (typeof id !== "string" || id === "") && "the id is empty",
    text.includes(key) && "the state holds the key",
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
