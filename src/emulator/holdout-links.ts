import type { JsonObject } from "../core/json";
import { Refusal } from "./answers";
import type { Behaviour, Call, Operation } from "./behaviour";
import { findItem } from "./items";
import type { World } from "./store";
import { members } from "./verbs";

/** List on the holdout -> collection of its members, and what messages call them. */
const lists = {
  gateIDs: { collection: "gate", title: "Gate" },
  experimentIDs: { collection: "experiment", title: "Experiment" },
  layerIDs: { collection: "layer", title: "Layer" },
} as const;

const holdouts = "holdout";
const listNames = Object.keys(lists) as (keyof typeof lists)[];

/** Kinds of objects that holdouts hold. */
type Held = (typeof lists)[keyof typeof lists]["collection"];

/** The objects that a holdout holds, such as `gate:checkout`. */
export function heldMembers(holdout: JsonObject): string[] {
  return listNames.flatMap((name) => idsIn(holdout, name).map((id) => `${lists[name].collection}:${id}`));
}

/**
 * What a kind needs so that holdouts can hold it. Membership is written on the holdout alone; its members show it, and
 * one that is removed leaves the lists of its holdouts (console-api/experiments.md, 3.2).
 */
export function heldByHoldouts(collection: Held): Required<Pick<Behaviour, "follows" | "onRemove">> {
  const list = listNames.find((name) => lists[name].collection === collection);
  return {
    follows: (world, item) => ({
      holdoutIDs: world.referrers(`${collection}:${String(item.id)}`, holdouts),
    }),
    onRemove(world, id) {
      for (const holder of world.referrers(`${collection}:${id}`, holdouts)) {
        const holdout = world.get(holdouts, holder);
        if (holdout === undefined || list === undefined) continue;
        keep(world, { ...holdout, [list]: idsIn(holdout, list).filter((one) => one !== id) });
      }
    },
  };
}

/** A write of a holdout that refuses members that are not there, with a 404 that names them. */
export function withKnownMembers({ run, ...rest }: Operation): Operation {
  return {
    ...rest,
    run(call) {
      refuseUnknown(call, members(call));
      return run(call);
    },
  };
}

/** A partial update that adds members to those that are there, where the console is told so. */
export function addedMembers({ run, ...rest }: Operation): Operation {
  return {
    ...rest,
    run(call) {
      if (call.switches.holdoutMembers === "replace") return run(call);
      const { item } = findItem(call);
      const sent = members(call);
      const added = listNames
        .filter((name) => sent[name] !== undefined)
        .map((name) => [name, [...idsIn(item, name), ...idsIn(sent, name)]]);
      return run({ ...call, body: { ...sent, ...Object.fromEntries(added) } });
    },
  };
}

/** The gate that a holdout asks, by the id that reads show. */
export function gateAsShown({ switches }: Call, item: JsonObject): JsonObject {
  const { targetingGateID: gate } = item;
  if (switches.holdoutGateIds === "own" || typeof gate !== "string" || gate === "") return item;
  return { ...item, targetingGateID: `internal-${Buffer.from(gate).toString("base64url")}` };
}

/** A new gate joins every global holdout. */
export function joinGlobalHoldouts(world: World, id: string): void {
  for (const holdout of world.list(holdouts, true)) {
    if (holdout.isGlobal === true) keep(world, { ...holdout, gateIDs: [...idsIn(holdout, "gateIDs"), id] });
  }
}

function refuseUnknown({ world }: Call, sent: JsonObject): void {
  const errors = listNames.flatMap((property) => {
    const { collection, title } = lists[property];
    const unknown = idsIn(sent, property).filter((id) => world.get(collection, id) === undefined);
    const errorMessage = `The following ${title} IDs could not be found: [${unknown.join(", ")}]`;
    return unknown.length === 0 ? [] : [{ property, errorMessage }];
  });
  if (errors.length > 0) throw new Refusal(404, "Not Found Exception", errors);
}

function keep(world: World, holdout: JsonObject): void {
  world.put(holdouts, String(holdout.id), holdout, { refersTo: heldMembers(holdout) });
}

function idsIn(item: JsonObject, name: string): string[] {
  const ids = item[name];
  return Array.isArray(ids) ? ids.map(String) : [];
}
