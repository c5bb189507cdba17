import type { z } from "zod";
import type { JsonObject } from "./json";
import type { LimitName } from "./limits";

/** HTTP methods that the console uses. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a successful answer carries: one object, a page of objects, or a message alone. */
export type Answer = "item" | "items" | "message";

/** A body made of the kind's own fields, by their names here. */
export interface FieldsBody {
  /** Every input field but these. */
  readonly except?: readonly string[];
  /** Only these input fields. */
  readonly only?: readonly string[];
  readonly requires?: readonly string[];
  /** Fields that must be absent; the console answers 400 to them. */
  readonly refuses?: readonly string[];
  /** Fields that this route takes in another form than reads show: not sent, but settled by an update. */
  readonly otherForm?: Readonly<Record<string, z.ZodType>>;
}

/** A body with a schema of its own, in the API's names. */
export interface OwnBody {
  readonly schema: z.ZodType;
}

/** One operation of the API. */
export interface Route {
  /** Number of the specified operation, 1–20; a route without one is a published operation. */
  readonly op?: number;
  readonly method: Method;
  /** Below `/console/v1`; parameters in braces. */
  readonly path: string;
  /** Status of a success as published; 200 when left out. */
  readonly status?: number;
  readonly answers: Answer;
  /** Kind name of the objects in the answer, where it is not the route's own kind. */
  readonly of?: string;
  readonly body?: FieldsBody | OwnBody;
  /** Query parameters beside `limit` and `page`. */
  readonly query?: readonly string[];
  /** The body, or the query, takes `dryRun: true`: validated and answered, nothing stored. */
  readonly dryRun?: true | "query";
  /** A read of what is not there may answer 400 with a text that says so, instead of 404. */
  readonly absentAs400?: true;
  /** The write limit that it counts against beside that of the project. */
  readonly limit?: Exclude<LimitName, "project">;
  readonly doc: string;
}

/** What a route may have beside its method, path, answer and doc. */
type RouteRest = Omit<Route, "method" | "path" | "answers" | "doc">;

/** Declares an operation on one line. */
export function route<const A extends Answer, const R extends RouteRest = object>(
  method: Method,
  path: string,
  answers: A,
  doc: string,
  rest?: R,
): { method: Method; path: string; answers: A; doc: string } & R {
  return { method, path, answers, doc, ...(rest as R) };
}

/** How an object comes into being. */
export type CreateStrategy =
  | {
      readonly how: "send";
      readonly route: string;
      /**
       * "refused": the console answers 400 to a taken key, so nothing needs to be looked up first.
       * "unstated": nothing is known about a second create, or it makes a second object; look before sending.
       */
      readonly duplicates: "refused" | "unstated";
    }
  /** The project always has exactly one: creating it is taking it over. `id`: what Pulumi knows it by. */
  | { readonly how: "claim"; readonly id: string; readonly why: string }
  /** An action: carried out once, and again when an argument changes. */
  | RunStrategy;

/** How an action is carried out. */
export interface RunStrategy {
  readonly how: "run";
  readonly route: string;
  /** Parameter of the path -> argument that fills it. */
  readonly params: Readonly<Record<string, string>>;
  /** Tells that it was carried out already: the read shows, in this list, an entry with these members. */
  readonly done?: {
    readonly route: string;
    readonly list: string;
    /** Member -> value, or argument in braces. */
    readonly where: Readonly<Record<string, string>>;
  };
  readonly stages?: Stages;
}

/** Where an object stands on its way, told when the console refuses an action on it. The read of `done` shows it. */
export interface Stages {
  /** As in a sentence, plural: "phases". */
  readonly title: string;
  /** Its members that say how it is, and the id and name of the stage that it is in. */
  readonly status: string;
  readonly current: { readonly id: string; readonly name: string };
  /** All stages, with `id` and `name`: a list in the answer of this route, whose path is filled by members of the read. */
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  readonly list: string;
  /** The argument that has to be the id of the current one. */
  readonly argument?: string;
}

/** How the live object is read. */
export type ReadStrategy =
  /** `list` is absent where there is one object only. `listShowsLess`: its objects lack fields that the route shows. */
  | { readonly how: "get"; readonly route: string; readonly list?: string; readonly listShowsLess?: true }
  | { readonly how: "fromList"; readonly list: string; readonly why: string }
  /** There is nothing to read: state is all there is. */
  | { readonly how: "remember"; readonly why: string };

/** How much of an object can change in a state: everything, all but what is `locked`, or nothing. */
export type Openness = "all" | "most" | "none";

/** An action that leads from one state to another. */
export interface Move {
  readonly from: readonly string[];
  readonly to: string;
  readonly route: string;
  /** Member of the body -> argument that it is made of. */
  readonly body?: Readonly<Record<string, string>>;
  /** Arguments without which the console refuses it. */
  readonly needs?: readonly string[];
  /** Option without which it is never made, because something is lost. */
  readonly option?: string;
}

