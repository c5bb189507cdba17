import * as pulumi from "@pulumi/pulumi";
import { besideStack, type ConfigReader, explicitReader, nativeProviderType } from "../provider-settings";
import type { StackState, StoredResource } from "../runs/stack-state";
import { type RemovalFacts, titleOf } from "./gone-resources";

/** What a preview must know of a kind. */
export interface PreviewKind extends RemovalFacts {
  /** Names of its outputs. */
  readonly outputs: readonly string[];
}

/** Kinds by Pulumi type: filled while the classes are loaded. */
export const kinds = new Map<string, PreviewKind>();

/** The settings of the explicit providers that a state has. */
export function explicitConfigs(state: StackState): ConfigReader[] {
  return [...state].flatMap(([urn, { type, outputs }]) => {
    const read = explicitReader(type, urn.slice(urn.lastIndexOf("::") + 2), outputs);
    if (read === undefined) return [];
    return type === nativeProviderType ? besideStack(read, pulumi.runtime.getConfig, process.env) : read;
  });
}

/** What a stored resource is called in messages, also one of a kind that the program does not load. */
export function titleIn(urn: string, { type, outputs }: StoredResource): string {
  const kind = kinds.get(type);
  return kind === undefined ? urn.slice(urn.lastIndexOf("::") + 2) : titleOf(kind, outputs);
}
