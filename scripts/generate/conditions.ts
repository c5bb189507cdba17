import {
  type ConditionShape,
  type ConditionType,
  conditionTypes,
} from "../../src/provider/definitions/parts/condition-types";
import { conditions } from "../../test/samples/conditions";
import { table } from "./markdown";
import { sharedPageOf } from "./plain-types";
import { memberList } from "./reference";
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
    ...shapes
      .filter((shape) => sharedPageOf(shape) === "conditions.md")
      .map((shape) => `### ${shapeName(shape, "args")}\n\n${memberList(shape)}`),
  ].join("\n");
}

const introduction =
  "What `conditions` of a rule may say: all of them must hold. The editor offers the usual operators of each `type` and the " +
  "shape of its `targetValue`; a list of one may be said without brackets. The API takes other pairs too: " +
  "`fc.unusual({ type, operator, targetValue })` says one, and a preview warns of it. Where an id is meant, pass the resource. " +
  "Write `satisfies fc.GateRuleArgs` behind a rule in a variable, or `satisfies fc.ConditionArgs` behind a condition: without that TypeScript widens " +
  "`type` to any text, and its error at the gate ends in the last type of condition.";

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
