import * as pulumi from "@pulumi/pulumi";
import {
  besideStack,
  type ConfigReader,
  configNamespace,
  isExplicit,
  nativeReader,
} from "../provider-settings";
import type { StackState, StoredResource } from "../runs/stack-state";
import { type RemovalFacts, titleOf } from "./gone-resources";

/** What a preview must know of a kind. */
export interface PreviewKind extends RemovalFacts {
  /** Names of its outputs. */
  readonly outputs: readonly string[];
}

/** Kinds by Pulumi type: filled while the classes are loaded. */
export const kinds = new Map<string, PreviewKind>();

/** The Pulumi type of a provider of the native plugin. */
const nativeProviderType = `pulumi:providers:${configNamespace}`;

/** The settings of the explicit providers that a state has. */
export function explicitConfigs(state: StackState): ConfigReader[] {
  return [...state]
    .map(([urn, { type, outputs }]): ConfigReader => {
      if (type === nativeProviderType) {
        const native = nativeReader({ values: outputs, providerName: urn.slice(urn.lastIndexOf("::") + 2) });
        return besideStack(native, pulumi.runtime.getConfig, process.env);
      }
      return (key) => {
        const value = outputs[key];
        return typeof value === "string" ? value : undefined;
      };
    })
    .filter(isExplicit);
}

/** What a stored resource is called in messages, also one of a kind that the program does not load. */
export function titleIn(urn: string, { type, outputs }: StoredResource): string {
  const kind = kinds.get(type);
  return kind === undefined ? urn.slice(urn.lastIndexOf("::") + 2) : titleOf(kind, outputs);
}
