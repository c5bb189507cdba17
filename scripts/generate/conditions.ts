import {
  type ConditionShape,
  type ConditionType,
  conditionTypes,
} from "../../src/provider/definitions/parts/condition-types";
import { conditions } from "../../test/samples/conditions";
import { list, names, table } from "./markdown";
import { sharedPageOf } from "./plain-types";
import { memberLines } from "./reference-lines";
import { type Shape, shapeName } from "./shapes";
import { generatedNotice, literal } from "./typescript";

/** What an operator takes, as the editor shows it. */
const takes: Readonly<Record<ConditionShape, string>> = {
  texts: "`string[]`",
  values: "`string[]` or `number[]`",
  text: "`string`",
  some: "`string` or `string[]`",
  number: "`number`",
  none: "",
  any: "anything",
};

/** The text of `docs/reference/conditions.md`: a line and an example for each type of condition. */
export function conditionsText(shapes: readonly Shape[]): string {
  const types: [string, ConditionType][] = Object.entries(conditionTypes);
  const rows = types.map(([name, type]) => [
    `\`${name}\``,
    type.doc,
    ...operatorCells(type),
    segmentNote(type),
  ]);
  return [
    `<!-- ${generatedNotice} -->`,
    "",
    "# Conditions",
    "",
    introduction,
    "",
    table(["`type`", "What it looks at", "Usual operators", "`targetValue`", "In segments"], rows),
    "An example of each:",
    "",
    "```ts",
    ...conditions.map((condition) => literal(condition, Number.POSITIVE_INFINITY)),
    "```",
    "",
    memberSections(shapes.filter((shape) => sharedPageOf(shape) === "conditions.md")),
  ].join("\n");
}

const introduction =
  "All `conditions` of a rule must hold. The editor offers the usual operators of each `type` and the type of its `targetValue`; " +
  "a list of one needs no brackets. `fc.unusual({ type, operator, targetValue })` sets any other pair that the API takes; the preview warns of it. Pass a resource as an id. " +
  "Write `satisfies fc.GateRuleArgs` behind a rule in a variable, or `satisfies fc.ConditionArgs` behind a condition: otherwise TypeScript widens " +
  "`type` to `string`, and its error at the gate ends in the last type of condition.";

/** The members of each shape; those that a shape before it has too are named only. */
function memberSections(shapes: readonly Shape[]): string {
  const told = new Map<string, string>();
  return shapes
    .map((shape) => {
      const own = memberLines(shape).filter(({ text }) => !told.has(text));
      const others = memberLines(shape).filter(({ text }) => told.has(text));
      const title = shapeName(shape, "args");
      const first = [...new Set(others.map(({ text }) => told.get(text)))].join();
      for (const { text } of own) told.set(text, `[${title}](#${title.toLowerCase()})`);
      const rest = others.length === 0 ? [] : [`${names(others.map(({ name }) => name))}: as in ${first}.`];
      return `### ${title}\n\n${list([...own.map(({ text }) => text), ...rest])}`;
    })
    .join("\n");
}

function operatorCells({ operators }: ConditionType): [string, string] {
  if (operators === "any") return ["any", takes.any];
  const shapes = [...new Set(Object.values(operators))];
  const usual = shapes.map((shape) =>
    Object.keys(operators)
      .filter((name) => operators[name] === shape)
      .map((name) => (name === "" ? "none needed" : `\`${name}\``))
      .join(", "),
  );
  return [usual.join("<br>"), shapes.map((shape) => takes[shape]).join("<br>")];
}

function segmentNote({ inSegments }: ConditionType): string {
  return inSegments ? "yes" : "";
}
