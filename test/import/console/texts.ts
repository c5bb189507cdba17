import type { ToolKind } from "../../acceptance/tools";
import type { Dice } from "../../world/dice";

/** Texts in which a writer of TypeScript can go wrong: quotes, templates, escapes, ends of lines and of comments. */
export const awkwardTexts: readonly string[] = [
  'He said "no" and left',
  "It's 5 o'clock",
  "`backticks` and $" + "{process.env.HOME} and $" + "{1 + 1}",
  "C:\\new\\table \\u2028 \\x41 \\",
  "first line\nsecond line\n",
  "first line\r\nsecond line\r\n\r\nlast",
  "a tab\there and \u000b and \f",
  "line\u2028separator and paragraph\u2029separator",
  "*/ no comment any more /* // nor here",
  "</script><!-- {{ mustache }} #{ruby} $(shell) %s %d %%",
  "$& $1 $$ $` $' $<name>",
  "👩‍👩‍👧 漢字 Ω ß é e\u0301 ﬀ",
  "left \u202eto right\u202c zero\u200bwidth \ufeff",
  "a space at the end ",
  " one at the beginning",
  "\u0001\u0007\u001b[31mred\u001b[0m\u007f\u0085",
  "\\`$" + "{\\$" + "{`",
  "null",
  "[secret]",
  "__proto__",
  ...[..."\n\"'`\\"],
  "$" + "{",
  "TODO(someone): https://example.com/?a=1&b=%20#c",
  "long ".repeat(200),
];

/** Queries of many lines, as people paste them. */
export const queries: readonly string[] = [
  "select 1",
  `SELECT
    u.id AS user_id,        -- the "unit"
    e.ts,
    '$' || '{not a template}' AS odd,
    'it''s' AS quoted
  FROM \`shop.events\` e
  JOIN users u ON u.id = e.user_id
  WHERE e.path LIKE '%\\_checkout%' ESCAPE '\\'
    AND e.ts >= DATE '2026-01-01' /* the beginning */
`,
  "select *\r\nfrom `project.data set.table`\r\nwhere name = $" + "{name} and path = '\\\\server\\share'\r\n",
  `with steps as (\n${Array.from(
    { length: 60 },
    (_, at) => `  select ${at} as step, 'step ${at}' as name`,
  ).join("\n  union all\n")}\n)\nselect * from steps\n`,
];

/** JSON5 texts with what JSON has no place for, and the value that each means. */
export const commentedValues: readonly (readonly [text: string, value: Record<string, unknown>])[] = [
  [
    "{\n  // why it is so\n  limit: 10, /* at most */\n  names: ['a', \"b\",],\n}",
    { limit: 10, names: ["a", "b"] },
  ],
  [
    "{ hex: 0xFF, plus: +1, dot: .5, 'quoted key': 'it\\'s' }",
    { hex: 255, plus: 1, dot: 0.5, "quoted key": "it's" },
  ],
  [
    "/* `template` $" + "{x} */ { text: 'one \\\ntwo', none: null } // \\u2028",
    { text: "one two", none: null },
  ],
  ["{}\n// nothing yet\n", {}],
];

/** Values of configs in which a writer of object literals can go wrong. */
export const awkwardValues: readonly Record<string, unknown>[] = [
  { nothing: null, list: [null, [null, { deep: null }], []], empty: {}, text: "" },
  Object.fromEntries(
    ["a-b", "a b", "1", "10", "2", "", 'quo"te', "back`tick", "$dollar", "ünï", "0x1"].map((name) => [
      name,
      1,
    ]),
  ),
  {
    constructor: { prototype: null },
    toString: "text",
    hasOwnProperty: false,
    default: { class: { new: 1 } },
  },
  { big: 1e21, small: 1e-7, third: 0.1, most: 9_007_199_254_740_991, negative: -12.5, exact: 100 },
  { one: { two: { three: { four: { five: { six: [{ seven: ["eight", { nine: null }] }] } } } } } },
  {
    text: `line\nline \`\${x}\` "'\\ \u2028`,
    html: '<a href="https://example.com">it\'s</a>',
    json: '{"a": "\\n"}',
  },
  { list: Array.from({ length: 120 }, (_, at) => at), flags: [true, false, true] },
  { id: "own", key: "own", urn: "urn:pulumi:x", __note: "two underscores", name: "own", adopt: true },
];

