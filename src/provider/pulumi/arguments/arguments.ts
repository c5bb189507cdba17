import * as pulumi from "@pulumi/pulumi";
import { packedIds, packedLines } from "../../id-lists/packed";
import { type JsonObject, mapped, membersOf } from "../../schema/json";
import { type Path, pathText } from "../../schema/path";
import { partsOf, type SdkResource } from "../output-parts";
import { kindInType, type typePrefix } from "../stored-names";

/** A resource of this package and of that kind. An argument that takes the id of such an object takes it too. */
export type ResourceOf<Kind extends string> = pulumi.CustomResource & {
  /** The Pulumi type, which the SDK keeps without declaring it. */
  readonly __pulumiType: `${typeof typePrefix}${Kind}`;
};

/** A file or a text of ids. */
export type IdAsset = pulumi.asset.FileAsset | pulumi.asset.StringAsset;

/** Arguments without outputs, promises and resources: `Plain<GateArgs>`. */
export type Plain<T> = T extends pulumi.Resource | IdAsset | Promise<unknown> | pulumi.OutputInstance<unknown>
  ? never
  : T extends readonly (infer Element)[]
    ? Plain<Element>[]
    : T extends object
      ? { [Name in keyof T]: Plain<T[Name]> }
      : T;

/** A value of which each part may be an output. */
export type Inputs<T> = pulumi.Input<
  T extends readonly (infer Element)[]
    ? Inputs<Element>[]
    : T extends object
      ? { [Name in keyof T]: Inputs<T[Name]> }
      : T
>;

/** Arguments of a lookup: each may be an output, and a resource passes its id. */
export type LookupInputs<Args> = { [Name in keyof Args]: pulumi.Input<Args[Name]> | pulumi.CustomResource };

/**
 * Puts the id in the place of every resource, and tells the kind of each that is of this package, by its
 * path: `rules[0].conditions[0].targetValue`. Outputs and promises are left to Pulumi.
 */
export function idsAndKinds(value: unknown) {
  const kinds: Record<string, string> = {};
  const replaced = replaceResources(value, [], (path, type) => {
    const kind = type === undefined ? undefined : kindInType(type);
    if (kind !== undefined) kinds[pathText(path)] = kind;
  });
  return { value: replaced, kinds };
}

/** Puts the id in the place of every resource. Outputs and promises are left to Pulumi. */
export function withIds(value: unknown): unknown {
  return replaceResources(value, [], () => undefined);
}

/**
 * The resource of this package that each value comes of, by its path, as `Layer shop`; several in lines. A preview does not know the ids
 * of new ones, nor does a provider see what Pulumi creates before what.
 * @param args with ids in the place of resources
 */
export function sourcesIn(args: unknown): Record<string, string> {
  const found = laterIn(args, []).map(({ path, value }) => {
    const resources = pulumi.Output.isInstance(value) ? [...partsOf(value).resources()] : [];
    const labels = resources.flatMap((one) => resourceLabel(one) ?? []);
    return labels.length === 0 ? [] : [[pathText(path), labels.join("\n")] as const];
  });
  return Object.fromEntries(found.flat());
}

/** `Layer shop`; undefined for a resource of another package. */
export function resourceLabel(resource: unknown): string | undefined {
  if (!pulumi.CustomResource.isInstance(resource)) return undefined;
  const { __pulumiType: type = "", __name: name } = resource as SdkResource;
  const kind = kindInType(type);
  return kind === undefined ? undefined : `${kind} ${name}`;
}

type Report = (path: Path, type: string | undefined) => void;

function replaceResources(value: unknown, path: Path, report: Report): unknown {
  if (pulumi.CustomResource.isInstance(value)) {
    report(path, (value as SdkResource).__pulumiType);
    return value.id;
  }
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return value;
  if (Array.isArray(value))
    return value.map((item, index) => replaceResources(item, [...path, index], report));
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  return mapped(value as JsonObject, (member, name) => replaceResources(member, [...path, name], report));
}

