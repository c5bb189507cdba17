import { UsageError } from "./command";

/** What other keys are, by how they begin. */
const others: Readonly<Record<string, string>> = {
  "console-": "a key of the Console API",
  "client-": "a key of client SDKs",
};

/**
 * A key that server SDKs take: one of them refuses any other before it asks. `source`: where it was given, such as `--server-key`.
 * @throws UsageError that does not show it.
 */
export function requireServerKey(source: string, key: string): string {
  if (key.startsWith("secret-")) return key;
  const found = Object.keys(others).find((prefix) => key.startsWith(prefix));
  const what = found === undefined ? "" : `; this one is ${others[found]}, as it begins with ${found}`;
  throw new UsageError(`${source} takes a key that begins with secret-${what}`);
}
