import {
  type ConfigReader,
  configNamespace,
  isExplicit,
  nativeReader,
} from "../../provider/pulumi/provider-settings";
import { opened } from "./resources";
import { type Exported, nameInUrn } from "./stack";

/** The settings of the explicit providers of a stack, by URN: of dynamic resources and of the native plugin. */
export function explicitSettings({ resources }: Exported): ReadonlyMap<string, ConfigReader> {
  const readers = resources.flatMap(({ urn, type, inputs = {} }): [string, ConfigReader][] => {
    const values = opened(inputs, [], []) as Record<string, string>;
    if (type === "pulumi:providers:pulumi-nodejs") return [[urn, (key) => values[key]]];
    if (type !== `pulumi:providers:${configNamespace}`) return [];
    return [[urn, nativeReader({ values, providerName: nameInUrn(urn) })]];
  });
  return new Map(readers.filter(([, read]) => isExplicit(read)));
}
