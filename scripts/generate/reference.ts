import { outputNames } from "../../src/provider/schema/audit";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { secretOf } from "../../src/provider/schema/object-id";
import type { ReadStrategy } from "../../src/provider/schema/verbs";
import { canGo } from "../../src/provider/values/options";
import { exampleProgram, fullestExample } from "./examples";
import { lookupModels } from "./lookups";
import { list, names, section, table } from "./markdown";
import { meaningHeading, meaningOf, meaningTables } from "./meanings";
import { kebab, withArticle } from "./names";
import { plainType, shapeLink } from "./plain-types";
import { changeEffect, defaultOf, idSource, limitsOf, removalOf } from "./remarks";
import { allShapes, inputsOf, type KindModel, type Shape, shapeName, shownFields } from "./shapes";
import { generatedNotice } from "./typescript";
import { createSteps, deleteSteps, readSteps, routeText, updateRoutes, updateSteps } from "./verbs";

const notice = `<!-- ${generatedNotice} -->\n`;

/** The text of `docs/reference/<kind>.md`. */
export function referenceText(model: KindModel, typical: string | undefined): string {
  const { definition } = model;
  return [
    `${notice}\n# ${definition.kind}\n\n${definition.doc}\n`,
    `\n\`\`\`ts\n${typical ?? exampleProgram(definition)}\n\`\`\`\n`,
    `\n<details><summary>Every argument at once</summary>\n\n\`\`\`ts\n${fullestExample(definition)}\n\`\`\`\n\n</details>\n`,
    section("## Arguments", exclusiveText(definition), changesLegend(definition), argumentTable(model)),
    section(
      "## Nested arguments",
      ...allShapes(model)
        .filter((one) => one.inArgs)
        .map(shapeSection),
    ),
    section("## Options", optionTable(model), importText(model)),
    section(
      "## Outputs",
      outputsIntroduction,
      outputTable(model),
      lookupText(model),
      ...allShapes(model).filter(isInOutputs(model)).flatMap(stateSections),
    ),
    "\n## What each verb does\n",
    section("### Create", list(createSteps(model))),
    section("### Read", list(readSteps(definition))),
    section("### Update", "Sends only what changed, in this order:\n", list(updateSteps(model))),
    section("### Destroy", list(deleteSteps(definition))),
    section("## API operations", operationsIntroduction, operationTable(definition)),
  ]
    .join("")
    .replaceAll(/\n{3,}/g, "\n\n");
}

const outputsIntroduction =
  "Each argument that reads show is an output too, with the value that the console has. Besides:\n";
function changesLegend(definition: ResourceDefinition): string {
  const replaces = canGo(definition)
    ? "another object takes its place, [in this order](../managing.md#replacements)"
    : "the object stays, and another one is created";
  return (
    `A change *replaces*: ${replaces}. *refused*: it cannot be changed after creation. ` +
    "Removed from the program and *kept*: the console keeps the value it has.\n"
  );
}
const operationsIntroduction =
  "Paths are below `/console/v1`. The number is that of the specified operation.\n";

function exclusiveText(definition: ResourceDefinition): string {
  const groups = (definition.exclusive ?? []).map((group) => names(group, "or"));
  return groups.length === 0 ? "" : `Set at most one of each: ${groups.join("; ")}.\n`;
}

function argumentTable(model: KindModel): string {
  const { definition } = model;
  return table(
    [
      "Argument",
      "What it is",
      "Type",
      meaningHeading,
      "Required or default",
      "Limits",
      "A change",
      "Removed from the program",
    ],
    inputsOf(model).map(([name, field]) => [
      `\`${name}\``,
      field.traits.doc,
      plainType(field.node, "args", model.shapes[name]),
      meaningOf(field.node),
      field.optional ? (defaultOf(field.node) ?? "") : "required",
      limitsOf(field.node).join(", "),
      changeEffect(field),
      removalOf(definition, name, field) ?? "",
    ]),
  );
}

function shapeSection(shape: Shape): string {
  const rows = shape.members
    .filter(({ node }) => node.serverSet === undefined)
    .map(({ name, node, required, shape: inner }) => [
      `\`${name}\``,
      node.doc ?? "",
      plainType(node, "args", inner),
      meaningOf(node),
      required ? "required" : (defaultOf(node) ?? ""),
      limitsOf(node).join(", "),
    ]);
  const headings = ["Member", "What it is", "Type", meaningHeading, "Required or default", "Limits"];
  return `### ${shapeName(shape, "args")}\n\n\`${shape.path}\`\n\n${table(headings, rows)}\n${meaningTables(shape)}${usualForms(shape)}`;
}

