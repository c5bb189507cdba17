import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import Ajv from "ajv";
import { parse } from "yaml";
import { pathParameters } from "../../src/provider/client/route-path";
import { everyKind, managed } from "../../src/provider/definitions";
import { conditionTypes } from "../../src/provider/definitions/parts/condition-types";
import { lookups } from "../../src/provider/engine";
import { settingNames } from "../../src/provider/pulumi/provider-settings";
import { nativePrefix } from "../../src/provider/pulumi/stored-names";
import { outputNames } from "../../src/provider/schema/audit";
import {
  inputNames,
  type ObjectDefinition,
  type ResourceDefinition,
  routeOf,
} from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Node, treeOf } from "../../src/provider/schema/tree";
import { optionsOf } from "../../src/provider/values/options";
import { programSchema } from "../../src/tools/yaml/program-schema";
import { examplesIn, madeByYaml } from "../languages/examples";
import { samplesOf } from "../samples";
import { frozenStates, kinds as kindsWithState, nounOf } from "../state/frozen";
import { memberMisfits, misfits, type PackageSchema, type Spec, typeAt } from "../support/package-schema";
import { revealed } from "../support/wire-json";

const root = path.join(__dirname, "..", "..");
const text = readFileSync(path.join(root, "src", "generated", "package-schema.json"), "utf8");
const schema = JSON.parse(text) as PackageSchema;

const kinds: [string, ResourceDefinition][] = Object.values(managed).map((kind) => [kind.kind, kind]);

function resource({ kind }: ResourceDefinition) {
  const found = schema.resources[`${nativePrefix}${kind}`];
  if (found === undefined) throw new Error(`the schema has no ${kind}`);
  return found;
}

const yamlExamples = examplesIn("yaml");

/** The call that makes a resource, in each language but YAML. */
const calls = [
  ["new fc.", examplesIn("typescript")],
  ["fc.", examplesIn("python")],
  ["fc.New", examplesIn("go")],
] as const;

/** Every object in a JSON text, with its keys. */
function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

describe.each(kinds)("%s in the package schema", (_, definition) => {
  const { description, properties, inputProperties, requiredInputs } = resource(definition);
  const fields = Object.entries(definition.fields);

  test("has every argument and every output", () => {
    const options = Object.keys(optionsOf(definition));
    expect(Object.keys(inputProperties).sort()).toEqual([...inputNames(definition), ...options].sort());
    expect(Object.keys(properties)).toEqual(outputNames(definition));
  });

  test("requires what a program must set, and nothing else", () => {
    const inputs = fields.filter(([, { mode }]) => mode !== "output");
    const must = inputs.filter(([, { schema }]) => !schema.safeParse(undefined).success);
    expect([...requiredInputs].sort()).toEqual(must.map(([name]) => name).sort());
  });

  test("marks secrets, replacement and deprecation", () => {
    const marked = (specs: Readonly<Record<string, Spec>>, mark: keyof Spec) =>
      Object.keys(specs).filter((name) => specs[name]?.[mark] !== undefined);
    const having = (mark: "secret" | "replaces" | "useInstead", among: readonly string[]) =>
      fields
        .filter(([name, { traits }]) => traits[mark] !== undefined && among.includes(name))
        .map(([name]) => name);
    const inputs = inputNames(definition);
    expect(marked(properties, "secret")).toEqual(having("secret", outputNames(definition)));
    expect(marked(inputProperties, "secret")).toEqual(having("secret", inputs));
    expect(marked(inputProperties, "willReplaceOnChanges")).toEqual(having("replaces", inputs));
    expect(marked(inputProperties, "deprecationMessage")).toEqual(having("useInstead", inputs));
  });

  test("takes the samples", () => {
    const spec = { properties: inputProperties, required: requiredInputs };
    const { smallest, fullest } = samplesOf(definition);
    expect(memberMisfits(schema, spec, smallest, "smallest")).toEqual([]);
    expect(memberMisfits(schema, spec, fullest, "fullest")).toEqual([]);
  });

  test("has an example that its types take, in each language, and the command that imports it", () => {
    const made = madeByYaml(yamlExamples.get(definition.kind) ?? "");
    expect(made.at(-1)?.type).toBe(`${nativePrefix}${definition.kind}`);
    for (const { type, inputs } of made) {
      const { inputProperties: properties = {}, requiredInputs = [] } = schema.resources[type] ?? {};
      expect(memberMisfits(schema, { properties, required: requiredInputs }, inputs, type)).toEqual([]);
    }
    for (const [call, texts] of calls)
      for (const { type } of made)
        expect(texts.get(definition.kind)).toContain(`${call}${type.replace(nativePrefix, "")}(`);
    const cannot = definition.lifecycle.create.how === "run" || definition.kind === "Key";
    expect(description.includes(`\npulumi import ${nativePrefix}${definition.kind} `)).toBe(!cannot);
  });

  test("describes each argument", () => {
    expect(Object.values(inputProperties).filter(({ description = "" }) => description === "")).toEqual([]);
  });
});

