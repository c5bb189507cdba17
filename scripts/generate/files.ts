import path from "node:path";
import { catalog, everyKind, managed, parts, readables } from "../../src/provider/definitions";
import { answers } from "../../src/provider/definitions/flags/answers";
import { nativePrefix } from "../../src/provider/pulumi/stored-names";
import type { ObjectDefinition, ResourceDefinition } from "../../src/provider/schema/define";
import { claimsText } from "./claims";
import { classesText, nativeClassesText } from "./classes";
import { commandsText } from "./commands";
import { conditionsText } from "./conditions";
import { coverageOf, coverageText } from "./coverage";
import { dynamicV1Text } from "./dynamic-v1";
import { answersText, commonOf, commonText, interfacesText, sharedText } from "./interfaces";
import { lookupsText } from "./lookups";
import { kebab } from "./names";
import { type Inventory, operationsText } from "./operations";
import { packageSchemaFile, packageSchemaText } from "./package-schema";
import { actionPageOf, actionPages, languages, pageOf } from "./pages";
import { actionsText, referenceText, sharedOf } from "./reference";
import { referenceIndexText } from "./reference-index";
import { allShapes, type KindModel, modelOf, sharedShapes } from "./shapes";
import type { Surroundings } from "./slip";
import { terraformText } from "./terraform";
import { generatedNotice } from "./typescript";
import { typicalExamples } from "./typical-examples";

/** Folders, below the repository, that hold generated files and nothing else. */
export const generatedFolders = ["src/generated", "docs/reference"] as const;

/** The file whose exports are promised to stored state. */
export const dynamicV1File = "src/generated/dynamic-v1.ts";

/** Every kind that programs make, actions last. */
export const definitions: readonly ResourceDefinition[] = Object.values(managed);

/** Kinds that are only read. */
const readOnly: readonly ObjectDefinition[] = Object.values(readables);

/** Everything that this package can do. */
export const inventory: Inventory = {
  kinds: Object.values(everyKind),
  resources: [...Object.values(catalog), ...Object.values(parts)],
  actions: definitions.filter(({ lifecycle }) => lifecycle.create.how === "run"),
};

/** What definitions may speak of. */
export const surroundings: Surroundings = {
  definitions: { ...managed, ...readables },
  kinds: Object.keys(everyKind),
};

/** Answers as the generator sees kinds. */
const answersDefinition: ObjectDefinition = {
  ...{ kind: "", name: "answers", title: "answer", doc: "What answers hold beside objects of the kinds." },
  identity: { how: "singleton", id: "answers" },
  fields: answers,
  routes: {},
};

/** Every generated file, by its path below the repository, which is `root`. */
export function generatedFiles(
  root: string,
  kinds: readonly ResourceDefinition[] = definitions,
): Map<string, string> {
  const models = kinds.map(modelOf);
  const readable = readOnly.map(modelOf);
  const lookedUp = [...Object.values(catalog), ...readOnly];
  const answerModel = modelOf(answersDefinition);
  const typical = typicalExamples(path.join(root, "examples"));
  const schema = packageSchemaText(root, { models, kinds: lookedUp, answers: answerModel, typical });
  const common = commonOf([...models, ...readable]);
  const shared = sharedShapes(models.flatMap(allShapes));
  return new Map([
    ...[...models, ...readable].map(
      (model) => [`src/generated/${kebab(model.definition.kind)}.ts`, interfacesText(model, common)] as const,
    ),
    ["src/generated/common-members.ts", commonText(common, shared)],
    ...shared.map((shape) => [`src/generated/${kebab(shape.name)}.ts`, sharedText(shape)] as const),
    ["src/generated/answers.ts", answersText(answerModel)],
    ["src/generated/classes.ts", classesText(models)],
    ["src/generated/native-classes.ts", nativeClassesText(models)],
    ["src/generated/lookups.ts", lookupsText(lookedUp)],
    [packageSchemaFile, schema],
    [dynamicV1File, dynamicV1Text(kinds)],
    ...referencePages(models, typical),
    ...exampleFiles(models.filter(isObject), schema),
    ["docs/reference/conditions.md", conditionsText(shared)],
    ["spec/operations.md", operationsText(inventory, coverageText(coverageOf(inventory)))],
    ["docs/claims.md", claimsText()],
    ["docs/commands.md", commandsText()],
    ["spec/terraform-arguments.md", terraformText(models)],
  ]);
}

/** The examples that the pages of these kinds link, as the package schema has them. */
function exampleFiles(models: readonly KindModel[], schema: string): [file: string, text: string][] {
  const { resources } = JSON.parse(schema);
  return models.flatMap(({ definition: { kind } }) =>
    languages.map(([title, file]): [string, string] => {
      const block = new RegExp(`^\`\`\`${title.toLowerCase()}\n([^]*?\n)\`\`\`$`, "m");
      const example = block.exec(resources[`${nativePrefix}${kind}`].description)?.[1];
      if (example === undefined) throw new Error(`${kind} has no example in ${title}`);
      return [`docs/reference/${file(kind)}`, `# ${generatedNotice}\n${example}`];
    }),
  );
}

/** True for a kind with a page of its own: no action. */
function isObject({ definition }: KindModel): boolean {
  return actionPageOf(definition) === undefined;
}

function referencePages(
  models: readonly KindModel[],
  typical: ReadonlyMap<string, string>,
): [file: string, text: string][] {
  const objects = models.filter(isObject);
  const shared = sharedOf(objects);
  const pages = objects.map((model): [string, string] => {
    const { kind } = model.definition;
    return [pageOf(model.definition), referenceText(model, typical.get(kind), shared)];
  });
  const actions = Object.entries(actionPages).map(([file, title]): [string, string] => [
    file,
    actionsText(
      title,
      models.filter(({ definition }) => actionPageOf(definition) === file),
    ),
  ]);
  const index = ["README.md", referenceIndexText(models, shared)] as const;
  return [...pages, ...actions, index].map(([file, text]) => [`docs/reference/${file}`, text]);
}
