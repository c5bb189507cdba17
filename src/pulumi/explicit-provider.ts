import * as pulumi from "@pulumi/pulumi";
import { configNamespace, explicitMark, type ProviderSettings, settingNames } from "./settings";

/** Settings of an explicit provider. What is left out comes from the environment; the stack's configuration is not read. */
export type ProviderArgs = {
  [Name in keyof ProviderSettings]: pulumi.Input<NonNullable<ProviderSettings[Name]>> | undefined;
};

/**
 * A console of its own, for resources with `{ provider }`: another account, project or address. The key is a secret in
 * state.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs, options?: pulumi.ResourceOptions) {
    const inputs: Record<string, pulumi.Input<unknown>> = { [`${configNamespace}:${explicitMark}`]: "true" };
    for (const setting of Object.keys(settingNames) as (keyof ProviderSettings)[]) {
      const value = args[setting];
      if (value === undefined) continue;
      const text = pulumi.output(value).apply(String);
      inputs[`${configNamespace}:${setting}`] = setting === "apiKey" ? pulumi.secret(text) : text;
    }
    super("pulumi-nodejs", name, inputs, options);
  }
}
