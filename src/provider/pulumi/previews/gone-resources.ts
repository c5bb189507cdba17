import {
  isKeptWhileUsed,
  type JournalEntry,
  nameOf,
  objectLabel,
  type PossibleUser,
  usersById,
} from "../../engine";
import type { ResourceDefinition } from "../../schema/define";
import { managedMember, selfMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { keptIn } from "../../schema/memoized";
import { expectedId, idArguments, programId } from "../../schema/object-id";
import { urnParts } from "../../schema/urn";
import type { OnDelete } from "../../schema/verbs";
import { endedInArchive } from "../../values/machine";
import { onDeleteOf } from "../../values/options";
import type { StoredObject } from "../runs/exported-state";
import { kindOfType } from "../runs/kind-of-type";
import type { StackState, StoredResource } from "../runs/stack-state";
import { isInNone } from "./known-consoles";

/** A resource of the program. */
export interface DeclaredResource {
  readonly urn: string;
  readonly type: string;
  /** State has it, and it is not replaced. With an alias that is so although state does not have its URN. */
  readonly isStored: boolean;
  /** It is only read, with `get`. */
  readonly isRead: boolean;
  /** The program says that it takes over an object that exists. */
  readonly takesOver: boolean;
  /** URNs that it may have had. */
  readonly aliases: readonly string[];
  /** Outputs that this preview knows. */
  readonly outputs: JsonObject;
}

/** Sources of the notices of a preview. */
export interface PreviewFacts {
  readonly declared: readonly DeclaredResource[];
  readonly state: StackState;
  /** Types of components whose parts other processes declare. */
  readonly remote: ReadonlySet<string>;
  /** Digests of the consoles that the settings lead to; left out: nobody can tell. */
  readonly consoles?: ReadonlySet<string> | undefined;
  /** Objects in use of kinds that may use what goes, where their lists were read. */
  readonly live?: readonly PossibleUser[] | undefined;
  /** URNs of resources whose objects the console does not have in use any more, of those that another resource means by now. */
  readonly absent?: ReadonlySet<string> | undefined;
  /** Journal entries of other stacks that took over what is gone, by URN. */
  readonly takers?: ReadonlyMap<string, JournalEntry> | undefined;
  /** Options of Pulumi by which resources of the state end, by URN; left out: nobody could tell. */
  readonly endOptions?: ReadonlyMap<string, Pick<StoredObject, "isRetained" | "deletedWith">> | undefined;
  /** URNs, and former ones, of all that the program declares, also of other packages. Left out: the same as `declared`. */
  readonly present?: ReadonlySet<string> | undefined;
}

/** The reason why an object stays in the console although its resource goes. */
type KeptBy =
  | { readonly option: "onDelete" | "retainOnDelete" }
  /** `urn`: of the resource with which it goes. `how`: the act that its delete would have been. */
  | { readonly option: "deletedWith"; readonly urn: string; readonly how: OnDelete };

/** A resource that state has and the program does not declare any more. */
export interface GoneResource extends StoredResource {
  readonly urn: string;
  readonly definition: ResourceDefinition;
  /** `gate "checkout"`. */
  readonly label: string;
  /** The act of a delete. */
  readonly how: OnDelete;
  /** The option of the program that keeps the object, where one does. */
  readonly kept?: KeptBy | undefined;
  /** Resources of the program that mean the same object. */
  readonly successors: readonly DeclaredResource[];
}

/** The resources of a state that the program does not declare any more, and whose objects its update would touch or forget. */
export function goneResources(facts: PreviewFacts): GoneResource[] {
  const { declared, state, remote, consoles } = facts;
  const kept = new Set(declared.flatMap(({ urn, aliases }) => [urn, ...aliases]));
  const own = declared.filter(({ isRead }) => !isRead);
  // An alias that a component passes on shows only in that the resource has a state.
  const moved = own.filter(({ urn, isStored }) => isStored && !state.has(urn));
  const successors = Map.groupBy(own, objectOf);
  return [...state].flatMap(([urn, stored]) => {
    const definition = kindOfType(stored.type);
    if (definition === undefined || kept.has(urn) || wasRead(stored) || isMadeElsewhere(urn, remote))
      return [];
    if (consoles !== undefined && isInNone(consoles, stored)) return [];
    const object = objectOf(stored);
    const hasMoved = moved.some(
      (one) => kindOfType(one.type) === definition && [undefined, object].includes(objectOf(one)),
    );
    if (hasMoved) return [];
    const keeper = keptBy(facts, urn, stored, definition);
    return [
      {
        ...{ ...stored, urn, definition, label: objectLabel(definition, stored.outputs), kept: keeper },
        successors: (object === undefined ? undefined : successors.get(object)) ?? [],
        how: keeper === undefined ? onDeleteOf(definition, stored.outputs) : "retain",
      },
    ];
  });
}

/** Pulumi asks no provider about an object that its own options keep. */
function keptBy(
  { declared, state, remote, endOptions, present }: PreviewFacts,
  urn: string,
  { outputs }: StoredResource,
  definition: ResourceDefinition,
): KeptBy | undefined {
  const { isRetained, deletedWith } = endOptions?.get(urn) ?? {};
  const how = onDeleteOf(definition, outputs);
  if (isRetained === true) return { option: "retainOnDelete" };
  if (how === "retain") return outputs.onDelete === "retain" ? { option: "onDelete" } : undefined;
  // Of one that is gone long since, Pulumi keeps nothing.
  if (deletedWith === undefined || !state.has(deletedWith) || isMadeElsewhere(deletedWith, remote))
    return undefined;
  const isThere = present?.has(deletedWith) ?? declared.some((one) => one.urn === deletedWith);
  return isThere ? undefined : { option: "deletedWith", urn: deletedWith, how };
}

/** True for an object that cannot go in its way while something that stays uses it. */
export function isGuarded({ definition, how, successors, outputs }: GoneResource): boolean {
  return successors.length === 0 && isKeptWhileUsed(definition, how, outputs);
}

/** The state of an object that its delete ends, from which nothing starts it again; undefined for any other object. */
export function endedState({ definition, how, successors, outputs }: GoneResource): string | undefined {
  return how === "archive" && successors.length === 0 ? endedInArchive(definition, outputs) : undefined;
}

/**
 * Finds the labels of the objects that use a gone one and stay: by the arguments of the program now; and of other objects, also of those
 * that are left in the console, as the console has them. None where the console does not have the gone one in use any more.
 */
export function findUsers(
  gone: readonly GoneResource[],
  { declared, state, live, takers }: PreviewFacts,
): (used: GoneResource) => string[] {
  const staying = declared.flatMap(({ type, outputs }) => {
    const definition = kindOfType(type);
    return definition === undefined ? [] : [{ definition, id: idOf(definition, outputs), values: outputs }];
  });
  const left = new Set(gone.flatMap(({ urn, how }) => (how === "retain" || takers?.has(urn) ? [urn] : [])));
  const stored = [...state].flatMap(([urn, one]) => (wasRead(one) || left.has(urn) ? [] : [one]));
  const ours = new Set([...declared.filter(({ isRead }) => !isRead), ...stored].map(objectOf));
  const others = (live ?? []).filter((one) => !ours.has(nameOf(one.definition, one.id)));
  const found = new Map<ResourceDefinition, ReturnType<typeof usersById>>();
  return ({ definition, outputs }) => {
    const { keptWhileUsed } = definition.lifecycle.delete;
    if (keptWhileUsed === undefined) return [];
    const id = idOf(definition, outputs);
    const isListed = live !== undefined && keptWhileUsed.kinds.includes(definition.name);
    if (isListed && !live.some((one) => one.definition === definition && one.id === id)) return [];
    const users = () => usersById(definition, keptWhileUsed, [...staying, ...others]);
    return [...(keptIn(found, definition, users).get(id) ?? [])];
  };
}

/** The id by which others name an object, as far as its arguments show it. */
function idOf(definition: ResourceDefinition, outputs: JsonObject): string {
  return expectedId(definition, outputs) ?? String(programId(definition, outputs));
}

/** An object that can have only one resource, as `gate "checkout"`; undefined while its id is not known. */
function objectOf({ type, outputs }: Pick<StoredResource, "type" | "outputs">): string | undefined {
  const definition = kindOfType(type);
  if (definition?.lifecycle.create.how !== "send") return undefined;
  const names = idArguments(definition);
  const isKnown = names.length > 0 && names.every((name) => typeof outputs[name] === "string");
  return isKnown ? nameOf(definition, idOf(definition, outputs)) : undefined;
}

/** Pulumi forgets a resource of `get`, and nothing happens to its object. Early versions did not tell resources apart. */
function wasRead({ outputs }: StoredResource): boolean {
  const managed = outputs[managedMember];
  return outputs[selfMember] === undefined && !(Array.isArray(managed) && managed.length > 0);
}

/** Part of a component that runs in a process of its own, which declares its parts there. */
function isMadeElsewhere(urn: string, remote: ReadonlySet<string>): boolean {
  return urnParts(urn).parents.some((parent) => remote.has(parent));
}
