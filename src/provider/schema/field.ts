import { z } from "zod";
import type { Json } from "./json";

/**
 * Values that are kept, compared and told otherwise than as they are. All that shared code knows of them stands here; a
 * value that is not of the type comes back as it is.
 */
export interface ValueType {
  /** The form that goes into state and is compared. Twice is the same as once. */
  canonical(value: unknown): unknown;
  /** True for what `canonical` makes of a value: the schema of the argument was for what it is made of. */
  isCanonical(value: unknown): boolean;
  /** Meaning of a canonical value; undefined where it has none. */
  meaning(value: unknown): unknown;
  /** A value in a message, where that is not the value itself. */
  describe(value: unknown): string | undefined;
  /** In TypeScript's words: what an argument takes beside what its schema says, and the members of what a program reads. */
  readonly types: {
    readonly taken: string;
    readonly read: Readonly<Record<string, "string" | "number">>;
  };
}

/** Two values that differ in text but mean the same, by the named reading. */
export type SameAs =
  /** JSON text: compared after parsing. */
  | "json"
  /** JSON5 text: compared after parsing; comments have no meaning. */
  | "json5"
  /** Text whose case has no meaning. */
  | "caseless"
  /** A bare string means an array of one. */
  | "string-or-array"
  /** Scalars are compared as text: 111 equals "111". */
  | "text"
  /** Any JSON value, compared as it is: null and "" inside it have meaning. */
  | "opaque";

/**
 * The kind of object that a value means, by the kind's camelCase name: always the same one, or told by the member `by`
 * of the object that holds the value. `as`: what that object is called in a message, for example "condition".
 */
export type MeantKind =
  | string
  | { readonly by: string; readonly of: Readonly<Record<string, string>>; readonly as: string };

/**
 * Values of a member in one form of an object: "texts" and "values" are lists, of text or of text and numbers, or one
 * element alone; "some" is one text or several; "own" is whatever the member's schema says, and may be left out.
 */
export type TakenShape = "texts" | "values" | "text" | "some" | "number" | "own";

/** One form of an object, told by the values of some members: "the conditions of type email with these operators". */
export interface Variant {
  /** The members that tell the form, and their values; one that may be "" may be left out. */
  readonly when: Readonly<Record<string, readonly string[]>>;
  /** The other members of this form. */
  readonly takes: Readonly<Record<string, TakenShape>>;
}

/**
 * Audit role of a field: number of changes, times of creation and last change (milliseconds since 1970), e-mail addresses of the
 * authors, which a key has not, and the id of the creator. A kind has one field at most for each.
 */
export type AuditRole = "version" | "created" | "changed" | "madeBy" | "madeById" | "changedBy";

/** Form in which a field names the owner of an object: a team by name or by id, or a person. */
export type OwnerRole = "team" | "team-id" | "person";

/**
 * Traits that hold at any depth of a value. A closed list: shared code acts on traits and never asks
 * which kind or field it holds.
 */
export interface NestedTraits {
  /** One sentence for the reference and the editor. */
  doc?: string;
  /** It is deprecated: what to say in its place. It still works. */
  useInstead?: string;
  /** The console fills it and it is never compared. "identity": matched to the same element and sent back. */
  serverSet?: true | "identity";
  /** An array whose order has no meaning. */
  unordered?: true;
  /** An array of objects compared by this member instead of by position. */
  keyedBy?: string;
  sameAs?: SameAs;
  /** An empty array means something else than an absent one. */
  emptyHasMeaning?: true;
  /** A second view of another member: the console fills whichever of the two was not sent. */
  aliasOf?: string;
  /**
   * An object of which a program may give a part: a member that it gives neither now nor last time is the console's, is not
   * compared, and goes along when the object is sent.
   */
  sparse?: true;
  /** In a sparse object: what the program no longer gives stays as it is, as if it had never been given. */
  lasting?: true;
  /** Of a sparse object, forms in which one value can be given, each a list of members. */
  formsOfOne?: readonly (readonly string[])[];
  /** Limits that a new object alone has to keep: what people made in the console need not. */
  limitedAtCreation?: true;
  /** Value that the console fills in where the program gives none. */
  serverDefault?: Json;
  /**
   * A share that is raised step by step, by people, whom a program may leave it to (option `owns`), or by a schedule.
   * `scheduledBy`: the member beside it that lists the steps to come; while there are any, the console moves the share.
   */
  rollout?: { readonly scheduledBy?: string };
  /** Its values are ids of objects of that kind. Of an array: its elements. */
  refersTo?: MeantKind;
  /** Its values are names of objects of that kind, whose ids are something else. Of an array: its elements. */
  names?: MeantKind;
  /** The API's name, where it differs from the name here. */
  wire?: string;
  /** A program may give its own type for it: "whole" for the value as it is, "member" for one of the type's members. */
  typedByProgram?: "whole" | "member";
  /** Of an object: the name of its type, where several kinds share it. */
  typeName?: string;
  /** Of an object: its usual forms. Types and the reference offer them; a program may set unusual ones too. */
  variants?: readonly Variant[];
}

/**
 * Traits of a field, that is of a top-level argument or output of a kind. There, `serverDefault` also means that a
 * program that gives nothing keeps whatever the console has. `F`: names of the fields of the kind.
 */
