const hidden = "[hidden]";

/**
 * A text of the console without anything that could be a key: a 401 repeats the key that was sent. The patterns are
 * those of console-api, section 5.
 */
export function redact(text: string, key: string | undefined): string {
  const withoutKey = key === undefined || key === "" ? text : text.replaceAll(key, hidden);
  return withoutKey
    .replace(/Key:\s*\S+/g, `Key: ${hidden}`)
    .replace(/\b(console|secret|client)-\S+/g, hidden);
}
