import type { RouteClient } from "../../provider/client/client";
import { catalog } from "../../provider/definitions";
import {
  besideStack,
  type ConfigReader,
  type Environment,
  explicitReader,
} from "../../provider/pulumi/provider-settings";
import { consoleIn, type KnownConsole } from "../../provider/pulumi/runs/console-guard";
import { kindOfType } from "../../provider/pulumi/runs/kind-of-type";
import { withoutAnswer } from "../../provider/schema/errors";
import { textsIn } from "../../provider/schema/json";
import { keptIn } from "../../provider/schema/memoized";
import { fromWire } from "../../provider/schema/wire-names";
import { unpacked } from "../../provider/values/hidden-state";
import { plain, providerUrn } from "./resources";
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
    resources.flatMap(({ urn, type, inputs }) => {
      const read = explicitReader(type, nameInUrn(urn), plain(inputs));
      return read === undefined ? [] : [[urn, besideStack(read, stack, environment)] as const];
    }),
  );
}

/** The console of each object in a state, by the URN of its explicit provider; "" for the stack's own settings. */
export function knownConsoles(
  { resources }: Exported,
  explicit: { has(urn: string): boolean },
): ReadonlyMap<string, readonly KnownConsole[]> {
  const found = new Map<string, KnownConsole[]>();
  for (const { type, id, outputs, provider } of resources) {
    const definition = kindOfType(type);
    if (definition === undefined || id === undefined) continue;
    const known = consoleIn(unpacked(plain(outputs)), `${definition.title} "${id}"`);
    if (known === undefined) continue;
    const urn = providerUrn(provider) ?? "";
    const place = explicit.has(urn) ? urn : "";
    keptIn(found, place, () => []).push(known);
  }
  return found;
}

/** The consoles of the objects to which the stack's own settings lead. */
export function ownConsoles(
  exported: Exported,
  stack: ConfigReader = () => undefined,
  environment: Environment = {},
): readonly KnownConsole[] {
  return knownConsoles(exported, explicitSettings(exported, stack, environment)).get("") ?? [];
}

/** Finds a key in the console's list of keys; undefined where the list does not show it. Sends no write to find out. */
export async function consoleKey(client: RouteClient, apiKey: string | undefined) {
  if (apiKey === undefined) return undefined;
  const find = async () => {
    for await (const item of client.items(catalog.key.routes.list, {})) {
      const { value, type, scopes } = fromWire(catalog.key, item);
      const canWrite = catalog.key.grantsWrites?.({ type, scopes }) === true;
      if (value === apiKey) return { type: String(type), scopes: textsIn(scopes), canWrite };
    }
    return undefined;
  };
  // A key that may not see keys is no reason to read nothing.
  return find().catch(withoutAnswer(undefined));
}
