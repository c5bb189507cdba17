import type { z } from "zod";
import type { JsonObject } from "./json";
import type { Reviews } from "./reviews";
import type { Stages, Staging } from "./stages";
import type { UsedBy } from "./used-by";
import type { LimitName } from "./write-limits";

/** HTTP methods that the console uses. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Content of a successful answer: one object, a page of objects, or a message alone. */
export type Answer = "item" | "items" | "message";

/** A body made of the kind's own fields, by their names here. */
export interface FieldsBody<F extends string = string> {
  /** Every input field but these. */
  readonly except?: readonly F[];
  /** Only these input fields. */
  readonly only?: readonly F[];
  readonly requires?: readonly F[];
  /** Fields that must be absent; the console answers 400 to them. */
  readonly refuses?: readonly F[];
  /** Fields that this route takes in another form than reads show: not sent, but brought about by an update. */
  readonly otherForm?: Readonly<Record<string, z.ZodType>>;
}

/** A body with a schema of its own, in the API's names. */
export interface OwnBody {
  readonly schema: z.ZodType;
}

/** One operation of the API. `F`: names of the fields of its kind. */
export interface Route<F extends string = string> {
  /** Number of the specified operation, 1–20; a route without one is a published operation. */
  readonly op?: number;
  readonly method: Method;
  /** Below `/console/v1`; parameters in braces. */
  readonly path: string;
  /** Status of a success as published; 200 when left out. */
  readonly status?: number;
  readonly returns: Answer;
  /** Kind name of the objects in the answer, where it is not the route's own kind. */
  readonly returnsKind?: string;
  readonly body?: FieldsBody<F> | OwnBody;
  /** Query parameters beside `limit` and `page`. */
  readonly query?: readonly string[];
  /** The body, or the query, takes `dryRun: true`: validated and answered, nothing stored. */
  readonly dryRun?: true | "query";
  /** A read of what is not there may answer 400 with a text that says so, instead of 404. */
  readonly absentAs400?: true;
  /** A list of which there is nothing may answer 404. */
  readonly noneAs404?: true;
  /** The parameter of its path is a secret: no message shows it. */
  readonly secretPath?: true;
  /** The write limit that it counts against beside that of the project. */
  readonly limit?: Exclude<LimitName, "project">;
  readonly doc: string;
}

/** Optional parts of a route. */
type RouteRest = Omit<Route, "method" | "path" | "returns" | "doc">;

/** Declares an operation on one line. */
export function route<const P extends string, const A extends Answer, const R extends RouteRest = object>(
  method: Method,
  path: P,
  returns: A,
  doc: string,
  rest?: R,
): { method: Method; path: P; returns: A; doc: string } & NoInfer<R> {
  return { method, path, returns, doc, ...(rest as R) };
}

/** Creation of an object. Here and below `F` are names of fields of the kind, `R` names of its routes. */
export type CreateStrategy<F extends string = string, R extends string = string> =
  | {
      readonly how: "send";
      readonly route: R;
      /**
       * "refused": the console answers 400 to a taken key, so nothing needs to be read first.
       * "unstated": nothing is known about a second create, or it makes a second object; read before sending.
       */
      readonly duplicates: "refused" | "unstated";
      /**
       * It is a part of another object, whose id is its own, and there as long as that is: while it is empty it is free to be
       * filled. Answers show it without an id.
       */
      readonly fills?: true;
    }
  /**
   * There always is exactly one: creating it is taking it over. `mayBeUnread`: a read may find nothing before the first write, or
   * there is no read.
   */
  | { readonly how: "claim"; readonly why: string; readonly mayBeUnread?: true }
  /** An action: carried out once, and again when an argument changes. */
  | RunStrategy<F, R>;

/** Execution of an action. */
export interface RunStrategy<F extends string = string, R extends string = string> {
  readonly how: "run";
  readonly route: R;
  /** Parameter of the path -> argument that fills it. */
  readonly params: Readonly<Record<string, F>>;
  /** Tells that it was carried out already: the read shows these members, or an entry of this list does. */
  readonly done?: {
    readonly route: R;
    readonly list?: string;
    /** Member -> value, or argument in braces; of several values it has one. */
    readonly where: Readonly<Record<string, string | readonly string[]>>;
  };
  /** Advice about a refusal, in a sentence. */
  readonly advice?: string;
  readonly stages?: Stages<F, R>;
}

