/** Sort of a failure, as far as it decides the next step. A closed list. */
export type Category =
  | "invalid-argument" // the program says something the console cannot take
  | "settings" // no usable profile, key or address
  | "unauthorized" // 401
  | "forbidden" // 403
  | "not-found" // 404 of the object itself
  | "exists" // the key is taken
  | "refused" // any other 4xx
  | "busy" // 409: an earlier write is still being applied
  | "throttled" // 429
  | "unavailable" // 5xx
  | "unreachable" // no connection, or the answer was lost
  | "timeout"
  | "unexpected-answer" // a success that is not what the API promises
  | "not-taken" // the console said yes and the object says no
  | "bug"; // ours: please report it

/** A message of the console about one member of a body. */
export interface FieldMessage {
  readonly property: string;
  readonly errorMessage: string;
}

/** Traits that a {@link ConsoleError} carries beside its message. */
export interface ErrorFacts {
  readonly category: Category;
  /** HTTP status, where there was an answer. */
  readonly status?: number;
  readonly fields?: readonly FieldMessage[];
  /** The text of the console, without what it repeats of the request; for decisions, which our own sentence must not make. */
  readonly words?: string;
  /** The request may have been carried out although no answer came. */
  readonly uncertain?: boolean;
  /** Milliseconds that the console asked to wait. */
  readonly retryAfterMs?: number;
}

const brand = Symbol.for("pulumi-feature-console.ConsoleError");

/**
 * Every error that this package throws on purpose. The message says what was attempted, what came back and what to
 * do next. `stack` equals the message, because Pulumi prints both.
 */
export class ConsoleError extends Error {
  readonly category: Category;
  readonly status: number | undefined;
  readonly fields: readonly FieldMessage[];
  /** Empty where the console said nothing. */
  declare readonly words: string;
  readonly uncertain: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, traits: ErrorFacts, options?: ErrorOptions) {
    super(message, options);
    this.name = "ConsoleError";
    this.category = traits.category;
    this.status = traits.status;
    this.fields = traits.fields ?? [];
    this.uncertain = traits.uncertain ?? false;
    this.retryAfterMs = traits.retryAfterMs;
    Object.defineProperty(this, brand, { value: true });
    // Code that prints an error with its members does not show it.
    Object.defineProperty(this, "words", { value: traits.words ?? "" });
    this.stack = message;
  }
}

/** The same error in other words: what it says of the request stays, and the original is its cause. `uncertain`: whether the request may have been carried out. */
export function reworded(
  error: ConsoleError,
  message: string,
  uncertain: boolean = error.uncertain,
): ConsoleError {
  const { category, status, fields, words } = error;
  const traits = { category, fields, words, uncertain, ...(status === undefined ? {} : { status }) };
  return new ConsoleError(message, traits, { cause: error });
}

/** True for an error of this package, also when two copies of it are loaded. */
export function isConsoleError(error: unknown, category?: Category): error is ConsoleError {
  if (typeof error !== "object" || error === null || !(brand in error)) return false;
  return category === undefined || (error as unknown as ConsoleError).category === category;
}

/** Handles a failure of the console by a value in the place of the answer. Any other error goes on. */
export function withoutAnswer<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (isConsoleError(error)) return value;
    throw error;
  };
}

const ofCategory =
  (category: Category) =>
  (message: string, options?: ErrorOptions): ConsoleError =>
    new ConsoleError(message, { category }, options);

/** The program says something that the console cannot take. */
export const invalidArgument = ofCategory("invalid-argument");
/** There is no usable profile, key or address. */
export const unusableSettings = ofCategory("settings");
/** The object is not there. */
export const objectNotFound = ofCategory("not-found");
/** The key or the name is taken. */
export const objectExists = ofCategory("exists");
/** The object cannot be changed so. */
export const changeRefused = ofCategory("refused");
/** A success is not what the API promises. */
export const unexpectedAnswer = ofCategory("unexpected-answer");

const ofBug = ofCategory("bug");

/** An error that only a mistake in this package can cause. */
export function bug(message: string, options?: ErrorOptions): ConsoleError {
  return ofBug(`${message} This is a bug in pulumi-feature-console: please report it.`, options);
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  // Under Jest, errors of Node's own modules are of another realm, whose classes are others.
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === "string" ? message : String(error);
}
