import * as pulumi from "@pulumi/pulumi";

/**
 * A value as a program gives it: any part may be an output, where text is wanted a resource stands for its id, and where a
 * file is wanted an asset of Pulumi stands for it.
 */
export type Argument<T> = pulumi.Input<
  T extends readonly (infer Element)[]
    ? Argument<Element>[]
    : T extends object
      ? { [Name in keyof T]: Argument<T[Name]> } | (T extends OneFile ? IdAsset : never)
      : string extends T
        ? T | pulumi.CustomResource
        : T
>;

type OneFile = { readonly file: string };
type IdAsset = pulumi.asset.FileAsset | pulumi.asset.StringAsset;

/** The arguments of a resource class. */
export type Arguments<Args> = { [Name in keyof Args]: Argument<Args[Name]> };

/** Puts the id in the place of every resource. Outputs and promises are left to Pulumi. */
export function withIds(value: unknown): unknown {
  if (pulumi.CustomResource.isInstance(value)) return value.id;
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return value;
  if (Array.isArray(value)) return value.map(withIds);
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withIds(member)]));
}

/** True when the value is or holds something that Pulumi resolves later. */
export function holdsOutput(value: unknown): boolean {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  if (Array.isArray(value)) return value.some(holdsOutput);
  return (
    typeof value === "object" && value !== null && isPlain(value) && Object.values(value).some(holdsOutput)
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
