import { ConsoleError } from "../schema/errors";
import { elementName } from "../schema/json";
import { type Path, valueAt } from "../schema/path";
import { countOf, listText } from "../texts/count-text";
import { visible } from "../texts/issue-text";
import { viewOf } from "../values/managed";
import { differingPlaces, type Place } from "../values/places";
import { restrictToArgs } from "../values/sparse-values";
import { nameOf, withinText } from "./context";
import type { WriteTarget } from "./send";
import { valueTextAt } from "./subject";

/** Most places that a message shows with their values. */
const mostShown = 3;

/** The error for a write after which the object is not as the program sets it: each place with both values. */
export function notApplied(target: WriteTarget, names: readonly string[]): ConsoleError {
  const { definition, id, live, program } = target;
  const view = viewOf(definition, live);
  const places = names.flatMap((name) => {
    const shown = { live: view[name], program: program[name] };
    const values = { ...shown, live: restrictToArgs(definition, name, shown) };
    const found = differingPlaces(definition, name, values);
    const all: readonly Place[] = found.length > 0 ? found : [{ ...values, path: [name], label: name }];
    return all.map((place) => ({ place, form: formText(place) }));
  });
  const more = places.length - mostShown;
  const list = [
    ...places.slice(0, mostShown).map(({ place, form }) => placeText(target, place, form)),
    ...(more > 0 ? [`and ${countOf(more, "more place")}`] : []),
  ].join("; ");
  const object = nameOf(definition, id);
  const text = places.every(({ form }) => form !== undefined)
    ? `The console stores ${object} in another form: ${list}. Set in the program what it stores.`
    : `The console accepted the change of ${object} and did not make it: ${list}. ` +
      "A required review or a policy of the project may hold it back; look at the object in the console.";
  return new ConsoleError(text, { category: "not-taken" });
}

/** `rules[4].passPercentage of "R4" is 8 and not 7.5 (rounded)`. */
function placeText(target: WriteTarget, place: Place, form: string | undefined): string {
  const [live, ours] = aroundDifference(place.live, place.program).map((value) =>
    valueTextAt(target, place.path, value),
  );
  const not = place.program === undefined ? "empty" : ours;
  const where = `${place.label}${withinText(elementNames(target.program, place.path))}`;
  return visible(`${where} is ${live} and not ${not}${form === undefined ? "" : ` (${form})`}`);
}

/** Names of the list elements on a path that the path calls by their index. */
function elementNames(values: unknown, path: Path): string[] {
  return path.flatMap((step, at) => {
    const element = typeof step === "number" ? valueAt(values, path.slice(0, at + 1)) : undefined;
    return elementName(element) ?? [];
  });
}

/** Characters that a message shows before the first difference of two long texts. */
const before = 30;

/** Two values; of texts, from shortly before the place where they part. */
function aroundDifference(one: unknown, other: unknown): [unknown, unknown] {
  if (typeof one !== "string" || typeof other !== "string") return [one, other];
  let start = -before;
  while (one[start + before] !== undefined && one[start + before] === other[start + before]) start += 1;
  return start > 3 ? [`...${one.slice(start)}`, `...${other.slice(start)}`] : [one, other];
}

/** Forms of a text that a console may bring into one. */
const textForms: readonly (readonly [name: string, reduced: (text: string) => string])[] = [
  ["the Unicode form", (text) => text.normalize("NFKC")],
  ["line ends", (text) => text.replace(/\r\n?/g, "\n")],
  [
    "blanks",
    (text) =>
      text
        .replace(/[^\S\r\n]+/g, " ")
        .replace(/ ?\n ?/g, "\n")
        .trim(),
  ],
  ["case", (text) => text.toLowerCase()],
];

/** The form in which alone two values differ; undefined where they mean something else. */
function formText({ live, program }: Place): string | undefined {
  if (typeof live === "number" && typeof program === "number")
    return Math.abs(live - program) < 1 && String(live).length < String(program).length
      ? "rounded"
      : undefined;
  const [stored, ours] = [textsIn(live), textsIn(program)];
  if (stored === undefined || ours === undefined) return undefined;
  const isSame = (forms: typeof textForms) => {
    const reduced = (text: string) => forms.reduce((one, [, form]) => form(one), text);
    const [left, right] = [stored, ours].map((texts) => texts.map(reduced).sort().join("\n"));
    return left === right;
  };
  if (!isSame(textForms)) return undefined;
  const names = textForms.filter((one) => !isSame(textForms.filter((other) => other !== one)));
  const which = listText((names.length === 0 ? textForms : names).map(([name]) => name));
  return `they differ in ${which} alone`;
}

function textsIn(value: unknown): readonly string[] | undefined {
  const texts = Array.isArray(value) ? value : [value];
  return texts.every((one) => typeof one === "string") ? texts : undefined;
}
