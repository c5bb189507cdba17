import { outputNames } from "../../src/provider/schema/audit";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { secretOf } from "../../src/provider/schema/object-id";
import { behaviourOf } from "./behaviour";
import { commonMembers } from "./common-members";
import { exampleProgram, smallestExample } from "./examples";
import { lookupModels } from "./lookups";
import { list, names, section } from "./markdown";
import { meaningOf } from "./meanings";
import { withArticle } from "./names";
import { languages, pageOf } from "./pages";
import { plainType, shapeLink, sharedPageOf } from "./plain-types";
import {
  argumentLines,
  type Line,
  line,
  marks,
  memberLines,
  optionLines,
  outputLines,
} from "./reference-lines";
import { allShapes, type KindModel, type Shape, shapeName, shownFields } from "./shapes";
import { generatedNotice } from "./typescript";

/** The first line of each page. */
export const notice = `<!-- ${generatedNotice} -->\n`;

/** The lists of a page, by their headings. */
const lists = {
  Arguments: argumentLines,
  Options: optionLines,
  Outputs: outputLines,
} as const satisfies Record<string, (model: KindModel) => Line[]>;

export type ListName = keyof typeof lists;

/** Lines and sections that several pages have. */
export interface Shared {
  /** The lines that `docs/reference/README.md` has for all of them, by list. */
  readonly lines: Readonly<Record<ListName, readonly Line[]>>;
  /** The first page and section of the members of a nested object. */
  readonly sections: ReadonlyMap<string, { readonly page: string; readonly name: string }>;
}

/** Lines and sections that several pages of these kinds have. */
export function sharedOf(models: readonly KindModel[]): Shared {
  const common = (name: ListName) =>
    commonMembers(models.map(lists[name])).filter((line) => !standsOnEachPage(line));
  const sections = models.flatMap((model) =>
    argumentShapes(model).map((shape) => {
      const place = { page: pageOf(model.definition), name: shapeName(shape, "args") };
      return [memberList(shape), place] as const;
    }),
  );
  return {
    lines: { Arguments: common("Arguments"), Options: common("Options"), Outputs: common("Outputs") },
    sections: new Map(sections.toReversed()),
  };
}

/** The begin and the end of an object: each page has their lines. */
function standsOnEachPage({ name, text }: Line): boolean {
  return name === "id" || name === "onDelete" || text.includes(marks.replaces);
}

/** The text of `docs/reference/<kind>.md`. `typical`: a program of the examples that makes one. */
export function referenceText(model: KindModel, typical: string | undefined, shared: Shared): string {
  const { definition } = model;
  return pageText(
    `${notice}\n# ${definition.kind}\n\n${definition.doc}\n`,
    `\n\`\`\`ts\n${typical ?? exampleProgram(definition)}\n\`\`\`\n`,
    `\nIn ${languages.map(([title, file]) => `[${title}](${file(definition.kind)})`).join(" and ")}.\n`,
    section("## Arguments", listText(model, "Arguments", shared)),
    ...sectionTexts(argumentShapes(model), (shape) => argumentSection(model, shape, shared)),
    section("## Options", listText(model, "Options", shared), secretText(definition)),
    section("## Outputs", listText(model, "Outputs", shared), lookupText(model)),
    ...sectionTexts(allShapes(model).filter(isInOutputs(model)), stateSection),
    section("## Behaviour", list(behaviourOf(model))),
  );
}

function listText(model: KindModel, name: ListName, { lines }: Shared): string {
  const shared = new Set(lines[name].map(({ text }) => text));
  const [own, others] = [false, true].map((is) =>
    lists[name](model).filter(({ text }) => shared.has(text) === is),
  );
  const inIndex = names((others ?? []).map((line) => line.name));
  return list([
    ...(own ?? []).map(({ text }) => text),
    ...(inIndex === ""
      ? []
      : [`${inIndex}: [common ${name.toLowerCase()}](README.md#common-${name.toLowerCase()}).`]),
  ]);
}

/** The text of a page of several actions: kinds that carry something out once. Those that say the same stand together. */
export function actionsText(title: string, models: readonly KindModel[]): string {
  const groups = [...Map.groupBy(models, ({ definition }) => definition.doc).values()];
  const linesOf = groups.map((group) => [
    ...new Map(group.flatMap(argumentLines).map((line) => [line.text, line])).values(),
  ]);
  const common = new Set(commonMembers(linesOf).map(({ text }) => text));
  return pageText(
    `${notice}\n# ${title}\n\n`,
    "Each carries something out once, when it is created. Destroying it sends nothing. A change of an argument carries it out again.\n\nCommon arguments; each takes those that its example shows, and `triggers`:\n\n",
    list([...common]),
    ...groups.map((group, at) => {
      const own = (linesOf[at] ?? []).map(({ text }) => text).filter((text) => !common.has(text));
      const last = group.at(-1) as KindModel;
      return section(
        `## ${group.map(({ definition }) => definition.kind).join(", ")}`,
        `${[last.definition.doc, ...behaviourOf(last)].join(" ")}\n`,
        `\`\`\`ts\n${smallestExample(last.definition)}\n\`\`\`\n`,
        list(own),
      );
    }),
  );
}

function pageText(...parts: readonly string[]): string {
  return parts.join("").replaceAll(/\n{3,}/g, "\n\n");
}

/** Sections of nested objects; those that say the same are told once, with all of their places. */
function sectionTexts(
  shapes: readonly Shape[],
  sectionOf: (shape: Shape) => { readonly heading: string; readonly text: string },
): string[] {
  const sections = shapes.map(sectionOf).filter(({ text }) => text !== "");
  return [...Map.groupBy(sections, ({ text }) => text)].map(
    ([text, alike]) => `\n${alike.map(({ heading }) => heading).join("\n")}\n${text}`,
  );
}

function argumentShapes(model: KindModel): Shape[] {
  return allShapes(model).filter((shape) => shape.inArgs && sharedPageOf(shape) === undefined);
}

function argumentSection({ definition }: KindModel, shape: Shape, { sections }: Shared) {
  const heading = `### ${shapeName(shape, "args")}\n\n\`${shape.path}\`\n`;
  const text = memberList(shape);
  const first = sections.get(text);
  if (first === undefined || first.page === pageOf(definition)) return { heading, text };
  return { heading, text: `The same as [${first.name}](${first.page}#${first.name.toLowerCase()}).\n` };
}

/** The members of a nested object that a program may set, as a list. */
export function memberList(shape: Shape): string {
  return list(memberLines(shape).map(({ text }) => text));
}

/** A kind whose objects no import can bring in. */
function secretText(definition: ResourceDefinition): string {
  if (secretOf(definition) === undefined) return "";
  return `The option \`import\` does not work: the id of ${withArticle(definition.title)} in the console is a secret. Use \`adopt: true\`.\n`;
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

function stateSection(shape: Shape) {
  const added = shape.members.filter(({ node }) => !shape.inArgs || node.serverSet !== undefined);
  const lines = added.map(({ name, node, shape: inner }) =>
    line(name, [plainType(node, "state", inner), meaningOf(node)], node.doc ?? ""),
  );
  const words = shape.inArgs ? `: ${shapeLink(shape, "args")} and what the console adds` : "";
  return {
    heading: `### ${shape.name}\n\n\`${shape.path}\`${words}\n`,
    text: sharedPageOf(shape) === undefined ? list(lines.map(({ text }) => text)) : "",
  };
}
