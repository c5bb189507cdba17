import { replacementOrder } from "../../src/provider/decisions/replacement-order";
import { acceptedFields, type ResourceDefinition, routeOf } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectedId, idArguments, programIdArgument, secretOf } from "../../src/provider/schema/object-id";
import type { ElementsStrategy, Machine, UpdateStrategy } from "../../src/provider/schema/verbs";
import { canGo, fixedNames } from "../../src/provider/values/options";
import { replacementText } from "../../src/provider/words/replacement-text";
import { names } from "./markdown";
import { idSource } from "./remarks";
import { inputsOf, type KindModel } from "./shapes";

/** A route as `POST /gates`, with the number of the specified operation where it has one. */
export function routeText(definition: ResourceDefinition, name: string, numbered = true): string {
  const { method, path, op } = routeOf(definition, name);
  return `\`${method} ${path}\`${op === undefined || !numbered ? "" : ` (operation ${op})`}`;
}

/** What a create does, step by step. */
export function createSteps(model: KindModel): string[] {
  const { definition } = model;
  const strategy = definition.lifecycle.create;
  if (strategy.how === "claim")
    return [`${strategy.why} Creating it takes it over, and sends the difference.`];
  if (strategy.how === "run") {
    const once =
      strategy.done === undefined ? "" : " What the console shows as done already is not sent again.";
    return [
      `Sends ${routeText(definition, strategy.route)}.${once}`,
      ...(strategy.stages === undefined
        ? []
        : [`Where the console refuses, the error names the ${strategy.stages.title} and the current one.`]),
      "Another argument carries it out again.",
    ];
  }
  const { route, duplicates } = strategy;
  const accepted = acceptedFields(definition, routeOf(definition, route));
  // What only names what an update takes away is never sent by itself.
  const beside = definition.lifecycle.update.flatMap((part) => (part.how === "ids" ? [part.removed] : []));
  const later = inputsOf(model).flatMap(([name, { traits }]) =>
    accepted.includes(name) || beside.includes(name) || traits.startsAction ? [] : [name],
  );
  const argument = programIdArgument(definition);
  const { archived } = definition.lifecycle;
  return [
    ...(duplicates === "unstated"
      ? [`Looks whether the \`${argument}\` is taken; the API does not say what a second create does.`]
      : []),
    `Sends ${routeText(definition, route)}. ${idText(definition)}`,
    ...(later.length > 0
      ? [`Then sends what that request does not take, as an update would: ${names(later)}.`]
      : []),
    takenStep(definition),
    ...(archived
      ? [
          `An archived ${definition.title} with that id fails the create, unless this stack has archived it, it is as a new one, or \`adopt: true\` is set ([all decisions](../claims.md)): then ${routeText(definition, archived.undo)}, and an update.`,
        ]
      : []),
  ];
}

function idText(definition: ResourceDefinition): string {
  const secret = secretOf(definition);
  if (secret !== undefined)
    return `The id is a digest of the \`${secret}\` in the answer, which leads to the object and is kept as a secret output.`;
  return `The id is the one in the answer; it comes from ${idSource(definition)}.`;
}

/** What a create does where there is one of that name already. */
function takenStep(definition: ResourceDefinition): string {
  const argument = programIdArgument(definition);
  return definition.identity.how === "server"
    ? `Beside another of the same \`${argument}\` that differs a second one is made; one that is equal is refused. With \`adopt: true\` it takes over the only one of that \`${argument}\` and sends the difference.`
    : `Where the \`${argument}\` is taken, it fails and says so; with \`adopt: true\` it takes the object over and sends the difference.`;
}

/** What a read does. */
export function readSteps(definition: ResourceDefinition): string[] {
  const { read, update } = definition.lifecycle;
  if (read.how === "remember") return [read.why];
  const main =
    read.how === "get"
      ? `Sends ${routeText(definition, read.route)}.`
      : `Looks for the object in ${routeText(definition, read.list)}. ${read.why}`;
  const ids = update.flatMap((part) => {
    if (part.how !== "ids") return [];
    const how =
      part.read === undefined
        ? "cannot be read; state keeps the number and hashes of what the program said"
        : `read with ${routeText(definition, part.read.route)}, if the program sets them`;
    return [`\`${part.field}\` of ${withValue(part.when)}: ${how}.`];
  });
  return [main, ...ids, "What is not there any more leaves the state."];
}

/** The order of replacements, as a preview prints it: by another id, and beside it. */
function replacementSteps(model: KindModel): string[] {
  const { definition } = model;
  const replaced = inputsOf(model).flatMap(([name, { traits }]) => (traits.replaces ? [name] : []));
  if (replaced.length === 0) return [];
  const sentence = (changed: readonly string[], text: string) =>
    `A change of ${names(changed, "or")} replaces the ${definition.title}: ${text}.`;
  if (!canGo(definition)) return [sentence(replaced, "it stays, and another one is created")];
  const ids = idArguments(definition);
  const withIds = (text: string) => Object.fromEntries(ids.map((name) => [name, text]));
  const id = expectedId(definition, withIds("old")) ?? "old";
  const orderAfter = (program: JsonObject) => {
    const order = replacementOrder(definition, id, program);
    return replacementText(definition, { id, state: {}, order }, program);
  };
  const [ofId, beside] = [true, false].map((is) => replaced.filter((name) => ids.includes(name) === is));
  return [
    ...(ofId?.length ? [sentence(ofId, orderAfter(withIds("new")))] : []),
    ...(beside?.length ? [sentence(beside, orderAfter(withIds("old")))] : []),
  ];
}

