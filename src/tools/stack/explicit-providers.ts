import {
  besideStack,
  type ConfigReader,
  configNamespace,
  type Environment,
  isExplicit,
  nativeReader,
} from "../../provider/pulumi/provider-settings";
import { opened } from "./resources";
import { type Exported, nameInUrn } from "./stack";

/**
 * The settings of the explicit providers of a stack, by URN: of dynamic resources and of the native plugin. `stack`: the stack's
 * configuration, with which they may share a key or an address.
 */
export function explicitSettings(
  { resources }: Exported,
  stack: ConfigReader,
  environment: Environment,
): ReadonlyMap<string, ConfigReader> {
  const readers = resources.flatMap(({ urn, type, inputs = {} }): [string, ConfigReader][] => {
    const values = opened(inputs, [], []) as Record<string, string>;
    if (type === "pulumi:providers:pulumi-nodejs") return [[urn, (key) => values[key]]];
    if (type !== `pulumi:providers:${configNamespace}`) return [];
    return [[urn, nativeReader({ values, providerName: nameInUrn(urn) })]];
  });
  return new Map(
    readers.flatMap(([urn, read]) =>
      isExplicit(read) ? [[urn, besideStack(read, stack, environment)]] : [],
    ),
  );
}
