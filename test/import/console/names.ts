import type { ToolKind } from "../../acceptance/tools";
import type { Dice } from "../../world/dice";
import { awkwardNames } from "./texts";

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
