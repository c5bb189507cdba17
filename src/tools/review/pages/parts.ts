import { type RuleRow, type RuleSide, shareText, unreachableText } from "../../../provider/words";
import type { Cell, LongList, Part, Table } from "../../render/report";
import { failureTexts } from "../changes/captions";
import { userTexts } from "../changes/user-texts";
import type { ArgumentChange, Reason, Review } from "../review";

/** Reasons why the update will fail. */
export function failureList(review: Review): LongList {
  return { items: failureTexts(review), item: "reason", open: 10, most: 10 };
}

/** Subjects of reasons that the line of a change itself names. */
const inLine: ReadonlySet<string> = new Set(["traffic", "dependents"]);

/** Reasons that the line of a change does not tell. */
export function reasonsBeside(facts: readonly Reason[]): Reason[] {
  return facts.filter(({ level, about }) => level !== "info" || !inLine.has(about));
}

/** Users who get something else, and what is not counted. */
export function userParts({ users }: Review): Part[] {
  if (users === undefined) return [];
  return [{ items: userTexts(users), item: "flag", open: 12, most: 30 }, noteList(users.notes)];
}

/** Notes on a report. */
export function noteList(notes: readonly string[]): LongList {
  return { items: notes, item: "note", open: 3, most: 20 };
}

/** Rules before and after. */
export function ruleTable(rows: readonly RuleRow[]): Table {
  return {
    ...{ header: ["rule", "before", "after"], row: "rule", label: "Rules before and after" },
    rows: rows.map((row) => [
      row.renamedFrom === undefined ? row.name : { text: row.name, notes: [`was ${row.renamedFrom}`] },
      row.before === undefined ? "–" : sideCell(row.before),
      afterCell(row),
    ]),
    marks: rows.map(({ what }) => what),
  };
}

/** A rule after the change, and what other rules do to it. */
function afterCell({ what, after, unreachable, shift }: RuleRow): Cell {
  const touched = unreachable === undefined ? shift : unreachableText(unreachable, "it");
  const notes = touched === undefined ? [] : [touched];
  if (after === undefined) return "–";
  return what === "unchanged" ? { text: "unchanged", notes } : sideCell(after, notes);
}

function sideCell(side: RuleSide, notes: readonly string[] = []): Cell {
  const { place, share, gives, environments } = side;
  const text = `${place}. ${shareText(side)}${gives === undefined ? "" : `: ${gives}`}`;
  const bar = share === undefined ? undefined : { percent: share, text: shareText(side) };
  return { text, notes: [environments, ...notes], share: bar };
}

/** Arguments before and after. */
export function valueTable(values: readonly ArgumentChange[]): Table {
  const rows = values.map(({ argument, place, before = "–", after = "–" }) => [
    [argument, place].filter(Boolean).join("."),
    before,
    after,
  ]);
  return {
    ...{ header: ["argument", "before", "after"], rows },
    ...{ row: "argument", label: "Arguments before and after" },
  };
}
