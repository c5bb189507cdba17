import { differences, isArchived, wantsArchived } from "../../src/provider/decisions/plan";
import { auditNames } from "../../src/provider/schema/audit";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectedId } from "../../src/provider/schema/object-id";
import { fromWire } from "../../src/provider/schema/wire-names";
import { type Actor, keyOf, type Received, type SharedConsole, type Stored } from "../world/console";
import { releasedGate } from "../world/fixtures";
import { isAction, isOnlyOne, type KindPlay, kinds } from "../world/kinds";
import type { Held } from "../world/programs";
import type { Step } from "../world/steps";
import type { Episode } from "./episode";

/** What is true about an object, whoever knows it. */
export interface Fact {
  readonly maker: Actor;
  /** Who last did something to it. */
  readonly last: Actor;
  /** Everybody who did something to it. */
  readonly actors: ReadonlySet<Actor>;
  /** Who took it out of use; undefined while it is in use. */
  readonly archivedBy: Actor | undefined;
  /** Who brought it back after that; undefined while it is out of use or has never been. */
  readonly revivedBy: Actor | undefined;
  readonly gone: boolean;
}

export type Facts = ReadonlyMap<string, Fact>;

/** Who made, changed and removed what: the truth, which no stack can look up. */
export class Ledger {
  readonly #facts = new Map<string, Fact>();
  readonly #console: SharedConsole;

  constructor(console: SharedConsole) {
    this.#console = console;
  }

  note({ actor, touched }: Received): void {
    for (const key of touched) {
      const before = this.#facts.get(key);
      const now = this.#console.find(key);
      if (now === undefined) {
        if (before !== undefined) this.#facts.set(key, { ...before, last: actor, gone: true });
        continue;
      }
      const isNew = before === undefined || before.gone;
      const wasArchived = !isNew && before.archivedBy !== undefined;
      this.#facts.set(key, {
        maker: isNew ? actor : before.maker,
        last: actor,
        actors: new Set([...(isNew ? [] : before.actors), actor]),
        archivedBy: now.archived ? (wasArchived ? before.archivedBy : actor) : undefined,
        revivedBy: now.archived ? undefined : wasArchived ? actor : isNew ? undefined : before.revivedBy,
        gone: false,
      });
    }
  }

  facts(): Facts {
    return new Map(this.#facts);
  }
}

/** The kind of a step or of an object that programs manage. */
export function definitionOf(kind: string): ResourceDefinition | undefined {
  return kinds[kind]?.definition;
}

export function objectOf({ kind, id }: Held): string {
  return keyOf(kind, id);
}

/** True when a state holds an object; one that made room and was left where it is is still its own. */
export function holds(state: readonly Held[], key: string): boolean {
  const isThere = ({ makingRoom, outputs }: Held) => !makingRoom || outputs.onDelete === "retain";
  return state.some((held) => objectOf(held) === key && isThere(held));
}

/** True for an object that somebody deleted and created again since the state was written: an object is its id and its time of creation. */
export function isMadeAnew(state: readonly Held[], { key, kind, item }: Stored): boolean {
  const definition = definitionOf(kind);
  const { created = "" } = definition === undefined ? {} : auditNames(definition);
  return state.some((held) => {
    const [then, now] = [held.outputs[created], item[created]];
    return objectOf(held) === key && then !== undefined && now !== undefined && then !== now;
  });
}

/** True when a step that makes something means this object: by its id, or by its name where the console thinks ids up. */
export function means({ kind, inputs, imports }: Step, { kind: other, id, item }: Stored): boolean {
  if (inputs === undefined) return false;
  const play = kinds[kind] as KindPlay;
  if (isAction(play)) return aboutOf(kind, inputs).includes(keyOf(other, id));
  if (kind !== other) return false;
  if (isOnlyOne(play)) return true;
  if (imports !== undefined && imports === id) return true;
  const expected = expectedId(play.definition, inputs);
  return expected === undefined ? item.name === inputs.name : expected === id;
}

/** The objects that an action is about: a gate, or a release and the gate that it is of. */
export function aboutOf(kind: string, inputs: JsonObject): string[] {
  const { about } = kinds[kind] as KindPlay;
  if (about !== undefined) return [keyOf(about.kind, String(inputs[about.argument]))];
  return [keyOf("releasePipelineTrigger", String(inputs.trigger)), keyOf("gate", releasedGate)];
}

/** True when the program says that an object that is there becomes its own. */
export function isExplicit({ kind, inputs, imports }: Step): boolean {
  const play = kinds[kind] as KindPlay;
  // What every project has one of can only be taken over, and an action names what it acts on.
  if (isOnlyOne(play) || isAction(play)) return true;
  return inputs?.adopt === true || imports !== undefined;
}

/** Steps that make something, of the update as far as it came and of its preview. */
export function makings({ preview, update }: Episode): Step[] {
  const steps = [...(update?.run.steps ?? []), ...(preview?.run.steps ?? [])];
  return steps.filter(({ op }) => op === "create" || op === "replace");
}

/** True for an archived object that is, apart from its state, what a step wants. */
export function isEqualArchived({ kind, inputs }: Step, stored: Stored): boolean {
  const definition = definitionOf(kind);
  if (definition === undefined || inputs === undefined || !stored.archived) return false;
  const { status: _, isEnabled: __, ...program } = inputs;
  return differences(definition, fromWire(definition, stored.item), program).length === 0;
}

/**
 * True for an object that a stack made, or brought back, in a run that did not record it, and that nobody has touched since.
 */
export function isLeftover({ stack, factsBefore }: Episode, key: string): boolean {
  const fact = factsBefore.get(key);
  return (fact?.maker === stack || fact?.revivedBy === stack) && fact.last === stack;
}

/** True when a live object is wanted in use. */
export function isInUse(
  definition: ResourceDefinition,
  stored: Stored | undefined,
  program: JsonObject,
): boolean {
  if (stored === undefined) return false;
  return (
    wantsArchived(definition, program) ||
    !(stored.archived || isArchived(definition, fromWire(definition, stored.item)))
  );
}
