import * as pulumi from "@pulumi/pulumi";
import type { ResourceDefinition } from "../../provider/schema/define";
import type { JsonObject } from "../../provider/schema/json";

/** Inputs as a provider gets them, and the names of those that the program has as secrets. */
export interface Known {
  readonly values: JsonObject;
  readonly secrets: ReadonlySet<string>;
}

/** Takes apart what Pulumi hands to mocks: a secret anywhere in an input makes the whole input one. */
export function known(inputs: JsonObject): Known {
  const entries = Object.entries(inputs);
  return {
    values: Object.fromEntries(entries.map(([name, value]) => [name, pulumi.runtime.unwrapRpcSecret(value)])),
    secrets: new Set(entries.flatMap(([name, value]) => (pulumi.runtime.isRpcSecret(value) ? [name] : []))),
  };
}

/** Outputs of which those are secrets that an engine would make secrets: mocks know none of their own. */
export function marked(
  { fields }: ResourceDefinition,
  outputs: JsonObject,
  secrets: ReadonlySet<string>,
): Record<string, unknown> {
  const isSecret = (name: string): boolean => {
    const facts = fields[name]?.traits;
    const isEcho = [...secrets].some(
      (other) => fields[other]?.traits.aliasOf === name || facts?.aliasOf === other,
    );
    return secrets.has(name) || facts?.secret === true || isEcho;
  };
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => [name, isSecret(name) ? pulumi.secret(value) : value]),
  );
}
