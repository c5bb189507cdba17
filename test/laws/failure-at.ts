import { expect } from "@jest/globals";

/** The failure of a check at a path: Pulumi shows the value of the argument that it names, so the rest stands in the text. */
export function failureAt(path: string, reason: RegExp): { property: string; reason: unknown } {
  const [property = ""] = path.split(/[.[]/);
  const place = property === path ? "" : `${path.replace(/[.[\]]/g, "\\$&")}: .*`;
  return {
    property,
    reason: expect.stringMatching(
      new RegExp(place + reason.source.replace(/^\^/, place === "" ? "^" : ""), reason.flags),
    ),
  };
}
