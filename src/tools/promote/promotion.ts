import { idList } from "../../provider/id-lists/value-type";
import type { ResourceDefinition } from "../../provider/schema/define";
import { type JsonObject, kept } from "../../provider/schema/json";
import { hasNameBeside, idArguments, nameField, programId } from "../../provider/schema/object-id";
import { holdsUnknown } from "../../provider/schema/unknown";
import { carriedRollouts } from "../../provider/values/carried-rollouts";
import { fixedObstacle, isHeld, type Obstacle, stateObstacles } from "../past/obstacles";
import { appliedValues, changeTexts, differingArguments, type Pair } from "../review";
import type { NewValue, Wish } from "../rewrite/wish";
import type { Resource } from "../stack/resources";

/** The promotion of one object. */
export interface Promotion extends Wish {
  /** A sentence for each change. */
  readonly changes: readonly string[];
  /** Arguments that stay as they are, and why. */
  readonly stays: readonly Obstacle[];
  /** Arguments that `--keep` leaves. */
  readonly kept: readonly string[];
}

/** The arguments of an object of the first stack, as the second stack would set them. */
export interface Promoted {
  readonly args: JsonObject;
  /** Arguments with an id that has no counterpart in the other console, and the reason. */
  readonly untranslated: readonly Obstacle[];
}

/** Finds the values by which the program of the second stack equals that of the first. `name`: of the second stack. */
export function promotionOf(
  [from, to]: Pair,
  { args: translated, untranslated }: Promoted,
  { keep, name: stack }: { readonly keep: readonly Kept[]; readonly name: string },
): Promotion {
  const { definition } = to;
  const wanted = to.wanted ?? {};
  const args = withOwnName(to, translated);
  const meant = withKept(definition, { from: args, to: wanted }, keep);
  const differing = differingArguments(definition, wanted, meant);
  const kept = differingArguments(definition, meant, args);
  const plain = [...untranslated, ...differing.flatMap((name) => plainObstacles(to, name, meant, stack))];
  const free = differing.filter((name) => !isHeld(definition, plain, name));
  const outputs = to.applied?.outputs;
  const goal = { ...outputs, ...meant };
  const states = outputs === undefined ? [] : stateObstacles({ resource: to, now: outputs, goal }, free);
  const stays = [...plain, ...states];
  const values = differing
    .filter((name) => !isHeld(definition, stays, name))
    .map((name): NewValue => ({ name, live: meant[name], isExplicit: true }));
  const resource = { ...to, secrets: [...to.secrets, ...from.secrets] };
  return { resource, changes: changesBy(resource, values), stays, kept, values };
}

/** Arguments without a name that neither program sets: each object is then called as its own console calls it. */
function withOwnName({ definition, wanted = {} }: Resource, args: JsonObject): JsonObject {
  if (!hasNameBeside(definition)) return args;
  const isSet = (values: JsonObject) =>
    ![undefined, programId(definition, values)].includes(values[nameField]);
  return isSet(wanted) || isSet(args) ? args : { ...args, [nameField]: wanted[nameField] };
}

/** A promotion of which nothing is written: a part of a flag alone may let in others than either stack does. */
export function wholly(promotion: Promotion): Promotion {
  const why = "a part of it cannot be written. Change that part by hand, and run the command again";
  return { ...promotion, stays: [...promotion.stays, { name: "all of it", why }] };
}

function plainObstacles(resource: Resource, name: string, meant: JsonObject, stack: string): Obstacle[] {
  if (idArguments(resource.definition).includes(name))
    return [{ name, why: "the object is known by it in each console" }];
  if (holdsUnknown(meant[name]))
    return [
      {
        name,
        why: `it refers to an object that ${stack} has not created yet: run "pulumi up --stack ${stack}" first`,
      },
    ];
  return resource.applied === undefined ? [] : fixedObstacle(resource, name);
}

/** The changes by these values, in the words of `compare`. */
function changesBy(resource: Resource, values: readonly NewValue[]): string[] {
  const { definition, secrets, wanted = {} } = resource;
  const after = { ...wanted, ...Object.fromEntries(values.map(({ name, live }) => [name, live])) };
  const sideOf = (args: JsonObject) => ({ values: appliedValues(resource, args), secrets });
  return changeTexts(definition, sideOf(wanted), sideOf(after), { unset: "not set" });
}

/** Values that a promotion can leave as the stack has them. */
export const keepable = ["percentages", "ids"] as const;

export type Kept = (typeof keepable)[number];

/** The arguments of an object in the first stack, with what is kept of the second. Rules stand for each other by name, else by content. */
function withKept(
  definition: ResourceDefinition,
  { from, to }: { readonly from: JsonObject; readonly to: JsonObject },
  keep: readonly Kept[],
): JsonObject {
  const shares = keep.includes("percentages")
    ? carriedRollouts(definition, { program: from, live: to }, { into: "program", all: true })
    : [];
  const whole = Object.entries(definition.fields).flatMap(([name, { traits }]) => {
    const isShare = traits.share === true && keep.includes("percentages");
    const isIds = traits.valueType === idList && keep.includes("ids");
    return isShare || isIds ? [[name, to[name]] as const] : [];
  });
  const all = { ...from, ...Object.fromEntries([...shares, ...whole]) };
  return kept(all, (_, value) => value !== undefined);
}
