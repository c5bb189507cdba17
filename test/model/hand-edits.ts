import { inputNames, type ResourceDefinition } from "../../src/provider/schema/define";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { fromWire } from "../../src/provider/schema/wire-names";
import { meaning } from "../../src/provider/values/compare";
import { keyOf, type Stored } from "../world/console";
import { isAction, type KindPlay, kinds } from "../world/kinds";
import { nameOf } from "../world/programs";
import { type Check, violation } from "./episode";
import { aboutOf, definitionOf, objectOf } from "./ledger";

/**
 * Rule: what somebody changed is not overwritten unseen. Told by the console alone: at each place that others changed since the stack
 * saw its object, the object has afterwards what they left there.
 */
export const overwritesNothing: Check = (episode) => {
  const { update, command, refreshes, editedSince, unsure, replaced, start, end, before } = episode;
  if (command !== "up" || update === undefined || refreshes) return [];
  const acted = update.run.steps.flatMap(({ kind, inputs = {} }) =>
    isAction(kinds[kind] as KindPlay) ? aboutOf(kind, inputs) : [],
  );
  return update.run.steps.flatMap((step) => {
    if (step.op !== "update" || step.id === undefined || replaced.includes(step.urn)) return [];
    const key = keyOf(step.kind, step.id);
    const definition = definitionOf(step.kind);
    const [seen, was, now] = [editedSince.get(key), start.get(key), end.get(key)];
    if (definition === undefined || seen === undefined || was === undefined || now === undefined) return [];
    // After a kill nobody knows what the stack had written of it, and an action is a change that its program makes.
    if (unsure.has(key) || acted.includes(key)) return [];
    const held = before.find((one) => objectOf(one) === key);
    return overwritten(definition, held?.outputs ?? {}, seen, was, now).map((place) =>
      violation("what somebody changed is not overwritten unseen", key, `${nameOf(step)}: ${place}`),
    );
  });
};

function overwritten(
  definition: ResourceDefinition,
  state: JsonObject,
  seen: Stored,
  was: Stored,
  now: Stored,
): string[] {
  const [before, edited, after] = [seen, was, now].map((stored) => placesOf(definition, stored)) as [
    Places,
    Places,
    Places,
  ];
  const held = placesIn(definition, state);
  return [...new Set([...before.keys(), ...edited.keys()])].flatMap((place) => {
    const [one, two, three] = [before.get(place), edited.get(place), after.get(place)];
    // Of members that the program did not say, state has nothing.
    const isUnknown = one !== undefined && !held.has(place) && place !== "archived";
    return one === two || two === three || isUnknown
      ? []
      : [`${place} was ${one}, somebody made it ${two}, now it is ${three}`];
  });
}

type Places = ReadonlyMap<string, string>;

/** Every value of an object that a program can set, by its place. */
function placesOf(definition: ResourceDefinition, { item, archived }: Stored): Places {
  return new Map([...placesIn(definition, fromWire(definition, item)), ["archived", String(archived)]]);
}

function placesIn(definition: ResourceDefinition, live: JsonObject): Places {
  const found = new Map<string, string>();
  for (const name of inputNames(definition)) {
    const { remembered, readsOtherId, volatile } = definition.fields[name]?.traits ?? {};
    if (remembered !== true && readsOtherId !== true && volatile !== true)
      note(found, name, meaning(definition, name, live[name]));
  }
  return found;
}

function note(found: Map<string, string>, place: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const one of value) {
      const isNamed = isObject(one) && typeof one.name === "string";
      if (isNamed)
        note(found, `${place}[${one.name}]`, { ...(one as JsonObject), name: undefined, there: true });
      else found.set(`${place}{${JSON.stringify(one)}}`, "there");
    }
  } else if (isObject(value)) {
    for (const [name, one] of Object.entries(value)) note(found, `${place}.${name}`, one);
  } else found.set(place, JSON.stringify(value));
}