/** Names of plain texts: roles, teams, pipelines, rules, alerts and tags take any character. */
export const awkwardNames: readonly string[] = [
  "default",
  "class",
  "constructor",
  "fc",
  "pulumi",
  "Größe & Farbe [x] » 5 %",
  'the "quoted" one',
  "it's `this` $" + "{one}",
  "back\\slash / slash",
  "two\nlines",
  "line\u2028separator",
  "  spaces  around  ",
  "名前 👩‍👩‍👧",
  "../../outside",
  "con.aux",
  "a::b",
  "100%25 #?&=+",
  "Twin name",
  "twin-name",
  "twin_name",
];

/** Keys that are legal for gates and configs, and none of which is an identifier of its own without care. */
const awkwardKeys =
  `default class constructor __proto__ checkout-v2 checkout_v2 checkoutV2 CHECKOUT_V2 checkout.v2 2fa_login 007 -first
  ___ --- ... .dot.first. staff prototype hasOwnProperty toString function import export new null true await async yield enum interface
  let var this super arguments eval undefined NaN Infinity package static require module exports process console globalThis pulumi gate
  gates index Gate String type readonly never toJSON then ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-0123456789.`
    .split(/\s+/)
    .concat("x".repeat(100));

const words =
  `checkout search basket price banner login invoice stock rating delivery voucher profile chat upload export theme cache
  mail report`.split(/\s+/);
const manners = ["new", "old", "fast", "beta", "dark", "lazy", "smart", "bulk", "safe", "mobile"];

/** Which characters a kind takes in its keys. `dotted`: letters, digits, `_`, `-`, `.`; `plain`: no dot; `spaced`: no dot, and spaces. */
export type Letters = "dotted" | "plain" | "spaced";

const legal = { dotted: /^[\w\-.]{3,100}$/, plain: /^[\w-]{3,100}$/, spaced: /^[\w\- ]{3,100}$/ };
const joints = {
  dotted: ["_", "-", ".", "__", ""],
  plain: ["_", "-", "__", ""],
  spaced: [" ", "_", "-", "  "],
};

/** As many different keys as wanted: first the awkward ones that the kind takes, then what teams write. */
export function keysOf(dice: Dice, count: number, letters: Letters): string[] {
  const keys = new Map<string, string>();
  const add = (key: string): void => {
    // Where the console makes the id of the name, these two would be one object.
    const id = letters === "spaced" ? key.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_") : key;
    if (keys.size < count && !keys.has(id) && legal[letters].test(key)) keys.set(id, key);
  };
  if (letters === "spaced") for (const key of [" spaced  twice ", "A Name-with_all 0123456789"]) add(key);
  for (const key of awkwardKeys) add(key);
  for (let number = 1; keys.size < count; number += 1) {
    const parts = [dice.one(manners), dice.one(words), `${dice.one(["", "v"])}${number}`];
    const cased = dice.one([0, 0, 0, 1])
      ? parts.map((one) => one.charAt(0).toUpperCase() + one.slice(1))
      : parts;
    add(cased.join(dice.one(joints[letters])));
  }
  return [...keys.values()];
}

/** A name of a gate, config or experiment whose key is given: often another one, with every character that it may have. */
export function nameFor(dice: Dice, key: string, at: number, dots: boolean): string {
  if (at === 0) return `All of it ABC xyz 0189 _-${dots ? ". ." : " -"} end`;
  if (at === 1) return `  spaces around ${key.replaceAll(".", "")}  `.slice(0, 100);
  const told = `${key.replaceAll(/[_.-]+/g, " ").trim()} ${at}`.slice(0, 100);
  return dice.one([key, key, told, told.toUpperCase()]);
}

/** Names that come first where a kind does not take every text, or takes the same one twice. */
const firstNames: Readonly<Partial<Record<ToolKind, readonly string[]>>> = {
  metric: ["Rate (a/b) 100%: x.y-z_1", "default", "class", "Twin metric", "Twin-metric", "a::b", "50% off"],
  metricSource: ["default", "shop/visits: 1", "Twin source", "twin-source", "class"],
  qualifyingEvent: ["default event", "shop/events: 1"],
  entityProperty: ["default property", "shop/properties: 1"],
  assignmentSource: ["default assignment", "shop/assignments: 1"],
  autotune: ["default", "class tune", "Twin tune", "Twin-tune"],
  alert: ["Sales below 5 %", "Sales below 5 %", "Sales-below-5"],
};

/** Names of a kind that takes free text: first the awkward ones. */
export const namesOf = (kind: ToolKind, count: number): string[] =>
  Array.from({ length: count }, (_, at) => (firstNames[kind] ?? awkwardNames)[at] ?? `${kind} ${at}`);
