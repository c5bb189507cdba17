import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";

/** A plain bag of values, as Pulumi's engine sends it. */
export type Bag = Record<string, unknown>;

const secretMark = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"] as const;

/** What Pulumi puts around a secret on its way to a provider that accepts secrets. */
export function secret(value: unknown): Bag {
  return { [secretMark[0]]: secretMark[1], value };
}

/** A value without what Pulumi puts around a secret. */
export function revealed(value: unknown): unknown {
  const isSecret = typeof value === "object" && value !== null && secretMark[0] in value;
  return isSecret ? (value as Bag).value : value;
}

/** Converts to the engine's format. */
export function toStruct(bag: Bag): Struct {
  return Struct.fromJavaScript(carried(bag) as Record<string, JavaScriptValue>);
}

/** Converts back from the engine's format; an unset struct is an empty bag. */
export function fromStruct(struct: Struct | undefined): Bag {
  return struct?.toJavaScript() ?? {};
}

/**
 * A value as it arrives on the other side: a copy of what is JSON and of the numbers that JSON lacks, which the engine hands
 * over as they are. Refuses anything else: whoever sends it is wrong.
 */
export function carried<T>(value: T, path?: string): T;
export function carried(value: unknown, path = ""): unknown {
  if (value === null || ["string", "boolean", "number"].includes(typeof value)) return value;
  if (typeof value !== "object" || !isPlain(value))
    throw new TypeError(`${path || "the value"} is ${describe(value)}, which Pulumi cannot carry`);
  if (Array.isArray(value)) return value.map((inner: unknown, index) => carried(inner, `${path}[${index}]`));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, carried(inner, `${path}${path && "."}${key}`)]),
  );
}

/** By the names of the constructors: Jest's sandbox has other `Object` and `Array` functions than the host. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name: string } } | null;
  return prototype === null || prototype.constructor?.name === "Object" || Array.isArray(value);
}

function describe(value: unknown): string {
  if (typeof value === "object") return `an instance of ${value?.constructor.name}`;
  return value === undefined ? "undefined" : `a ${typeof value}`;
}
