import { inputNames, type ResourceDefinition } from "../../src/provider/schema/define";
import { idArguments } from "../../src/provider/schema/object-id";
import { type Node, treeOf } from "../../src/provider/schema/tree";
import type { ReferringValues, UsedBy } from "../../src/provider/schema/used-by";
import type { Machine, Route } from "../../src/provider/schema/verbs";
import { machineOf } from "../../src/provider/values/machine";
import { optionsOf } from "../../src/provider/values/options";
import { alternatives, objectsWithin } from "./schema";
import { type Slip, type Surroundings, unknownName } from "./slip";

/** What is wrong with the strategies of a managed kind. */
export function lifecycleSlips(definition: ResourceDefinition, around: Surroundings): Slip[] {
  const machine = machineOf(definition);
  return [
    ...answerSlips(definition),
    ...valueSlips(definition),
    ...elementSlips(definition),
    ...(machine === undefined ? [] : machineSlips(definition, machine)),
    ...templateSlips(definition),
    ...singletonSlips(definition),
    ...askerSlips(definition, around),
    ...formSlips(definition),
    ...exclusiveSlips(definition),
  ];
}

/** A read needs an answer that holds an object, a list one that holds several. */
function answerSlips({ lifecycle: { read, create }, routes }: ResourceDefinition): Slip[] {
  const told = (path: string, route: string | undefined, answer: Route["returns"]): Slip[] =>
    route === undefined || routes[route]?.returns === answer
      ? []
      : [{ path, message: `the route ${JSON.stringify(route)} does not answer ${JSON.stringify(answer)}` }];
  return [
    ...(create.how === "send" ? told("lifecycle.create.route", create.route, "item") : []),
    ...(read.how === "get" ? told("lifecycle.read.route", read.route, "item") : []),
    ...(read.how === "remember" ? [] : told("lifecycle.read.list", read.list, "items")),
  ];
}

/** A value of a field on which a strategy acts. */
interface Acted {
  readonly path: string;
  readonly field: string;
  readonly is: string;
}

/** Values of fields on which strategies act are values that the fields can have. */
function valueSlips(definition: ResourceDefinition): Slip[] {
  const { update, archived } = definition.lifecycle;
  const said = update.flatMap((part): Acted[] => {
    if (part.how !== "ids" && part.how !== "move") return [];
    const when = part.when === undefined ? [] : [{ path: "lifecycle.update.when", ...part.when }];
    const moves = part.how === "move" ? Object.keys(part.to) : [];
    return [...when, ...moves.map((is) => ({ path: "lifecycle.update.to", field: part.field, is }))];
  });
  const state = archived === undefined ? [] : [{ path: "lifecycle.archived", ...archived }];
  return [...said, ...state].flatMap(({ path, field, is }) => {
    const values = valuesOf(definition, field);
    return values === undefined ? [] : unknownName(path, is, values, `value of ${field}`);
  });
}

/** The values that a field can have, as text; undefined where they cannot be listed. */
function valuesOf(definition: ResourceDefinition, field: string): string[] | undefined {
  const forms = alternatives(treeOf(definition)[field]?.node ?? {}).forms;
  if (forms.some(({ type }) => type === "boolean")) return ["true", "false"];
  const values = forms.flatMap((form) => form.enum ?? []);
  return values.length === 0 ? undefined : values.map(String);
}

function elementSlips(definition: ResourceDefinition): Slip[] {
  return definition.lifecycle.update.flatMap((part) =>
    part.how === "elements"
      ? unknownName(
          "lifecycle.update.id",
          part.id,
          membersOf(definition, part.field),
          `member of ${part.field}`,
        )
      : [],
  );
}

/** The members of the elements of a list. */
function membersOf(definition: ResourceDefinition, field: string): string[] {
  return objectsWithin(treeOf(definition)[field]?.node ?? {}).flatMap(({ node }) =>
    Object.keys(node.properties),
  );
}

function machineSlips(definition: ResourceDefinition, machine: Machine): Slip[] {
  const path = `lifecycle.update.${machine.field}`;
  const states = Object.keys(machine.states);
  const options = Object.keys(machine.options);
  const known = (at: string, state: string) => unknownName(`${path}.${at}`, state, states, "state");
  const unstated = (valuesOf(definition, machine.field) ?? []).flatMap((state) =>
    unknownName(`fields.${machine.field}`, state, states, "state"),
  );
  return [
    ...known("initial", machine.initial),
    ...unstated,
    ...machine.moves.flatMap(({ from, to, option }) => [
      ...[...from, to].flatMap((state) => known("moves", state)),
      ...(option === undefined ? [] : unknownName(`${path}.moves`, option, options, "option")),
    ]),
    ...machine.restored.to.flatMap((state) => known("restored.to", state)),
    ...machine.switches.flatMap(({ of, member }) =>
      unknownName(`${path}.switches.member`, member, membersOf(definition, of), `member of ${of}`),
    ),
  ];
}

