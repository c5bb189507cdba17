import { replacementOrder } from "../../src/provider/decisions/replacement-order";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectedId, idArguments, programIdArgument } from "../../src/provider/schema/object-id";
import type { UpdateStrategy } from "../../src/provider/schema/verbs";
import { canGo } from "../../src/provider/values/options";
import { replacementText } from "../../src/provider/words/replacement-text";
import { names } from "./markdown";
import { inputsOf, type KindModel } from "./shapes";

/** The effects of a create, a read, a change and a destroy that are not those of every kind, a sentence or two for each. */
export function behaviourOf(model: KindModel): string[] {
  const { create, read, update, delete: removal } = model.definition.lifecycle;
  if (create.how === "run") return createTexts(model.definition);
  return [
    ...createTexts(model.definition),
    ...(read.how === "remember" || read.how === "fromList" ? [read.why] : []),
    ...update.flatMap(updateTexts),
    ...replacementTexts(model),
    ...(removal.why === undefined ? [] : [removal.why]),
  ];
}

function createTexts(definition: ResourceDefinition): string[] {
  const { create, archived } = definition.lifecycle;
  const argument = programIdArgument(definition);
  switch (create.how) {
    case "claim":
      return [`${create.why} Creation adopts what exists and sends the difference.`];
    case "run":
      return [
        ...(create.done === undefined ? [] : ["It is not sent again if the console shows it as done."]),
        ...(create.stages === undefined
          ? []
          : [`If the console refuses it, the error names the ${create.stages.title} and the current one.`]),
      ];
    case "send":
      return [
        ...(definition.identity.how === "server"
          ? [
              `Another object of the same \`${argument}\` does not prevent creation, unless it is equal: then creation fails.`,
            ]
          : []),
        ...(archived
          ? [
              `An archived object of the same \`${argument}\` is unarchived and updated, [if that is allowed](../ownership.md#objects).`,
            ]
          : []),
      ];
  }
}

/** The effects of a part of an update that users notice. */
function updateTexts(part: UpdateStrategy): string[] {
  switch (part.how) {
    case "rotate":
      return [
        `A change of \`${part.field}\` rotates it; with \`${part.keep.field}: "${part.keep.is}"\` it creates another one, which the state then has.`,
      ];
    case "ids": {
      const when = `of \`${part.when.field}: "${part.when.is}"\``;
      return part.read === undefined
        ? [
            `\`${part.field}\` ${when} cannot be read: state keeps their number and hashes. \`${part.removed}\` has to name those that a change removes.`,
          ]
        : [`\`${part.field}\` ${when} are read if the program sets them.`];
    }
    case "machine": {
      const ways = part.moves.map(({ from, to, option, needs = [] }) => {
        const asks = [...(option === undefined ? [] : [`${option}: true`]), ...needs];
        return `from ${names(from, "or")} to \`${to}\`${asks.length === 0 ? "" : ` (needs ${names(asks)})`}`;
      });
      return [
        `\`${part.field}\` changes ${ways.join("; ")}. Any other change is refused, in the preview if the value is known there.`,
      ];
    }
    default:
      return [];
  }
}

/** The replacements that the sentence for all kinds does not cover, as a preview describes them. */
function replacementTexts(model: KindModel): string[] {
  const { definition } = model;
  const replaced = inputsOf(model).flatMap(([name, { traits }]) => (traits.replaces ? [name] : []));
  const ids = idArguments(definition);
  const texts = [true, false].flatMap((isOfId) => {
    const changed = replaced.filter((name) => ids.includes(name) === isOfId);
    const text = changed.length === 0 ? undefined : replacement(definition, isOfId);
    return text === undefined ? [] : [`A change of ${names(changed, "or")} replaces it: ${text}.`];
  });
  return [...new Set(texts)];
}

/** By another id, or beside it; undefined where the new object comes first and the old one goes. */
function replacement(definition: ResourceDefinition, isOfId: boolean): string | undefined {
  if (!canGo(definition)) return "the old object stays, and another one is created";
  const withIds = (text: string): JsonObject =>
    Object.fromEntries(idArguments(definition).map((name) => [name, text]));
  const id = expectedId(definition, withIds("old")) ?? "old";
  const program = withIds(isOfId ? "new" : "old");
  const order = replacementOrder(definition, id, program);
  return order === "create-first"
    ? undefined
    : replacementText(definition, { id, state: {}, order }, program);
}
