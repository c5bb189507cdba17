import fc from "fast-check";
import { isObject, type JsonObject } from "../../src/provider/schema/json";

/** How an answer of the console is changed or replaced. A closed list, by which outcomes are counted. */
export const ways = [
  "member of another type",
  "member missing",
  "strange member",
  "strange identity",
  "strange number",
  "elements twice",
  "another object's answer",
  "pagination lies",
  "list without end",
  "10,000 deep",
  "5 MB of text",
  "any JSON",
  "any data",
  "no JSON",
  "error of any shape",
  "key in the answer",
] as const;

/** One of the ways in which an answer is wrong. */
export type Way = (typeof ways)[number];

/** A wrong answer as data: small, whatever it becomes, and the same for the same seed. */
export interface Recipe {
  readonly way: Way;
  /** Choose the kind, its verb, the request of the verb, and among what the answer to it offers. */
  readonly kind: number;
  readonly verb: number;
  readonly request: number;
  readonly at: number;
  readonly value: unknown;
  /** For errors: the status, and whether the request was carried out all the same. */
  readonly status: number;
  readonly acted: boolean;
}

/** Names that every object of JavaScript has, or that mean something to it. */
const oddNames = ["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty"];

/** Texts that programs stumble over: nothing, NUL, right to left, outside the first plane, half a character. */
const oddTexts = [
  ...["", " ", "\0", "\u202egnol", "\u{1f469}\u200d\u{1f4bb}", "\ud83d", "\udc00x", "a\nb", "\u001b[31mred"],
  ...[".", "..", "../../gates", "%2e%2e", "a/b?c#d", "null", "true", "1e3", ...oddNames],
];

const statuses = [
  ...[
    201, 202, 204, 206, 300, 302, 304, 400, 401, 402, 403, 404, 404, 405, 408, 409, 410, 413, 415, 418, 422,
  ],
  ...[425, 429, 451, 500, 501, 502, 503, 504, 507, 511, 520, 599],
];

/** Made for each draw: fast-check needs seconds for texts of all characters, which most users of this file never draw. */
const oddValue = () =>
  fc.oneof(
    fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 12.5, 2 ** 53, 1e308, [], {}, [[]], [null], [{}]),
    fc.constantFrom(...oddTexts),
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.dictionary(
      fc.constantFrom(...oddNames, "id", "name", "message", "data"),
      fc.jsonValue({ maxDepth: 1 }),
    ),
  );

/** Some ways cost seconds each and are drawn less often. */
const way = fc.oneof(
  ...ways.map((one) => ({
    arbitrary: fc.constant(one),
    weight: one === "list without end" ? 1 : one === "5 MB of text" ? 10 : 40,
  })),
);

export function drawRecipes(count: number, seed: number): Recipe[] {
  const recipe = fc.record({
    way,
    kind: fc.nat(),
    verb: fc.nat(),
    request: fc.nat(),
    at: fc.nat(),
    value: oddValue(),
    status: fc.constantFrom(...statuses),
    acted: fc.boolean(),
  });
  return fc.sample<Recipe>(recipe, { numRuns: count, seed });
}

/** An answer as it goes over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What a wrong answer is made of beside its recipe. */
export interface Material {
  readonly right: Reply;
  /** The right answer about another object, where there is one. */
  readonly other: Reply | undefined;
  readonly key: string;
}

const json = { "content-type": "application/json; charset=utf-8" };
const deepLevels = 10_000;
const hugeText = "5 MB ".repeat(2 ** 20);

export function wrongAnswer(recipe: Recipe, material: Material): Reply {
  const { right } = material;
  if (recipe.way === "error of any shape") return errorOf(recipe);
  if (recipe.way === "no JSON") return noJson(recipe, right);
  if (recipe.way === "any JSON") return { ...right, text: textOf(recipe.value) };
  if (recipe.way === "another object's answer") return material.other ?? { ...right, text: "{}" };
  if (recipe.way === "key in the answer") return withKey(recipe, material);
  const body: unknown = JSON.parse(right.text || "{}");
  return { ...right, text: changedText(recipe, isObject(body) ? body : {}) };
}

function changedText(recipe: Recipe, body: JsonObject): string {
  const { way, value, at } = recipe;
  if (way === "any data") return textOf({ ...body, data: value });
  if (way === "pagination lies") return textOf({ ...body, pagination: paginationOf(recipe) });
  if (way === "list without end") return textOf(endless(recipe, body, 1));
  if (way === "elements twice") return textOf(twice(body, at));
  const places = placesIn(body);
  const names = places.filter(({ name }) => name === "id" || name === "name");
  const among = way === "strange identity" && names.length > 0 ? names : places;
  const place = among[at % Math.max(among.length, 1)];
  if (place === undefined) return textOf({ data: value });
  if (way === "member missing") delete place.holder[place.name];
  else if (way === "strange member") {
    const strange = oddNames[at % oddNames.length] as string;
    // Assigned, `__proto__` would change the object instead of being its member.
    Object.defineProperty(place.holder, strange, { value, enumerable: true, configurable: true });
  } else place.holder[place.name] = insteadOf(recipe);
  return textOf(body);
}

