import { heldLists } from "../../../provider/definitions/flags/holdout";
import { catalog } from "../../../provider/definitions/index";
import type { FieldMessage } from "../../../provider/schema/errors";
import { type JsonObject, textsIn } from "../../../provider/schema/json";
import { kindInWords } from "../../../provider/schema/references";
import type { Behaviour, Call, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { bodyOf, list, patch, replace } from "../../console/item-operations";
import { unitOverrides } from "../../console/overrides";
import { invalid, Refusal, sentence } from "../../console/rules/outcomes";
import { holdoutOfTeam } from "../../console/rules/project-rules";
import { idsOfUsers, marksOf } from "../../http/marks";
import { findItem } from "../../store/items";
import type { World } from "../../store/store";

const definition = catalog.holdout;
const holdouts = definition.name;

/**
 * Behaviour of a kind that holdouts can hold. Membership is written on the holdout alone; its members show it, and
 * one that is removed leaves the lists of its holdouts (console-api/experiments.md, 3.2).
 */
export const heldByHoldouts: Required<Pick<Behaviour, "follows" | "onRemove">> = {
  follows: (call, item) => ({ holdoutIDs: holdersOf(call, String(item.id)) }),
  onRemove(call, id) {
    const list = listFor(call);
    for (const holder of holdersOf(call, id)) {
      const holdout = call.world.get(holdouts, holder);
      if (holdout === undefined) continue;
      keep(call.world, { ...holdout, [list]: textsIn(holdout[list]).filter((one) => one !== id) });
    }
  },
};

/** The list of a holdout for objects of the kind. */
const listFor = ({ behaviour }: Call): string => `${behaviour.definition.name}IDs`;

/** Ids of the holdouts that hold an object. They refer to the gate that they ask by another id, so that none shows here. */
const holdersOf = ({ world, behaviour }: Call, id: string): string[] =>
  idsOfUsers(world, behaviour.definition.name, id, holdouts);

/** A write of a holdout that refuses members that are not there, with a 404 that names them. */
function withKnownMembers(operation: Operation): Operation {
  return (call) => {
    refuseUnknown(call, bodyOf(call));
    if (call.switches.holdoutUnitTypes === "refuse") refuseOtherUnits(call, bodyOf(call));
    return operation(call);
  };
}

/** A partial update that adds members to the present ones, under the switch `holdoutMembers`. */
function addedMembers(operation: Operation): Operation {
  return (call) => {
    if (call.switches.holdoutMembers === "replace") return operation(call);
    const { item } = findItem(call);
    const sent = bodyOf(call);
    const added = heldLists
      .filter((name) => sent[name] !== undefined)
      .map((name) => [name, [...textsIn(item[name]), ...textsIn(sent[name])]]);
    return operation({ ...call, body: { ...sent, ...Object.fromEntries(added) } });
  };
}

/** The gate that a holdout asks, by the id that reads show. */
function gateAsShown({ switches }: Call, item: JsonObject): JsonObject {
  const { targetingGateID: gate } = item;
  if (switches.holdoutGateIds === "own" || typeof gate !== "string" || gate === "") return item;
  return { ...item, targetingGateID: `internal-${Buffer.from(gate).toString("base64url")}` };
}

/** A new gate joins every global holdout. */
export function joinGlobalHoldouts(world: World, id: string): void {
  for (const holdout of world.list(holdouts, true)) {
    if (holdout.isGlobal === true) join(world, holdout, "gateIDs", id);
  }
}

/** A new object joins the holdout that the objects of its team begin in. */
export function joinTeamHoldout(call: Call, item: JsonObject): void {
  const holdout = holdoutOfTeam(call.world, item);
  if (holdout !== undefined) join(call.world, holdout, listFor(call), String(item.id));
}

function join(world: World, holdout: JsonObject, list: string, id: string): void {
  const ids = textsIn(holdout[list]);
  if (!ids.includes(id)) keep(world, { ...holdout, [list]: [...ids, id] });
}

/** Findings about the members of a body that do not fit, for each list. */
function misfits(
  sent: JsonObject,
  isMisfit: (kind: string, id: string) => boolean,
  text: (kind: string) => string,
): FieldMessage[] {
  return heldLists.flatMap((property) => {
    const kind = String(definition.fields[property].traits.refersTo);
    const ids = textsIn(sent[property]).filter((id) => isMisfit(kind, id));
    return ids.length === 0 ? [] : [{ property, errorMessage: `${text(kind)}: [${ids.join(", ")}]` }];
  });
}

function refuseUnknown({ world }: Call, sent: JsonObject): void {
  const unknown = misfits(
    sent,
    (kind, id) => world.get(kind, id) === undefined,
    (kind) => `The following ${sentence(kindInWords(kind))} IDs could not be found`,
  );
  if (unknown.length > 0) throw new Refusal(404, "Not Found Exception", unknown);
}

/** The text is ours: that the service refuses it, its guides say. */
function refuseOtherUnits(call: Call, sent: JsonObject): void {
  const { idType } = findItem(call).item;
  const isOther = (unit: unknown): boolean => typeof unit === "string" && unit !== idType;
  const others = misfits(
    sent,
    (kind, id) => isOther(call.world.get(kind, id)?.idType),
    () => `The following IDs have another unit type than ${String(idType)}`,
  );
  if (others.length > 0) throw invalid(others);
}

function keep(world: World, holdout: JsonObject): void {
  world.put(holdouts, String(holdout.id), holdout, { refersTo: marksOf({ definition }, holdout) });
}

/** Behaviour of holdouts. */
export const holdout = defineBehaviour({
  definition: catalog.holdout,
  operations: {
    // Its list declares 20000 items, other lists 100 (console-api, section 4).
    list: list({ size: 20_000, most: 20_000, whenTooLarge: "cap" }),
    ...{ replace: withKnownMembers(replace), patch: withKnownMembers(addedMembers(patch)) },
    ...unitOverrides,
  },
  // Null leaves the gate as it is, "" takes it away (console-api/corrections.md, section 3).
  settle: ({ before, sent, after }) =>
    sent.targetingGateID === null ? { ...after, targetingGateID: before?.targetingGateID ?? null } : after,
  shows: gateAsShown,
});
