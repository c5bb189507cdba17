/** The kinds of a feature-management console as Pulumi resources, with actions and lookups. */
import "./node-guard";

export * from "./generated/classes";
export * from "./generated/lookups";
export type { Argument, Arguments } from "./pulumi/arguments";
export { Provider, type ProviderArgs } from "./pulumi/explicit-provider";
export type { Filters, Found, Lookup, LookupOptions, OutputLookup } from "./pulumi/lookups";
export type { ResourceClass, ResourceInstance } from "./pulumi/resource";
