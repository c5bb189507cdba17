/** Ports of the page: they read a console and change nothing. */
export interface PagePorts {
  /** Answers a GET of the Console API, such as `/gates?limit=100`. */
  read(path: string): { readonly status: number; readonly body: unknown };
  /** A text that is another after every change. */
  revision(): string;
  /** Milliseconds since 1970. */
  clock(): number;
  /** Objects that refer to one, by kind and id. */
  usersOf(kind: string, id: string): readonly ObjectName[];
  /** Evaluates by an SDK. Left out: there is none to ask. Rejects with a message for a person. */
  readonly evaluate?: (question: Question) => Promise<readonly Answer[]>;
}

/** An object by its kind in camelCase and its id. */
export interface ObjectName {
  readonly kind: string;
  readonly id: string;
}

/** Kinds of an SDK. */
export type AskedKind = "gate" | "config" | "experiment" | "layer";

/** Who gets what of a flag? */
export interface Question {
  readonly kind: AskedKind;
  readonly name: string;
  /** Users as a person types them: JSON, a JSON array, JSON by lines, or a table. */
  readonly users: string;
  /** Left out: none. */
  readonly environment?: string;
}

/** The answer for one user. */
export interface Answer {
  /** Short name of the user. */
  readonly user: string;
  /** Of a gate whether the user passes, of everything else its values. */
  readonly value: unknown;
  /** Which rule decided, in a sentence. */
  readonly why: string;
}

/** A request as the page looks at it; names of headers are in lower case. */
export interface PageRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
}

/** A reply of the page. */
export interface PageReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}
