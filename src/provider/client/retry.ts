import type { Method } from "../schema/verbs";
import { longestRetryAfterMs, shortestWaitMs } from "./limits/throttle";

/** End of an attempt. */
export type Outcome =
  | { readonly how: "answered"; readonly status: number; readonly retryAfterMs?: number }
  /** The request never left. */
  | { readonly how: "refused" }
  /** It left and no answer came: it may have been carried out. */
  | { readonly how: "lost" };

/** Evidence of the decision. `random` is from 0 to 1. */
export interface Attempt {
  readonly method: Method;
  /** 1 for the first. */
  readonly number: number;
  /** Since the first attempt was sent. */
  readonly elapsedMs: number;
  readonly budgetMs: number;
  readonly random: number;
}

/** Most attempts after failures that time alone seldom mends. */
const fewAttempts = 4;

/** Most attempts while an id list is still being updated: about a minute and a half. */
const mostWhenBusy = 14;

/** Methods that may be carried out twice with the same result. */
const repeatable: ReadonlySet<Method> = new Set(["GET", "PUT", "DELETE"]);

/**
 * Milliseconds to wait before the next attempt, or undefined to stop. A request is repeated only when it is safe:
 * always after an answer that proves that nothing happened (429, 409, 503 with a delay), otherwise only by method.
 */
export function waitBeforeRetry(attempt: Attempt, outcome: Outcome): number | undefined {
  const wait = waitFor(attempt, outcome);
  return wait === undefined || attempt.elapsedMs + wait > attempt.budgetMs ? undefined : wait;
}

function waitFor(attempt: Attempt, outcome: Outcome): number | undefined {
  const few = attempt.number < fewAttempts;
  if (outcome.how === "refused") return few ? backoff(attempt, 200) : undefined;
  if (outcome.how === "lost")
    return few && repeatable.has(attempt.method) ? backoff(attempt, 200) : undefined;
  const { status, retryAfterMs } = outcome;
  if (status === 409 && attempt.number >= mostWhenBusy) return undefined;
  const nothingHappened = status === 429 || status === 409 || (status === 503 && retryAfterMs !== undefined);
  if (nothingHappened && retryAfterMs === undefined) return backoff(attempt, 1000);
  if (nothingHappened) return Math.min(Math.max(retryAfterMs ?? 0, shortestWaitMs), longestRetryAfterMs);
  if (status >= 500 && few && repeatable.has(attempt.method)) return backoff(attempt, 500);
  return undefined;
}

/** Doubles from `firstMs` up to eight times that; jitter only shortens it. */
function backoff({ number, random }: Attempt, firstMs: number): number {
  const full = firstMs * 2 ** Math.min(number - 1, 3);
  return Math.round(full * (1 - random / 4));
}

/** Milliseconds that a `Retry-After` header asks for: seconds or a date. Undefined when there is none or it is malformed. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header.trim() === "") return undefined;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
