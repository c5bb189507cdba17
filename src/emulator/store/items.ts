import type { ObjectDefinition } from "../../provider/schema/define";
import type { AuditRole } from "../../provider/schema/field";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { expectedId, hasUniqueNames, idMember, slugOf } from "../../provider/schema/object-id";
import type { Behaviour, Call } from "../console/behaviour";
import { alignAliases } from "../console/rules/aliases";
import {
  addMissingNames,
  settleCarriedNames,
  withPlainTags,
  withStars,
} from "../console/rules/carried-names";
import { withoutEmptyObjects } from "../console/rules/empty-objects";
import { refuseUnknownNames } from "../console/rules/named-objects";
import { invalidMember, Refusal, sentence } from "../console/rules/outcomes";
import { refuseHeld } from "../console/rules/policies";
import { projectDefaults, refuseTeamless, refuseUnknownTeam } from "../console/rules/project-rules";
import { marksOf } from "../http/marks";
import { briefly, readForm } from "../http/read-forms";
import { auditMember, stampsOfChange, stampsOfNew, versionOf } from "./stamps";
import type { World } from "./store";

/** Members whose name starts so are the console's own notes: never shown. */
const note = "$";

/** Collection of the former forms of one object. */
export function versionsOf(behaviour: Behaviour, id: string): string {
  return `${behaviour.definition.name} versions of ${id}`;
}

const namesOf = (behaviour: Behaviour): string => `${behaviour.definition.name} names`;

/** The item that the path names. Throws the kind's own 404. */
export function findItem(call: Call): { id: string; item: JsonObject } {
  const found = namedItem(call.world, call.behaviour, call.params);
  if (found !== undefined) return found;
  const { texts, definition } = call.behaviour;
  throw new Refusal(404, texts?.missing ?? `${sentence(definition.title)} not found.`);
}

/**
 * The item that the parameters of a path name. Where a path calls the member that tells objects apart `{id}` (console-api,
 * section 8: tags, roles, unit id types), the id inside the console will do as well (console-api/corrections.md, section 1).
 */
export function namedItem(
  world: World,
  behaviour: Behaviour,
  params: Call["params"],
): { id: string; item: JsonObject } | undefined {
  const member = idMember(behaviour.definition);
  const said = params[member] ?? params.id;
  if (said === undefined) return undefined;
  const item = world.get(behaviour.definition.name, said);
  if (item !== undefined) return { id: said, item };
  if (params[member] !== undefined) return undefined;
  const inside = world.list(behaviour.definition.name, true).find(({ id }) => id === said);
  return inside && { id: String(inside[member]), item: inside };
}

/** The refusal of an id or a name that another object has. */
function taken({ texts }: Behaviour): Refusal {
  return new Refusal(400, texts?.taken ?? "Name is already in use");
}

/** The same for a write that an archived item, or one that a policy holds, does not take. The text is ours: none is published. */
export function findWritable(call: Call): { id: string; item: JsonObject } {
  const found = findItem(call);
  if (isArchived(call.behaviour, found.item))
    throw new Refusal(400, `${sentence(call.behaviour.definition.title)} is archived and cannot be changed`);
  refuseHeld(call, found.item);
  return found;
}

/** True for an item that was taken out of use. */
export function isArchived(behaviour: Behaviour, item: JsonObject): boolean {
  return (
    item.$archived === true || (behaviour.states !== undefined && item.status === behaviour.states.archived)
  );
}

/** Members of every new object of a kind, without those of its body. */
export function emptyItem(definition: ObjectDefinition): JsonObject {
  const item: JsonObject = {};
  for (const [name, { mode, schema, traits }] of Object.entries(definition.fields)) {
    if (mode === "writeOnly") continue;
    const member = traits.wire ?? name;
    if (traits.serverDefault !== undefined) item[member] = structuredClone(traits.serverDefault);
    else if (mode === "input" && schema.safeParse(null).success) item[member] = null;
  }
  return item;
}

