import type { Dice } from "../../world/dice";

/** Keys that are legal for gates and configs, and none of which is an identifier of its own without care. */
const awkwardKeys: readonly string[] = [
  ...["default", "class", "constructor", "__proto__"],
  ...["checkout-v2", "checkout_v2", "checkoutV2", "CHECKOUT_V2", "checkout.v2"],
  ...["2fa_login", "007", "-first", "___", "---", "...", ".dot.first.", "staff"],
  ...[
    "prototype",
    "hasOwnProperty",
    "toString",
    "function",
    "import",
    "export",
    "new",
    "null",
    "true",
    "await",
  ],
  ...["async", "yield", "enum", "interface", "let", "var", "this", "super", "arguments", "eval", "undefined"],
  ...[
    "NaN",
    "Infinity",
    "package",
    "static",
    "require",
    "module",
    "exports",
    "process",
    "console",
    "globalThis",
  ],
  ...["pulumi", "gate", "gates", "index", "Gate", "String", "type", "readonly", "never", "toJSON", "then"],
  ...["ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-0123456789.", "x".repeat(100)],
];

const words = [
  ...["checkout", "search", "basket", "price", "banner", "login", "invoice", "stock", "price", "rating"],
  ...["delivery", "voucher", "profile", "chat", "upload", "export", "theme", "cache", "mail", "report"],
];
const manners = ["new", "old", "fast", "beta", "dark", "lazy", "smart", "bulk", "safe", "mobile"];

/** Which characters a kind takes in its keys. */
export interface Letters {
  /** `dotted`: letters, digits, `_`, `-`, `.`; `plain`: no dot; `spaced`: no dot, and spaces. */
  readonly of: "dotted" | "plain" | "spaced";
}

/** As many different keys as wanted: first the awkward ones that the kind takes, then what teams write. */
export function keysOf(dice: Dice, count: number, { of }: Letters): string[] {
  const isLegal =
    of === "dotted" ? /^[\w\-.]{3,100}$/ : of === "plain" ? /^[\w-]{3,100}$/ : /^[\w\- ]{3,100}$/;
  const keys = new Set<string>();
  const ids = new Set<string>();
  const add = (key: string): void => {
    // Where the console makes the id of the name, these two would be one object.
    const id = of === "spaced" ? key.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_") : key;
    if (keys.size >= count || ids.has(id) || !isLegal.test(key)) return;
    keys.add(key);
    ids.add(id);
  };
  if (of === "spaced") for (const key of [" spaced  twice ", "A Name-with_all 0123456789"]) add(key);
  for (const key of awkwardKeys) add(key);
  const joints = {
    dotted: ["_", "-", ".", "__", ""],
    plain: ["_", "-", "__", ""],
    spaced: [" ", "_", "-", "  "],
  }[of];
  for (let number = 1; keys.size < count; number += 1) {
    const joint = dice.one(joints);
    const parts = [
      dice.one(manners),
      dice.one(words),
      ...(dice.roll() < 0.6 ? [String(number)] : ["v", String(number)]),
    ];
    const cased =
      dice.roll() < 0.2 ? parts.map((part) => part.replace(/^./, (first) => first.toUpperCase())) : parts;
    add(cased.join(joint));
  }
  return [...keys];
}

/** A name of a gate, config or experiment whose key is given: often another one, with every character that it may have. */
export function nameFor(dice: Dice, key: string, at: number, dots: boolean): string | undefined {
  if (at === 0) return `All of it ABC xyz 0189 _-${dots ? ". ." : " -"} end`;
  if (at === 1) return `  spaces around ${key.replaceAll(".", "")}  `.slice(0, 100);
  const manner = dice.roll();
  if (manner < 0.5) return undefined;
  const told = key.replaceAll(/[_.-]+/g, " ").trim();
  const name = `${manner < 0.75 ? told : told.toUpperCase()} ${at}`.slice(0, 100);
  return name.length < 3 ? undefined : name;
}
