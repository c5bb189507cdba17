import type { KindName, parts } from "../../../src/provider/definitions";
import type { JsonObject } from "../../../src/provider/schema/json";
import type { ToolKind } from "../../acceptance/tools";
import { Dice } from "../../world/dice";
import { awkwardTexts } from "./texts";

/** A kind of object, or of a part of one, that a program can hold. */
export type HeldKind = KindName | keyof typeof parts;

/** A request below the path of an object, as somebody made it after the object was there. */
export type Since = readonly [method: "POST" | "PATCH" | "PUT", path: string, body?: unknown];

/** An object that people made, and what happened to it since, one after the other. */
export interface Made {
  readonly kind: ToolKind;
  readonly body: JsonObject;
  /** Where a part of an object is, below `/console/v1`. */
  readonly at?: string;
  readonly since: readonly Since[];
}

/** How a console came to be: objects that were there from the start, and those that people made one after the other. */
export class History {
  readonly dice: Dice;
  readonly made: Made[] = [];
  /** Objects that the API cannot make, in the form of the emulator's seed. */
  readonly seed: Record<string, JsonObject[]> = {};
  readonly counts: Partial<Record<HeldKind, number>> = {};
  readonly #turns = new Map<unknown, number>();

  constructor(seed: number) {
    this.dice = new Dice(seed);
  }

  make(kind: ToolKind, body: JsonObject, since: readonly Since[] = [], at?: string): void {
    this.#count(kind === "idList" ? "segment" : kind);
    this.made.push({ kind, body, since, ...(at === undefined ? {} : { at }) });
  }

  change(kind: ToolKind, at: string, body: JsonObject): void {
    this.made.push({ kind, body, at, since: [] });
  }

  /** Notes an object that only the console could have made. */
  plant(kind: HeldKind, list: string, item: JsonObject): void {
    this.#count(kind);
    this.seed[list] = [...(this.seed[list] ?? []), item];
  }

  #count(kind: HeldKind): void {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
  }

  /** The next of several, which begin again after the last. `user`: each takes all of them. */
  inTurn<T>(choices: readonly T[], user: unknown = choices): T {
    const at = this.#turns.get(user) ?? 0;
    this.#turns.set(user, at + 1);
    return choices[at % choices.length] as T;
  }

  /** Some of several, each once, in any order. */
  some<T>(choices: readonly T[], most: number): T[] {
    const wanted = this.dice.below(most + 1);
    return [...new Set(Array.from({ length: wanted }, () => this.dice.one(choices)))];
  }
}

const put = (verb: string, body: JsonObject = {}): Since[] => [["PUT", `/${verb}`, body]];

const ofGates: readonly (readonly Since[])[] = [
  [],
  put("launch"),
  put("disable"),
  put("archive", { archiveReason: "All of it `is` done" }),
  [],
  [["PATCH", "", { description: "Once more\nchanged" }]],
  [...put("launch"), ...put("archive")],
  [...put("disable"), ...put("enable")],
  [],
  [...put("archive"), ...put("unarchive")],
  [["PATCH", "", { isEnabled: false }]],
  [],
  [...put("disable"), ...put("archive")],
];

const ofConfigs: Readonly<Record<number, readonly Since[]>> = {
  2: put("disable"),
  5: put("archive", { archiveReason: "unused" }),
  6: [["PATCH", "", { type: "PERMANENT", description: awkwardTexts[1] }]],
};

function ofExperiment({ groups, status }: JsonObject, at: number): readonly Since[] {
  const [first, second] = groups as readonly { id: string; name: string }[];
  const start = status === "active" ? [] : put("start");
  const decide = put("make_decision", { id: second?.id, decisionReason: "It `sells`\nmore" });
  const abandon = put("abandon", { decisionReason: "No traffic" });
  const archive = put("archive", { archiveReason: "old" });
  const reset: Since[] = [["PUT", "/reset"]];
  const ways: readonly (readonly Since[])[] = [
    ...[[], start, [...start, ...decide], [...start, ...abandon], archive],
    [...start, ["POST", "/disable_groups", { group_names: [first?.name] }]],
    ...[
      [...start, ...decide, ...archive],
      [...start, ...abandon, ...reset],
    ],
  ];
  return ways[at % ways.length] ?? [];
}

/** What happened to an object after it was made: by its number among those of its kind. */
export function sinceOf(kind: ToolKind, body: JsonObject, at: number): readonly Since[] {
  if (body.isTemplate === true) return [];
  if (kind === "gate") return ofGates[at % ofGates.length] ?? [];
  if (kind === "dynamicConfig") return ofConfigs[at % 8] ?? [];
  if (kind === "experiment") return ofExperiment(body, at);
  if (kind === "autotune") return at % 3 === 0 ? [] : put("start");
  if (kind === "alert") return at % 5 === 3 ? [["POST", "/mute", { indefinite: true }]] : [];
  if (kind !== "segment") return [];
  if (body.type === "user_store_id_list") return [["PATCH", "/add_ids", { ids: idsFor(at, 20) }]];
  return at % 31 === 29 ? put("archive") : [];
}

const sizes = [0, 1, 100, 101, 50_000];

/** The ids of a list, by its number among the lists. */
export const idsOfList = (at: number): string[] => idsFor(at, sizes[at] ?? 5);

/** Ids of people, numbers, addresses; one list has one that no line of a file can hold. */
function idsFor(at: number, count: number): string[] {
  const texts = [
    "007",
    "a b",
    'quo"te',
    "back\\slash",
    "`$" + "{x}`",
    "# no comment",
    "Größe",
    "a,b",
    "true",
  ];
  const odd = count > 20 ? [...texts, ...(count === 101 ? [" padded "] : [])] : [];
  return Array.from({ length: count }, (_, nth) => odd[nth] ?? `unit-${at}-${nth}`);
}
