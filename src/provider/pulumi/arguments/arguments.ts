import * as pulumi from "@pulumi/pulumi";
import { type Path, pathText } from "../../schema/path";
import { kindInType, type typePrefix } from "../stored-names";

/** A resource of this package and of that kind. Where the id of such an object is meant, it stands for it. */
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

/** Arguments of a lookup: each may be an output, and a resource stands for its id. */
export type LookupInputs<Args> = { [Name in keyof Args]: pulumi.Input<Args[Name]> | pulumi.CustomResource };

/** Arguments with ids in the place of resources, and what those resources are. */
export interface IdsAndKinds {
  readonly value: unknown;
  /** Path as text, for example `rules[0].conditions[0].targetValue` -> PascalCase kind of a resource of this package. */
  readonly kinds: Readonly<Record<string, string>>;
}

/**
 * Puts the id in the place of every resource, and tells the kind of each that is of this package. Outputs and promises
 * are left to Pulumi.
 */
export function idsAndKinds(value: unknown): IdsAndKinds {
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

type Report = (path: Path, type: string | undefined) => void;

function replaceResources(value: unknown, path: Path, report: Report): unknown {
  if (pulumi.CustomResource.isInstance(value)) {
    // The SDK keeps the type of a resource in a member that it does not declare.
    report(path, (value as { __pulumiType?: string }).__pulumiType);
    return value.id;
  }
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return value;
  if (Array.isArray(value))
    return value.map((item, index) => replaceResources(item, [...path, index], report));
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    replaceResources(member, [...path, name], report),
  ]);
  return Object.fromEntries(members);
}

/**
 * Arguments that the SDK can register: it makes a text of each for its log, which fails on a value with a member called
 * `toString`, unless the value is an output.
 */
export function loggable(args: object): object {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, hasText(value) ? value : pulumi.output(value)]),
  );
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
