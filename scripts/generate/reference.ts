import { outputNames, showsChanges } from "../../src/provider/schema/audit";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { secretOf } from "../../src/provider/schema/object-id";
import type { Node, TreeField } from "../../src/provider/schema/tree";
import { exampleProgram, smallestExample } from "./examples";
import { lookupModels } from "./lookups";
import { list, names, section } from "./markdown";
import { meaningList, meaningOf } from "./meanings";
import { withArticle } from "./names";
import { pageOf } from "./pages";
import { plainType, shapeLink, sharedPageOf } from "./plain-types";
import { changeEffect, defaultOf, limitsOf, removalOf } from "./remarks";
import { allShapes, inputsOf, type KindModel, type Shape, shapeName, shownFields } from "./shapes";
import { generatedNotice } from "./typescript";
import { createText, destroyText, readText, updateSteps } from "./verbs";

const notice = `<!-- ${generatedNotice} -->\n`;

/** A kind, with the docs of the options that mean the same for every kind. */
export interface ReferencePage {
  readonly model: KindModel;
  /** A program of the examples that makes one. */
  readonly typical: string | undefined;
  readonly options: CommonOptions;
}

/** The text of `docs/reference/<kind>.md`. */
export function referenceText({ model, typical, options }: ReferencePage): string {
  const { definition } = model;
  return pageText(
    `${notice}\n# ${definition.kind}\n\n${definition.doc}\n`,
    `\n\`\`\`ts\n${typical ?? exampleProgram(definition)}\n\`\`\`\n`,
    section("## Arguments", exclusiveText(definition), argumentList(model)),
    ...distinct(allShapes(model).filter((one) => one.inArgs && sharedPageOf(one) === undefined)),
    section("## Options", optionList(model, options), secretText(definition)),
    section(
      "## Outputs",
      outputList(model),
      lookupText(model),
      ...allShapes(model).filter(isInOutputs(model)).flatMap(stateSections),
    ),
    section("## Requests", list(requests(model))),
  );
}

/** The text of a page of several actions: kinds that carry something out once. */
export function actionsText(title: string, models: readonly KindModel[]): string {
  return pageText(
    `${notice}\n# ${title}\n\n`,
    "Each carries something out once, when it is created; destroying it sends nothing. Another argument carries it out again: give `triggers` another value.\n",
    ...models.map(actionText),
  );
}

function actionText(model: KindModel): string {
  const { definition } = model;
  return section(
    `## ${definition.kind}`,
    `${definition.doc}\n`,
    `\`\`\`ts\n${smallestExample(definition)}\n\`\`\`\n`,
    argumentList(model),
    `Sends ${createText(model)}\n`,
  );
}

function pageText(...parts: readonly string[]): string {
  return parts.join("").replaceAll(/\n{3,}/g, "\n\n");
}

function exclusiveText(definition: ResourceDefinition): string {
  const groups = (definition.exclusive ?? []).map((group) => names(group, "or"));
  return groups.length === 0 ? "" : `Set at most one of each: ${groups.join("; ")}.\n`;
}

/** A line of a list: `name` (what holds for it): what it is. */
function entry(name: string, facts: readonly string[], doc: string): string {
  const held = facts.filter((fact) => fact !== "");
  return `\`${name}\`${held.length === 0 ? "" : ` (${held.join("; ")})`}${doc === "" ? "" : `: ${doc}`}`;
}