export interface FieldTraits<F extends string = string> extends NestedTraits {
  doc: string;
  /** Storage, comparison and words of its values, where these are special. */
  valueType?: ValueType;
  aliasOf?: F;
  /** A change is a change of identity, or is destructive in place: the object is replaced. */
  replaces?: true;
  /** Settable at creation and never again: a change is refused unless the program opts in to replacement. */
  fixed?: true;
  /** Value that empties the field in an update. Absent: the field cannot be emptied and removing it only ends ownership. */
  clearWith?: null | "" | 0 | readonly [];
  /** The console counts it or changes it by itself: lookups show it, and no state but its mark of the last change. */
  volatile?: true;
  /** A list to which the console adds elements of its own while this flag of the object is on: they are left alone. */
  growsWhile?: F;
  /** An object of which a program says some members: the others stay what they are, and each write carries them. */
  keepsOthers?: true;
  /** Reads show a list of objects where writes take this member of each. */
  readMember?: string;
  /** A list of objects with names, in an order that has meaning: its changes are told by name. */
  namedList?: true;
  /** `false` switches the object off. Off in the console is drift, also where the program does not set it. */
  isSwitch?: true;
  /** Sent along whenever that field is sent, changed or not: the console reads it with each such write. */
  goesWith?: F;
  /** A change of it carries something out. What a program says at creation has happened then, and when it takes over, too. */
  startsAction?: true;
  /** Sent with every update that the route of other fields makes, as declared or as it is: left out, the console may flip it. */
  always?: true;
  /**
   * Reads show another id than the one that is written: state keeps the argument, and of the live value only
   * whether there is one is compared.
   */
  readsOtherId?: true;
  /** Reads may show this in place of whatever is set, which then cannot be told: it equals everything. */
  maskedBy?: string;
  /** Shows a change that people are reviewing: who writes meanwhile goes past it. */
  openReview?: true;
  /** Marked as a secret in state. */
  secret?: true;
  /** The program says the name of an element of that field; the API takes its id. */
  idOf?: F;
  /** The live value is not the program's (authorship): state keeps the argument, drift does not show. */
  remembered?: true;
  /** Its part of the object's history. */
  audit?: AuditRole;
  /** It names the owner of the object. */
  owner?: OwnerRole;
  /** While it is true, the console refuses new objects of these kinds that have no team. */
  demandsTeamOf?: readonly string[];
  /** A number that says how many units get the object, or take part in it, in percent. */
  share?: true;
  /** The whole of which such a number is a share, where the object is in nothing of that argument: `of units that take part`. */
  shareOutside?: { readonly of: string; readonly says: string };
  /** Number of checks of the object by the hour, which the console counts. */
  traffic?: true;
  /** Members that tell what a key has made, with the values that say so. Where a read leaves one out, it says so too. */
  ofKey?: Readonly<Record<string, Json>>;
}

/** input: a program may set it. output: only the console sets it. writeOnly: a program sets it, no read shows it. */
export type FieldMode = "input" | "output" | "writeOnly";

/** One argument or output of a kind. `F`: names of the fields that its traits speak of, `W`: the API's name. */
export interface Field<
  F extends string = string,
  S extends z.ZodType = z.ZodType,
  W extends string | undefined = string | undefined,
  M extends FieldMode = FieldMode,
> {
  readonly mode: M;
  readonly schema: S;
  readonly traits: TraitsOf<F, W>;
}

/** Values that a schema takes. */
export type TakenBy<S> = S extends z.ZodType ? z.input<S> : never;

/** Traits with the API's name as a type. */
type TraitsOf<F extends string, W extends string | undefined> = FieldTraits<F> & { readonly wire?: W };

/** Traits written beside schemas inside a field's schema; they travel into the tree. */
export const nestedFacts = z.registry<NestedTraits>();

/** Attaches traits to a schema that sits inside a field's schema. */
export function nested<S extends z.ZodType>(schema: S, traits: NestedTraits): S {
  // A registry holds one entry per schema instance, and z.string() etc. may be shared by several members.
  const own: z.ZodType = (schema as z.ZodType).clone();
  // The registry's own signature depends on the schema's type, which here would recurse without end.
  (nestedFacts as unknown as { add(schema: unknown, traits: NestedTraits): unknown }).add(own, traits);
  return own as unknown as S;
}

/** A member that may be left out, with its description and its other traits. */
export function maybe<S extends z.ZodType>(schema: S, doc: string, traits: NestedTraits = {}) {
  return nested(schema.optional(), { ...traits, doc });
}

/** Names of a group of fields, in their order. */
export function fieldNames<const F extends string>(fields: Readonly<Record<F, Field>>): F[] {
  return Object.keys(fields) as F[];
}

/** A field that a program may set and that reads show. */
export function input<
  S extends z.ZodType,
  const F extends string = never,
  const W extends string | undefined = undefined,
>(schema: S, traits: TraitsOf<F, W>): Field<NoInfer<F>, S, NoInfer<W>, "input"> {
  return { mode: "input", schema, traits };
}

/** The same of one that a program may leave out, with its description and its other traits. */
export function optional<
  S extends z.ZodType,
  const F extends string = never,
  const W extends string | undefined = undefined,
>(schema: S, doc: string, traits?: Partial<FieldTraits<F>> & { readonly wire?: W }) {
  return input<z.ZodOptional<S>, F, W>(schema.optional(), { ...traits, doc } as TraitsOf<F, W>);
}

/** A field that only the console sets. */
export function output<
  S extends z.ZodType,
  const F extends string = never,
  const W extends string | undefined = undefined,
>(schema: S, traits: TraitsOf<F, W>): Field<NoInfer<F>, S, NoInfer<W>, "output"> {
  return { mode: "output", schema, traits };
}

/** A field that a program sets and that no read shows: the state keeps the program's last value. */
export function writeOnly<
  S extends z.ZodType,
  const F extends string = never,
  const W extends string | undefined = undefined,
>(schema: S, traits: TraitsOf<F, W>): Field<NoInfer<F>, S, NoInfer<W>, "writeOnly"> {
  return { mode: "writeOnly", schema, traits: { ...traits, remembered: true } };
}
