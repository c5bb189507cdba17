import * as pulumi from "@pulumi/pulumi";
import { unusableSettings } from "../schema/errors";
import {
  configNamespace,
  explicitMark,
  fromStackMark,
  type ProviderSettings,
  settingNames,
  sharedWithStack,
} from "./provider-settings";

/** Settings of an explicit provider. What is left out comes from the environment; the stack's configuration is not read. */
export type ProviderArgs = {
  [Name in keyof ProviderSettings]: pulumi.Input<NonNullable<ProviderSettings[Name]>> | undefined;
};

/**
 * A console of its own, for resources with `{ provider }`: another account, project or address. The key and the address of
 * Redis are secrets in state.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs, options?: pulumi.ResourceOptions) {
    const explicit = marksOf(args);
    const { texts, hidden } = textsOf(args, (setting) => `${configNamespace}:${setting}`);
    super("pulumi-nodejs", name, { ...explicit, ...texts, ...hidden }, options);
    // A finding of a lookup is no secret because a setting is one.
    keep(this, { ...explicit, ...texts });
  }
}

/** The same for resources of the native plugin, which has its settings under their short names. */
export class NativeProvider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs, options?: pulumi.ResourceOptions) {
    const { texts, hidden } = textsOf(args, (setting) => setting);
    // The plugin hides secrets too, but Pulumi's log shows what a program sends before that.
    super(configNamespace, name, { ...texts, ...hidden }, options);
    keep(this, { ...marksOf(args), ...textsOf(args, (setting) => `${configNamespace}:${setting}`).texts });
  }
}

type Texts = Record<string, pulumi.Output<string>>;

/** Settings as texts, and those that are secrets once more, as such. */
function textsOf(
  args: ProviderArgs,
  nameOf: (setting: string) => string,
): Readonly<Record<"texts" | "hidden", Texts>> {
  const [texts, hidden]: [Texts, Texts] = [{}, {}];
  for (const [setting, traits] of Object.entries(settingNames)) {
    const value = args[setting as keyof ProviderSettings];
    if (value === undefined) continue;
    const text = pulumi.output(value).apply(String);
    texts[nameOf(setting)] = text;
    if ("isSecret" in traits) hidden[nameOf(setting)] = pulumi.secret(text);
  }
  return { texts, hidden };
}

/** Marks beside the settings of a provider, whose process does not see the stack's configuration. */
function marksOf({ profile, baseUrl, apiKey }: ProviderArgs): Record<string, pulumi.Input<string>> {
  const fromStack = pulumi
    .all({ profile, baseUrl, apiKey })
    // Undefined is left out of the inputs, which Pulumi's types do not say.
    .apply((own) => sharedWithStack(own, pulumi.runtime.getConfig, process.env) as string);
  return {
    [`${configNamespace}:${explicitMark}`]: "true",
    [`${configNamespace}:${fromStackMark}`]: pulumi.unsecret(fromStack),
  };
}

type Settings = pulumi.Output<Readonly<Record<string, string>>>;

/** The member that lookups read. Another copy of this package finds it too, and a program that exports a provider does not export it. */
const settingsMember = Symbol.for("pulumi-feature-console.provider-settings");

function keep(provider: pulumi.ProviderResource, settings: Record<string, pulumi.Input<string>>): void {
  const value = pulumi.unsecret(pulumi.all(settings));
  Object.defineProperty(provider, settingsMember, { value, enumerable: false });
}

/** The settings of a provider, for a lookup that waits until they are known. */
export function settingsOf(provider: pulumi.ProviderResource | undefined): Settings | undefined {
  return (provider as { [settingsMember]?: Settings } | undefined)?.[settingsMember];
}

/** The settings once they are known. @throws ConsoleError "settings" in a preview that does not know them yet. */
export async function knownSettingsOf(
  provider: pulumi.ProviderResource | undefined,
): Promise<Readonly<Record<string, string>> | undefined> {
  const output = settingsOf(provider);
  if (output === undefined) return undefined;
  // Nothing is ever called with what is not known: waiting for it would not end. Pulumi's types hide this member.
  const { isKnown } = output as unknown as { readonly isKnown: Promise<boolean> };
  if (await isKnown) return new Promise((resolve) => output.apply(resolve));
  throw unusableSettings(
    "The settings of the explicit provider are not known in this preview. Use the lookup whose name ends in Output, " +
      "or give the provider settings that do not come from a resource of this run.",
  );
}