/** Read of the live object. */
export type ReadStrategy<R extends string = string> =
  /** `list` is absent where there is one object only. `listShowsLess`: its objects lack fields that the route shows. */
  | {
      readonly how: "get";
      readonly route: R;
      readonly list?: R;
      readonly listShowsLess?: true;
      /** Mark of an object that is gone for good. Member of an answer and its value. */
      readonly gone?: { readonly field: string; readonly is: string };
      /** Name of the kind whose object of the same id has these: a 404 means that it has none, unless that object is gone. */
      readonly noneOf?: string;
    }
  | { readonly how: "fromList"; readonly list: R; readonly why: string }
  /** There is nothing to read: state is all there is. */
  | { readonly how: "remember"; readonly why: string };

/** Openness of an object to changes in a state: everything, all but what is `locked`, or nothing. */
export type Openness = "all" | "most" | "none";

/** An action that leads from one state to another. */
export interface Move<F extends string = string, R extends string = string> {
  readonly from: readonly string[];
  readonly to: string;
  readonly route: R;
  /** Member of the body -> argument that it is made of. */
  readonly body?: Readonly<Record<string, F | "archiveReason">>;
  /** Arguments without which the console refuses it. */
  readonly needs?: readonly F[];
  /** Option without which it is never made, because something is lost. */
  readonly option?: string;
}

/** Names of elements that are switched by routes of their own. */
export interface Switch<F extends string = string, R extends string = string> {
  /** The argument that lists the names of the elements for which `member` is true. */
  readonly field: F;
  readonly of: F;
  readonly member: string;
  readonly on: R;
  readonly off: R;
  /** Member of the body that takes the names. */
  readonly body: string;
}

/** States, what can be changed in each, and the actions that lead from one to the next. */
export interface Machine<F extends string = string, R extends string = string> {
  readonly how: "machine";
  readonly field: F;
  /** First state of every object. */
  readonly initial: string;
  /** `says` completes "the experiment ...". */
  readonly states: Readonly<Record<string, { readonly edits: Openness; readonly says: string }>>;
  readonly moves: readonly Move<F, R>[];
  /** Route that changes fields. */
  readonly edit: R;
  /** Fields that change in a state of openness "all" only. */
  readonly locked: readonly F[];
  readonly switches: readonly Switch<F, R>[];
  /** Options that moves ask for, with what is lost. */
  readonly options: Readonly<Record<string, { readonly doc: string; readonly loses: string }>>;
  /** The states to which an archived object can come back, and the one to which this one does. */
  readonly restored: { readonly to: readonly string[]; readonly of: (live: JsonObject) => string };
}

/** Elements of a list that have routes of their own, for a change that concerns one of them and nothing else. */
export interface ElementsStrategy<F extends string = string, R extends string = string> {
  readonly how: "elements";
  readonly field: F;
  /** Member of a live element that its routes are addressed by. */
  readonly id: string;
  /** Appends one. Absent: the API cannot. */
  readonly add?: R;
  readonly patch: R;
  readonly remove: R;
}

/** A set of ids: what was added and removed, in chunks. */
export interface IdsStrategy<F extends string = string, R extends string = string> {
  readonly how: "ids";
  readonly field: F;
  readonly when: { readonly field: F; readonly is: string };
  readonly add: R;
  readonly remove: R;
  /** Route that reads the ids, and the member that holds them. Absent: they cannot be read. */
  readonly read?: { readonly route: R; readonly member: string };
  /** Route and member that say whether an earlier write is still being applied. */
  readonly busy?: { readonly route: R; readonly member: string };
  /** Most ids in one request. */
  readonly chunk: number;
  /** Replaces all ids in one request, in one piece up to so many. */
  readonly reset?: { readonly route: R; readonly most: number };
  /** Argument with the ids to remove, for a list whose ids no read shows: state has only their hashes. */
  readonly removed?: F;
}

