import { type Claim, decideClaim, type Evidence, takesOver } from "../../decisions/claim";
import {
  argsForFreshObject,
  type Changes,
  changesOf,
  clearableNames,
  comesBack,
  fixedChanges,
  replacingNames,
  stateNames,
} from "../../decisions/plan";
import { isSameObject } from "../../decisions/same-object";
import { mayBeSameStack } from "../../decisions/stack-mark";
import { fieldsWith, type ResourceDefinition, routeOf } from "../../schema/define";
import { type ConsoleError, withoutAnswer } from "../../schema/errors";
import { adoptMember } from "../../schema/internal";
import { type JsonObject, kept, membersOf } from "../../schema/json";
import { isClosed, machineOf } from "../../values/machine";
import { managedMember, objectValues, viewOf } from "../../values/managed";
import { nameOf, objectLabel, type ResourceNames, routeTo } from "../context";
import { ownerOf } from "../ownership";
import type { DeclaredObject, ObjectHere } from "../subject";
import { refusalOf } from "../transitions";
import { archiverIn } from "./archive-reason";
import { type ExistingObject, type FoundObjects, findExisting } from "./existing-object";
import {
  type Creating,
  equalsFreshObject,
  equalsOwnCreate,
  isLastChange,
  isOfOther,
  originOf,
} from "./origin";

/** An existing object, and the decision about it. */
export interface Finding extends FoundObjects {
  readonly claim: Claim;
  readonly evidence: Evidence;
  /** Why the object cannot become what the program declares, where its states do not allow it. */
  readonly refusal?: ConsoleError | undefined;
  /** The reason for which the object was archived, where the console shows it and it was asked for. */
  readonly archiveReason?: string | undefined;
  /** Names of the resource that is to have the object. */
  readonly names?: ResourceNames | undefined;
}

/** Reads what exists where an object is to be, gathers the evidence, and decides. Changes nothing. */
export async function findClaim(creating: Creating): Promise<Finding> {
  const { context, program } = creating;
  const { found, existingIds, namesakes = [] } = await findExisting(creating);
  const { archiveReason, refusal, ...evidence } = await gatherEvidence(creating, found);
  const { resource } = ownerOf(program);
  return {
    ...{ claim: decideClaim(evidence), evidence, found, existingIds, namesakes, archiveReason, refusal },
    names: resource === undefined ? undefined : context.resourceNames(resource),
  };
}

type Gathered = Evidence & Pick<Finding, "archiveReason" | "refusal">;

async function gatherEvidence(creating: Creating, found: ExistingObject | undefined): Promise<Gathered> {
  const { context, definition, program } = creating;
  const isClaimed = definition.lifecycle.create.how === "claim";
  const permission =
    program[adoptMember] !== undefined ? "import" : program.adopt === true ? "adopt" : "none";
  const mayReplace =
    program.onImmutableChange === "replace" && definition.lifecycle.delete.remove !== undefined;
  const nothing = { holder: "nobody", origin: "unknown", match: "differs", mayReplace } as const;
  if (found === undefined)
    return { ...nothing, permission: isClaimed ? "adopt" : permission, place: "empty" };
  const object = nameOf(definition, found.id);
  const { resource } = ownerOf(program);
  // The one object of its kind that every project has is there for the program.
  if (isClaimed) {
    const isHeld = context.ownership.ownedBy(object, resource) === "another";
    return { ...nothing, permission: "adopt", place: "live", holder: isHeld ? "another" : "nobody" };
  }
  const gatherAs = async (holder: Evidence["holder"]): Promise<Gathered> => ({
    ...{ permission, mayReplace, holder },
    ...(comesBack(definition, found.live, program)
      ? await evidenceOfArchived(creating, found, holder)
      : await evidenceOfLive(creating, found)),
  });
  if (await isAnother(creating, found)) return gatherAs("nobody");
  const holder = holderIn(creating, object);
  const gathered = await gatherAs(holder);
  const isOpen = holder === "nobody" && resource !== undefined && decideClaim(gathered).act === "refuse";
  const isItsOwn = isOpen && (await context.isStored(resource, object, found.id));
  return isItsOwn ? gatherAs("itself") : gathered;
}

/** True where state has an object of this id for the resource, and the console has another one in its place. */
async function isAnother(creating: Creating, { id, live }: ExistingObject): Promise<boolean> {
  const { context, definition, program, lost } = creating;
  const object = nameOf(definition, id);
  if (context.ownership.isForeign(object)) return true;
  const { resource } = ownerOf(program);
  // After a lost answer, the other one is the object that this very create made.
  if (lost || resource === undefined || holderIn(creating, object) !== "itself") return false;
  const state = await context.storedState(resource, id);
  return state !== undefined && isSameObject(definition, state, live) === "other";
}

function holderIn({ context, program }: DeclaredObject, object: string): Evidence["holder"] {
  const { resource } = ownerOf(program);
  const holder = context.ownership.ownedBy(object, resource);
  // Told to replace a resource, Pulumi does not ask for its difference.
  const isItsOwn = resource !== undefined && context.isInState(resource, object);
  return holder === "nobody" && isItsOwn ? "itself" : holder;
}

type OfObject = Pick<Gathered, "place" | "origin" | "match" | "archiveReason" | "refusal">;