/** Puts a new object into the world. Throws the kind's 400 when its id or name is taken, archived objects included. */
export function addItem(call: Call, body: JsonObject): JsonObject {
  const { behaviour, world, ports } = call;
  const { definition } = behaviour;
  const isPlanted = call.planting === true;
  if (!isPlanted) refuseTeamless(call, body);
  const sent = isPlanted ? body : { ...projectDefaults(call, body), ...body };
  const now = ports.clock();
  const { id: derived, name } = identify(definition, sent);
  const id = derived ?? ports.makeId();
  if (
    world.get(behaviour.definition.name, id) !== undefined ||
    (hasUniqueNames(definition) && world.get(namesOf(behaviour), name) !== undefined)
  )
    throw taken(behaviour);
  const base = {
    ...emptyItem(definition),
    ...stampsOfNew(definition, now),
    ...personStamps(call, ["madeBy", "changedBy"]),
  };
  const after = settle(call, undefined, sent, { [idMember(definition)]: id, name, ...base });
  if (isDryRun(call)) return after;
  save(call, id, after);
  if (hasUniqueNames(definition)) world.put(namesOf(behaviour), name, { id });
  behaviour.onAdd?.(world, id);
  if (!isPlanted) behaviour.onCreate?.(call, after);
  return after;
}

/** True where a write is to be checked and not carried out; where it says so depends on the route. */
export function isDryRun({ route, query, body }: Call): boolean {
  if (route.dryRun === "query") return query.get("dryRun")?.[0] === "true";
  return isObject(body) && body.dryRun === true;
}

/**
 * Id and name that a create body gives a new object. Where the id is neither given nor derivable, the name is what is
 * missing (console-api/gates-configs.md, 1.2).
 */
export function identify(
  definition: ObjectDefinition,
  sent: JsonObject,
): { id: string | undefined; name: string } {
  const { identity } = definition;
  const given = identity.how === "key" ? sent[idMember(definition)] : undefined;
  const name = sent.name ?? given;
  if (typeof name !== "string") throw invalidMember("name", "Required");
  if (typeof given === "string") return { id: given, name };
  // Without a key of its own, the id comes from the name as it does for a kind that has no key.
  return { id: identity.how === "key" ? slugOf(name) : expectedId(definition, { ...sent, name }), name };
}

/**
 * Changes an object: the former form goes to its versions, the counter and the times move on. `base` is what the
 * body's members are laid over; left out: the object as it is.
 */
export function changeItem(
  call: Call,
  id: string,
  before: JsonObject,
  sent: JsonObject,
  base = before,
): JsonObject {
  const { behaviour, world, ports } = call;
  const stamps = {
    ...stampsOfChange(behaviour.definition, before, ports.clock()),
    ...personStamps(call, ["changedBy"], before),
  };
  const after = settle(call, before, sent, { ...base, ...stamps });
  if (isDryRun(call)) return after;
  if (behaviour.definition.routes.listVersions !== undefined)
    world.put(versionsOf(behaviour, id), String(versionOf(behaviour.definition, before)), before);
  if (after.name !== before.name) moveName(call, id, String(before.name), String(after.name));
  const next = String(after[idMember(behaviour.definition)]);
  if (next !== id) world.rename(behaviour.definition.name, id, next);
  save(call, next, after);
  behaviour.onChange?.(call, before, after);
  return after;
}

/** Gives an object the former values of some members, as a new form of it, without the effects of a change. */
export function restoreItem(call: Call, id: string, former: JsonObject): void {
  const { behaviour, world } = call;
  const before = world.get(behaviour.definition.name, id);
  if (before === undefined) return;
  const quietly = { ...call, behaviour: { ...behaviour, onChange: () => {} } };
  changeItem(quietly, id, before, {}, { ...before, ...former });
}

/** Members about the author: a machine's key takes the place of the person who changed an object before. */
function personStamps(
  { author, behaviour }: Call,
  roles: readonly AuditRole[],
  before: JsonObject = {},
): JsonObject {
  const members = roles.map((role) => auditMember(behaviour.definition, role));
  const shown = members.filter(
    (member) => member !== undefined && (author !== undefined || member in before),
  );
  return Object.fromEntries(shown.map((member) => [member, author?.email ?? null]));
}

