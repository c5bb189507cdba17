/** What the page is made of: reads of a console, and nothing that changes it. */
export interface PagePorts {
  /** Answers a GET of the Console API, such as `/gates?limit=100`. */
  read(path: string): { readonly status: number; readonly body: unknown };
  /** A text that is another after every change. */
  revision(): string;
  /** Milliseconds since 1970. */
  clock(): number;
  /** Objects that refer to one, by kind and id. */
  usersOf(kind: string, id: string): readonly ObjectName[];
  /** Evaluates by an SDK. Left out: there is none to ask. Rejects with what a person is to be told. */
  readonly evaluate?: (question: Question) => Promise<readonly Answer[]>;
}

/** An object by its kind in camelCase and its id. */
export interface ObjectName {
  readonly kind: string;
  readonly id: string;
}

/** What SDKs can be asked for, as they call it. */
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

/** What one user gets. */
export interface Answer {
  /** What a person would call the user. */
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

/** What goes back. */
export interface PageReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}
