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
  /** What lookups of this program use. Not an output: it never gets into state. */
  readonly settings: Promise<Readonly<Record<string, string>>>;

  constructor(name: string, args: ProviderArgs, options?: pulumi.ResourceOptions) {
    const texts: Record<string, pulumi.Output<string>> = {};
    for (const setting of Object.keys(settingNames) as (keyof ProviderSettings)[]) {
      const value = args[setting];
      if (value !== undefined) texts[`${configNamespace}:${setting}`] = pulumi.output(value).apply(String);
    }
    const explicit = { [`${configNamespace}:${explicitMark}`]: "true" };
    const key = `${configNamespace}:apiKey`;
    const secret = texts[key] === undefined ? {} : { [key]: pulumi.secret(texts[key]) };
    super("pulumi-nodejs", name, { ...explicit, ...texts, ...secret }, options);
    this.settings = resolved(texts, explicit);
  }
}

function resolved(
  texts: Record<string, pulumi.Output<string>>,
  explicit: Record<string, string>,
): Promise<Record<string, string>> {
  return new Promise((resolve) => {
    pulumi.all(texts).apply((known) => resolve({ ...explicit, ...known }));
  });
}
