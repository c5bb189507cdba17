import { nameOf } from "../engine";
import { configNamespace, isDefaultProvider } from "../pulumi/provider-settings";
import { consoleIn, type KnownConsole } from "../pulumi/runs/console-guard";
import type { StoredObject } from "../pulumi/runs/exported-state";
import { kindOfType } from "../pulumi/runs/kind-of-type";

/**
 * The consoles of the resources of an exported state that have a provider. `provider`: its URN; undefined, and every provider that
 * Pulumi makes of the stack's own settings, of whichever version and adapter, counts as one.
 */
export function storedConsoles(
  resources: readonly StoredObject[],
  provider: string | undefined,
): KnownConsole[] {
  return resources.flatMap(({ id, type, provider: reference, outputs }) => {
    const definition = kindOfType(type);
    const own = (reference ?? "").split("::").slice(0, -1).join("::");
    const isSame = own === provider || (isDefault(own) && isDefault(provider));
    if (definition === undefined || !isSame) return [];
    return consoleIn(outputs, nameOf(definition, id)) ?? [];
  });
}

function isDefault(provider: string | undefined): boolean {
  if (provider === undefined) return true;
  const [, , type = "", name = ""] = provider.split("::");
  return (
    isDefaultProvider(name) &&
    [configNamespace, "pulumi-nodejs"].some((one) => type === `pulumi:providers:${one}`)
  );
}
