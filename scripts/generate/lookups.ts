import { pathParameters } from "../../src/provider/client/route-path";
import { answeredType, answers as answerFields } from "../../src/provider/definitions/flags/answers";
import { lookupsOf } from "../../src/provider/engine";
import { type ObjectDefinition, routeOf } from "../../src/provider/schema/define";
import type { Route } from "../../src/provider/schema/verbs";
import { pascalCase } from "../../src/provider/texts/argument-names";
import { kebab } from "./names";
import { isManaged } from "./shapes";
import { generatedNotice } from "./typescript";

/** A read of the API that programs may make. */
export interface LookupModel {
  /** Name of the function: `getGate`, `listGates`, `listGateVersions`. */
  readonly name: string;
  readonly definition: ObjectDefinition;
  readonly routeName: string;
  readonly route: Route;
  /** Name of the type of one result. */
  readonly result: string;
  readonly found: LookupResult;
}

/** Every read of every kind, by the name of its function. */
export function lookupModels(kinds: readonly ObjectDefinition[]): LookupModel[] {
  return kinds.flatMap((definition) =>
    lookupsOf(definition).map(({ name, routeName }) => {
      const route = routeOf(definition, routeName);
      const found = resultOf(kinds, definition, route);
      return { name, definition, routeName, route, found, result: resultType(found, route) };
    }),
  );
}

/** True for a kind whose objects programs may look up. */
export function hasLookups(definition: ObjectDefinition): boolean {
  return lookupModels([definition]).length > 0;
}

function resultType({ kind, answer }: LookupResult, route: Route): string {
  if (kind === undefined) return answer === undefined ? "Record<string, unknown>" : pascalCase(answer);
  return route.returns === "items" && listsLess(kind) ? `Partial<${kind.kind}Result>` : `${kind.kind}Result`;
}

/** What a lookup finds: objects of a kind, an answer that is typed without one, or what nothing is known of. */
export interface LookupResult {
  readonly kind?: ObjectDefinition | undefined;
  readonly answer?: string | undefined;
}

/** What a lookup finds. */
function resultOf(
  kinds: readonly ObjectDefinition[],
  definition: ObjectDefinition,
  route: Route,
): LookupResult {
  const { returnsKind: of = definition.name } = route;
  const kind = kinds.find(({ name }) => name === of);
  return { kind, answer: kind === undefined ? answeredType(route) : undefined };
}

/** True for a kind of which a list shows fewer fields than a read of one. */
export function listsLess(definition: ObjectDefinition): boolean {
  if (!isManaged(definition)) return false;
  const { read } = definition.lifecycle;
  return read.how === "get" && read.listShowsLess === true;
}

/** The text of `src/generated/lookups.ts`. */
export function lookupsText(kinds: readonly ObjectDefinition[]): string {
  const models = lookupModels(kinds);
  const needs = (name: string) => models.some(({ result }) => new RegExp(`\\b${name}\\b`).test(result));
  const used = kinds.filter(({ kind }) => needs(`${kind}Result`));
  const answers = Object.keys(answerFields).map(pascalCase).filter(needs);
  const lines = [
    `// ${generatedNotice}`,
    "",
    'import type { Filters, Lookup, OutputLookup } from "../provider/pulumi/lookup";',
    `import type { ${answers.join(", ")} } from "./answers";`,
    ...used.map(({ kind }) => `import type { ${kind}Result } from "./${kebab(kind)}";`),
    "",
    `export type * from "./answers";`,
    ...used.filter((one) => !isManaged(one)).map(({ kind }) => `export type * from "./${kebab(kind)}";`),
    "",
  ];
  return `${lines.join("\n")}\n${models.map(lookupText).join("\n")}${loading}`;
}

function lookupText({ name, definition, routeName, route, result }: LookupModel): string {
  const make = route.returns === "items" ? "listLookup" : "itemLookup";
  const results = route.returns === "items" ? `${result}[]` : result;
  const types = `${argumentsType(route)}, ${results}`;
  const op = route.op === undefined ? "" : ` Operation ${route.op} of the specification.`;
  return [
    `/** ${route.doc}${op} */`,
    `export const ${name}: Lookup<${types}> = ${make}("${definition.name}", "${routeName}");`,
    `/** {@link ${name}} with arguments that may be outputs. */`,
    `export const ${name}Output: OutputLookup<${types}> = outputLookup(${name});`,
    "",
  ].join("\n");
}

function argumentsType(route: Route): string {
  const parameters = pathParameters(route.path).map((name) => `${name}: string`);
  const filters = (route.query ?? []).map((name) => `"${name}"`);
  const filterType = filters.length === 0 ? [] : [`Filters<${filters.join(" | ")}>`];
  if (parameters.length === 0) return [...filterType, "undefined"].join(" | ");
  return [`{ ${parameters.join("; ")} }`, ...filterType].join(" & ");
}

/** The end of the text. Most programs look nothing up: what asks a console is loaded by the first lookup. */
const loading = `
function load() {
  return require("../provider/pulumi/lookup") as typeof import("../provider/pulumi/lookup");
}

function itemLookup<Args, Result>(kind: string, route: string): Lookup<Args, Result> {
  return (...given) => load().itemLookup<Args, Result>(kind, route)(...given);
}

function listLookup<Args, Result>(kind: string, route: string): Lookup<Args, Result[]> {
  return (...given) => load().listLookup<Args, Result[]>(kind, route)(...given);
}

function outputLookup<Args, Result>(lookup: Lookup<Args, Result>): OutputLookup<Args, Result> {
  return (...given) => load().outputLookup(lookup)(...given);
}
`;
