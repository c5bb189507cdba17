import type { JsonObject } from "../../../src/provider/schema/json";
import type { ToolKind } from "../../acceptance/tools";
import type { Since } from "./history";
import { awkwardTexts } from "./texts";

const put = (verb: string, body: JsonObject = {}): Since[] => [["PUT", `/${verb}`, body]];

/** What teams do with gates; the first come first. */
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

/** Each state that the API brings an experiment to. */
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