/** Names of elements that are switched by routes of their own. */
export interface Switch {
  /** The argument that lists the names of the elements for which `member` is true. */
  readonly field: string;
  readonly of: string;
  readonly member: string;
  readonly on: string;
  readonly off: string;
  /** Member of the body that takes the names. */
  readonly body: string;
}

/** States, what can be changed in each, and the actions that lead from one to the next. */
export interface Machine {
  readonly how: "machine";
  readonly field: string;
  /** Where every object begins. */
  readonly initial: string;
  /** `says` completes "the experiment ...". */
  readonly states: Readonly<Record<string, { readonly edits: Openness; readonly says: string }>>;
  readonly moves: readonly Move[];
  /** Route that changes fields. */
  readonly edit: string;
  /** Fields that change in a state of openness "all" only. */
  readonly locked: readonly string[];
  readonly switches: readonly Switch[];
  /** Options that moves ask for, with what is lost. */
  readonly options: Readonly<Record<string, { readonly doc: string; readonly loses: string }>>;
  /** The states to which an archived object can come back, and the one to which this one does. */
  readonly restored: { readonly to: readonly string[]; readonly of: (live: JsonObject) => string };
}

/** Elements of a list that have routes of their own, for a change that concerns one of them and nothing else. */
export interface ElementsStrategy {
  readonly how: "elements";
  readonly field: string;
  /** Member of a live element that its routes are addressed by. */
  readonly id: string;
  /** Appends one. Absent: the API cannot. */
  readonly add?: string;
  readonly patch: string;
  readonly remove: string;
}

/** A set of ids: what was added and removed, in chunks. */
export interface IdsStrategy {
  readonly how: "ids";
  readonly field: string;
  readonly when: { readonly field: string; readonly is: string };
  readonly add: string;
  readonly remove: string;
  /** Route that reads the ids, and the member that holds them. Absent: they cannot be read. */
  readonly read?: { readonly route: string; readonly member: string };
  /** Route and member that say whether an earlier write is still being applied. */
  readonly busy?: { readonly route: string; readonly member: string };
  /** Most ids in one request. */
  readonly chunk: number;
  /** Replaces all ids in one request, in one piece up to so many. */
  readonly reset?: { readonly route: string; readonly most: number };
  /** Where no read shows the ids: the argument that names those to be removed, of which state knows hashes only. */
  readonly removed?: string;
}

/** A part of an update; parts are taken in the order in which a definition lists them. */
export type UpdateStrategy =
  | ElementsStrategy
  /** Changed fields that the route accepts, in one request. */
  | { readonly how: "patch"; readonly route: string }
  /**
   * The whole object, when one of `when` changed, which a lesser route refuses; without `when`, whatever changed: there
   * is no lesser route.
   */
  | { readonly how: "put"; readonly route: string; readonly when?: readonly string[] }
  /** The bare value of one field. `wrapOn400`: member name under which it is sent again when refused bare. */
  | { readonly how: "value"; readonly route: string; readonly field: string; readonly wrapOn400?: string }
  | IdsStrategy
  /** A state reached by an action: wanted value -> route. */
  | {
      readonly how: "move";
      readonly field: string;
      readonly to: Readonly<Record<string, string>>;
      /** Only while the live object is in this state. */
      readonly when?: { readonly field: string; readonly is: string };
    }
  /** Everything at once, in the order that the states of the object ask for. */
  | Machine;

/** What destroy does when the program does not say `onDelete`. */
export type OnDelete = "archive" | "delete" | "retain";

/** Kinds whose objects may ask for one, in conditions of these types, or by its id in these fields. */
export interface AskedBy {
  readonly kinds: readonly string[];
  readonly conditions: readonly string[];
  readonly fields?: readonly string[];
}

/** What destroy can do. */
export interface DeleteStrategy {
  /**
   * Absent where the API has no delete; `why` then says so. `askedBy`: what the API lets go even while others ask for it;
   * they are looked for first.
   */
  readonly remove?: { readonly route: string; readonly askedBy?: AskedBy };
  readonly why?: string;
  /**
   * Present where the API can archive. The body takes `archiveReason`, `forceArchive`. `users`: the lists of what may
   * refer to an object, without which nobody can say whom force would hurt.
   */
  readonly archive?: {
    readonly route: string;
    readonly takesReason?: true;
    readonly takesForce?: true;
    readonly users?: readonly string[];
  };
  readonly whenSilent: OnDelete;
}

/** How an archived object is told and brought back. */
export interface ArchiveState {
  readonly field: string;
  readonly is: string;
  readonly undo: string;
}

/** The five verbs of a managed kind. */
export interface Lifecycle {
  readonly create: CreateStrategy;
  readonly read: ReadStrategy;
  readonly update: readonly UpdateStrategy[];
  readonly delete: DeleteStrategy;
  readonly archived?: ArchiveState;
}
