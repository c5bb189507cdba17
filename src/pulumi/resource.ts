import * as pulumi from "@pulumi/pulumi";
import { inputNames, type ResourceDefinition } from "../core/define";
import { digestedNames } from "../core/id-changes";
import type { JsonObject } from "../core/json";
import { optionsOf } from "../core/options";
import { type Arguments, holdsOutput, withIds } from "./arguments";
import { withIdTexts } from "./id-arguments";
import { tableMember } from "./id-tables";
import { providerMember } from "./wire";

/** A resource with its outputs. */
export type ResourceInstance<State> = pulumi.CustomResource & {
  readonly [Name in keyof State]-?: pulumi.Output<State[Name]>;
};

/** What a resource class takes beside its name. */
export type ConstructorRest<Args> = object extends Args
  ? [args?: Arguments<Args>, options?: pulumi.CustomResourceOptions]
  : [args: Arguments<Args>, options?: pulumi.CustomResourceOptions];

/** The class of a kind. */
export interface ResourceClass<Args, State> {
  new (name: string, ...rest: ConstructorRest<Args>): ResourceInstance<State>;
  /** Reads an object that is managed elsewhere. Fails when it is not there. */
  get(
    name: string,
    id: pulumi.Input<string>,
    options?: pulumi.CustomResourceOptions,
  ): ResourceInstance<State>;
  /** True for an instance of this class, also one of another copy of this package. */
  isInstance(value: unknown): value is ResourceInstance<State>;
}

/** The Pulumi type of a kind. */
function typeOf(definition: ResourceDefinition): string {
  return `pulumi-nodejs:dynamic/feature-console:${definition.kind}`;
}

/**
 * The text in state by which Pulumi finds the provider again. Constant for ever and free of versions, paths and
 * secrets: so it never makes a difference, and a fix reaches refresh and delete of old state at once.
 */
export function providerText(definition: ResourceDefinition): string {
  return `exports.handler = () => require("pulumi-feature-console/dynamic/v1").${definition.name};`;
}

/** Makes the class of a kind. */
export function resourceClass<Args, State>(definition: ResourceDefinition): ResourceClass<Args, State> {
  const type = typeOf(definition);
  // An output that is not declared up front never becomes a property of the resource.
  const names = new Set([...Object.keys(definition.fields), ...Object.keys(optionsOf(definition))]);
  const declared = Object.fromEntries([...names].map((name) => [name, undefined]));
  const secrets = inputNames(definition).filter((name) => definition.fields[name]?.facts.secret === true);

  const constructed = class extends pulumi.CustomResource {
    static get(name: string, id: pulumi.Input<string>, options?: pulumi.CustomResourceOptions) {
      return new constructed(name, {}, { ...options, id });
    }

    static override isInstance(value: unknown): value is pulumi.CustomResource {
      return (
        pulumi.CustomResource.isInstance(value) && (value as { __pulumiType?: unknown }).__pulumiType === type
      );
    }

    constructor(name: string, args: object = {}, options: pulumi.CustomResourceOptions = {}) {
      // The engine cannot import a dynamic resource: it would call the provider without its text. Creation adopts instead.
      const { import: imported, ...rest } = options;
      const said =
        options.id === undefined
          ? {
              ...(withIds(withIdTexts(definition, args as JsonObject)) as object),
              __logicalName: name,
              __adopt: imported,
            }
          : {};
      const hidden = [...secrets, ...echoesOf(definition, said), ...tablesOf(definition, said)];
      const outputs = { additionalSecretOutputs: [...(rest.additionalSecretOutputs ?? []), ...hidden] };
      super(
        type,
        name,
        { ...declared, ...said, [providerMember]: providerText(definition) },
        { ...rest, ...(hidden.length > 0 ? outputs : {}) },
      );
    }
  };
  Object.defineProperty(constructed, "name", { value: definition.kind });
  return constructed as unknown as ResourceClass<Args, State>;
}

/**
 * Outputs in which the console repeats an argument that may be a secret, in another form. Whether an output of a program
 * is a secret is known too late here, so each counts as one.
 */
function echoesOf(definition: ResourceDefinition, args: object): string[] {
  return Object.entries(definition.fields).flatMap(([name, { facts }]) => {
    if (facts.aliasOf === undefined) return [];
    const pair = [name, facts.aliasOf];
    const said = pair.find((one) => holdsOutput((args as Record<string, unknown>)[one]));
    return said === undefined ? [] : pair.filter((one) => one !== said);
  });
}

/** Hashes of ids that may be secrets. */
function tablesOf(definition: ResourceDefinition, args: object): string[] {
  const names = digestedNames(definition).filter((name) =>
    holdsOutput((args as Record<string, unknown>)[name]),
  );
  return names.map(tableMember);
}
