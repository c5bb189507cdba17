import type { ObjectDefinition } from "../../provider/schema/define";
import type { JsonObject } from "../../provider/schema/json";
import type { Lifecycle, Route } from "../../provider/schema/verbs";
import type { Query } from "../http/pagination";
import type { World } from "../store/store";
import type { Outcome } from "./rules/outcomes";
import type { Switches } from "./rules/switches";

/** Time, ids and limits, which come from outside. */
export interface Ports {
  /** Milliseconds since 1970. */
  clock(): number;
  /** A new id of letters and digits that nothing else has. */
  makeId(): string;
  /** Milliseconds until a write of an id list is applied; 0: at once. */
  readonly idListDelayMs: number;
  /** Most ids of all id lists together. */
  readonly mostIds: number;
}

/** One request, as far as an operation may look at it. */
export interface Call {
  readonly world: World;
  readonly ports: Ports;
  readonly behaviour: Behaviour;
  readonly switches: Switches;
  readonly route: Route;
  /** The request's path with its prefix and without its query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Checked against the definition, by the API's names. */
  readonly body: unknown;
  /** The person whose key it has; left out for a machine's. */
  readonly author?: { readonly id: string; readonly email: string } | undefined;
  /** It asks to be held to review settings. */
  readonly respectsReviews?: boolean;
  /** It is a change that was reviewed. */
  readonly approved?: true;
  /** The operation of another route of the kind. */
  readonly operationOf?: (route: string) => Operation | undefined;
  /** It plants an object of a seed, to which the limits of a create do not apply. */
  readonly planting?: true;
}

/** Does what a route promises. */
export type Operation = (call: Call) => Outcome;

/** The names of the states that a kind goes through. */
export interface States {
  readonly on: string;
  readonly off: string;
  readonly archived: string;
}

/** Test of an item against a value of a query. */
export type ItemFilter = (item: JsonObject, value: string, world: World) => boolean;

/** Particularities of a kind inside the console; shared code reads them here and never asks which kind it is. */
export interface Behaviour {
  /** Kinds without a lifecycle are made by the console itself: programs only read them. */
  readonly definition: ObjectDefinition & { readonly lifecycle?: Lifecycle };
  readonly texts?: {
    /** The message of a 404, where it is not `<Title> not found.` */
    readonly missing?: string;
    /** The message of a 400 when the id or the name is taken, where it is not `Name is already in use`. */
    readonly taken?: string;
  };
  /** By the names of the definition's routes; what is left out has a default (default-operations.ts). */
  readonly operations?: Readonly<Record<string, Operation>>;
  readonly states?: States;
  /** Query parameter -> member of the item that it filters by, where the names differ; null: without effect here. */
  readonly filters?: Readonly<Record<string, string | null | ItemFilter>>;
  /** Query parameter -> members that are shown only when it is "true". */
  readonly onRequest?: Readonly<Record<string, readonly string[]>>;
  /** Brings an item that a body changed into its stored form; refuses what the console would refuse. */
  readonly settle?: (change: Change) => JsonObject;
  /** Refuses to replace or patch an item, beside what no archived one and no policy takes. */
  readonly refuseChange?: (call: Call, id: string, item: JsonObject) => void;
  /** Refuses to remove an item, such as one in use. */
  readonly refuseRemoval?: (call: Call, id: string, item: JsonObject) => void;
  /** Objects that an item refers to and that no field of the definition names (`refersTo`), such as `gate:checkout`. */
  readonly alsoRefersTo?: (item: JsonObject) => readonly string[];
  /** The members of an answer under the switches. */
  readonly shows?: (call: Call, item: JsonObject) => JsonObject;
  /** Members that follow from other objects; made anew for each answer. */
  readonly follows?: (call: Call, item: JsonObject) => JsonObject;
  /** Tells other objects of a new one. */
  readonly onAdd?: (world: World, id: string) => void;
  /** Does what has become due since the last request; every operation comes after it, and is a write. */
  readonly catchUp?: (call: Call) => void;
  /** Starts what a create by a request sets off. */
  readonly onCreate?: (call: Call, after: JsonObject) => void;
  /** Tells other objects of a change. */
  readonly onChange?: (call: Call, before: JsonObject, after: JsonObject) => void;
  /** Removes what is stored beside an item, and tells other objects. */
  readonly onRemove?: (call: Call, id: string) => void;
  /** Member -> values that no body may say and a seed may, because only the console itself sets them. */
  readonly ownValues?: Readonly<Record<string, readonly unknown[]>>;
  /**
   * Makes an object of a seed's entry, where no create would make it so: only the console makes such objects, or generates what
   * leads to them. Left out: as it is, under its id.
   */
  readonly planted?: (entry: JsonObject, ports: Ports) => { readonly id: string; readonly item: JsonObject };
  /** Takes the members of a seed that no body takes. */
  readonly onSeed?: (call: Call, id: string, entry: JsonObject) => void;
}

/** A write on its way into the world. */
export interface Change extends Pick<Call, "ports" | "switches" | "planting"> {
  /** The item before; undefined at creation. */
  readonly before: JsonObject | undefined;
  /** Members of the body. */
  readonly sent: JsonObject;
  /** The item with the body's members on it. */
  readonly after: JsonObject;
}