/** Where all forms are told, of an object that has several. */
function usualForms({ variants }: Shape): string {
  return variants.length === 0
    ? ""
    : "\nEach type, with its operators and an example: [Conditions](conditions.md).\n";
}

function optionTable(model: KindModel): string {
  const rows = Object.entries(model.options).map(([name, { traits, node }]) => [
    `\`${name}\``,
    traits.doc,
    plainType(node, "args", model.shapes[name]),
  ]);
  return table(["Option", "What it is", "Type"], rows);
}

/** How an object that exists comes under a program; nothing where creating is taking over, or carries something out. */
function importText({ definition }: KindModel): string {
  if (definition.lifecycle.create.how !== "send") return "";
  const title = withArticle(definition.title);
  if (secretOf(definition) !== undefined)
    return `To manage ${title} that exists, declare it with \`adopt: true\`. It cannot be imported: its id in the console is a secret.`;
  return (
    `To manage ${title} that exists, declare it with \`adopt: true\`, or with its id in Pulumi's option \`import\`: ` +
    `\`new fc.${definition.kind}("name", {...}, { import: "id" })\`. The command \`pulumi import TYPE NAME ID\` ` +
    "works with the [native plugin](../languages.md) only.\n"
  );
}

function outputTable(model: KindModel): string {
  const kept = outputNames(model.definition);
  const outputs = Object.entries(model.fields).filter(([, field]) => field.mode === "output");
  const rows = outputs
    .filter(([name]) => kept.includes(name))
    .map(([name, field]) => [
      `\`${name}\``,
      field.traits.doc,
      plainType(field.node, "state", model.shapes[name]),
      meaningOf(field.node),
      field.traits.secret ? "secret" : "",
    ]);
  const { title } = model.definition;
  const secret = secretOf(model.definition);
  const told =
    secret === undefined
      ? `The id of the ${title} in the console.`
      : `A digest of the first \`${secret}\`, which stays when that changes.`;
  const id = ["`id`", told, "text", "", ""];
  return table(["Output", "What it is", "Type", meaningHeading, "Notes"], [id, ...rows]);
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
  if (added.length === 0) return [];
  const rows = added.map(({ name, node, shape: inner }) => [
    `\`${name}\``,
    node.doc ?? "",
    plainType(node, "state", inner),
    meaningOf(node),
  ]);
  const heading = `### ${shape.name}`;
  const words = shape.inArgs ? `: ${shapeLink(shape, "args")} and what the console adds` : "";
  return [
    `${heading}\n\n\`${shape.path}\`${words}\n\n${table(["Member", "What it is", "Type", meaningHeading], rows)}`,
  ];
}

function operationTable(definition: ResourceDefinition): string {
  const rows = Object.values(definition.routes).map(({ method, path, op, doc }) => [
    method,
    `\`${path}\``,
    op === undefined ? "" : String(op),
    doc,
  ]);
  return table(["Method", "Path", "Number", "What it does"], rows);
}

function readText(read: ReadStrategy, text: (route: string) => string): string {
  if (read.how === "remember") return "nothing";
  return read.how === "get" ? text(read.route) : `in the list, ${text(read.list)}`;
}

/** The text of `docs/reference/README.md`: all kinds at a glance. */
export function referenceIndexText(definitions: readonly ResourceDefinition[]): string {
  const rows = definitions.map((definition) => {
    const { create, read, delete: removal } = definition.lifecycle;
    const { archive, remove, onDeleteDefault } = removal;
    const destroys =
      remove === undefined ? "leaves it" : `deletes: ${routeText(definition, remove.route, false)}`;
    const text = (route: string) => routeText(definition, route, false);
    return [
      `[${definition.kind}](${kebab(definition.kind)}.md)`,
      definition.doc,
      idSource(definition),
      create.how === "claim" ? "takes over the one that there is" : text(create.route),
      readText(read, text),
      updateRoutes(definition).map(text).join(", "),
      onDeleteDefault === "archive" && archive !== undefined ? `archives: ${text(archive.route)}` : destroys,
    ];
  });
  const headings = ["Kind", "What it is", "Id from", "Create", "Read", "Update", "Destroy"];
  const introduction = "Every kind that a program can manage. Paths are below `/console/v1`.";
  return `${notice}\n# Reference\n\n${introduction}\n\n${table(headings, rows)}`;
}
