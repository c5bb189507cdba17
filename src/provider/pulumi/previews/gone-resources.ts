import type { JournalEntry } from "../../engine";
import { consoleMember, managedMember, selfMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { expectedId, type Identity } from "../../schema/object-id";
import { idsUsedIn, type UsedBy } from "../../schema/used-by";
import type { OnDelete } from "../../schema/verbs";
import type { EndOptions } from "../runs/exported-state";
import type { StackState, StoredResource } from "../runs/stack-state";

/** What must be known of a kind to say what becomes of its objects. */
export interface RemovalFacts {
  /** The kind's name in stored provider texts. */
  readonly name: string;
  /** As in a sentence: "dynamic config". */
  readonly title: string;
  /** Arguments that decide which object is meant; none where a kind has no names of its own. */
  readonly identity: readonly string[];
  /** What destroy does when the program does not say. */
  readonly onDelete: OnDelete;
  /** The ways to go from which no object comes back. */
  readonly final: readonly OnDelete[];
  /** What may use an object, and the ways to go that are refused while it does. */
  readonly usedBy?: UsedBy & { readonly ways: readonly OnDelete[] };
  /** How an object comes by its id; left out: its identity is its id. */
  readonly naming?: Identity;
  /** Names of options that it takes. */
  readonly options?: readonly string[];
  /** A field, and the values of it that an object does not have again once it was archived: it ends. */
  readonly ends?: { readonly field: string; readonly values: readonly string[] };
}

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
  /** What this preview knows of its outputs. */
  readonly outputs: JsonObject;
}

/** An object that the console has, whoever made it. */
export interface LiveObject {
  /** The kind's name in stored provider texts. */
  readonly kind: string;
  readonly id: string;
  readonly values: JsonObject;
}

/** What the notices of a preview are made from. */
export interface PreviewFacts {
  readonly declared: readonly DeclaredResource[];
  readonly state: StackState;
  /** By Pulumi type. */
  readonly kinds: ReadonlyMap<string, RemovalFacts>;
  /** Types of components whose parts other processes declare. */
  readonly remote: ReadonlySet<string>;
  /** Digests of the consoles that the settings lead to; left out: that cannot be told. */
  readonly consoles?: ReadonlySet<string> | undefined;
  /** What the console has of kinds that may use what is deleted, where their lists were read. */
  readonly live?: readonly LiveObject[] | undefined;
  /** Journal entries of other stacks that took over what is gone, by URN. */
  readonly takers?: ReadonlyMap<string, JournalEntry> | undefined;
  /** Options of Pulumi by which resources of the state end, by URN; left out: nobody could tell. */
  readonly endOptions?: ReadonlyMap<string, EndOptions> | undefined;
  /** URNs, and former ones, of all that the program declares, also of other packages. Left out: the same as `declared`. */
  readonly present?: ReadonlySet<string> | undefined;
}

/** Why an object stays in the console although its resource goes. */
export type KeptBy =
  | { readonly option: "onDelete" | "retainOnDelete" }
  /** `urn`: of the resource with which it goes. `how`: what its delete would have done. */
  | { readonly option: "deletedWith"; readonly urn: string; readonly how: OnDelete };

/** A resource that state has and the program does not declare any more. */
export interface GoneResource extends StoredResource {
  readonly urn: string;
  readonly facts: RemovalFacts;
  /** What a delete does. */
  readonly how: OnDelete;
  /** The option of the program that keeps the object, where one does. */
  readonly kept?: KeptBy;
  /** Resources of the program that mean the same object. */
  readonly successors: readonly DeclaredResource[];
}

/** What state has of this package's kinds and the program does not. What has moved under an alias is not gone. */
export function goneResources(facts: PreviewFacts): GoneResource[] {
  const { declared, state, kinds, remote, consoles } = facts;
  const kept = new Set(declared.flatMap(({ urn, aliases }) => [urn, ...aliases]));
  const own = declared.filter(({ isRead }) => !isRead);
  // An alias that a component passes on shows only in that the resource has a state.
  const moved = own.filter(({ urn, isStored }) => isStored && !state.has(urn));
  const successors = new Map<string, DeclaredResource[]>();
  for (const resource of own) {
    const object = objectOf(kinds, resource);
    if (object !== undefined) successors.set(object, [...(successors.get(object) ?? []), resource]);
  }
  return [...state].flatMap(([urn, stored]) => {
    const kind = kinds.get(stored.type);
    if (kind === undefined || kept.has(urn) || wasRead(stored) || isMadeElsewhere(urn, remote)) return [];
    if (consoles !== undefined && isElsewhere(stored, consoles)) return [];
    const object = objectOf(kinds, stored);
    const hasMoved = moved.some(
      (resource) => resource.type === stored.type && [undefined, object].includes(objectOf(kinds, resource)),
    );
    if (hasMoved) return [];
    const keeper = keptBy(facts, urn, stored, kind);
    return [
      {
        ...{ ...stored, urn, facts: kind, successors: successors.get(object ?? "") ?? [] },
        how: keeper === undefined ? onDeleteIn(stored, kind) : "retain",
        ...(keeper === undefined ? {} : { kept: keeper }),
      },
    ];
  });
}

