import { heldLists } from "../../provider/definitions/flags/holdout";
import { catalog } from "../../provider/definitions/index";
import { type JsonObject, textsIn } from "../../provider/schema/json";
import { keptIn } from "../../provider/schema/memoized";
import type { World } from "../store/store";
import { headOf, passing, type Rule, ruleOf, rulesBy, type Spec } from "./spec/spec";

/** Ids that a segment may have in the document itself: the service too treats longer lists apart. */
export const mostInlineIds = 1000;

/** The lists of members on a holdout. */
export type HeldList = (typeof heldLists)[number];

/** The lists of the document whose answers may not be known. */
export type DoubtedList = "feature_gates" | "dynamic_configs" | "layer_configs";

/** Context of one translation of a console. */
export interface Reading {
  readonly world: World;
  /** Milliseconds since 1970: what is due by then counts as started. */
  readonly at: number;
  /** Lists of more ids than this go to files of their own. */
  readonly mostInlineIds: number;
  /** Says once what no server SDK can be told, or only one of them. */
  tell(object: string, what: string): void;
  /** Notes why nobody here knows what SDKs of the real console answer for something. */
  doubt(list: DoubtedList, name: string, why: string): void;
  /** Notes why an object has no rules in the document although people may have written some, such as `is archived`. */
  shut(list: DoubtedList, name: string, why: string): void;
  /** Adds a gate that no object of the console is. */
  addGate(spec: Spec): void;
  /** Names, in the document, of the enabled holdouts that hold an object. */
  holdersOf(list: HeldList, id: string): readonly string[];
  /** The name of a holdout in the document. */
  holdoutName(id: string): string;
}

/** The holdouts that hold anybody out. */
export const enabledHoldouts = (world: World): JsonObject[] =>
  world.list(catalog.holdout.name, true).filter(({ isEnabled }) => isEnabled !== false);

/** Finds holdouts by their members. A gate of the same id keeps its name, and the holdout gets another. */
export function holdoutIndex(world: World): Pick<Reading, "holdersOf" | "holdoutName"> {
  const held = new Map<string, string[]>();
  const holdoutName = (id: string): string =>
    world.get(catalog.gate.name, id) === undefined ? id : `holdout:${id}`;
  for (const holdout of enabledHoldouts(world)) {
    for (const list of heldLists) {
      for (const member of new Set(textsIn(holdout[list]))) {
        const key = `${list} ${member}`;
        keptIn(held, key, () => []).push(holdoutName(String(holdout.id)));
      }
    }
  }
  return { holdoutName, holdersOf: (list, id) => held.get(`${list} ${id}`) ?? [] };
}

/** The rules that answer for those who are held out. */
export function holdoutRules(
  holdouts: readonly string[],
  answer: Pick<Rule, "returnValue" | "passPercentage">,
): Rule[] {
  return [...new Set(holdouts)].map((name) =>
    ruleOf({ id: name, conditions: [{ ...passing(name), operator: "any" }], ...answer }),
  );
}

/** One object of the console while it is translated. */
export interface Translation {
  readonly reading: Reading;
  readonly item: JsonObject;
  readonly id: string;
  /** Members of its spec. */
  readonly head: ReturnType<typeof headOf>;
  /** Says once what no server SDK can be told of it. */
  tell(what: string): void;
}

/** An object to translate. `title`: as messages call its kind. */
export function translationOf(reading: Reading, title: string, item: JsonObject): Translation {
  const id = String(item.id);
  return { reading, item, id, head: headOf(item), tell: (what) => reading.tell(`${title} ${id}`, what) };
}

/** The spec of an object. */
export function specOf(
  { head }: Translation,
  spec: Omit<Spec, "rules" | keyof ReturnType<typeof headOf>>,
  rules: readonly Rule[],
): Spec {
  return { ...spec, ...head, rules: rulesBy(head.idType, rules) };
}