/** What every project has once is taken over and never made; so is what there is once for each address. */
function singletonSlips({ identity, lifecycle }: ResourceDefinition): Slip[] {
  const isClaimed = lifecycle.create.how === "claim";
  if (isClaimed ? ["singleton", "address"].includes(identity.how) : identity.how !== "singleton") return [];
  return [
    {
      path: "lifecycle.create",
      message: `"${lifecycle.create.how}" does not go with the identity "${identity.how}"`,
    },
  ];
}

/** Names in braces are arguments. */
function templateSlips(definition: ResourceDefinition): Slip[] {
  const { create } = definition.lifecycle;
  const inputs = inputNames(definition);
  const said = create.how === "run" ? Object.values(create.done?.where ?? {}).flat() : [];
  const inDone = said.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name));
  return [
    ...idArguments(definition).flatMap((name) => unknownName("identity", name, inputs, "argument")),
    ...inDone.flatMap((name) => unknownName("lifecycle.create.done", name, inputs, "argument")),
  ];
}

/** Who may use an object: kinds that are managed, by conditions and fields that they have. */
function askerSlips({ lifecycle }: ResourceDefinition, surroundings: Surroundings): Slip[] {
  const { remove, keptWhileUsed } = lifecycle.delete;
  return [
    ...userSlips("lifecycle.delete.remove.usedBy", remove?.usedBy, surroundings),
    ...userSlips("lifecycle.delete.keptWhileUsed", keptWhileUsed, surroundings),
  ];
}

function userSlips(
  path: string,
  asked: UsedBy | undefined,
  { definitions, kinds: known }: Surroundings,
): Slip[] {
  if (asked === undefined) return [];
  const { conditions } = asked;
  const kinds = asked.kinds.flatMap((name) => definitions[name] ?? []);
  const fields = kinds.flatMap((kind) => Object.keys(kind.fields));
  const types = kinds.flatMap((kind) =>
    Object.values(treeOf(kind)).flatMap(({ node }) =>
      conditions === undefined ? [] : conditionsIn(node, conditions),
    ),
  );
  return [
    ...asked.kinds.flatMap((name) => unknownName(`${path}.kinds`, name, known, "kind")),
    ...(asked.fields ?? []).flatMap((name) =>
      unknownName(`${path}.fields`, name, fields, "field of these kinds"),
    ),
    ...(conditions?.of ?? []).flatMap((type) =>
      unknownName(`${path}.conditions`, type, [...new Set(types)], "condition"),
    ),
  ];
}

/** The condition types that a value may hold, with which the same members say what is asked for. */
function conditionsIn(node: Node, asking: ReferringValues): string[] {
  return objectsWithin(node).flatMap(({ node: { properties } }) =>
    Object.entries(properties).flatMap(([name, member]) => {
      const { refersTo } = member;
      const isMeant = typeof refersTo === "object" && refersTo.by === asking.by && name === asking.in;
      return [...(isMeant ? Object.keys(refersTo.of) : []), ...conditionsIn(member, asking)];
    }),
  );
}

/** A pattern such as `rules[].conditions[]` leads somewhere. */
function formSlips(definition: ResourceDefinition): Slip[] {
  const tree = treeOf(definition);
  return Object.keys(definition.forms ?? {}).flatMap((pattern) => {
    const found = pattern
      .split(/(?=\[\])|\./)
      .reduce<Node[]>(
        (nodes, step, index) =>
          nodes.flatMap((node) => (index === 0 ? (tree[step]?.node ?? []) : inside(node, step))),
        [{}],
      );
    if (found.length > 0) return [];
    return [{ path: `forms.${pattern}`, message: "leads nowhere: no value has this path" }];
  });
}

function inside(node: Node, step: string): Node[] {
  return alternatives(node).forms.flatMap(
    (form) => (step === "[]" ? form.items : form.properties?.[step]) ?? [],
  );
}

function exclusiveSlips(definition: ResourceDefinition): Slip[] {
  const inputs = [...inputNames(definition), ...Object.keys(optionsOf(definition))];
  return (definition.exclusive ?? []).flatMap((group) =>
    group.flatMap((name) => unknownName("exclusive", name, inputs, "argument")),
  );
}
