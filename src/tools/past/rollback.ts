import { changesOf, isArchived } from "../../provider/decisions/plan";
import type { ResourceDefinition } from "../../provider/schema/define";
import { type JsonObject, kept, picked } from "../../provider/schema/json";
import { sameMeaning } from "../../provider/values/compare";
import { managedBefore, managedMember, objectValues, overlay, viewOf } from "../../provider/values/managed";
import { exclusiveWith, reachOf, stateNames } from "../../provider/values/states";
import { compareThree } from "../drift/comparison";
import type { NewValue, Wish } from "../rewrite/wish";
import type { Resource } from "../stack/resources";
import { changesBetween, differingNames } from "./changes";
import type { Form } from "./forms";
import {
  drawObstacles,
  fixedObstacle,
  isHeld,
  type Obstacle,
  rememberedObstacles,
  stateObstacles,
  type Turn,
  type Update,
  withRefusals,
} from "./obstacles";

/** The way of one object back to a former form. */
export interface Rollback extends Wish {
  readonly to: Form;
  /** A sentence for each change that the rollback makes. */
  readonly back: readonly string[];
  readonly stays: readonly Obstacle[];
}

/** Finds the values by which an object is as it was, and the obstacles. `now`: the object as it is. */
export function rollbackOf(resource: Resource, now: Form, to: Form): Rollback {
  const { definition } = resource;
  const turn = { resource, now: now.values, goal: to.values };
  const differing = differingNames(definition, turn.now, turn.goal);
  const fixed = differing.flatMap((name) => fixedObstacle(resource, name));
  const wanted = valuesFor(resource, to.values, differing);
  const changing = new Set([...differing, ...wanted.map(({ name }) => name)]);
  const free = [...changing].filter((name) => !holds(fixed, name));
  const known = [...fixed, ...stateObstacles(turn, free)];
  const values = wanted.filter(({ name }) => !isHeld(definition, known, name));
  const update = updateBy(turn, values);
  const after = afterUpdate(turn, update);
  const unreached = differingNames(definition, after, turn.goal).filter((name) => !holds(known, name));
  const partly = "an update by this program leaves it, or a part of it, as it is";
  return {
    ...{ resource, to, values },
    back: changesBetween(resource, turn.now, after),
    stays: [
      ...withRefusals(turn, known, update),
      ...unreached.map((name) => ({ name, why: partly })),
      ...drawObstacles(turn, free),
      ...rememberedObstacles(resource),
    ],
  };
}

function holds(obstacles: readonly Obstacle[], name: string): boolean {
  return obstacles.some((one) => one.name === name);
}

/** The update by the changed program after a refresh. */
function updateBy({ resource, now }: Turn, values: readonly NewValue[]): Update {
  const { definition, applied, wanted = {} } = resource;
  const args = { ...wanted, ...Object.fromEntries(values.map(({ name, live }) => [name, live])) };
  const { state } = overlay(definition, applied?.outputs ?? {}, now);
  return { args, sent: changesOf(definition, objectValues(args, state, now)) };
}

/** The object after that update, as far as the decisions of an update tell it. */
function afterUpdate({ resource, now, goal }: Turn, { args, sent }: Update): JsonObject {
  const { definition } = resource;
  const states = stateNames(definition);
  const plain = kept(sent, (name) => !states.includes(name));
  const isInState = tellsState(definition, args, goal);
  return { ...now, ...plain, ...(isInState ? picked(goal, states) : {}) };
}

/** Values by which the program sets what a former form had, as `drift` compares. `names`: arguments that it is to set in any case. */
function valuesFor(resource: Resource, then: JsonObject, names: readonly string[]): readonly NewValue[] {
  const { definition, applied } = resource;
  const outputs = applied?.outputs ?? {};
  const others = names.filter((name) => !stateNames(definition).includes(name));
  const managed = new Set([...managedBefore(outputs), ...others]);
  const state = { ...outputs, [managedMember]: [...managed] };
  const extended = { ...resource, applied: { inputs: applied?.inputs ?? {}, outputs: state } };
  const { state: overlaid } = overlay(definition, state, then);
  const { values } = compareThree(extended, { ...overlaid, ...then });
  const silent = names.filter(
    (name) => isLeftOut(resource, name) && !values.some((one) => one.name === name),
  );
  const view = viewOf(definition, then);
  const added = silent.flatMap((name) => emptyValue(definition, name, view[name]));
  // A former value may be the default, which a program leaves out unless it has to set it.
  const found = values
    .filter(({ isExplicit }) => isExplicit !== true)
    .map((one) =>
      names.includes(one.name) && isLeftOut(resource, one.name) ? { ...one, isExplicit: true } : one,
    );
  return withStateOf(resource, then, [...found, ...added], names);
}

/** A state comes back only where the program sets it: a former update may have left it to the console, and a switch does not tell all. */
function withStateOf(
  { definition, wanted = {} }: Resource,
  then: JsonObject,
  values: readonly NewValue[],
  names: readonly string[],
): readonly NewValue[] {
  const field = definition.lifecycle.archived?.field;
  if (field === undefined || !names.includes(field) || wanted[field] !== undefined) return values;
  const twins = exclusiveWith(definition, field);
  const [instead] = twins.filter((name) => wanted[name] !== undefined);
  const former = viewOf(definition, then);
  if (instead !== undefined && tellsState(definition, { [instead]: former[instead] }, then)) return values;
  const state = { name: field, live: then[field], isExplicit: true };
  const others = values.filter(({ name }) => name !== field && !twins.includes(name));
  return [...others, instead === undefined ? state : { ...state, instead }];
}

/** True where arguments bring an object into the state of a form. */
function tellsState(definition: ResourceDefinition, args: JsonObject, form: JsonObject): boolean {
  const field = definition.lifecycle.archived?.field;
  if (field !== undefined && args[field] !== undefined)
    return sameMeaning(definition, field, args[field], form[field]);
  return !isArchived(definition, form) && reachOf(definition, args) === reachOf(definition, form);
}

/** True for an argument that the program sets under none of its names. */
function isLeftOut({ definition, wanted = {} }: Resource, name: string): boolean {
  return (
    !stateNames(definition).includes(name) &&
    [name, ...exclusiveWith(definition, name)].every((one) => wanted[one] === undefined)
  );
}

/** A value that empties an argument, which silence would leave to the console. */
function emptyValue(definition: ResourceDefinition, name: string, then: unknown): NewValue[] {
  const { traits } = definition.fields[name] ?? {};
  const live =
    then ?? (traits !== undefined && "clearWith" in traits ? traits.clearWith : traits?.serverDefault);
  return live === undefined ? [] : [{ name, live, isExplicit: true }];
}
