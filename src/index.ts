/** The kinds of a feature-management console as Pulumi resources, with actions and lookups. */
import "./node-guard";
import "./embedded-console";

export * from "./generated/classes";
export * from "./generated/lookups";
export type { IdAsset, Inputs, LookupInputs, Plain, ResourceOf } from "./provider/pulumi/arguments/arguments";
export { type Unusual, unusual } from "./provider/pulumi/arguments/arguments";
export { Provider, type ProviderArgs } from "./provider/pulumi/explicit-provider";
export type { Filters, Lookup, LookupOptions, OutputLookup } from "./provider/pulumi/lookup";
export type { ResourceClass, ResourceInstance } from "./provider/pulumi/resource";
