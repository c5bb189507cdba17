import { z } from "zod";
import { defineResource, type ParameterUse, type Problem } from "../../schema/define";
import { input, maybe, nested, optional, output } from "../../schema/field";
import { isObject, type JsonObject, jsonType } from "../../schema/json";
import { UNKNOWN } from "../../schema/unknown";
import { route } from "../../schema/verbs";
import { assignment } from "../../texts/argument-names";
import { quote } from "../../texts/issue-text";
import { managedBefore, managedMember } from "../../values/managed";
import { audit, creator, holdoutIDs, shownTeam, targetApps } from "../parts/audit-fields";
import { slugName } from "../parts/flag-fields";
import { keyed } from "../parts/lifecycle";
import { description, inEach, plainName, repeatedNames } from "../parts/names";
import { blanked, emptied, maybeText, shownNames } from "../parts/traits";

const item = "/layers/{id}";

const parameterTypes = ["string", "number", "boolean", "object", "array"] as const;

/** A parameter. Parameters are replaced whole, and an experiment that ships a group sets their defaults. */
const parameter = nested(
  z.object({
    name: nested(z.string().min(1), { doc: "The name that code asks for." }),
    type: nested(z.enum(parameterTypes), { doc: "JSON type of its values." }),
    defaultValue: maybe(
      z.unknown(),
      "The value outside of experiments, of that type. A new parameter needs one. Left out later: it stays what it is, also " +
        "where an experiment that ships a group has changed it.",
      { lasting: true, sameAs: "opaque", typedByProgram: "member" },
    ),
    description: maybeText("Its purpose."),
    schema: maybe(z.string().nullable(), "JSON Schema of the values of an `object`, as text.", {
      sameAs: "json",
    }),
  }),
  { sparse: true },
);

/** A layer: parameters shared by experiments that must not overlap. Source: console-api/experiments.md, section 2. */
export const layer = defineResource({
  kind: "Layer",
  name: "layer",
  title: "layer",
  doc: "Parameters shared by experiments that must not overlap.",
  identity: { how: "slug", argument: "name" },
  fields: {
    name: slugName(plainName),
    description: input(description.optional(), { doc: "Its purpose.", ...blanked }),
    idType: input(z.string(), {
      doc: "Unit id type of its experiments.",
      fixed: true,
      refersTo: "unitIdType",
    }),
    targetApps,
    team: optional(z.string(), "Name of the owning team (enterprise).", {
      names: "team",
      owner: "team",
      fixed: true,
    }),
    parameters: optional(z.array(parameter), "The parameters that its experiments may set.", {
      keyedBy: "name",
      ...emptied,
    }),
    ...creator,
    ...audit,
    tags: shownNames("Tag names; the API cannot change them."),
    holdoutIDs,
    teamID: shownTeam.teamID,
    isImplicitLayer: output(z.boolean(), {
      doc: "Made by the console for one experiment; not to be managed.",
      serverDefault: false,
    }),
  },
  routes: {
    list: route("GET", "/layers", "items", "All layers."),
    create: route("POST", "/layers", "item", "Makes a layer, without parameters.", {
      status: 201,
      body: { except: ["parameters"], requires: ["name", "idType"] },
    }),
    get: route("GET", item, "item", "One layer."),
    replace: route("POST", item, "item", "Replaces a layer; every existing parameter must be in the body.", {
      body: { only: ["description", "parameters", "targetApps"], requires: ["description", "parameters"] },
    }),
    patch: route("PATCH", item, "item", "Changes what the body names; parameters are replaced whole.", {
      op: 3,
      body: { only: ["description", "parameters", "targetApps"] },
    }),
    delete: route("DELETE", item, "message", "Removes a layer; refused while experiments are in it."),
    listExperiments: route("GET", `${item}/experiments`, "items", "Experiments in it.", {
      returnsKind: "experiment",
    }),
    ...layerOverrides(),
  },
  whenGone: "code falls back to its own values",
  lifecycle: {
    ...keyed,
    update: [{ how: "patch", route: "patch" }],
    delete: {
      remove: {
        route: "delete",
        advice: () =>
          "Archived experiments may count too: delete them in the console, or keep the layer: set " +
          `${assignment("onDelete", "retain")}, run "pulumi up", and do this again. To give it another name, set ` +
          `${assignment("onImmutableChange", "replace")} on each of its experiments, run "pulumi up", and rename it then: an experiment keeps its layer.`,
      },
      keptWhileUsed: { kinds: ["experiment"], fields: ["layerID"], ways: ["delete"] },
      onDeleteDefault: "delete",
    },
  },
  ofConsole: ({ isImplicitLayer }) => isImplicitLayer === true,
  parameters: { list: parametersOf },
  problems: parameterProblems,
  warnings: parameterWarnings,
});

