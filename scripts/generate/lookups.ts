import { pathParameters } from "../../src/client/path";
import type { ObjectDefinition } from "../../src/core/define";
import type { Route } from "../../src/core/verbs";
import { kebab } from "./names";
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
}

/** Every read of every kind, by the name of its function. */
export function lookupModels(kinds: readonly ObjectDefinition[]): LookupModel[] {
  return kinds.flatMap((definition) =>
    Object.entries(definition.routes)
      // What a lookup finds is no secret in a program.
      .filter(([, route]) => route.method === "GET" && !showsSecrets(definition))
      .map(([routeName, route]) => ({
        name: functionName(definition, routeName),
        definition,
        routeName,
        route,
        result: resultType(kinds, definition, route),
      })),
  );
}

function showsSecrets({ fields }: ObjectDefinition): boolean {
  return Object.values(fields).some(({ facts }) => facts.secret === true);
}

function functionName({ kind, plural }: ObjectDefinition, routeName: string): string {
  if (routeName === "get") return `get${kind}`;
  if (routeName === "list") return `list${plural ?? `${kind}s`}`;
  return routeName.replace(/^(get|list)/, (verb) => `${verb}${kind}`);
}

function resultType(kinds: readonly ObjectDefinition[], definition: ObjectDefinition, route: Route): string {
  const name = route.of ?? definition.name;
  const of = kinds.find((kind) => kind.name === name);
  return of === undefined ? "Record<string, unknown>" : `Found<${of.kind}State>`;
}

/** The text of `src/generated/lookups.ts`. */
export function lookupsText(kinds: readonly ObjectDefinition[]): string {
  const models = lookupModels(kinds);
  const used = kinds.filter(({ kind }) => models.some(({ result }) => result === `Found<${kind}State>`));
  const lines = [
    `// ${generatedNotice}`,
    "",
    'import type { Filters, Found, Lookup, OutputLookup } from "../pulumi/lookups";',
    ...used.map(({ kind }) => `import type { ${kind}State } from "./${kebab(kind)}";`),
    "",
  ];
  return `${lines.join("\n")}\n${models.map(lookupText).join("\n")}${loading}`;
}

function lookupText({ name, definition, routeName, route, result }: LookupModel): string {
  const make = route.answers === "items" ? "listLookup" : "itemLookup";
  const results = route.answers === "items" ? `${result}[]` : result;
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
  return require("../pulumi/lookups") as typeof import("../pulumi/lookups");
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
