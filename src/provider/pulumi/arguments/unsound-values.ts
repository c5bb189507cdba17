import { isDate } from "node:util/types";
import * as pulumi from "@pulumi/pulumi";
import { type JsonObject, kept, mapped } from "../../schema/json";
import { type Path, pathText } from "../../schema/path";
import { noteMissingUnderMocks } from "../mocks";
import { partsOf } from "../output-parts";
import { isPlain } from "./arguments";

/** Longest set of ids whose texts are looked at one by one. */
const longestSet = 10_000;

/**
 * Copies arguments as JSON would. Pulumi makes `{}` of a date, drops a function and takes a member `__proto__` for the
 * prototype of its object, without a word. Outputs and promises are copied once their values are known.
 * @param object the resource in a message
 * @throws RunError, which Pulumi prints without a stack, with all findings.
 */
export function soundArguments(object: string, args: object, idSets: readonly string[]): object {
  const isLongSet = (name: string, value: unknown) =>
    idSets.includes(name) && Array.isArray(value) && value.length > longestSet;
  const short = kept(args as JsonObject, (name, value) => !isLongSet(name, value));
  return { ...args, ...(copyOf(object, short, []) as object) };
}

function copyOf(object: string, value: unknown, path: Path): unknown {
  const findings: string[] = [];
  const note = (at: Path, found: string) => findings.push(`  - ${pathText(at)}: ${found}\n`);
  const copied = (one: unknown, at: Path, above: readonly unknown[]): unknown => {
    if (isLater(one)) return later(object, one, at);
    if (isForPulumi(one)) return one;
    const loss = lossOf(one, above);
    if (loss !== undefined) note(at, loss);
    if (typeof one !== "object" || one === null || loss !== undefined) return one;
    const within = [...above, one];
    if (Array.isArray(one)) return one.map((item: unknown, index) => copied(item, [...at, index], within));
    return mapped(one as JsonObject, (member, name) => {
      const place = [...at, name];
      if (name === "__proto__" || lossOf(name) !== undefined) note(place, "a name that Pulumi cannot hold");
      return copied(member, place, within);
    });
  };
  const copy = copied(value, path, []);
  if (findings.length === 0) return copy;
  throw new pulumi.RunError(
    `${object} has values that Pulumi cannot hold:\n${findings.join("")}` +
      "Pass text, finite numbers, true, false, null, lists and plain objects.",
  );
}

type Later = pulumi.Output<unknown> | Promise<unknown>;

function isLater(value: unknown): value is Later {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** Resources and assets, which Pulumi knows how to send. */
function isForPulumi(value: unknown): boolean {
  return (
    pulumi.Resource.isInstance(value) ||
    pulumi.asset.Asset.isInstance(value) ||
    pulumi.asset.Archive.isInstance(value)
  );
}

const dateText =
  "a Date; pass its getTime(), milliseconds as a number, where a time is meant, and its toISOString() where a text is";

/** The loss of a value on a way through JSON in UTF-8; undefined where that is nothing. */
function lossOf(value: unknown, above: readonly unknown[] = []): string | undefined {
  switch (typeof value) {
    case "string":
      return /\p{Surrogate}/u.test(value)
        ? "half a character (a surrogate without its other half)"
        : undefined;
    case "number":
      return Number.isFinite(value) ? undefined : `the number ${value}`;
    case "bigint":
    case "symbol":
    case "function":
      return `a ${typeof value}`;
    case "object":
      if (value === null || Array.isArray(value) || isPlain(value))
        return above.includes(value) ? "a value that holds itself" : undefined;
      // A literal `{ __proto__: ... }` sets the prototype of the object, and so do some merges.
      if (isDate(value)) return dateText;
      return Object.hasOwn(Object.getPrototypeOf(value), "constructor")
        ? `an instance of ${value.constructor.name || "a class without a name"}`
        : "an object with a prototype of its own";
    default:
      return undefined;
  }
}

/** Outputs of resources: they come from Pulumi, which has lost already what it cannot hold. */
const sound = new WeakSet<object>();

/** Notes that the outputs of a resource need no check. */
export function noteSound(resource: object): void {
  for (const output of Object.values(resource)) if (pulumi.Output.isInstance(output)) sound.add(output);
}

/** An output or promise that fails where its value turns out to be none that Pulumi can hold. */
function later(object: string, value: Later, path: Path): Later {
  if (value instanceof Promise) return value.then((one) => copyOf(object, one, path));
  if (sound.has(value)) return value;
  const checked = (one: unknown) => {
    if (one === undefined) noteMissingUnderMocks(`${object}: ${pathText(path)}`, value);
    return copyOf(object, one, path);
  };
  return failingOnce(value.apply(checked));
}

/** An output of which one promise fails the registration: the others that it is made of would each be one more failure. */
function failingOnce(output: pulumi.Output<unknown>): pulumi.Output<unknown> {
  const { isKnown, isSecret } = partsOf(output);
  for (const promise of [isKnown, isSecret]) promise.catch(() => {});
  return output;
}
