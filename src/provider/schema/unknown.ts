import { isObject } from "./json";

/**
 * The text that stands, during a preview, for a value that is not known yet; at any depth.
 * Source: `unknownValue` in @pulumi/pulumi's runtime, seen with the real engine.
 */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Text for people in the place of {@link UNKNOWN}. */
export const unknownText = "not known yet";

/**
 * The member by which Pulumi marks that an object is a secret, a file or another value of its own.
 * Source: `specialSigKey` in @pulumi/pulumi's runtime.
 */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** The value of that member in a file or a text. Source: `assetSig` in @pulumi/pulumi's runtime. */
export const assetSignature = "c44067f5952c0a294b673a41bacd8c17";

/** True when the value is not known yet or holds something that is not. */
export function holdsUnknown(value: unknown): boolean {
  return holds(value, (one) => one === UNKNOWN);
}

/** True for a value that is or holds one of Pulumi's own, such as a secret that an exported state encrypts. */
export function holdsSigned(value: unknown): boolean {
  return holds(value, (one) => isObject(one) && SIGNATURE in one);
}

/** True for a value that fits, and for a list or an object that holds one; at any depth. */
export function holds(value: unknown, fits: (one: unknown) => boolean): boolean {
  if (fits(value)) return true;
  if (Array.isArray(value)) return value.some((one) => holds(one, fits));
  return isObject(value) && Object.values(value).some((one) => holds(one, fits));
}
