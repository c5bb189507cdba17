import { type RuleRow, type RuleSide, shareText } from "../../../provider/words";
import type { Table } from "../../render/report";
import type { ArgumentChange } from "../review";

/** Rules before and after. */
export function ruleTable(rows: readonly RuleRow[]): Table {
  const cells = rows.map((row) => [
    row.name,
    row.before === undefined ? "–" : sideText(row.before),
    row.after === undefined ? "–" : row.what === "unchanged" ? "unchanged" : sideText(row.after),
  ]);
  return { header: ["rule", "before", "after"], rows: cells, row: "rule" };
}

function sideText(side: RuleSide): string {
  const gives = side.gives === undefined ? "" : `: ${side.gives}`;
  return `${side.place}. ${shareText(side)}${gives}, ${side.environments}`;
}

/** Arguments before and after. */
export function valueTable(values: readonly ArgumentChange[]): Table {
  const rows = values.map(({ argument, place, before = "–", after = "–" }) => [
    [argument, place].filter(Boolean).join("."),
    before,
    after,
  ]);
  return { header: ["argument", "before", "after"], rows, row: "argument" };
}