async function evidenceOfLive(creating: Creating, found: ExistingObject): Promise<OfObject> {
  const { context, definition, program } = creating;
  const candidate = { ...found, definition, program, idsOf: context.idsOf };
  const isEqual = equalsOwnCreate(candidate);
  const takes = takesOver(program);
  const refusal = takes ? refusalOfBecoming(definition, found, program) : undefined;
  const isStuck = takes && (refusal ?? replacingNames(definition, found.live, program)[0]) !== undefined;
  const match = isStuck ? "stuck" : isEqual && !takes ? "equal" : "differs";
  const noted = originOf(candidate, creating, context.client.clockOffsetMs());
  // The person who runs this knows the fate of the resource that it was made for.
  const isOpen = noted === "unknown" || (noted === "renamed" && isEqual);
  const origin = isOpen && context.permissions.takeOver ? "claimed" : noted;
  const known = { place: "live", match, origin, refusal } as const;
  if (origin !== "this-stack" && origin !== "claimed") return known;
  const others = await context.journal.entriesOfOthers(objectLabel(definition, program));
  const isTheirs = others.some((other) => isOfOther(definition, found.id, other, creating));
  return isTheirs ? { ...known, origin: "another-stack" } : known;
}

async function evidenceOfArchived(
  creating: Creating,
  found: ExistingObject,
  holder: Evidence["holder"],
): Promise<OfObject> {
  const { definition, program } = creating;
  const becoming = argsForFreshObject(definition, program);
  const fixed = fixedChanges(definition, found.live, becoming);
  const refusal = refusalOfBecoming(definition, found, becoming);
  const isStuck = refusal !== undefined || fixed.some(({ name }) => becoming[name] !== undefined);
  const isFresh = () => equalsFreshObject(definition, found.live, program);
  const match = isStuck ? "stuck" : isFresh() ? "equal" : "differs";
  return { place: "archived", match, refusal, ...(await originOfArchived(creating, found, holder)) };
}

async function originOfArchived(
  { context, definition, program, entry, former = entry }: Creating,
  { id, live }: ExistingObject,
  holder: Evidence["holder"],
): Promise<Pick<Gathered, "origin" | "archiveReason">> {
  if (context.ownership.isArchivedHere(nameOf(definition, id))) return { origin: "archived-here" };
  const isNoted = former !== undefined && !["create", "adopt"].includes(former.did);
  if (isNoted && isLastChange({ definition, id, live, program }, former, context.client.clockOffsetMs()))
    return { origin: "archived-here" };
  // A program that takes it over need not know the archiver.
  if (takesOver(program)) return { origin: "unknown" };
  // State says that it was this resource's when it was archived, if it was not another stack's as well.
  const otherwise = holder === "itself" ? "archived-here" : "unknown";
  const archiveReason = await archiveReasonOf({ context, definition, id });
  const archiver = archiverIn(archiveReason ?? "");
  const stack = context.stack();
  if (archiver === undefined || stack === undefined) return { origin: otherwise, archiveReason };
  if (mayBeSameStack(archiver.stack, stack)) return { origin: "archived-here" };
  return { origin: archiver.keeps ? "kept-elsewhere" : otherwise, archiveReason };
}

/** The reason for which an object was archived, where the console shows it. */
async function archiveReasonOf({ context, definition, id }: ObjectHere): Promise<string | undefined> {
  const { read, delete: removal } = definition.lifecycle;
  if (read.how !== "get" || removal.archive?.takesReason !== true) return undefined;
  const { params } = routeTo(definition, read.route, id);
  const route = routeOf(definition, read.route);
  const asks = route.query?.includes("includeArchiveMetadata") ?? false;
  const query = asks ? { query: { includeArchiveMetadata: true } } : {};
  const answer = await context.client.item(route, { params, ...query }).catch(withoutAnswer(undefined));
  const { archiveReason } = answer ?? {};
  return typeof archiveReason === "string" ? archiveReason : undefined;
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
  return {
    program,
    state: { ...viewOf(definition, live), ...state, [managedMember]: clearableNames(definition) },
  };
}

/** Fields that a create sends to an object that it takes over; without the state in which one that comes back begins. */
export function takeoverChanges(
  definition: ResourceDefinition,
  { found, ...finding }: Pick<Finding, "claim" | "evidence" | "found">,
  args: JsonObject,
): Changes {
  const { live = {} } = found ?? {};
  const { program, state } = takeoverValues(definition, finding, live, args);
  const changes = changesOf(definition, objectValues(program, state, live));
  const states = finding.claim.act === "unarchive" ? stateNames(definition) : [];
  const isInitial = (name: string) => program[name] === definition.fields[name]?.traits.serverDefault;
  return kept(changes, (name) => !states.includes(name) || !isInitial(name));
}

/**
 * Values that count as applied to an object that exists already, among the fields whose live value is not compared: those that only a
 * create can say, whatever an object takes no more, and where a read shows a value, that value.
 */
function assumedValues(definition: ResourceDefinition, program: JsonObject, live: JsonObject): JsonObject {
  const names = fieldsWith(definition, ({ traits }) => traits.remembered === true);
  const isApplied = (name: string) => {
    const { fixed, startsAction } = definition.fields[name]?.traits ?? {};
    return fixed === true || startsAction === true || isClosed(definition, live);
  };
  return membersOf(names, (name) => (isApplied(name) ? program[name] : live[name]));
}
