import { outputNames } from "../../src/provider/schema/audit";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { secretOf } from "../../src/provider/schema/object-id";
import type { Node, TreeField } from "../../src/provider/schema/tree";
import { meaningList, meaningOf } from "./meanings";
import { plainType } from "./plain-types";
import { changeEffect, defaultOf, idSource, limitsOf, removalOf } from "./remarks";
import { inputsOf, type KindModel, type Shape } from "./shapes";

/** A line of a list. */
export interface Line {
  readonly name: string;
  readonly text: string;
}

/** A line of a list: `name` (what holds for it): what it is. */
export function line(name: string, facts: readonly string[], doc: string): Line {
  const held = facts.filter((fact) => fact !== "");
  const brackets = held.length === 0 ? "" : ` (${held.join("; ")})`;
  return { name, text: `\`${name}\`${brackets}${doc === "" ? "" : `: ${doc}`}` };
}

/** The arguments of a kind. */
export function argumentLines(model: KindModel): Line[] {
  const { definition } = model;
  return inputsOf(model).map(([name, field]) =>
    line(
      name,
      [
        plainType(field.node, "args", model.shapes[name]),
        ...valueFacts(field.node, !field.optional),
        ...changeFacts(definition, name, field),
        field.traits.secret ? "secret" : "",
      ],
      field.traits.doc,
    ),
  );
}

/** The default of every list, which the pages leave out. */
const emptyList = "`[]`";

/** Everything that holds for a value whatever happens to it. */
function valueFacts(node: Node, required: boolean): string[] {
  const fallback = defaultOf(node);
  return [
    meaningOf(node),
    ...(required
      ? ["required"]
      : fallback === undefined || fallback === emptyList
        ? []
        : [`default ${fallback}`]),
    limitsOf(node).join(", "),
  ];
}

export const marks = { replaces: "*replaces*", fixed: "*fixed*", kept: "*kept*" } as const;

/** A change and a removal, as far as they are not the usual ones, which `README.md` tells. */
function changeFacts(definition: ResourceDefinition, name: string, field: TreeField): string[] {
  const effect = changeEffect(field);
  // Each argument of an action carries it out again.
  if (effect === "replaces") return definition.lifecycle.create.how === "run" ? [] : [marks.replaces];
  if (effect === "refused") return [marks.fixed];
  const removal = removalOf(definition, name, field);
  if (removal === "kept") return [marks.kept];
  const isUsual =
    removal === undefined || removal === "cleared" || removal === `emptied: ${defaultOf(field.node)}`;
  return isUsual ? [] : [removal];
}

/** The members of a nested object that a program may set. */
export function memberLines(shape: Shape): Line[] {
  const given = shape.members.filter(({ node }) => node.serverSet === undefined);
  return given.map(({ name, node, required, shape: inner }) =>
    line(
      name,
      [plainType(node, "args", inner), ...valueFacts(node, required)],
      [node.doc ?? "", meaningList(shape, name, node)].filter((text) => text !== "").join(" "),
    ),
  );
}

/** The options of a kind. */
export function optionLines(model: KindModel): Line[] {
  return Object.entries(model.options).map(([name, { traits, node }]) =>
    line(name, [plainType(node, "args", model.shapes[name])], traits.doc),
  );
}

/** The outputs of a kind, beside its arguments. */
export function outputLines(model: KindModel): Line[] {
  const kept = outputNames(model.definition);
  const outputs = Object.entries(model.fields).filter(
    ([name, field]) => field.mode === "output" && kept.includes(name),
  );
  const secret = secretOf(model.definition);
  const source =
    secret === undefined
      ? `${idSource(model.definition)}.`
      : `a digest of the first \`${secret}\`; a new value does not change it.`;
  return [
    line("id", [], source),
    ...outputs.map(([name, { node, traits }]) =>
      line(
        name,
        [plainType(node, "state", model.shapes[name]), meaningOf(node), traits.secret ? "secret" : ""],
        traits.doc,
      ),
    ),
  ];
}
