import { idListNames } from "../../src/provider/id-lists/value-type";
import type { ClassTraits } from "../../src/provider/pulumi/previews/stored-kinds";
import { kindTitle } from "../../src/provider/pulumi/stored-names";
import { outputNames } from "../../src/provider/schema/audit";
import { namedPartLists, type ResourceDefinition, secretNames } from "../../src/provider/schema/define";
import { nameArguments } from "../../src/provider/schema/object-id";
import { machineOf } from "../../src/provider/values/machine";
import { smallestExample } from "./examples";
import { kebab } from "./names";
import { allShapes, isTyped, type KindModel, sharedShapes } from "./shapes";
import { generatedNotice } from "./typescript";

/** The text of `src/generated/classes.ts`: the resource class of every kind, and all interfaces. */
export function classesText(models: readonly KindModel[]): string {
  const definitions = models.map(({ definition }) => definition);
  const files = definitions.map(({ kind }) => ({ kind, file: kebab(kind) }));
  const shared = sharedShapes(models.flatMap(allShapes)).map(({ name }) => kebab(name));
  const lines = [
    `// ${generatedNotice}`,
    "",
    'import type * as pulumi from "@pulumi/pulumi";',
    'import { type ConstructorRest, type ResourceClass, type ResourceInstance, resourceClass } from "../provider/pulumi/resource";',
    ...files.map(({ kind, file }) => `import type { ${kind}Args, ${kind}State } from "./${file}";`),
    "",
    ...[...files.map(({ file }) => file), ...shared].map((file) => `export type * from "./${file}";`),
    "",
  ];
  return `${lines.join("\n")}\n${models.map(classText).join("\n")}`;
}

/** The text of `src/generated/native-classes.ts`: the same classes over the native plugin. */
export function nativeClassesText(models: readonly KindModel[]): string {
  const lines = [
    `// ${generatedNotice}`,
    "",
    'import { nativeClass } from "../provider/pulumi/resource";',
    'import * as dynamic from "./classes";',
    "",
    'export type * from "./classes";',
    "",
  ];
  const classes = models.map((model) => {
    const { kind, doc } = model.definition;
    const [taken, given] = isTyped(model) ? [`<${parameter}>`, "<Value>"] : ["", ""];
    return [
      `/** ${doc} */`,
      `export const ${kind}: typeof dynamic.${kind} = nativeClass(dynamic.${kind});`,
      `export type ${kind}${taken} = dynamic.${kind}${given};`,
      "",
    ].join("\n");
  });
  return `${lines.join("\n")}\n${classes.join("\n")}`;
}

function classText(model: KindModel): string {
  const { definition } = model;
  const { kind, doc } = definition;
  const example = smallestExample(definition).split("\n");
  const type = isTyped(model) ? `${kind}Class` : `ResourceClass<${kind}Args, ${kind}State, "${kind}">`;
  const traits = Object.entries(traitsOf(definition)).map(
    ([name, fact]) => `  ${name}: ${JSON.stringify(fact)},`,
  );
  return [
    ...(isTyped(model) ? [typedClassText(kind)] : []),
    "/**",
    ` * ${doc}`,
    " * @example",
    ...example.map((line) => ` * ${line}`),
    " */",
    `export const ${kind}: ${type} = resourceClass({`,
    ...traits,
    "});",
    isTyped(model)
      ? `export type ${kind}<${parameter}> = ResourceInstance<${kind}State<Value>, "${kind}">;`
      : `export type ${kind} = ResourceInstance<${kind}State, "${kind}">;`,
    "",
  ].join("\n");
}

const parameter = "Value = Record<string, unknown>";

/** The type of a class of which a program may give the type of a value. */
function typedClassText(kind: string): string {
  return [
    `/** The class of {@link ${kind}}: a program may give the type of its values. */`,
    `export interface ${kind}Class {`,
    `  new <${parameter}>(name: string, ...rest: ConstructorRest<${kind}Args<NoInfer<Value>>>): ${kind}<Value>;`,
    "  /** Reads an object that is managed elsewhere. Fails when it is not there. */",
    `  get<${parameter}>(name: string, id: pulumi.Input<string>, options?: pulumi.CustomResourceOptions): ${kind}<Value>;`,
    "  /** True for an instance of this class, also one of another copy of this package. */",
    `  isInstance(value: unknown): value is ${kind};`,
    "}",
    "",
  ].join("\n");
}

function traitsOf(definition: ResourceDefinition): ClassTraits {
  const { kind, title, fields, identity, lifecycle } = definition;
  const stateField = lifecycle.archived?.field ?? machineOf(definition)?.field;
  const lists = {
    named: nameArguments(definition),
    shown: stateField === undefined ? [] : [stateField],
    secrets: secretNames(definition),
    idSets: idListNames(definition),
    aliasPairs: Object.entries(fields).flatMap(([one, { traits }]): [string, string][] =>
      traits.aliasOf === undefined ? [] : [[one, traits.aliasOf]],
    ),
    namedParts: namedPartLists(definition),
  };
  return {
    kind,
    ...(title === kindTitle(kind) ? {} : { title }),
    ...(lifecycle.create.how === "run" ? {} : { identity }),
    outputs: outputNames(definition),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
  };
}