test.each(kindsWithState.map((kind) => [kind.kind, kind] as const))(
  "the package schema has every value of a stored state of %s",
  (_, definition) => {
    const state = frozenStates("v2").find(({ name }) => name === nounOf(definition));
    if (state === undefined) throw new Error(`no state of ${definition.kind}`);
    const names = outputNames(definition);
    const shown = Object.entries(state.outputs).flatMap(([name, value]): [string, unknown][] =>
      names.includes(name) ? [[name, revealed(value)]] : [],
    );
    const { properties } = resource(definition);
    expect(memberMisfits(schema, { properties }, Object.fromEntries(shown), "state")).toEqual([]);
  },
);

describe("an enum of the package schema", () => {
  const definitions: ObjectDefinition[] = Object.values({ ...managed, ...everyKind });
  const fields = definitions.flatMap((definition) =>
    Object.entries(treeOf(definition)).flatMap(([name, { node }]) =>
      node.enum === undefined ? [] : [[`${definition.kind}.${name}`, definition, name, node] as const],
    ),
  );

  test.each(fields)("has the values of %s, and others are possible", (_, definition, name, node: Node) => {
    const { properties, inputProperties } = schema.resources[`${nativePrefix}${definition.kind}`] ?? {};
    const spec =
      properties?.[name] ??
      inputProperties?.[name] ??
      schema.types[`${nativePrefix}${definition.kind}Result`]?.properties?.[name];
    const usual = spec?.oneOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
    expect(typeAt(schema, usual ?? "").enum?.map(({ value }) => value)).toEqual(node.enum);
    expect(misfits(schema, spec ?? {}, "a value of a later version", name)).toEqual([]);
  });

  test("has names that every language can tell apart and take", () => {
    for (const [token, { enum: values }] of Object.entries(schema.types)) {
      const names = (values ?? []).map(({ name }) => name);
      expect([token, names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))]).toEqual([token, []]);
      expect([token, new Set(names.map((name) => name.toLowerCase())).size]).toEqual([token, names.length]);
    }
  });
});

describe("conditions in the package schema", () => {
  const items = schema.types[`${nativePrefix}GateRule`]?.properties?.conditions?.items ?? {};
  const typeOf = (type: string) => typeAt(schema, items.discriminator?.mapping[type] ?? "");
  const email = { type: "email", operator: "any", targetValue: ["a@example.com"] };
  const custom = { type: "custom_field", operator: "gt", field: "age", targetValue: 3 };

  test.each<[string, JsonObject, string[]]>([
    ["take a usual one", email, []],
    ["take no operator where that is usual", { type: "passes_gate", targetValue: "beta" }, []],
    ["take what another operator compares with", custom, []],
    ["ask for what a type needs", { type: "custom_field", operator: "is_null" }, ["at.field is missing"]],
    ["know what a type has not", { type: "public", targetValue: "x" }, ["at.targetValue is unknown"]],
    ["prefer lists", { ...email, targetValue: "a@example.com" }, ["at.targetValue"]],
  ])("%s", (_, condition, expected) => {
    expect(misfits(schema, typeOf(String(condition.type)), condition, "at")).toEqual(expected);
  });

  test.each<JsonObject>([
    { ...email, targetValue: "a@example.com" },
    { type: "public", operator: "any", targetValue: [1] },
    { type: "weather", operator: "any" },
  ])("may be unusual: %j", (condition) => {
    expect(misfits(schema, items, condition, "condition")).toEqual([]);
  });

  test("name the usual operators of their type", () => {
    const names = Object.keys(conditionTypes.email.operators);
    const usual = `${names.map((name) => `\`${name}\``).join(", ")}.`;
    const { description } = typeOf("email").properties?.operator ?? {};
    expect(description).toContain(`Usual for \`email\`: ${usual}`);
  });
});

test("a set of ids is anything as an argument, and a count and a hash in state", () => {
  const { inputProperties, properties } = resource(managed.segment);
  expect(inputProperties.ids?.$ref).toBe("pulumi.json#/Any");
  expect(misfits(schema, properties.ids ?? {}, { count: 2, hash: "x" }, "ids")).toEqual([]);
  expect(misfits(schema, properties.ids ?? {}, ["a"], "ids")).toEqual(["ids"]);
});

