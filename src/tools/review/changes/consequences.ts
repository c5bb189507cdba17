import type { ResourceDefinition } from "../../../provider/schema/define";
import type { JsonObject } from "../../../provider/schema/json";
import { machineOf } from "../../../provider/values/machine";
import { isArchived, reachOf, stateNames } from "../../../provider/values/states";
import type { Level } from "../review";
import type { Subject } from "../subjects";
import { type Passing, passingOf } from "./passing";

/** What it means for units that an object comes into use or goes out of use. */
export interface Consequence {
  /** `everyone → nobody`; `no unit is held back`. */
  readonly text: string;
  /** As it would be in production. */
  readonly level: Level;
  /** Names of the environments where it is felt; null: in all of them. */
  readonly environments: readonly string[] | null;
}

/** An object that changes, as far as this needs it. */
export type Changing = Pick<Subject, "definition" | "before" | "changes" | "program" | "act">;

/** What a change of state, or an end, means for units; undefined where it means nothing to them, or nothing is known of before. */
export function consequenceOf(subject: Changing, now?: number): Consequence | undefined {
  const { definition, before, changes, act } = subject;
  if (Object.keys(before).length === 0) return undefined;
  const ends = act === "archive" || act === "delete";
  const movesState =
    ends ||
    act === "restore" ||
    stateNames(definition).some((name) => name in changes) ||
    (act === "replace" && reachOf(definition, before) !== reachOf(definition, afterwards(subject)));
  if (!movesState) return undefined;
  const was = passingOf(definition, before, now);
  const is = ends ? undefined : passingOf(definition, afterwards(subject), now);
  if (was === undefined) return ends ? endOf(definition, before) : undefined;
  const [from, to] = [was.text, ends ? "nobody" : is?.text];
  if (to === undefined || from === to) return undefined;
  return {
    text: `${from} → ${to}`,
    level: levelOf(definition, was, ends ? undefined : is),
    environments: environmentsOf(was, is),
  };
}

/** The object after an update. One field may say the same state as another: what the program says or changes counts. */
export function afterwards({ definition, before, changes, program = {}, act }: Changing): JsonObject {
  const states = stateNames(definition);
  const isOfNewState = act === "restore" || act === "replace" || states.some((name) => name in changes);
  const kept = Object.entries(before).filter(([name]) => !(isOfNewState && states.includes(name)));
  const said = Object.entries(program).filter(([name]) => states.includes(name));
  return { ...Object.fromEntries([...kept, ...said]), ...changes };
}

/** So much of everyone at once asks for a second look. */
const much = 50;

function levelOf(definition: ResourceDefinition, was: Passing, is: Passing | undefined): Level {
  // What code does not ask for by itself is felt by what refers to it, which is told apart.
  const asked = Object.values(definition.fields).some(({ traits }) => traits.traffic === true);
  const loses = asked && (was.share ?? 0) >= much && (is?.share ?? 0) < (was.share ?? 0);
  const gains = is !== undefined && is.shareOfAll >= much && was.shareOfAll < is.shareOfAll;
  return loses || gains ? "high" : "medium";
}

function environmentsOf(...sides: readonly (Passing | undefined)[]): readonly string[] | null {
  const names = sides.map((side) => (side === undefined ? [] : side.environments));
  return names.includes(null) ? null : [...new Set(names.flatMap((some) => some ?? []))];
}

/** The end of an object of which nobody says who gets what. */
function endOf(definition: ResourceDefinition, before: JsonObject): Consequence | undefined {
  const { whenGone } = definition;
  const machine = machineOf(definition);
  const state = machine === undefined ? undefined : before[machine.field];
  const isIdle =
    isArchived(definition, before) ||
    reachOf(definition, before) === "nobody" ||
    before.isEnabled === false ||
    (machine !== undefined && state === machine.initial);
  if (whenGone === undefined || isIdle) return undefined;
  return { text: whenGone, level: machine === undefined ? "medium" : "high", environments: null };
}
