import type { Problem } from "../../schema/define";
import type { JsonObject } from "../../schema/json";
import { type Path, pathText } from "../../schema/path";
import { type SecretTexts, withoutSecrets } from "../../texts/secret-texts";

/**
 * A finding as Pulumi prints it. It would print the whole value of an argument that a failure names before the reason, with the
 * secrets in it, or {<nil>}: so of a place inside, of a long value, of a secret and of what is not set the path stands in the text alone.
 */
export function failureOf(
  { path, message }: Problem,
  hidden: readonly Path[],
  secrets: SecretTexts,
  news: JsonObject,
) {
  const [first = ""] = path;
  const text = withoutSecrets(message, secrets);
  const isHidden = hidden.some(([name]) => name === first);
  const isSet = news[first] !== undefined;
  if (path.length === 1 && !isHidden && isSet && isShort(news[first]))
    return { property: String(first), reason: text };
  return { property: "", reason: path.length === 0 ? text : `${pathText(path)}: ${text}` };
}

/** Longest value that Pulumi may print before the reason. */
const longestShown = 80;

function isShort(value: unknown): boolean {
  return typeof value !== "object" || value === null
    ? String(value).length <= longestShown
    : JSON.stringify(value).length <= longestShown;
}