function insteadOf({ way, at, value }: Recipe): unknown {
  if (way === "strange identity") return oddTexts[at % oddTexts.length];
  if (way === "strange number") return `@@${["1e999", "-1e999", "-0", "1e-400", "9".repeat(40)][at % 5]}@@`;
  if (way === "10,000 deep") return "@@deep@@";
  if (way === "5 MB of text") return hugeText;
  return value;
}

/** The text of a value, with what `JSON.stringify` cannot say in the place of marks. */
function textOf(value: unknown): string {
  const deep = () => `${'[{"a":'.repeat(deepLevels / 2)}0${"}]".repeat(deepLevels / 2)}`;
  return (JSON.stringify(value) ?? "").replace('"@@deep@@"', deep).replaceAll(/"@@(-?[\de.-]+)@@"/g, "$1");
}

interface Place {
  readonly holder: JsonObject;
  readonly name: string;
}

/** Every member of every object, and every element of every list. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as JsonObject;
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])]);
}

function twice(body: JsonObject, at: number): JsonObject {
  const lists = placesIn(body).filter(({ holder, name }) => Array.isArray(holder[name]));
  const place = lists[at % Math.max(lists.length, 1)];
  if (place === undefined) return { ...body, data: [body.data, body.data] };
  const list = place.holder[place.name] as unknown[];
  const changed = list.map((one) =>
    isObject(one) && at % 2 === 0 ? { ...one, description: "another" } : one,
  );
  place.holder[place.name] = [...list, ...changed];
  return body;
}

function paginationOf({ at, value }: Recipe): unknown {
  const sizes = [0, -1, "x", null, 1e9, 0.5, value];
  const size = sizes[at % sizes.length];
  if (at % 3 === 0) return value;
  return { itemsPerPage: size, pageNumber: size, nextPage: at % 2 === 0 ? "?page=1" : { page: 2 } };
}

/** A page of a list that has another one behind it, whatever page it is, and never the same elements twice. */
export function endless({ at }: Recipe, body: JsonObject, page: number): JsonObject {
  if (!Array.isArray(body.data)) return { ...body, data: [], pagination: { nextPage: "?page=2" } };
  const made = { id: `made_up_${at}_${page}`, name: `made up ${at} ${page}` };
  return { message: "ok", data: [made], pagination: { itemsPerPage: 1, nextPage: `?page=${page + 1}` } };
}

function noJson({ at }: Recipe, right: Reply): Reply {
  const texts = [
    ...["", " \n", "<html><body>Sign in</body></html>", "undefined", "NaN", "{'a': 1}", "\ufeff", "\0"],
    ...[`\ufeff${right.text}`, `${right.text} more`, `${right.text}${right.text}`, right.text.slice(0, -2)],
    ...[`)]}',\n${right.text}`, right.text.replaceAll('"', ""), "[".repeat(deepLevels), hugeText],
  ];
  const types = ["application/json", "text/html", "", "a b c; \u00e9", "x".repeat(5000)];
  const text = texts[at % texts.length] as string;
  return { ...right, headers: { "content-type": types[at % types.length] as string }, text };
}

function errorOf({ status, value, at }: Recipe): Reply {
  const errors = [
    value,
    [value],
    { property: value, errorMessage: value },
    [{ property: "a", errorMessage: value }],
  ];
  const messages: unknown[] = ["Not found.", "Name is already in use", "Forbidden resource", "", hugeText];
  const manyErrors = Array.from({ length: 5000 }, () => ({ property: "rules", errorMessage: "Required" }));
  const bodies = [
    ...messages.map((message) => ({ status, message })),
    ...errors.map((one) => ({ status, message: "Bad Request Exception", errors: one })),
    ...[value, { message: value }, { error: value }, { message: "Bad", errors: manyErrors }, [value]],
  ];
  const waits = ["0", "-5", "soon", "1e-3", "Thu, 01 Jan 1970 00:00:00 GMT"];
  const wait = waits[(at >> 3) % waits.length] as string;
  const headers = at % 2 === 0 ? { ...json, "retry-after": wait } : json;
  return { status, headers, text: textOf(bodies[at % bodies.length]) };
}

/** The status of an answer that is an error; undefined where the status of the right answer stays. */
export function errorStatus({ way, at, status }: Recipe): number | undefined {
  if (way === "error of any shape") return status;
  return way === "key in the answer" ? keyStatuses[at % keyStatuses.length] : undefined;
}

const keyStatuses = [401, 400, 400, 500, undefined];

function withKey(recipe: Recipe, { right, key }: Material): Reply {
  const { at, value } = recipe;
  const said = `An invalid key was sent. Key: ${key}`;
  const bodies = [
    { status: 401, message: said },
    { status: 400, message: `${"x".repeat(490)}${key}`, errors: [{ property: key, errorMessage: said }] },
    { status: 400, message: `${said.repeat(10_000)}`, errors: { property: `a.${key}`, errorMessage: key } },
    { status: 500, message: key, value },
    { message: said, data: key },
  ];
  const type = at % 2 === 0 ? `text/html; note=${key}` : "application/json";
  const text = at % 3 === 0 ? `<html>${said}</html>` : JSON.stringify(bodies[at % bodies.length]);
  return { status: errorStatus(recipe) ?? right.status, headers: { "content-type": type }, text };
}
