import { type Category, ConsoleError, type FieldMessage, unexpectedAnswer } from "../schema/errors";
import { isObject, type JsonObject, parseSound } from "../schema/json";
import { ownWords } from "./console-words";
import { redact } from "./redact";
import { retryAfterMs } from "./retry";
import { addressAdvice, type WireAnswer } from "./transport";

/** Place of a page in its list. */
export interface Pagination {
  readonly nextPage?: string | null;
  /** Of the whole list. */
  readonly totalItems?: number;
}

/** A success, unwrapped. */
export interface Parsed {
  readonly data: unknown;
  readonly pagination?: Pagination;
}

/**
 * An answer with the status that it stands for: that of its body, where that tells of a failure under a status that does not. The
 * service's own clients look for it there too (`@statsig/wizard` 0.0.17: `status` beside `message` and `data`).
 */
export function withStatusOfBody(answer: WireAnswer): WireAnswer {
  if (!isSuccess(answer) || !/"status"\s*:\s*[45]\d\d\b/.test(answer.text)) return answer;
  const { body } = parseJson(answer.text);
  if (!isObject(body) || body.data !== undefined || typeof body.message !== "string") return answer;
  const { status } = body;
  return typeof status === "number" && status >= 400 && status < 600 ? { ...answer, status } : answer;
}

/** True for an answer that tells of no failure. */
export function isSuccess({ status }: WireAnswer): boolean {
  return status >= 200 && status < 300;
}

/** A gateway before the console knows nothing of objects: `no Route matched with those values`. */
const ofGateway = /\bno\b.*\broute\b/i;

/** Nor does the router of a console that is older than a route: `Cannot DELETE /console/v1/tags/a`. */
const ofRouter = /^Cannot (?:GET|POST|PUT|PATCH|DELETE)\b/;

/** Circumstances of a failed answer. */
interface Asked {
  /** Texts that no message shows. */
  readonly secrets: readonly string[];
  readonly now: number;
  /** True for a request for a list, whose 404 is never taken for an object that is gone. */
  readonly isList?: boolean;
  /** Content of the request. */
  readonly sent?: unknown;
  /** Advice about a key that the console refuses. */
  readonly keyAdvice?: string;
}

