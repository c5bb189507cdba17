import type { RouteClient } from "../../provider/client/client";
import { catalog } from "../../provider/definitions";
import { isConsoleError } from "../../provider/schema/errors";
import { fromWire } from "../../provider/schema/wire-names";
import type { ReadConsole } from "./console";

/** A key as the console's list of keys tells. */
export interface KeyFacts {
  /** Such as `CONSOLE`. */
  readonly type: string;
  readonly scopes: readonly string[];
  readonly canWrite: boolean;
}

/** Whether the key that reads the console could write to it; undefined where the console does not tell. */
export async function keyCanWrite({ context, apiKey }: ReadConsole): Promise<boolean | undefined> {
  return (await factsOfKey(context.client, apiKey))?.canWrite;
}

/**
 * What the console's own list of keys tells of a key; undefined where it does not tell this key about keys. Sends no write to find
 * out.
 */
export async function factsOfKey(
  client: RouteClient,
  apiKey: string | undefined,
): Promise<KeyFacts | undefined> {
  if (apiKey === undefined) return undefined;
  try {
    for await (const item of client.items(catalog.key.routes.list, {})) {
      const { value, type, scopes } = fromWire(catalog.key, item);
      if (value !== apiKey) continue;
      const names = Array.isArray(scopes) ? scopes.map(String) : [];
      return { type: String(type), scopes: names, canWrite: names.some((name) => /_read_write$/.test(name)) };
    }
    return undefined;
  } catch (error) {
    // A key that may not see keys is no reason to read nothing.
    if (isConsoleError(error)) return undefined;
    throw error;
  }
}