describe("lookups in the package schema", () => {
  test("are all there", () => {
    const names = lookups.map(({ name }) => `${nativePrefix}${name}`);
    expect(Object.keys(schema.functions).sort()).toEqual([...names].sort());
  });

  test.each(lookups.map((lookup) => [lookup.name, lookup] as const))("%s", (name, lookup) => {
    const { inputs, outputs } = schema.functions[`${nativePrefix}${name}`] ?? { outputs: {} };
    const route = routeOf(everyKind[lookup.kind as keyof typeof everyKind], lookup.routeName);
    const parameters = pathParameters(route.path);
    expect(inputs?.required ?? []).toEqual(parameters);
    expect(Object.keys(inputs?.properties ?? {})).toEqual([...parameters, ...(route.query ?? [])]);
    const members = Object.keys(outputs.properties ?? {});
    if (lookup.returnsList) expect(members).toEqual(["items"]);
    else if (lookup.isUntyped) expect(members).toEqual(["value"]);
    else expect(members).not.toEqual([]);
  });
});

describe("settings in the package schema", () => {
  const { variables } = schema.config;

  test("are those of the provider, with the same secrets", () => {
    const secrets = Object.entries(settingNames).flatMap(([name, setting]) =>
      "isSecret" in setting ? [name] : [],
    );
    expect(Object.keys(variables)).toEqual(Object.keys(settingNames));
    expect(Object.keys(variables).filter((name) => variables[name]?.secret)).toEqual(secrets);
    expect(schema.provider.inputProperties).toEqual(variables);
  });

  test("are explained without links, which lead nowhere", () => {
    expect(variables.writesPer10s?.description).toBe("Writes in any 10 seconds; 98.");
    expect(Object.values(variables).filter(({ description }) => description?.includes("]("))).toEqual([]);
  });
});

describe("the package schema", () => {
  test("has the version of the npm package, which holds the plugin", () => {
    const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
    expect([schema.name, schema.version]).toEqual(["feature-console", version]);
  });

  test("has a type for every reference, and uses every type", () => {
    const refs = [...text.matchAll(/"#\/types\/([^"]+)"/g)].map(([, token = ""]) => token);
    expect(refs.length).toBeGreaterThan(500);
    expect(new Set(refs)).toEqual(new Set(Object.keys(schema.types)));
  });

  test("has no list among several types, which the Python SDK refuses", () => {
    const mixed = objectsIn(schema).filter(({ oneOf = [] }: Spec) =>
      oneOf.some(({ type, $ref }) => type === "array" || $ref?.endsWith("#/Any")),
    );
    expect(mixed).toEqual([]);
  });

  test("has no default, which an SDK would send", () => {
    const withDefault = objectsIn(schema).filter((one) => "default" in one || "defaultInfo" in one);
    expect(withDefault).toEqual([]);
  });

  test("names no machine", () => {
    expect(text.replaceAll("https://console.example.com", "")).not.toContain("://");
    expect(text).not.toMatch(/"\/|\/(home|root|tmp|Users)\//);
    expect(text).not.toContain(root);
  });
});

describe("programs in YAML", () => {
  const judge = new Ajv({ strict: false, allErrors: true }).compile(programSchema(JSON.parse(text)));
  const example = readFileSync(path.join(root, "examples/languages/yaml/Pulumi.yaml"), "utf8");

  function problemsIn(text: string): string[] {
    judge(parse(text));
    return (judge.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  test("the example in YAML has no problem", () => {
    expect(problemsIn(example)).toEqual([]);
  });

  test.each([
    ["a misspelt argument", "description: New", "descripton: New", /checkout_v2.*descripton/],
    ["a misspelt kind", "feature-console:Tag", "feature-console:Tags", /shop\/type/],
    [
      "a text for a number",
      "passPercentage: 12.5",
      "passPercentage: half",
      /rules\/1\/passPercentage must be number/,
    ],
    [
      "a missing argument",
      "      type: id_list\n",
      "",
      /testers\/properties must have required property 'type'/,
    ],
  ])("%s is found at its place", (_, right, wrong, problem) => {
    expect(example).toContain(right);
    expect(problemsIn(example.replace(right, wrong)).join("\n")).toMatch(problem);
  });

  test("a resource of another package is not judged", () => {
    expect(problemsIn("resources: { bucket: { type: 'aws:s3:Bucket', properties: { any: 1 } } }")).toEqual(
      [],
    );
  });
});
