import { invalidArgument } from "../schema/errors";
import { quote } from "../texts/issue-text";

/**
 * Fills the parameters of a path template, each percent-encoded.
 * @throws ConsoleError "invalid-argument" for a missing, empty, `.` or `..` parameter: such a path would name another place; and for
 * half a surrogate pair, which no address can say.
 */
export function fillPath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (typeof value !== "string" || !isPathSegment(value)) {
      const message = `The path ${template} needs a usable "${name}", but found ${quote(value)}.`;
      throw invalidArgument(message);
    }
    return encodeURIComponent(value);
  });
}

/** True for a text that can fill a parameter of a path. */
export function isPathSegment(text: string): boolean {
  return !/^\.{0,2}$|\p{Surrogate}/u.test(text);
}

/** Names of the parameters of a path template, in order. */
export function pathParameters(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}