/**
 * Arguments that the SDK can register: it makes a text of each for its log, which fails on a value with a member called
 * `toString`, unless the value is an output.
 */
export function loggable(args: object): object {
  return mapped(args as JsonObject, (value) => (hasText(value) ? value : pulumi.output(value)));
}

function hasText(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(hasText);
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "toString")) return true;
  return typeof value.toString === "function";
}

/**
 * Paths of the secrets in arguments, which Pulumi hides from a provider; undefined where nothing can be one, and in the promise
 * where nothing is. An output is a secret as a whole.
 */
export function secretPaths(value: unknown): Promise<Path[] | undefined> | undefined {
  const later = laterIn(value, []);
  if (later.length === 0) return undefined;
  const asked = later.map(async ({ path, value }) => {
    const output = pulumi.Output.isInstance(value) ? value : pulumi.output(value);
    return (await pulumi.isSecret(output)) ? [path] : [];
  });
  return Promise.all(asked).then((found) => {
    const paths = found.flat();
    return paths.length > 0 ? paths : undefined;
  });
}

/** A value that Pulumi resolves later, and where it is. */
interface Later {
  readonly path: Path;
  readonly value: unknown;
}

function laterIn(value: unknown, path: Path): Later[] {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return [{ path, value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => laterIn(item, [...path, index]));
  if (typeof value !== "object" || value === null || !isPlain(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => laterIn(member, [...path, name]));
}

/** True when the value is or holds something that Pulumi resolves later. */
export function holdsOutput(value: unknown): boolean {
  return laterIn(value, []).length > 0;
}

/** True for an object that is no instance of a class, of whichever realm. */
export function isPlain(value: object): boolean {
  const parent: unknown = Object.getPrototypeOf(value);
  return parent === null || Object.getPrototypeOf(parent) === null;
}

/** Arguments with their sets of ids in a form that is small for Pulumi; the check makes ids of it. */
export function withIdTexts(idSets: readonly string[], args: JsonObject): JsonObject {
  const names = idSets.filter((name) => args[name] !== undefined);
  return names.length === 0 ? args : { ...args, ...membersOf(names, (name) => handed(args[name])) };
}

function handed(value: unknown): unknown {
  if (pulumi.Output.isInstance(value)) return value.apply(handed);
  if (value instanceof Promise) return pulumi.output(value.then(handed));
  if (isAsset(value)) return assetParts(value);
  // As one output the whole set is unknown, or a secret, as soon as one of its ids is.
  if (Array.isArray(value) && holdsOutput(value))
    return (pulumi.output(withIds(value)) as pulumi.Output<unknown>).apply(handed);
  return packedIds(value);
}

/** Pulumi's own guard takes whatever is left for something that is no asset. */
function isAsset(value: unknown): boolean {
  return pulumi.asset.Asset.isInstance(value);
}

/** The path of a file, which is read where its ids are needed, or the text. Other assets are left for the check to refuse. */
function assetParts(asset: unknown): unknown {
  const { path, text } = asset as { path?: Promise<string>; text?: Promise<string> };
  if (path !== undefined) return pulumi.output(path).apply((file) => ({ file }));
  if (text !== undefined) return pulumi.output(text).apply(packedLines);
  return asset;
}

declare const mark: unique symbol;

/** A value whose members fit together in no way that its type offers. Its members do not show, so that they explain no error. */
export interface Unusual<T> {
  readonly [mark]: T;
}

/**
 * Says what the types do not offer, as it is: a condition whose members go together in no usual way, such as an operator that the
 * reference does not show for its type; or a value that this version does not know. The API restricts little of this, so it is
 * sent; a preview warns of unusual conditions.
 * @example
 * conditions: [fc.unusual({ type: "country", operator: "str_matches", targetValue: "^(NL|BE)$" })]
 * @example
 * type: fc.unusual("NEW_TYPE")
 */
export function unusual(value: string | number | boolean | null | readonly unknown[]): never;
export function unusual<const T extends object>(condition: T): Unusual<T>;
export function unusual(value: unknown): unknown {
  return value;
}
