/** Feature gates, dynamic configs, segments, layers and assignment sources as Pulumi resources. */
export * from "./generated/classes";
export * from "./generated/lookups";
export type { Argument, Arguments } from "./pulumi/arguments";
export { Provider, type ProviderArgs } from "./pulumi/explicit-provider";
export type { Filters, Found, Lookup, LookupOptions, OutputLookup } from "./pulumi/lookups";
export type { ResourceClass, ResourceInstance } from "./pulumi/resource";
