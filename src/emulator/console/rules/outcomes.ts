import type { FieldMessage } from "../../../provider/schema/errors";
import type { JsonObject } from "../../../provider/schema/json";

/** Result of an operation that succeeded. Without `data`: a message alone. */
export interface Outcome {
  readonly message: string;
  readonly data?: unknown;
  /** Place of a page in its list. */
  readonly pagination?: JsonObject;
}

/** An answer of the console before it becomes text. */
export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

/** The console says no: thrown inside an operation, so that nothing of it is stored. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, message: string, errors?: readonly FieldMessage[] | FieldMessage) {
    super(message);
    this.name = "Refusal";
    this.answer = { status, body: { status, message, ...(errors === undefined ? {} : { errors }) } };
  }
}

/** Thrown inside a write that is to wait for a review instead. */
export class Held extends Error {}

/** A refusal of a body or query, member by member (console-api, section 5). */
export function invalid(errors: readonly FieldMessage[]): Refusal {
  return new Refusal(400, "Bad Request Exception", errors);
}

/** The same for one member. */
export function invalidMember(property: string, errorMessage: string): Refusal {
  return invalid([{ property, errorMessage }]);
}

/** Refuses values that stand twice in a member of a body. */
export function refuseDuplicates(property: string, values: readonly unknown[], message: string): void {
  if (new Set(values).size < values.length) throw invalidMember(property, message);
}

/** The answer to a path that no operation has. */
export function notFound(): Refusal {
  return new Refusal(404, "Not Found. The requested resource could not be found.");
}

/** A text as the beginning of a sentence. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
