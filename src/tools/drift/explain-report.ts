import type { JsonObject } from "../../provider/schema/json";
import { jsonText, visible } from "../../provider/texts/issue-text";
import { wrapped } from "../../provider/texts/wrapped";
import { placeText } from "../stack/source-places";
import type { Explanation } from "./explain";
import type { Explained } from "./explain-stack";
import { shownValue, titleOf } from "./report";

/** Blanks before a value. */
const indent = 18;

const columns = [
  ["program", "program"],
  ["last program", "lastProgram"],
  ["state", "seen"],
  ["console", "live"],
] as const;

const deciders: Readonly<Record<Explanation["decides"], string>> = {
  program: "the program",
  console: "the console",
  server: "the console alone",
};

/** The explanations for people: for each place its four values, who decides, and what the next update does. */
export function explainText(explained: readonly Explained[]): string {
  return explained.map((one) => `${visible(headOf(one))}\n${one.places.map(placeBlock).join("")}`).join("\n");
}

function headOf({ comparison, places }: Explained): string {
  if (comparison.what === "differs" || comparison.what === "same") {
    const title = titleOf(comparison, "");
    return places.length > 0
      ? title
      : `${title} has the same values in program, state and console, wherever the program decides.`;
  }
  return `${titleOf(comparison)}.`;
}

function placeBlock(place: Explanation): string {
  const lines = [
    ...columns.map(([title, view]) => [title, shownValue(place[view], place.secret)]),
    ["decides", `${deciders[place.decides]} (${place.trait}): ${place.reason}`],
    ["next up", place.next],
  ];
  const text = lines.map(
    ([title = "", value = ""]) => `    ${title.padEnd(12)}  ${wrapped(visible(value), indent)}\n`,
  );
  return `\n  ${visible(place.label)}\n${text.join("")}`;
}

/** The explanations for programs. Secrets are left out of them as well. */
export function explainJson(explained: readonly Explained[]): string {
  const objects = explained.map(({ comparison: { resource, what }, places }): JsonObject => {
    const { urn, name, id, definition, position } = resource;
    return {
      ...{ urn, name, kind: definition.kind, id, what },
      place: position === undefined ? undefined : placeText(position),
      places: places.map(({ label, secret, program, lastProgram, seen, live, ...decision }) => ({
        path: label,
        ...(secret ? { secret } : { program, lastProgram, state: seen, console: live }),
        ...decision,
      })),
    };
  });
  return jsonText({ objects });
}
