import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";

/** A plain bag of values, as Pulumi's engine sends it. */
export type Bag = Record<string, unknown>;

const secretMark = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"] as const;

/** What Pulumi puts around a secret on its way to a provider that accepts secrets. */
export function secret(value: string): Bag {
  return { [secretMark[0]]: secretMark[1], value };
}

/** A value without what Pulumi puts around a secret. */
export function revealed(value: unknown): unknown {
  const isSecret = typeof value === "object" && value !== null && secretMark[0] in value;
  return isSecret ? (value as Bag).value : value;
}

/**
 * Converts to the engine's format, which is JSON and the numbers that JSON lacks: the engine hands NaN over as it is.
 * Refuses anything else: a test that sends it is wrong.
 */
export function toStruct(bag: Bag): Struct {
  refuseForeign(bag, "");
  return Struct.fromJavaScript(bag as Record<string, JavaScriptValue>);
}

/** Converts back from the engine's format; an unset struct is an empty bag. */
export function fromStruct(struct: Struct | undefined): Bag {
  return struct?.toJavaScript() ?? {};
}

function refuseForeign(value: unknown, path: string): void {
  if (value === null || ["string", "boolean", "number"].includes(typeof value)) return;
  if (typeof value !== "object" || !isPlain(value)) {
    throw new TypeError(`${path || "the value"} is ${describe(value)}, which cannot be sent to a provider`);
  }
  for (const [key, inner] of Object.entries(value)) {
    refuseForeign(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}${path && "."}${key}`);
  }
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