function argumentList(model: KindModel): string {
  const { definition } = model;
  return list(
    inputsOf(model).map(([name, field]) =>
      entry(
        name,
        [
          plainType(field.node, "args", model.shapes[name]),
          ...valueFacts(field.node, !field.optional),
          ...changeFacts(definition, name, field),
        ],
        field.traits.doc,
      ),
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

/** A change and a removal, as far as they are not the usual ones, which `README.md` tells. */
function changeFacts(definition: ResourceDefinition, name: string, field: TreeField): string[] {
  const effect = changeEffect(field);
  if (effect !== "in place") return [effect === "refused" ? "*fixed*" : "*replaces*"];
  const removal = removalOf(definition, name, field);
  if (removal === "kept") return ["*kept*"];
  const isUsual =
    removal === undefined || removal === "cleared" || removal === `emptied: ${defaultOf(field.node)}`;
  return isUsual ? [] : [removal];
}

/** Sections of nested objects; those that say the same are told once, with all of their places. */
function distinct(shapes: readonly Shape[]): string[] {
  const byText = new Map<string, Shape[]>();
  for (const shape of shapes) {
    const text = memberList(shape);
    byText.set(text, [...(byText.get(text) ?? []), shape]);
  }
  return [...byText].map(([text, alike]) => {
    const headings = alike.map((shape) => `### ${shapeName(shape, "args")}\n\n\`${shape.path}\`\n`);
    return `\n${headings.join("\n")}\n${text}`;
  });
}

/** The members of a nested object that a program may set. */
export function memberList(shape: Shape): string {
  const given = shape.members.filter(({ node }) => node.serverSet === undefined);
  const lines = given.map(({ name, node, required, shape: inner }) =>
    entry(
      name,
      [plainType(node, "args", inner), ...valueFacts(node, required)],
      [node.doc ?? "", meaningList(shape, name, node)].filter((text) => text !== "").join(" "),
    ),
  );
  return list(lines);
}

/** Docs of options by name, where they are the same for each kind that has the option. */
export type CommonOptions = ReadonlyMap<string, { readonly doc: string; readonly type: string }>;

/** The options that `docs/reference/README.md` tells once. */
export function commonOptions(models: readonly KindModel[]): CommonOptions {
  const all = models.flatMap((model) =>
    Object.entries(model.options).map(([name, { traits, node }]) => ({
      name,
      ...{ doc: traits.doc, type: plainType(node, "args", model.shapes[name]) },
    })),
  );
  const ofName = (name: string) => all.filter((one) => one.name === name);
  const isCommon = (name: string) => {
    const ones = ofName(name);
    return ones.length > 1 && new Set(ones.map(({ doc }) => doc)).size === 1;
  };
  return new Map(all.filter(({ name }) => isCommon(name)).map((one) => [one.name, one]));
}

function optionList(model: KindModel, common: CommonOptions): string {
  const [shared, own] = [true, false].map((is) =>
    Object.entries(model.options).filter(([name]) => common.has(name) === is),
  );
  const lines = (own ?? []).map(([name, { traits, node }]) =>
    entry(name, [plainType(node, "args", model.shapes[name])], traits.doc),
  );
  const others = names((shared ?? []).map(([name]) => name));
  return list([...lines, ...(others === "" ? [] : [`${others}: [in the reference](README.md#options).`])]);
}

/** A kind whose objects no import can bring in. */
function secretText(definition: ResourceDefinition): string {
  if (secretOf(definition) === undefined) return "";
  return `The option \`import\` does not work: the id of ${withArticle(definition.title)} in the console is a secret. Use \`adopt: true\`.\n`;
}

function outputList(model: KindModel): string {
  const kept = outputNames(model.definition);
  const outputs = Object.entries(model.fields).filter(([, field]) => field.mode === "output");
  const lines = outputs
    .filter(([name]) => kept.includes(name))
    .map(([name, { node, traits }]) =>
      entry(
        name,
        [plainType(node, "state", model.shapes[name]), meaningOf(node), traits.secret ? "secret" : ""],
        traits.doc,
      ),
    );
  const secret = secretOf(model.definition);
  const id =
    secret === undefined
      ? []
      : [`\`id\`: A digest of the first \`${secret}\`, which stays when that changes.`];
  return list([...id, ...lines]);
}

/** The values that state leaves to lookups. */
function lookupText(model: KindModel): string {
  const { definition } = model;
  const kept = outputNames(definition);
  const others = shownFields(model).filter(([name]) => !kept.includes(name));
  const [lookup] = lookupModels([definition]).filter(({ name }) => name === `get${definition.kind}`);
  if (others.length === 0 || lookup === undefined) return "";
  return `The lookup \`${lookup.name}\` returns more: ${names(
    others.map(([name]) => name),
    "and",
  )}.\n`;
}

/** Tells the nested objects of outputs from those that only lookups return. */
function isInOutputs({ definition }: KindModel): (shape: Shape) => boolean {
  const kept = outputNames(definition);
  return ({ path, inArgs }) => inArgs || kept.includes(path.replace(/[.[].*$/, ""));
}

function stateSections(shape: Shape): string[] {
  const added = shape.members.filter(({ node }) => !shape.inArgs || node.serverSet !== undefined);
  if (added.length === 0 || sharedPageOf(shape) !== undefined) return [];
  const lines = added.map(({ name, node, shape: inner }) =>
    entry(name, [plainType(node, "state", inner), meaningOf(node)], node.doc ?? ""),
  );
  const words = shape.inArgs ? `: ${shapeLink(shape, "args")} and what the console adds` : "";
  return [`### ${shape.name}\n\n\`${shape.path}\`${words}\n\n${list(lines)}`];
}

function requests(model: KindModel): string[] {
  const { definition } = model;
  const updates = updateSteps(model);
  const signs =
    definition.lifecycle.read.how === "remember" || showsChanges(definition)
      ? ""
      : " It shows neither a version nor a time of change: edits are detected by their values.";
  return [
    `Create: ${createText(model)}`,
    `Read: ${readText(definition)}${signs}`,
    ...(updates.length === 0
      ? []
      : [
          `Update sends only what changed, in this order:\n${list(updates).replaceAll(/^/gm, "  ").trimEnd()}`,
        ]),
    `Destroy: ${destroyText(definition)}`,
  ];
}

const legend = `## How to read a page

An argument is optional unless it is *required*. The *default* is what the console fills in; of a list it is the empty one. A change is made in place, unless
it *replaces*: then another object takes its place, and the page tells in which order. *fixed*: it cannot change after creation. An argument that
you remove from the program goes back to its default or is cleared; *kept*: the console keeps its value.

Every argument that reads show is an output too, with the value that the console has, and \`id\` is the id in the console. Paths of requests are below \`/console/v1\`.

To manage an object that exists, declare it with \`adopt: true\`, or with its id in Pulumi's option \`import\`: \`new fc.Gate("name", {...}, { import: "id" })\`. Without either, the
create of a key that is taken fails; [the decisions](../ownership.md#objects) list every case. The command \`pulumi import TYPE NAME ID\` works with the [native plugin](../languages.md) only. An object
that is gone leaves the state at the next refresh, and destroying it is no error.
`;

/** The text of `docs/reference/README.md`: all kinds at a glance, and what holds for all. */
export function referenceIndexText(models: readonly KindModel[], options: CommonOptions): string {
  const lines = models.map(
    ({ definition }) => `[${definition.kind}](${pageOf(definition)}): ${definition.doc}`,
  );
  const optionLines = [...options].map(([name, { doc, type }]) => entry(name, [type], doc));
  return [
    `${notice}\n# Reference\n\nEvery resource type, and the [conditions](conditions.md) of rules.\n\n${list(lines)}\n${legend}`,
    section(
      "## Options",
      "Beside the arguments, a resource takes those that its page lists:\n",
      list(optionLines),
    ),
    ownersText(models),
  ].join("");
}

function ownersText(models: readonly KindModel[]): string {
  const owners = models.flatMap(allShapes).find(({ name }) => name === "Owners");
  return owners === undefined ? "" : section("### OwnersArgs", "`owns`\n", memberList(owners));
}
