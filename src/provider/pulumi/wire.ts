import { bug, type ConsoleError } from "../schema/errors";
import { isObject, type JsonObject } from "../schema/json";

/** The input that holds the text by which Pulumi finds the provider of a resource. */
export const providerMember = "__provider";

/**
 * Values that Pulumi's wire can carry. A member that is undefined is left out; anything that JSON cannot hold would fail
 * after the console has done its part, so it is an error of ours here.
 */
export function toPulumi(values: JsonObject): JsonObject {
  return clean(values, "") as JsonObject;
}

function clean(value: unknown, path: string): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value))
    return value.map((item, index) => (item === undefined ? null : clean(item, `${path}[${index}]`)));
  if (isObject(value)) {
    // One object for each, and not one in between: every value of every state comes by here.
    const known = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(known.map(([name, member]) => [name, clean(member, `${path}.${name}`)]));
  }
  throw bug(`The value at ${path.slice(1)} is a ${typeof value}, which no state can hold.`);
}

/**
 * The error that Pulumi's host takes for "the object exists and something after that failed". The host does not add the provider
 * text itself, and without it the object could never be deleted; only `reasons` are printed.
 */
export function initializationFailure(error: ConsoleError, id: string, properties: JsonObject): Error {
  const failure = new Error(error.message);
  failure.stack = error.message;
  return Object.assign(failure, { id, properties: toPulumi(properties), reasons: [error.message] });
}

/**
 * An error of a read or a delete. For these Pulumi's host prints an error's text and stack by itself, and the engine
 * prints the message after that: so all but the message is a pointer to it.
 */
export function printedOnce(error: Error, what: string): Error {
  const printed = { toString: () => `Cannot ${what}`, stack: "the reason is in the error of that resource." };
  for (const [name, value] of Object.entries(printed)) Object.defineProperty(error, name, { value });
  return error;
}