/** What an update does, part by part in their order. */
export function updateSteps(model: KindModel): string[] {
  const { definition } = model;
  const parts = definition.lifecycle.update.map((part) => partText(definition, part));
  const fixed = fixedNames(definition);
  return [
    ...parts,
    ...replacementSteps(model),
    ...(fixed.length > 0
      ? [
          `A change of ${names(fixed, "or")} is refused before anything is sent${canGo(definition) ? '; with `onImmutableChange: "replace"` it replaces' : ""}.`,
        ]
      : []),
  ];
}

function partText(definition: ResourceDefinition, part: UpdateStrategy): string {
  switch (part.how) {
    case "patch":
      return `${routeText(definition, part.route)} with the changed ones of ${names(updatable(definition, part.route))}.`;
    case "elements":
      return `\`${part.field}\`, when one element changed and nothing else: ${elementRoutes(part)
        .map((route) => routeText(definition, route))
        .join(", ")}.`;
    case "put":
      return `${routeText(definition, part.route)} with everything that the program sets${part.when === undefined ? "" : `, when ${names(part.when, "or")} changed`}.`;
    case "value": {
      const again =
        part.wrapOn400 === undefined
          ? ""
          : `; sent again as \`{ ${part.wrapOn400}: … }\` where that is refused with 400`;
      return `${routeText(definition, part.route)} with the whole of \`${part.field}\`, when it changed${again}.`;
    }
    case "ids":
      return idsText(definition, part);
    case "move":
      return `\`${part.field}\`: ${moves(definition, part).join(", ")}.`;
    case "rotate":
      return (
        `\`${part.field}\`, when it changed: ${routeText(definition, part.route)}; with ` +
        `${withValue({ field: part.keep.field, is: part.keep.is })} another one is made as at creation, and the state takes hold of that.`
      );
    case "machine":
      return machineText(definition, part);
  }
}

function elementRoutes({ add, patch, remove }: ElementsStrategy): string[] {
  return [...(add === undefined ? [] : [add]), patch, remove];
}

/** The ways of a machine, one a line. */
function machineText(definition: ResourceDefinition, machine: Machine): string {
  const { field, edit, switches, moves, initial } = machine;
  const lines = [
    `fields by ${routeText(definition, edit)}, ${names(machine.locked)} in \`"${initial}"\` only`,
    ...switches.map(
      (one) => `\`${one.field}\` by ${routeText(definition, one.on)} and ${routeText(definition, one.off)}`,
    ),
    ...moves.map(({ from, to, route, option, needs = [] }) => {
      const asks = [...(option === undefined ? [] : [`${option}: true`]), ...needs];
      const with_ = asks.length === 0 ? "" : ` (asks for ${names(asks)})`;
      return `\`${field}\` from ${names(from, "or")} to \`${to}\` by ${routeText(definition, route)}${with_}`;
    }),
  ];
  return `In the order that \`${field}\` asks for: ${lines.join("; ")}. Any other way is refused, in the preview where the program tells it.`;
}

function updatable(definition: ResourceDefinition, route: string): string[] {
  const sent = acceptedFields(definition, routeOf(definition, route));
  return sent.filter((name) => {
    const facts = definition.fields[name]?.traits;
    return facts?.replaces !== true && facts?.fixed !== true;
  });
}

function idsText(definition: ResourceDefinition, part: Extract<UpdateStrategy, { how: "ids" }>): string {
  const { field, when, chunk, busy, reset, removed } = part;
  const waits =
    busy === undefined
      ? ""
      : `; waits for an earlier write to be applied (${routeText(definition, busy.route)})`;
  const resets =
    reset === undefined
      ? ""
      : `; ${routeText(definition, reset.route)} instead, where that is cheaper and the list has at most ${reset.most}`;
  const named = removed === undefined ? "" : `, which \`${removed}\` has to name`;
  return (
    `\`${field}\` of ${withValue(when)}: ${routeText(definition, part.add)} with the added ones, then ` +
    `${routeText(definition, part.remove)} with the removed ones${named}, at most ${chunk} in one request${resets}${waits}.`
  );
}

function moves(definition: ResourceDefinition, part: Extract<UpdateStrategy, { how: "move" }>): string[] {
  return Object.entries(part.to).map(([value, route]) => `\`"${value}"\` by ${routeText(definition, route)}`);
}

function withValue(when: { readonly field: string; readonly is: string }): string {
  return `\`${when.field}: "${when.is}"\``;
}

/** What destroy does: by default, and by choice. */
export function deleteSteps(definition: ResourceDefinition): string[] {
  const { remove, archive, onDeleteDefault, why } = definition.lifecycle.delete;
  const isDefault = (how: string) => (how === onDeleteDefault ? " This is the default." : "");
  const reason = archive?.takesReason ? ", with `archiveReason`" : "";
  return [
    ...(archive
      ? [`\`onDelete: "archive"\`: ${routeText(definition, archive.route)}${reason}.${isDefault("archive")}`]
      : []),
    ...(remove
      ? [`\`onDelete: "delete"\`: ${routeText(definition, remove.route)}.${isDefault("delete")}`]
      : []),
    `\`onDelete: "retain"\`: sends nothing; the object stays in the console.${isDefault("retain")}${why === undefined ? "" : ` ${why}`}`,
    "An object that is gone already is no error.",
  ];
}

/** The routes of an update, each once, in their order. */
export function updateRoutes(definition: ResourceDefinition): string[] {
  const routes = definition.lifecycle.update.flatMap((part): string[] => {
    if (part.how === "ids") return [part.add, part.remove, ...(part.reset ? [part.reset.route] : [])];
    if (part.how === "elements") return elementRoutes(part);
    if (part.how === "machine")
      return [
        part.edit,
        ...part.switches.flatMap(({ on, off }) => [on, off]),
        ...part.moves.map((one) => one.route),
      ];
    return part.how === "move" ? Object.values(part.to) : [part.route];
  });
  return [...new Set(routes)];
}