/** Keeps a form of an object that no version is made of, for instance the size of its id list. */
export function save(call: Call, id: string, item: JsonObject): void {
  const { behaviour } = call;
  const archived = isArchived(behaviour, item);
  // Only lists that can be asked for archived objects leave them out otherwise (console-api, section 8).
  const canAsk = behaviour.definition.routes.list?.query?.includes("includeArchived") ?? false;
  call.world.put(behaviour.definition.name, id, item, {
    listed: !(archived && canAsk),
    refersTo: archived ? [] : marksOf(behaviour, item),
  });
  addMissingNames(call, item);
}

/** Takes an object out of the world, with everything beside it: its history, overrides, reviews, counts and schedule. */
export function removeItem(call: Call, id: string, item: JsonObject): void {
  const { behaviour, world } = call;
  const kind = behaviour.definition.name;
  world.remove(kind, id);
  if (hasUniqueNames(behaviour.definition)) world.remove(namesOf(behaviour), String(item.name));
  for (const beside of ["overrides", "checks", "exposures", "schedule"])
    world.remove(`${kind} ${beside}`, id);
  for (const list of ["versions", "reviews", "events"]) world.clear(`${kind} ${list} of ${id}`);
  behaviour.onRemove?.(call, id);
}

/** An item as an answer shows it: without the console's notes and without members that were not asked for. */
export function show(call: Call, item: JsonObject): JsonObject {
  const shown: JsonObject = {};
  const hidden = new Set<string>();
  for (const [parameter, members] of Object.entries(call.behaviour.onRequest ?? {})) {
    if (call.query.get(parameter)?.[0] !== "true") for (const member of members) hidden.add(member);
  }
  const { behaviour, world } = call;
  const whole = withStars(behaviour.definition, world, { ...item, ...behaviour.follows?.(call, item) });
  for (const [member, value] of Object.entries(whole)) {
    if (!member.startsWith(note) && !hidden.has(member)) shown[member] = value;
  }
  const told = call.behaviour.shows?.(call, shown) ?? shown;
  return readForm(behaviour.definition, call.switches, told);
}

/** An item as a list shows it. Where there is no other read, that is all of it. */
export function showListed(call: Call, item: JsonObject): JsonObject {
  const shown = show(call, item);
  return call.behaviour.definition.routes.get === undefined ? shown : briefly(call.switches, shown);
}

function settle(call: Call, before: JsonObject | undefined, body: JsonObject, base: JsonObject): JsonObject {
  const { behaviour } = call;
  const sent = withoutEmptyObjects(call, body);
  if (call.planting !== true) refuseUnknownTeam(call, sent);
  const shown = shownMembers(behaviour.definition, sent);
  const plain = withPlainTags(
    behaviour.definition,
    alignAliases(behaviour.definition, sent, { ...base, ...shown }),
  );
  refuseUnknownNames(call, sent, plain);
  const after = settleCarriedNames(call, sent, plain);
  const { states } = behaviour;
  if (states !== undefined && typeof sent.isEnabled === "boolean")
    after.status = sent.isEnabled ? states.on : states.off;
  return behaviour.settle?.({ ...call, before, sent, after }) ?? after;
}

/** Members of a body that the item shows, in the form in which it shows them. */
function shownMembers(definition: ObjectDefinition, sent: JsonObject): JsonObject {
  const shown: JsonObject = {};
  for (const [name, { mode, traits }] of Object.entries(definition.fields)) {
    const value = sent[traits.wire ?? name];
    if (value === undefined || mode === "writeOnly") continue;
    shown[traits.wire ?? name] =
      traits.sameAs === "string-or-array" && typeof value === "string" ? [value] : value;
  }
  return shown;
}

function moveName(call: Call, id: string, from: string, to: string): void {
  const { behaviour, world } = call;
  if (!hasUniqueNames(behaviour.definition)) return;
  if (world.get(namesOf(behaviour), to) !== undefined) throw taken(behaviour);
  world.remove(namesOf(behaviour), from);
  world.put(namesOf(behaviour), to, { id });
}
