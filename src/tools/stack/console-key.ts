import type { RouteClient } from "../../provider/client/client";
import { catalog } from "../../provider/definitions";
import { isConsoleError } from "../../provider/schema/errors";
import { fromWire } from "../../provider/schema/wire-names";

/** A key, as the console's list of keys shows it. */
export interface ConsoleKey {
  /** Such as `CONSOLE`. */
  readonly type: string;
  readonly scopes: readonly string[];
  readonly canWrite: boolean;
}

/** Finds a key in the console's list of keys; undefined where the list does not show it. Sends no write to find out. */
export async function consoleKey(
  client: RouteClient,
  apiKey: string | undefined,
): Promise<ConsoleKey | undefined> {
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