function onDeleteIn({ outputs }: StoredResource, kind: RemovalFacts): OnDelete {
  return (outputs.onDelete as OnDelete | undefined) ?? kind.onDelete;
}

/** Pulumi asks no provider about an object that its own options keep. */
function keptBy(
  { declared, state, remote, endOptions, present }: PreviewFacts,
  urn: string,
  stored: StoredResource,
  kind: RemovalFacts,
): KeptBy | undefined {
  const { retainOnDelete, deletedWith } = endOptions?.get(urn) ?? {};
  const how = onDeleteIn(stored, kind);
  if (retainOnDelete === true) return { option: "retainOnDelete" };
  if (how === "retain") return stored.outputs.onDelete === "retain" ? { option: "onDelete" } : undefined;
  // Of one that is gone long since, Pulumi keeps nothing.
  if (deletedWith === undefined || !state.has(deletedWith) || isMadeElsewhere(deletedWith, remote))
    return undefined;
  const isThere = present?.has(deletedWith) ?? declared.some((one) => one.urn === deletedWith);
  return isThere ? undefined : { option: "deletedWith", urn: deletedWith, how };
}

/** True for an object that cannot go in its way while something that stays uses it. */
export function isGuarded({ facts, how, successors, outputs }: GoneResource): boolean {
  const isForced = outputs.forceDelete === true || outputs.forceArchive === true;
  return facts.usedBy?.ways.includes(how) === true && successors.length === 0 && !isForced;
}

/** True for an object that its delete ends, in a state that it cannot come back to. */
export function isEnded({ facts: { ends }, how, successors, outputs }: GoneResource): boolean {
  return (
    how === "archive" &&
    successors.length === 0 &&
    ends?.values.includes(String(outputs[ends.field])) === true
  );
}

/** The id by which others name it. */
export function idOf({ facts: { naming, identity }, outputs }: GoneResource): string {
  const id = naming === undefined ? undefined : expectedId({ identity: naming }, outputs);
  return id ?? String(outputs[identity[0] ?? ""]);
}

/** True for an object that state says is in another console. */
export function isElsewhere({ outputs }: StoredResource, consoles: ReadonlySet<string>): boolean {
  const stored = outputs[consoleMember];
  return typeof stored === "string" && !consoles.has(stored);
}

/**
 * Titles of what uses an object of the kind and stays, by the object's id: by what the program says now; by state, of
 * what is left in the console; and of what is not of this stack, as the console has it.
 */
export function usersOf(
  { usedBy }: RemovalFacts,
  gone: readonly GoneResource[],
  { declared, state, kinds, live = [] }: PreviewFacts,
): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>();
  if (usedBy === undefined) return users;
  const note = (title: string, values: JsonObject) => {
    for (const id of idsUsedIn(values, usedBy)) users.set(id, (users.get(id) ?? new Set()).add(title));
  };
  for (const { type, outputs } of [...declared, ...gone.filter(({ how }) => how === "retain")]) {
    const kind = kinds.get(type);
    if (kind !== undefined && usedBy.kinds.includes(kind.name)) note(titleOf(kind, outputs), outputs);
  }
  const made = [
    ...declared.filter(({ isRead }) => !isRead),
    ...[...state.values()].filter((one) => !wasRead(one)),
  ];
  const ours = new Set(made.map((one) => objectOf(kinds, one)));
  for (const { kind: name, id, values } of live) {
    const [type, kind] = [...kinds].find(([, { name: known }]) => known === name) ?? [];
    if (type === undefined || kind === undefined) continue;
    const outputs = { [kind.identity[0] ?? ""]: id };
    if (!ours.has(objectOf(kinds, { type, outputs }))) note(titleOf(kind, outputs), values);
  }
  return users;
}

/** `gate "checkout"`; of a kind without names of its own, the title. */
export function titleOf({ title, identity: [name] }: RemovalFacts, outputs: JsonObject): string {
  return name === undefined ? title : `${title} "${String(outputs[name])}"`;
}

/** What tells an object from every other one; undefined while that is not known. */
function objectOf(
  kinds: PreviewFacts["kinds"],
  { type, outputs }: Pick<StoredResource, "type" | "outputs">,
): string | undefined {
  const values = (kinds.get(type)?.identity ?? []).map((name) => outputs[name]);
  const isKnown = values.length > 0 && values.every((value) => typeof value === "string");
  return isKnown ? JSON.stringify([type, ...values]) : undefined;
}

/** What `get` has read is forgotten, and nothing happens to it. Early versions did not tell resources apart. */
function wasRead({ outputs }: StoredResource): boolean {
  const managed = outputs[managedMember];
  return outputs[selfMember] === undefined && !(Array.isArray(managed) && managed.length > 0);
}

/** Part of a component that runs in a process of its own, which declares its parts there. */
function isMadeElsewhere(urn: string, remote: ReadonlySet<string>): boolean {
  const parents = (urn.split("::")[2] ?? "").split("$").slice(0, -1);
  return parents.some((parent) => remote.has(parent));
}