/** Another secret in the place of the one that leads to an object, when the field changes. */
export interface RotateStrategy<F extends string = string, R extends string = string> {
  readonly how: "rotate";
  readonly field: F;
  readonly route: R;
  /** The field that says that the old one stays: then the create route makes another object. */
  readonly keep: { readonly field: F; readonly is: string };
}

/** A part of an update; parts are taken in the order in which a definition lists them. */
export type UpdateStrategy<F extends string = string, R extends string = string> =
  | ElementsStrategy<F, R>
  /** Changed fields that the route accepts, in one request. */
  | { readonly how: "patch"; readonly route: R }
  /**
   * The whole object, when one of `when` changed, which a lesser route refuses; without `when`, whatever changed: there
   * is no lesser route. `over`: the read whose answer the body is laid over, because what a body leaves out is gone.
   */
  | {
      readonly how: "put";
      readonly route: R;
      readonly when?: readonly F[];
      readonly over?: R;
      /** The form in which the route takes the body. */
      readonly shape?: (body: JsonObject) => JsonObject;
    }
  /**
   * The bare value of one field. `wrapOn400`: member name under which it is sent again when refused bare. `beside`: fields that
   * go along as members of it, and whose change sends it, too.
   */
  | {
      readonly how: "value";
      readonly route: R;
      readonly field: F;
      readonly wrapOn400?: string;
      readonly beside?: readonly F[];
    }
  | IdsStrategy<F, R>
  | RotateStrategy<F, R>
  /** A state reached by an action: wanted value -> route. */
  | {
      readonly how: "move";
      readonly field: F;
      readonly to: Readonly<Record<string, R>>;
      /** Only while the live object is in this state. */
      readonly when?: { readonly field: F; readonly is: string };
    }
  /** Everything at once, in the order that the states of the object ask for. */
  | Machine<F, R>;

/** Effect of destroy where the program sets no `onDelete`. */
export type OnDelete = "archive" | "delete" | "retain";

/** Source of the rest of a part: a read, and the form that the route takes. */
export interface ClearedPart<R extends string = string> {
  readonly read: R;
  readonly shape?: (body: JsonObject) => JsonObject;
}

/** Abilities of destroy. */
export interface DeleteStrategy<R extends string = string> {
  /**
   * Absent where the API has no delete; `why` then says so. `usedBy`: which kinds may use an object that the API deletes all
   * the same; they are searched for first. `advice`: sentences for whom the API refuses it, where its answer tells less than
   * there is to do.
   */
  readonly remove?: {
    readonly route: R;
    readonly usedBy?: UsedBy;
    readonly advice?: () => string;
    /** It stays, and what is this resource's is taken out of it: the route gets the rest. */
    readonly clears?: ClearedPart<R>;
  };
  readonly why?: string;
  /**
   * Present where the API can archive. The body takes `archiveReason`, `forceArchive`. `users`: the lists of what may
   * refer to an object, without which nobody can say whom force would hurt.
   */
  readonly archive?: {
    readonly route: R;
    readonly takesReason?: true;
    readonly takesForce?: true;
    readonly users?: readonly R[];
  };
  /** Users of an object that forbid these ways of removal; previews look for them. */
  readonly keptWhileUsed?: UsedBy & { readonly ways: readonly OnDelete[] };
  readonly onDeleteDefault: OnDelete;
}

/** Sign of an archived object, and its way back. */
export interface ArchiveState<F extends string = string, R extends string = string> {
  readonly field: F;
  readonly is: string;
  readonly undo: R;
}

/** The five verbs of a managed kind. */
export interface Lifecycle<F extends string = string, R extends string = string> {
  readonly create: CreateStrategy<F, R>;
  readonly read: ReadStrategy<R>;
  readonly update: readonly UpdateStrategy<F, R>[];
  readonly delete: DeleteStrategy<R>;
  readonly archived?: ArchiveState<F, R>;
  readonly staging?: Staging<F>;
  readonly reviews?: Reviews<R>;
}