/** A failed answer as an error. `what` says which request it was, for example `PATCH /gates/a_gate`. */
export function failure(what: string, answer: WireAnswer, asked: Asked): ConsoleError {
  const { secrets, now, sent, keyAdvice, isList = false } = asked;
  if (answer.status >= 300 && answer.status < 400) return redirected(what, answer, secrets);
  const { body } = parseJson(answer.text);
  const fields = isObject(body) ? fieldMessages(body.errors, secrets) : [];
  const message = isObject(body) && typeof body.message === "string" ? textOf(body.message, secrets) : "";
  const words = wordsOf(body, secrets, sent);
  // Whatever stands between may know nothing of a path: only the console's own form tells that an object is gone.
  const category =
    (message !== "" && !ofGateway.test(words) && (isList || !ofRouter.test(words))) ||
    fields.length > 0 ||
    answer.status !== 404
      ? categoryOf(answer.status, words, fields)
      : "unexpected-answer";
  const details = fields.slice(0, mostFields).map((field) => `${field.property}: ${field.errorMessage}`);
  if (fields.length > mostFields) details.push(`and ${fields.length - mostFields} more`);
  const reason = [message || "no message", ...details].join("; ").replace(/\.$/, "");
  const wait = retryAfterMs(answer.headers["retry-after"], now);
  const next = (category === "unauthorized" ? keyAdvice : undefined) ?? advice[category] ?? "";
  return new ConsoleError(`${what} answered ${answer.status}: ${reason}. ${next}`.trim(), {
    category,
    status: answer.status,
    fields,
    words,
    // A server that fails, or one in between, may have passed the request on. 503 with a delay says that it was not taken.
    uncertain: answer.status >= 500 && !(answer.status === 503 && wait !== undefined),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

/** An answer that leads elsewhere: following it would send the key there. */
function redirected(what: string, { status, headers }: WireAnswer, secrets: readonly string[]): ConsoleError {
  const { location = "" } = headers;
  const target = URL.canParse(location) ? new URL(location) : undefined;
  // Whatever stands in its query is not repeated.
  const place = target === undefined ? "" : textOf(` to ${target.origin}${target.pathname}`, secrets);
  const advice = target?.protocol === "http:" ? "That address would get the key in clear. " : "";
  return new ConsoleError(
    `${what} answered ${status}, a redirect${place}, which is not followed: the key goes to no other address. ${advice}Set feature-console:baseUrl to the address of the API itself; a page to log in is none.`,
    { category: "unexpected-answer", status },
  );
}

/** Next steps, by category. */
const advice: Partial<Record<Category, string>> = {
  unauthorized:
    "Check the key (feature-console:apiKey or FEATURE_CONSOLE_API_KEY): it must be an active console key of this project.",
  forbidden:
    "The key may not do this: it may be read-only, or its role, its permissions or the plan of the account do not allow it.",
  throttled: "The console is limiting writes: wait, or lower feature-console:writesPer10s.",
  busy: "An earlier change is still being applied: try again in a moment.",
  unavailable: "The console has a problem of its own: try again later.",
  "unexpected-answer": addressAdvice,
};

/**
 * A 404 that names fields is a bad reference, not an absent object; a caller that may not do something is told so under
 * 401 too (console-api, section 5).
 */
function categoryOf(status: number, words: string, fields: readonly FieldMessage[]): Category {
  if (status === 401) return /^forbidden resource/i.test(words) ? "forbidden" : "unauthorized";
  if (status === 403) return "forbidden";
  if (status === 404) return fields.length === 0 ? "not-found" : "refused";
  if (status === 409) return "busy";
  if (status === 429) return "throttled";
  if (status >= 500) return "unavailable";
  return status === 400 && /already in use/i.test(words) ? "exists" : "refused";
}

/** Most field messages that are told: those of a rejected body are few, and one for each rule is enough to begin with. */
const mostFields = 20;

/** Longest text of the console that is told, characters. */
const longestText = 500;

/** A text of the console, without secrets and not without end; empty for anything that is no scalar. */
function textOf(value: unknown, secrets: readonly string[]): string {
  if (typeof value === "object" || value === undefined) return "";
  // A terminal would obey some characters, and others turn the line around: they are not repeated.
  const text = redact(String(value), ...secrets).replace(/[\p{Cc}\p{Bidi_Control}]+/gu, " ");
  return text.length > longestText ? `${text.slice(0, longestText)}...` : text;
}

/** The console's own words: names of members are the API's, and no words. */
function wordsOf(body: unknown, secrets: readonly string[], sent: unknown): string {
  if (!isObject(body)) return "";
  const texts = [body.message, ...errorsOf(body.errors).map(({ errorMessage }) => errorMessage)];
  const said = texts.filter((text) => typeof text === "string").map((text) => redact(text, ...secrets));
  return said.map((text) => ownWords(text, sent)).join("\n");
}

/** `errors` is an array, or a single object (found on layers). */
function errorsOf(errors: unknown): JsonObject[] {
  return (Array.isArray(errors) ? errors : [errors]).filter(isObject);
}

function fieldMessages(errors: unknown, secrets: readonly string[]): FieldMessage[] {
  return errorsOf(errors).map((entry) => ({
    property: textOf(entry.property, secrets),
    errorMessage: textOf(entry.errorMessage, secrets),
  }));
}

/**
 * Unwraps a success. Lenient: an envelope may be missing, members may be more or fewer than declared.
 * @throws ConsoleError "unexpected-answer" when it is not JSON at all: the console says something about every success, and
 * an empty list or a delete that nobody carried out must not be made of silence.
 */
export function parseSuccess(what: string, answer: WireAnswer): Parsed {
  const isEmpty = answer.text.trim() === "";
  if (isEmpty && answer.status === 204) return { data: undefined };
  const { body, problem } = parseJson(answer.text);
  if (!isObject(body)) {
    const kind = problem ?? `is not the console's JSON (${typeOf(answer)})`;
    const found = isEmpty ? "nothing" : `something that ${kind}`;
    throw new ConsoleError(`${what} answered ${answer.status} with ${found}. ${addressAdvice}`, {
      category: "unexpected-answer",
      status: answer.status,
      uncertain: true,
    });
  }
  const { data, pagination } = body;
  const bare = data === undefined && !("message" in body);
  return {
    data: bare ? body : data,
    ...(isObject(pagination) ? { pagination: pagination as Pagination } : {}),
  };
}

/** The content type, where it is one: the rest of the header is whatever somebody wrote there. */
function typeOf({ headers }: WireAnswer): string {
  return /^[\w.+-]{1,50}\/[\w.+-]{1,50}/.exec(headers["content-type"] ?? "")?.[0] ?? "no content type";
}

/** The value of a text, without `body` when there is none; `problem` completes "something that ...". */
function parseJson(text: string): { readonly body?: unknown; readonly problem?: string } {
  try {
    return { body: parseSound(text) };
  } catch (error) {
    return error instanceof RangeError ? { problem: error.message } : {};
  }
}

/** The objects of a page. @throws ConsoleError "unexpected-answer" where there is anything else: it may hide some. */
export function itemsOf(what: string, { data }: Parsed): JsonObject[] {
  const items: unknown[] = Array.isArray(data) ? data : [data];
  if (items.every(isObject)) return items;
  throw unexpectedAnswer(`${what} succeeded, but the answer holds no list of objects. ${addressAdvice}`);
}

/** The object of an answer. @throws ConsoleError "unexpected-answer" when there is none. */
export function itemOf(what: string, { data }: Parsed): JsonObject {
  // Rules and id lists are declared as lists and shown as one object (console-api, section 3).
  const item = Array.isArray(data) && data.length === 1 ? (data[0] as unknown) : data;
  if (isObject(item)) return item;
  throw new ConsoleError(`${what} succeeded, but the answer holds no object. ${addressAdvice}`, {
    category: "unexpected-answer",
    uncertain: true,
  });
}
