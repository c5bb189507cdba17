import * as pulumi from "@pulumi/pulumi";
import { type Path, pathText } from "../../schema/path";
import { noteMissingUnderMocks } from "../mocks";
import { partsOf } from "../output-parts";
import { isPlain } from "./arguments";

/** A part of arguments that Pulumi would lose, change or fail on. */
interface UnsoundValue {
  readonly path: Path;
  /** What was found and what to do. */
  readonly message: string;
}

/**
 * Parts of a value that no JSON can hold, with their paths. Pulumi makes `{}` of a date, drops a function and takes a member
 * `__proto__` for the parent of its object, without a word. What is known later, and resources, are left out.
 */
function unsoundValues(value: unknown, path: Path = []): UnsoundValue[] {
  return found(value, path, new Set());
}

function found(value: unknown, path: Path, above: ReadonlySet<object>): UnsoundValue[] {
  if (typeof value !== "object" || value === null) {
    const message = scalarMessage(value);
    return message === undefined ? [] : [{ path, message }];
  }
  if (isForPulumi(value)) return [];
  if (above.has(value)) return [{ path, message: "found a value that holds itself; JSON has no such value" }];
  const within = new Set(above).add(value);
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => found(item, [...path, index], within));
  const message = objectMessage(value);
  if (message !== undefined) return [{ path, message }];
  return Object.entries(value).flatMap(([name, member]) => {
    const place = [...path, name];
    if (name === "__proto__")
      return [{ path: place, message: "Pulumi takes a member of this name for the parent of its object" }];
    return [
      ...(isWellFormed(name) ? [] : [{ path: place, message: `this name holds ${half}` }]),
      ...found(member, place, within),
    ];
  });
}

/** What Pulumi knows how to send, and what it waits for. */
function isForPulumi(value: object): boolean {
  return (
    pulumi.Output.isInstance(value) ||
    value instanceof Promise ||
    pulumi.Resource.isInstance(value) ||
    pulumi.asset.Asset.isInstance(value) ||
    pulumi.asset.Archive.isInstance(value)
  );
}

const half = "half a character (a surrogate without its other half), which no UTF-8 can hold";

function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function scalarMessage(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return isWellFormed(value) ? undefined : `found ${half}`;
    case "number":
      return Number.isFinite(value) ? undefined : `found ${value}; JSON has no such number`;
    case "bigint":
      return `found the bigint ${value}n; pass Number(value), or text`;
    case "symbol":
      return "found a symbol; JSON has no such value";
    case "function":
      return "found a function; pass its result";
    default:
      return undefined;
  }
}

/** What to pass in the place of a value of these classes. */
const instead: Readonly<Record<string, string>> = {
  Date: "value.getTime() for milliseconds, or value.toISOString()",
  Map: "Object.fromEntries(value)",
  Set: "[...value]",
  URL: "value.href",
  RegExp: "value.source",
};

/** What is wrong with an object that is not plain; undefined for a plain one, of whichever realm. */
function objectMessage(value: object): string | undefined {
  if (isPlain(value)) return undefined;
  // A literal `{ __proto__: ... }` sets the parent of the object, and so do some merges.
  if (!Object.hasOwn(Object.getPrototypeOf(value), "constructor"))
    return "found an object with a parent of its own (a member __proto__?), which Pulumi would leave out; pass { ...parent, ...value }";
  const name = value.constructor.name || "a class without a name";
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  const advice = instead[kind] ?? instead[name] ?? "a plain object, such as { ...value }";
  return `found an instance of ${name}; pass ${advice}`;
}

/** Longest set of ids whose texts are looked at one by one. */
const longestSet = 10_000;

/**
 * Arguments that Pulumi can hold, checked at once as far as they are known, and where they are known later, then.
 * @param object the resource in a message
 * @throws RunError, which Pulumi prints without a stack, with all findings.
 */
export function soundArguments(object: string, args: object, idSets: readonly string[]): object {
  const isLongSet = (name: string, value: unknown) =>
    idSets.includes(name) && Array.isArray(value) && value.length > longestSet;
  const known = Object.entries(args).filter(([name, value]) => !isLongSet(name, value));
  refuse(
    object,
    known.flatMap(([name, value]) => unsoundValues(value, [name])),
  );
  return {
    ...args,
    ...Object.fromEntries(known.map(([name, value]) => [name, later(object, value, [name])])),
  };
}

function refuse(object: string, values: readonly UnsoundValue[]): void {
  if (values.length > 0) throw new pulumi.RunError(unsoundText(object, values));
}

function unsoundText(object: string, values: readonly UnsoundValue[]): string {
  const lines = values.map(({ path, message }) => `${pathText(path)}: ${message}`);
  return lines.length === 1
    ? `${object}: ${lines.join()}.`
    : `${object}: ${lines.length} values that Pulumi cannot hold\n${lines.map((line) => `  - ${line}`).join("\n")}`;
}

/** Outputs of resources: they come from Pulumi, which has lost already what it cannot hold. */
const sound = new WeakSet<object>();

/** Notes that the outputs of a resource need no check. */
export function noteSound(resource: object): void {
  for (const output of Object.values(resource)) if (pulumi.Output.isInstance(output)) sound.add(output);
}

/** A sound value whose outputs and promises fail where they turn out to be none. */
function later(object: string, value: unknown, path: Path): unknown {
  const checked = (one: unknown) => {
    refuse(object, unsoundValues(one, path));
    if (one === undefined && pulumi.Output.isInstance(value))
      noteMissingUnderMocks(`${object}: ${pathText(path)}`, value);
    return one;
  };
  if (pulumi.Output.isInstance(value)) return sound.has(value) ? value : failingOnce(value.apply(checked));
  if (value instanceof Promise) return value.then(checked);
  if (typeof value !== "object" || value === null || isForPulumi(value)) return value;
  if (Array.isArray(value)) return value.map((item: unknown, index) => later(object, item, [...path, index]));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, later(object, member, [...path, name])]),
  );
}

/** An output of which one promise fails the registration: the others that it is made of would each be one more failure. */
function failingOnce(output: pulumi.Output<unknown>): pulumi.Output<unknown> {
  const { isKnown, isSecret } = partsOf(output);
  for (const promise of [isKnown, isSecret]) promise.catch(() => {});
  return output;
}
