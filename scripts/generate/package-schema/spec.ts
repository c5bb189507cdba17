import type { TypeSpec } from "../../../src/tools/import/program/typed-value";

export type { TypeSpec };

/**
 * Parts of a Pulumi package schema, as far as ours has them (`codegen/schema/pulumi.json` of pulumi/pulumi). None has a `default`:
 * an SDK sends a schema's default, and so the program would manage a value that the settings of a project or a team should fill.
 */

/** A member of an object, an argument, an output or a setting. */
export interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly const?: string;
  readonly secret?: true;
  readonly willReplaceOnChanges?: true;
  readonly deprecationMessage?: string;
}

/** Members by name. */
export type Properties = Readonly<Record<string, PropertySpec>>;

/** An object with named members. */
export interface ObjectSpec {
  readonly description: string;
  readonly type: "object";
  readonly properties: Properties;
  readonly required: readonly string[];
}

/** The usual values of a text. */
export interface EnumSpec {
  readonly type: "string";
  readonly enum: readonly { readonly name: string; readonly value: string }[];
}

/** A kind that programs make. */
export interface ResourceSpec {
  readonly description: string;
  readonly properties: Properties;
  readonly required: readonly string[];
  readonly inputProperties: Properties;
  readonly requiredInputs: readonly string[];
}

/** A lookup. */
export interface FunctionSpec {
  readonly description: string;
  readonly inputs?: Omit<ObjectSpec, "description">;
  readonly outputs: Omit<ObjectSpec, "description">;
}

/** A whole schema. */
export interface PackageSpec {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly version: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly homepage?: string;
  readonly repository?: string;
  readonly publisher?: string;
  readonly logoUrl?: string;
  readonly pluginDownloadURL?: string;
  readonly meta: { readonly moduleFormat: string; readonly supportPack: boolean };
  /** The names of packages made of the schema, by language. */
  readonly language: Readonly<Record<string, object>>;
  readonly config: { readonly variables: Properties };
  readonly provider: Pick<ResourceSpec, "description" | "inputProperties">;
  readonly types: Readonly<Record<string, ObjectSpec | EnumSpec>>;
  readonly resources: Readonly<Record<string, ResourceSpec>>;
  readonly functions: Readonly<Record<string, FunctionSpec>>;
}
