import { archivedText, changesInArchive, comesBack, isArchived } from "../../provider/decisions/plan";
import type { Problem, ResourceDefinition } from "../../provider/schema/define";
import { type JsonObject, objectsIn, picked, textOf } from "../../provider/schema/json";
import { itemsOf, propertiesOf, treeOf } from "../../provider/schema/tree";
import type { Machine } from "../../provider/schema/verbs";
import { quote } from "../../provider/texts/issue-text";
import { machineOf, machineProblems, planPath } from "../../provider/values/machine";
import { viewOf } from "../../provider/values/managed";
import { stateNames } from "../../provider/values/states";
import type { Resource } from "../stack/resources";
import { differingNames } from "./changes";

/** An argument that does not come back, and why. */
export interface Obstacle {
  readonly name: string;
  readonly why: string;
  /** The program that the rollback leaves would set it all the same: every update by it is refused. */
  readonly refusesUpdates?: boolean;
}

/** Why an argument cannot change in place, where it cannot. */
export function fixedObstacle({ definition }: Resource, name: string): Obstacle[] {
  const { replaces, fixed } = definition.fields[name]?.traits ?? {};
  if (replaces === true) return [{ name, why: `a change would replace the ${definition.title}` }];
  return fixed === true ? [{ name, why: "the API takes it at creation alone" }] : [];
}

/** True for an argument that does not come back, and for another name of a state that does not. */
export function isHeld(definition: ResourceDefinition, obstacles: readonly Obstacle[], name: string) {
  const states = stateNames(definition);
  const names = obstacles.map((one) => one.name);
  return names.includes(name) || (states.includes(name) && names.some((one) => states.includes(one)));
}

/** Arguments of the program that no version holds. */
export function rememberedObstacles({ definition, wanted = {} }: Resource): Obstacle[] {
  const names = Object.keys(wanted).filter((name) => definition.fields[name]?.traits.remembered === true);
  return names.map((name) => ({ name, why: "no version holds it, so the program keeps its value" }));
}

/** An object as it is, and as it is to be. */
export interface Turn {
  readonly resource: Resource;
  readonly now: JsonObject;
  readonly goal: JsonObject;
}

/** Elements whose users the console drew by an identity that is gone: an equal share comes back, of other users. */
export function drawObstacles({ resource, now, goal }: Turn, names: readonly string[]): Obstacle[] {
  const { definition } = resource;
  return names.flatMap((name) => {
    const members = Object.entries(propertiesOf(itemsOf(treeOf(definition)[name]?.node ?? {}) ?? {}) ?? {});
    const marks = members.flatMap(([member, { serverSet }]) => (serverSet === "identity" ? [member] : []));
    const shares = members.flatMap(([member, { rollout }]) => (rollout === undefined ? [] : [member]));
    const live = objectsIn(now[name]);
    const isThere = (one: JsonObject) =>
      live.some((other) => marks.some((mark) => other[mark] === one[mark]));
    const isDrawn = (one: JsonObject) =>
      shares.some((share) => Number(one[share]) > 0 && Number(one[share]) < 100);
    const drawnAnew = objectsIn(goal[name]).filter((one) => isDrawn(one) && !isThere(one));
    return drawnAnew.map((one) => {
      const users = `the users of ${quote(String(one.name))}`;
      return { name, why: `the console draws ${users} anew, so that others are in it than then` };
    });
  });
}

/** Obstacles by the states of a kind. `names`: arguments that the program is to set. One obstacle may hide another. */
export function stateObstacles({ resource, now, goal }: Turn, names: readonly string[]): Obstacle[] {
  const { definition, applied, wanted = {} } = resource;
  const view = viewOf(definition, goal);
  const differing = differingNames(definition, now, goal);
  const changed = names.filter((name) => differing.includes(name));
  const kept = changesInArchive(definition, now, { ...wanted, ...picked(view, names) }, changed);
  const machine = machineOf(definition);
  if (machine === undefined || kept.length > 0)
    return kept.map((name) => ({ name, why: `it ${archivedText}` }));
  const from = comesBack(definition, now, goal) ? machine.restored.of(now) : textOf(now[machine.field]);
  const found: Obstacle[] = [];
  for (let tries = 0; tries <= names.length; tries += 1) {
    const left = names.filter((name) => !found.some((one) => one.name === name));
    const to = left.includes(machine.field) ? textOf(goal[machine.field]) : from;
    const args = { ...wanted, ...picked(view, left) };
    // A value that the object has already is no edit, whatever the program sets today.
    const edits = left.filter((name) => differing.includes(name));
    const planned = planPath(definition, machine, { from, to, args, edits });
    // The check knows the program's last arguments alone, and asks for what leads to a state.
    const asked = left.includes(machine.field)
      ? machineProblems(definition, applied?.inputs ?? {}, args)
      : [];
    if ("path" in planned && asked.length === 0) return [...found, ...lossesOn(machine, planned.path.moves)];
    const problems = "path" in planned ? asked : planned.problems;
    found.push(...problems.map((problem) => obstacleIn(machine, left, problem)));
  }
  return found;
}

/** Arguments of a changed program, and the values that an update by it sends. */
export interface Update {
  readonly args: JsonObject;
  readonly sent: JsonObject;
}

/** Obstacles, and which of them refuse an update. */
export function withRefusals(turn: Turn, obstacles: readonly Obstacle[], update: Update): Obstacle[] {
  const problems = updateProblems(turn, update);
  const refusing = (name: string) => problems.some(({ path }) => path[0] === name);
  const others = problems.filter(({ path }) => !obstacles.some(({ name }) => name === path[0]));
  return [
    ...obstacles.map((one) => (refusing(one.name) ? { ...one, refusesUpdates: true } : one)),
    ...others.map(({ path, message }) => ({ name: String(path[0]), why: message, refusesUpdates: true })),
  ];
}

/** Why the engine room would refuse what an update sends. An archived object comes back first. */
function updateProblems({ resource, now }: Turn, { args, sent }: Update): readonly Problem[] {
  const { definition } = resource;
  const machine = machineOf(definition);
  if (machine === undefined) return [];
  const from = isArchived(definition, now) ? machine.restored.of(now) : textOf(now[machine.field]);
  const to = textOf(sent[machine.field] ?? from);
  const edits = Object.keys(sent).filter((name) => definition.fields[name]?.traits.remembered !== true);
  const planned = planPath(definition, machine, { from, to, args, edits });
  return "path" in planned ? [] : planned.problems;
}

/** A problem of an argument that is to stay as it is keeps the state from coming back. */
function obstacleIn({ field }: Machine, names: readonly string[], { path, message }: Problem): Obstacle {
  const name = String(path[0]);
  return names.includes(name) ? { name, why: message } : { name: field, why: `${name} is ${message}` };
}

function lossesOn({ options }: Machine, moves: Machine["moves"]): Obstacle[] {
  const asked = moves.flatMap(({ option }) => (option === undefined ? [] : [option]));
  return asked.map((name) => ({ name, why: options[name]?.loses ?? "something is lost" }));
}
