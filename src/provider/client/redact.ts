const hidden = "[hidden]";

/**
 * A text of the console without the given secrets and without anything that could be a key: a 401 repeats the key that was sent. The patterns are
 * those of console-api, section 5.
 */
export function redact(text: string, ...secrets: readonly string[]): string {
  const without = secrets
    .filter((one) => one !== "")
    .reduce((left, one) => left.replaceAll(one, hidden), text);
  return without.replace(/Key:\s*\S+/g, `Key: ${hidden}`).replace(/\b(console|secret|client)-\S+/g, hidden);
}
