import { type Claim, decideClaim, type Evidence } from "../../decisions/claim";
import {
  argsForFreshObject,
  type Changes,
  changesOf,
  clearableNames,
  fixedChanges,
  isArchived,
  replacingNames,
  stateNames,
  wantsArchived,
} from "../../decisions/plan";
import { isSameObject } from "../../decisions/same-object";
import { mayBeSameStack } from "../../decisions/stack-mark";
import { type ResourceDefinition, routeOf } from "../../schema/define";
import { type ConsoleError, isConsoleError } from "../../schema/errors";
import { adoptMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { expectedId } from "../../schema/object-id";
import { isClosed, machineOf } from "../../values/machine";
import { managedMember, managedNames, objectValues } from "../../values/managed";
import { type EngineContext, nameOf, objectLabel, type ResourceNames, routeTo } from "../context";
import { ownerOf } from "../ownership";
import { readLive } from "../read";
import { refusalOf } from "../transitions";
import { archiverIn } from "./archive-reason";
import { type ExistingObject, findExisting } from "./existing-object";
import {
  type Attempt,
  equalsFreshObject,
  equalsOwnCreate,
  isLastChange,
  isOfOther,
  originOf,
} from "./origin";

/** An existing object, and the decision about it. */
export interface Finding {
  readonly claim: Claim;
  readonly evidence: Evidence;
  readonly found?: ExistingObject;
  /** Ids of the objects that are there, by whatever name. */
  readonly existingIds: readonly string[];
  /** Ids of the objects of that name beside which a create makes another one. */
  readonly namesakes?: readonly string[];
  /** Why the object cannot become what the program declares, where its states do not allow it. */
  readonly refusal?: ConsoleError;
  /** The reason for which the object was archived, where the console shows it and it was asked for. */
  readonly archiveReason?: string;
  /** Names of the resource that is to have the object. */
  readonly names?: ResourceNames;
}

/** Reads what exists where an object is to be, gathers the evidence, and decides. Changes nothing. */
export async function findClaim(
  context: EngineContext,
  definition: ResourceDefinition,
  program: JsonObject,
  attempt: Attempt,
): Promise<Finding> {
  const { found, existingIds, namesakes = [] } = await findExisting(context, definition, program, attempt);
  const { archiveReason, ...evidence } = await gatherEvidence(context, definition, program, attempt, found);
  const becoming = evidence.place === "archived" ? argsForFreshObject(definition, program) : program;
  const refusal =
    found !== undefined && evidence.match === "stuck"
      ? refusalOfBecoming(definition, found, becoming)
      : undefined;
  return {
    claim: decideClaim(evidence),
    evidence,
    ...{ existingIds, namesakes },
    ...(found === undefined ? {} : { found }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(archiveReason === undefined ? {} : { archiveReason }),
    ...namesFor(context, program),
  };
}

function namesFor(context: EngineContext, program: JsonObject): Pick<Finding, "names"> {
  const { resource } = ownerOf(program);
  const names = resource === undefined ? undefined : context.resourceNames(resource);
  return names === undefined ? {} : { names };
}

/** The same for the one object of its kind that every project has, which a create takes over. */
export async function findSingletonClaim(
  context: EngineContext,
  definition: ResourceDefinition,
  program: JsonObject,
): Promise<Finding> {
  const id = String(expectedId(definition, program));
  const { create } = definition.lifecycle;
  const unread = create.how === "claim" && create.mayBeUnread === true ? {} : undefined;
  const live = (await readLive(context, definition, id, managedNames(definition, program))) ?? unread;
  const evidence: Evidence = {
    ...{ place: live === undefined ? "empty" : "live", holder: "nobody", permission: "adopt" },
    ...{ origin: "unknown", match: "differs", mayReplace: false },
  } as const;
  return {
    claim: decideClaim(evidence),
    evidence,
    existingIds: [],
    ...(live === undefined ? {} : { found: { id, live } }),
  };
}

type Gathered = Evidence & Pick<Finding, "archiveReason">;

async function gatherEvidence(
  context: EngineContext,
  definition: ResourceDefinition,
  program: JsonObject,
  attempt: Attempt,
  found: ExistingObject | undefined,
): Promise<Gathered> {
  const object = nameOf(definition, found?.id ?? "");
  const isForeign = found !== undefined && (await isAnother(context, definition, found, program, attempt));
  const holder = found === undefined || isForeign ? "nobody" : holderIn(context, object, program);
  const gathered = await gatherAs(holder, context, definition, program, attempt, found);
  const { resource } = ownerOf(program);
  const isOpen = !isForeign && holder === "nobody" && decideClaim(gathered).act === "refuse";
  if (found === undefined || resource === undefined || !isOpen) return gathered;
  const isItsOwn = await context.isStored(resource, object, found.id);
  return isItsOwn === true ? gatherAs("itself", context, definition, program, attempt, found) : gathered;
}

/** True where state has an object of this id for the resource, and the console has another one in its place. */
async function isAnother(
  context: EngineContext,
  definition: ResourceDefinition,
  { id, live }: ExistingObject,
  program: JsonObject,
  { lost }: Attempt,
): Promise<boolean> {
  const object = nameOf(definition, id);
  if (context.ownership.isForeign(object)) return true;
  const { resource } = ownerOf(program);
  // After a lost answer, the other one is the object that this very create made.
  if (lost || resource === undefined || holderIn(context, object, program) !== "itself") return false;
  const state = await context.storedState(resource, id);
  return state !== undefined && isSameObject(definition, state, live) === "other";
}

async function gatherAs(
  holder: Evidence["holder"],
  context: EngineContext,
  definition: ResourceDefinition,
  program: JsonObject,
  attempt: Attempt,
  found: ExistingObject | undefined,
): Promise<Gathered> {
  const imported = program[adoptMember] !== undefined;
  const options = {
    permission: imported ? "import" : program.adopt === true ? "adopt" : "none",
    mayReplace: program.onImmutableChange === "replace" && definition.lifecycle.delete.remove !== undefined,
  } as const;
  if (found === undefined)
    return { ...options, place: "empty", holder: "nobody", origin: "unknown", match: "differs" };
  const { live } = found;
  const archived = isArchived(definition, live) && !wantsArchived(definition, program);
  const known = { ...options, place: archived ? "archived" : "live", holder } as const;
  return archived
    ? {
        ...known,
        ...(await originOfArchived(context, definition, found, program, attempt, holder)),
        match: matchOfArchived(definition, found, program),
      }
    : {
        ...known,
        origin: await originOfLive(context, definition, found, program, attempt),
        match: matchOfLive(context, definition, found, program, options.permission !== "none"),
      };
}

function holderIn(context: EngineContext, object: string, program: JsonObject): Evidence["holder"] {
  const { resource } = ownerOf(program);
  const holder = context.ownership.ownedBy(object, resource);
  // Told to replace a resource, Pulumi does not ask for its difference.
  const isItsOwn = resource !== undefined && context.isInState(resource, object);
  return holder === "nobody" && isItsOwn ? "itself" : holder;
}

async function originOfLive(
  context: EngineContext,
  definition: ResourceDefinition,
  found: ExistingObject,
  program: JsonObject,
  attempt: Attempt,
): Promise<Evidence["origin"]> {
  const candidate = { ...found, program, idsOf: context.idsOf };
  const noted = originOf(definition, candidate, attempt, context.client.clockOffsetMs());
  // The person who runs this knows the fate of the resource that it was made for.
  const isOpen = noted === "unknown" || (noted === "renamed" && equalsOwnCreate(definition, candidate));
  const origin = isOpen && context.permissions.takeOver ? "claimed" : noted;
  if (origin !== "this-stack" && origin !== "claimed") return origin;
  const object = objectLabel(definition, program);
  const others = await context.journal.entriesOfOthers(object);
  const isTheirs = others.some((other) => isOfOther(definition, found.id, other, attempt));
  return isTheirs ? "another-stack" : origin;
}

function matchOfLive(
  context: EngineContext,
  definition: ResourceDefinition,
  { id, live }: ExistingObject,
  program: JsonObject,
  adopting: boolean,
): Evidence["match"] {
  if (adopting) {
    const isStuck =
      replacingNames(definition, live, program).length > 0 ||
      refusalOfBecoming(definition, { id, live }, program) !== undefined;
    return isStuck ? "stuck" : "differs";
  }
  const candidate = { id, live, program, idsOf: context.idsOf };
  return equalsOwnCreate(definition, candidate) ? "equal" : "differs";
}

async function originOfArchived(
  context: EngineContext,
  definition: ResourceDefinition,
  { id, live }: ExistingObject,
  program: JsonObject,
  { entry, former = entry }: Attempt,
  holder: Evidence["holder"],
): Promise<Pick<Evidence, "origin"> & Pick<Finding, "archiveReason">> {
  const object = nameOf(definition, id);
  if (context.ownership.isArchivedHere(object)) return { origin: "archived-here" };
  const isNoted = former !== undefined && !["create", "adopt"].includes(former.did);
  if (isNoted && isLastChange(definition, former, { live, program }, context.client.clockOffsetMs()))
    return { origin: "archived-here" };
  // A program that takes it over need not know the archiver.
  if (program.adopt === true || program[adoptMember] !== undefined) return { origin: "unknown" };
  // State says that it was this resource's when it was archived, if it was not another stack's as well.
  const otherwise = holder === "itself" ? "archived-here" : "unknown";
  const archiveReason = await archiveReasonOf(context, definition, id);
  const archiver = archiverIn(archiveReason ?? "");
  const stack = context.stack();
  if (archiveReason === undefined || archiver === undefined || stack === undefined)
    return { origin: otherwise, ...(archiveReason === undefined ? {} : { archiveReason }) };
  if (mayBeSameStack(archiver.stack, stack)) return { origin: "archived-here" };
  return { origin: archiver.keeps ? "kept-elsewhere" : otherwise, archiveReason };
}

/** The reason for which an object was archived, where the console shows it. */
async function archiveReasonOf(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
): Promise<string | undefined> {
  const { read, delete: removal } = definition.lifecycle;
  if (read.how !== "get" || removal.archive?.takesReason !== true) return undefined;
  const { params } = routeTo(definition, read.route, id);
  const route = routeOf(definition, read.route);
  const asks = route.query?.includes("includeArchiveMetadata") ?? false;
  const query = asks ? { query: { includeArchiveMetadata: true } } : {};
  try {
    const { archiveReason } = await context.client.item(route, { params, ...query });
    return typeof archiveReason === "string" ? archiveReason : undefined;
  } catch (error) {
    if (isConsoleError(error)) return undefined;
    throw error;
  }
}

function matchOfArchived(
  definition: ResourceDefinition,
  found: ExistingObject,
  args: JsonObject,
): Evidence["match"] {
  const { live } = found;
  const program = argsForFreshObject(definition, args);
  const isFixed = fixedChanges(definition, live, program).some(({ name }) => program[name] !== undefined);
  const refusal = refusalOfBecoming(definition, found, program);
  if (isFixed || refusal !== undefined) return "stuck";
  return equalsFreshObject(definition, live, args) ? "equal" : "differs";
}

function refusalOfBecoming(
  definition: ResourceDefinition,
  { id, live }: ExistingObject,
  program: JsonObject,
): ConsoleError | undefined {
  const seen = assumedValues(definition, program, live);
  const changes = changesOf(definition, { program, seen, live });
  return refusalOf({ definition, id, program, live }, changes);
}

/** True for a field that counts as applied to an object that is taken over, whatever its value. */
function countsAsApplied({ fields }: ResourceDefinition, name: string): boolean {
  return fields[name]?.traits.fixed === true || fields[name]?.traits.startsAction === true;
}

/**
 * Arguments that a create brings an object in line with which it takes over, and the state that counts as applied to it. What comes back
 * from the archive begins as a new object does, which has nothing that the program does not set; what moves through states keeps its record.
 */
export function takeoverValues(
  definition: ResourceDefinition,
  { claim, evidence }: Pick<Finding, "claim" | "evidence">,
  live: JsonObject,
  args: JsonObject,
): { readonly program: JsonObject; readonly state: JsonObject } {
  const revives = claim.act === "unarchive";
  const program = revives ? argsForFreshObject(definition, args) : args;
  const state = assumedValues(definition, program, live);
  if (!revives || evidence.permission !== "none" || machineOf(definition) !== undefined)
    return { program, state };
  return { program, state: { ...state, [managedMember]: clearableNames(definition) } };
}

/** Fields that a create sends to an object that it takes over; without the state in which one that comes back begins. */
export function takeoverChanges(
  definition: ResourceDefinition,
  { found, ...finding }: Pick<Finding, "claim" | "evidence" | "found">,
  args: JsonObject,
): Changes {
  const { live = {} } = found ?? {};
  const { program, state } = takeoverValues(definition, finding, live, args);
  const changes = Object.entries(changesOf(definition, objectValues(program, state, live)));
  const states = finding.claim.act === "unarchive" ? stateNames(definition) : [];
  const isInitial = (name: string) => program[name] === definition.fields[name]?.traits.serverDefault;
  return Object.fromEntries(changes.filter(([name]) => !states.includes(name) || !isInitial(name)));
}

/**
 * Values that count as applied to an object that exists already, among the fields whose live value is not compared: those that only a
 * create can say, whatever an object takes no more, and where a read shows a value, that value.
 */
function assumedValues(definition: ResourceDefinition, program: JsonObject, live: JsonObject): JsonObject {
  const names = Object.keys(definition.fields).filter((name) => definition.fields[name]?.traits.remembered);
  return Object.fromEntries(
    names.map((name) => [
      name,
      isClosed(definition, live) || countsAsApplied(definition, name) ? program[name] : live[name],
    ]),
  );
}
