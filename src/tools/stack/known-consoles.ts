import { consoleIn, type KnownConsole } from "../../provider/pulumi/runs/console-guard";
import { kindOfType } from "../../provider/pulumi/runs/kind-of-type";
import type { JsonObject } from "../../provider/schema/json";
import { unpacked } from "../../provider/values/hidden-state";
import { opened, providerUrn } from "./resources";
import type { Exported } from "./stack";

/**
 * The console of each object in a state, by the URN of its explicit provider; "" stands for the stack's own settings. `explicit`:
 * URNs of the explicit providers.
 */
export function knownConsoles(
  { resources }: Exported,
  explicit: { has(urn: string): boolean },
): ReadonlyMap<string, readonly KnownConsole[]> {
  const found = new Map<string, KnownConsole[]>();
  for (const { type, id, outputs = {}, provider } of resources) {
    const definition = kindOfType(type);
    if (definition === undefined || id === undefined) continue;
    const state = unpacked(opened(outputs, [], []) as JsonObject);
    const known = consoleIn(state, `${definition.title} "${id}"`);
    if (known === undefined) continue;
    const urn = providerUrn(provider) ?? "";
    const place = explicit.has(urn) ? urn : "";
    found.set(place, [...(found.get(place) ?? []), known]);
  }
  return found;
}
