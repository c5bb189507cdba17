import * as pulumi from "@pulumi/pulumi";
import { type Identity, programId } from "../../schema/object-id";
import { urnParts } from "../../schema/urn";
import { besideStack, type ConfigReader, explicitReader, nativeProviderType } from "../provider-settings";
import type { StackState, StoredResource } from "../runs/stack-state";
import { kindTitle } from "../stored-names";

/** Traits of a kind that its class needs. Generated, so that a program loads no definitions. Lists that are empty are left out. */
export interface ClassTraits {
  /** PascalCase, as in `new fc.Gate`. */
  readonly kind: string;
  /** As in a sentence; left out where it is the kind's words. */
  readonly title?: string;
  /** Source of the ids of its objects; left out for an action, which makes none. */
  readonly identity?: Identity;
  /** Arguments that are the resource's name where the program leaves them out. */
  readonly named?: readonly string[];
  /** Names of its outputs. One that is not declared up front becomes no property of the resource, unless the program sets it. */
  readonly outputs: readonly string[];
  /** Names of the outputs that an exported resource shows beside its id. */
  readonly shown?: readonly string[];
  /** Arguments and outputs that are secrets whatever the program says. */
  readonly secrets?: readonly string[];
  /** Arguments that are sets of ids, of which state holds no id. */
  readonly idSets?: readonly string[];
  /** Pairs of outputs that show one thing in two forms. */
  readonly aliasPairs?: readonly (readonly [string, string])[];
  /** Lists whose parts other resources name by ids, which the console gives. */
  readonly namedParts?: readonly string[];
}

/** A resource that the program has constructed. */
export interface Constructed {
  readonly resource: pulumi.CustomResource;
  readonly type: string;
  readonly isRead: boolean;
  readonly imports: boolean;
}

/** Kinds by Pulumi type: filled while the classes are loaded. */
export const kinds = new Map<string, ClassTraits>();

/** The settings of the explicit providers that a state has. */
export function explicitConfigs(state: StackState): ConfigReader[] {
  return [...state].flatMap(([urn, { type, outputs }]) => {
    const read = explicitReader(type, urnParts(urn).name, outputs);
    if (read === undefined) return [];
    return type === nativeProviderType ? besideStack(read, pulumi.runtime.getConfig, process.env) : read;
  });
}

/** A stored resource in messages, also one of a kind that the program does not load. */
export function titleIn(urn: string, { type, outputs }: StoredResource): string {
  const { kind, title, identity } = kinds.get(type) ?? {};
  if (kind === undefined) return urnParts(urn).name;
  const called = identity === undefined ? undefined : programId({ identity }, outputs);
  return `${title ?? kindTitle(kind)}${called === undefined ? "" : ` "${String(called)}"`}`;
}
