import { countOf, type RuleRow, type RuleSide, shareText } from "../../../provider/words";
import { escaped, table } from "../../render/markdown-text";
import type { ArgumentChange } from "../review";

/** Most rows of one table. */
const mostRows = 12;

/** Rules before and after, as lines of Markdown. */
export function ruleTable(rows: readonly RuleRow[]): string[] {
  const shown = rows.slice(0, mostRows);
  const cells = shown.map((row) => [
    escaped(row.name),
    row.before === undefined ? "–" : sideText(row.before),
    row.after === undefined ? "–" : row.what === "unchanged" ? "unchanged" : sideText(row.after),
  ]);
  const rest = rows.length - shown.length;
  return [
    ...table(["rule", "before", "after"], cells),
    ...(rest > 0 ? ["", `and ${countOf(rest, "more rule")}`] : []),
  ];
}

function sideText(side: RuleSide): string {
  const gives = side.gives === undefined ? "" : `: ${side.gives}`;
  return escaped(`${side.place}. ${shareText(side)}${gives}, ${side.environments}`);
}

/** Arguments before and after, as lines of Markdown. */
export function valueTable(values: readonly ArgumentChange[]): string[] {
  const shown = values.slice(0, mostRows);
  const rest = values.length - shown.length;
  return [
    ...table(
      ["argument", "before", "after"],
      shown.map(({ argument, place, before = "–", after = "–" }) =>
        [[argument, place].filter(Boolean).join("."), before, after].map((text) => escaped(text)),
      ),
    ),
    ...(rest > 0 ? ["", `and ${countOf(rest, "more argument")}`] : []),
  ];
}
