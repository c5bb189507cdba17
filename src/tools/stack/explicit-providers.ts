import {
  besideStack,
  type ConfigReader,
  type Environment,
  explicitReader,
} from "../../provider/pulumi/provider-settings";
import type { JsonObject } from "../../provider/schema/json";
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
  return new Map(
    resources.flatMap(({ urn, type, inputs = {} }) => {
      const read = explicitReader(type, nameInUrn(urn), opened(inputs, [], []) as JsonObject);
      return read === undefined ? [] : [[urn, besideStack(read, stack, environment)] as const];
    }),
  );
}
