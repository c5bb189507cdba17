import { expect } from "@jest/globals";

/**
 * The failure of a check at a path. Pulumi would print the whole value of an argument that it names before the reason: of a place
 * inside one, and of one whose `value` is long, the path stands in the text.
 */
export function failureAt(
  path: string,
  reason: RegExp,
  value?: unknown,
): { property: string; reason: unknown } {
  const isLong = (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).length > 80;
  if (!isLong && !/[.[]/.test(path)) return { property: path, reason: expect.stringMatching(reason) };
  const place = `^${path.replace(/[.[\]]/g, "\\$&")}: `;
  const { source, flags } = reason;
  const rest = source.startsWith("^") ? source.slice(1) : `.*${source}`;
  return { property: "", reason: expect.stringMatching(new RegExp(place + rest, flags)) };
}