function layerOverrides() {
  const overrides = z.object({
    conditionalOverrides: z.array(
      z.object({
        type: z.enum(["segment", "gate"]),
        name: z.string(),
        experimentName: z.string(),
        groupName: z.string(),
        environment: z.string().nullable().optional(),
      }),
    ),
    idOverrides: z.array(
      z.object({
        groupName: z.string(),
        ids: z.array(z.string()),
        idType: z.string().nullable().optional(),
        environment: z.string().nullable().optional(),
        experimentName: z.string().nullable().optional(),
      }),
    ),
  });
  const path = `${item}/overrides`;
  const of = "layerOverrideLists";
  return {
    getOverrides: route("GET", path, "item", "Units that always get a group.", { returnsKind: of }),
    setOverrides: route("POST", path, "item", "Replaces the overrides.", {
      returnsKind: of,
      body: { schema: overrides },
    }),
    addOverrides: route("PATCH", path, "item", 'Adds overrides; `op` is "add".', {
      returnsKind: of,
      body: { schema: overrides.extend({ op: z.literal("add") }) },
    }),
    removeOverrides: route("DELETE", path, "item", "Removes all overrides.", { returnsKind: of }),
  };
}

function parametersOf({ parameters }: JsonObject): ParameterUse[] | undefined {
  if (!Array.isArray(parameters) || !parameters.every(isObject)) return undefined;
  const uses = parameters.map(({ name, type, defaultValue: value }, at) => ({
    ...{ path: ["parameters", at], name: String(name), type, value },
  }));
  return uses.some(({ name }) => name === UNKNOWN) ? undefined : uses;
}

function parameterProblems(args: JsonObject): Problem[] {
  return [...repeatedNames(args, "parameters", "parameter"), ...inEach(args, "parameters", typeProblems)];
}

function typeProblems({ type, defaultValue }: JsonObject): Problem[] {
  if (defaultValue === undefined || defaultValue === UNKNOWN) return [];
  const known = parameterTypes.find((one) => one === type);
  const actual = jsonType(defaultValue);
  if (known === undefined || known === actual) return [];
  return [{ path: ["defaultValue"], message: `found ${actual}, but type is ${known}` }];
}

/** Warnings about parameters that go, which other programs may ask for. */
function parameterWarnings(olds: JsonObject, news: JsonObject): Problem[] {
  const silent = news.parameters === undefined;
  // A program that never spoke of parameters leaves them alone.
  if (silent && olds[managedMember] !== undefined && !managedBefore(olds).includes("parameters")) return [];
  const [before, after] = [olds, news].map(({ parameters }) =>
    Array.isArray(parameters) ? parameters.map((one: unknown) => (isObject(one) ? one.name : one)) : [],
  ) as [unknown[], unknown[]];
  // One whose name is not known yet may be the one that seems to go.
  if (news.parameters === UNKNOWN || after.includes(UNKNOWN)) return [];
  const dropped = before
    .filter((name) => !after.includes(name))
    .map(
      (name): Problem => ({
        path: ["parameters"],
        message:
          `${quote(name)} is dropped: experiments of the layer lose it, and code that asks for it gets its own default. ` +
          "Make sure that nothing uses it",
      }),
    );
  return [...dropped, ...withoutValue(before, news)];
}

/** A new parameter has no value that could stay. */
function withoutValue(before: readonly unknown[], news: JsonObject): Problem[] {
  const missing = [{ path: ["defaultValue"], message: "missing; a new parameter needs one" }];
  return inEach(news, "parameters", ({ name, defaultValue }) =>
    defaultValue !== undefined || before.includes(name) ? [] : missing,
  );
}
