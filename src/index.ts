/** The kinds of a feature-management console as Pulumi resources, with actions and lookups. */
import "./node-guard";

export * from "./generated/classes";
export * from "./generated/lookups";
export type { IdAsset, Inputs, LookupInputs, Plain, ResourceOf } from "./pulumi/arguments";
export { Provider, type ProviderArgs } from "./pulumi/explicit-provider";
export type { Filters, Lookup, LookupOptions, OutputLookup } from "./pulumi/lookup";
export type { ResourceClass, ResourceInstance } from "./pulumi/resource";
export { type Unusual, unusual } from "./pulumi/unusual";
