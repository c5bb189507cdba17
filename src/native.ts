/** The kinds of a feature-management console as Pulumi resources of the native plugin: the same classes, arguments and lookups. */
import "./node-guard";
import "./embedded-console";

export * from "./generated/lookups";
export * from "./generated/native-classes";
export type { IdAsset, Inputs, LookupInputs, Plain, ResourceOf } from "./provider/pulumi/arguments/arguments";
export { type Unusual, unusual } from "./provider/pulumi/arguments/arguments";
export { NativeProvider as Provider, type ProviderArgs } from "./provider/pulumi/explicit-provider";
export type { Filters, Lookup, LookupOptions, OutputLookup } from "./provider/pulumi/lookup";
export type { ResourceClass, ResourceInstance } from "./provider/pulumi/resource";
