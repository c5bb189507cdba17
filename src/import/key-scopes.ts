import { catalog } from "../catalog";
import { isConsoleError } from "../core/errors";
import { fromWire } from "../core/wire-names";
import type { ReadConsole } from "./console";

/**
 * Whether the key that reads the console could write to it, as the console's own list of keys tells; undefined where it does not
 * tell this key about keys. Sends no write to find out.
 */
export async function keyCanWrite({ context, apiKey }: ReadConsole): Promise<boolean | undefined> {
  if (apiKey === undefined) return undefined;
  try {
    for await (const item of context.client.items(catalog.key.routes.list, {})) {
      const { value, scopes } = fromWire(catalog.key, item);
      if (value === apiKey)
        return Array.isArray(scopes) && scopes.some((scope) => /_read_write$/.test(String(scope)));
    }
    return undefined;
  } catch (error) {
    // A key that may not see keys is no reason to read nothing.
    if (isConsoleError(error)) return undefined;
    throw error;
  }
}
