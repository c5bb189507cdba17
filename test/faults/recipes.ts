import fc from "fast-check";

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
export const prototypeNames = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
];

/** Texts that programs stumble over: nothing, NUL, right to left, outside the first plane, half a character. */
export const oddTexts = [
  ...["", " ", "\0", "\u202egnol", "\u{1f469}\u200d\u{1f4bb}", "\ud83d", "\udc00x", "a\nb", "\u001b[31mred"],
  ...[".", "..", "../../gates", "%2e%2e", "a/b?c#d", "null", "true", "1e3", ...prototypeNames],
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
      fc.constantFrom(...prototypeNames, "id", "name", "message", "data"),
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

/** So many recipes, the same for the same seed. */
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
