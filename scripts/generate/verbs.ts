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

/** A route as `POST /gates`. */
function routeText(definition: ResourceDefinition, name: string): string {
  const { method, path } = routeOf(definition, name);
  return `\`${method} ${path}\``;
}

/** The requests of a create, in a line. */
export function createText(model: KindModel): string {
  const { definition } = model;
  const strategy = definition.lifecycle.create;
  if (strategy.how === "claim") return `${strategy.why} Creating it takes it over, and sends the difference.`;
  if (strategy.how === "run") {
    const once =
      strategy.done === undefined ? "" : " What the console shows as done already is not sent again.";
    const stages =
      strategy.stages === undefined
        ? ""
        : ` Where the console refuses, the error names the ${strategy.stages.title} and the current one.`;
    return `${routeText(definition, strategy.route)}.${once}${stages}`;
  }
  const { route, duplicates } = strategy;
  const accepted = acceptedFields(definition, routeOf(definition, route));
  // What only names what an update takes away is never sent by itself.
  const beside = definition.lifecycle.update.flatMap((part) => (part.how === "ids" ? [part.removed] : []));
  const later = inputsOf(model).flatMap(([name, { traits }]) =>
    accepted.includes(name) || beside.includes(name) || traits.startsAction ? [] : [name],
  );
  const { archived } = definition.lifecycle;
  return [
    `${routeText(definition, route)}${later.length > 0 ? `, then ${names(later)} as an update would` : ""}. ${idText(definition)}`,
    ...(duplicates === "unstated"
      ? [
          `It looks first for one of that \`${programIdArgument(definition)}\`: the API does not say what a second create does.`,
        ]
      : []),
    ...(definition.identity.how === "server"
      ? [
          `Beside another of the same \`${programIdArgument(definition)}\` that differs a second one is made; one that is equal is refused.`,
        ]
      : []),
    ...(archived
      ? [
          `An archived one comes back by ${routeText(definition, archived.undo)} and an update, [where that is allowed](../ownership.md#objects).`,
        ]
      : []),
  ].join(" ");
}

function idText(definition: ResourceDefinition): string {
  const secret = secretOf(definition);
  if (secret !== undefined)
    return `The id is a digest of the \`${secret}\` in the answer, which leads to the object and is kept as a secret output.`;
  return `The id is ${idSource(definition)}.`;
}

/** The requests of a read, in a line. */
export function readText(definition: ResourceDefinition): string {
  const { read, update } = definition.lifecycle;
  if (read.how === "remember") return `nothing. ${read.why}`;
  const main =
    read.how === "get"
      ? `${routeText(definition, read.route)}.`
      : `the object in ${routeText(definition, read.list)}. ${read.why}`;
  const ids = update.flatMap((part) => {
    if (part.how !== "ids") return [];
    const how =
      part.read === undefined
        ? "cannot be read; state keeps the number and hashes of what the program said"
        : `read with ${routeText(definition, part.read.route)}, if the program sets them`;
    return [`\`${part.field}\` of ${withValue(part.when)}: ${how}.`];
  });
  return [main, ...ids].join(" ");
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
      return `${routeText(definition, part.route)} with ${patched(definition, part.route)}.`;
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

/** The arguments that a patch takes; a long list says nothing that the arguments do not say. */
function patched(definition: ResourceDefinition, route: string): string {
  const all = updatable(definition, route);
  return all.length > 5 ? "whatever else changed" : `the changed ones of ${names(all)}`;
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

/** The requests of a destroy, by the values of `onDelete`. */
export function destroyText(definition: ResourceDefinition): string {
  const { remove, archive, onDeleteDefault, why } = definition.lifecycle.delete;
  const reason = archive?.takesReason ? " with `archiveReason`" : "";
  const acts = [
    ...(archive ? [["archive", `${routeText(definition, archive.route)}${reason}`] as const] : []),
    ...(remove ? [["delete", routeText(definition, remove.route)] as const] : []),
    ["retain", "nothing; the object stays in the console"] as const,
  ];
  const texts = acts.map(([act, text]) => `${act}${act === onDeleteDefault ? " (default)" : ""}: ${text}`);
  return `${texts.join("; ")}.${why === undefined ? "" : ` ${why}`}`;
}
