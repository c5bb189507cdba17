import { ConsoleError, messageOf } from "../core/errors";
import type { Route } from "../core/verbs";
import { failure, type Parsed, parseSuccess } from "./answer";
import { Coalescer } from "./coalesce";
import { type Clock, Limiter, systemClock } from "./limiter";
import { fillPath } from "./path";
import { pathPrefix } from "./profile";
import { redact } from "./redact";
import { type Outcome, waitBeforeRetry } from "./retry";
import { callBudgetMs, type ResolvedSettings } from "./settings";
import { NoAnswer, type Transport, type WireAnswer, type WireRequest } from "./transport";
import { renameUnitIds } from "./unit-ids";

/** What a call needs beside its route. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  /** A repeated value is sent as a repeated parameter. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
}

/** What the caller sends requests with: injected, so that tests bring their own. */
export interface Ports {
  readonly transport: Transport;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** Sends calls of one process to one console. */
export class Caller {
  readonly #settings: ResolvedSettings;
  readonly #ports: Required<Ports>;
  readonly #limiter: Limiter;
  readonly #coalescer = new Coalescer();

  constructor(settings: ResolvedSettings, ports: Ports) {
    this.#settings = settings;
    this.#ports = { clock: systemClock, random: Math.random, ...ports };
    const { maxConcurrency, writesPer10s, writesPer15min } = settings.limits;
    const writes = [
      { most: writesPer10s, windowMs: 10_000 },
      { most: writesPer15min, windowMs: 900_000 },
    ];
    // The embedded console is this process: nobody limits it.
    const embedded = settings.profile.name === "embedded";
    this.#limiter = new Limiter({ maxConcurrency, writes: embedded ? [] : writes }, this.#ports.clock);
  }

  /** How often a write of this caller has begun or ended. */
  writes(): number {
    return this.#coalescer.writes;
  }

  /** Calls a route. @throws ConsoleError for everything but a success. */
  async call(route: Route, input: CallInput = {}): Promise<Parsed> {
    const path = fillPath(route.path, input.params ?? {});
    const query = queryText(input.query ?? {});
    const what = `${route.method} ${path}`;
    if (route.method === "GET")
      return this.#coalescer.read(`${path}${query}`, () => this.#attempts(route, what, path + query, input));
    this.#coalescer.wrote();
    try {
      return await this.#attempts(route, what, path, input);
    } finally {
      this.#coalescer.wrote();
    }
  }

  async #attempts(route: Route, what: string, path: string, input: CallInput): Promise<Parsed> {
    const { clock, random } = this.#ports;
    const started = clock.now();
    for (let number = 1; ; number += 1) {
      const result = await this.#attempt(route, path, input);
      const error = result instanceof NoAnswer ? this.#unanswered(what, result) : this.#refusal(what, result);
      if (error === undefined) return parseSuccess(what, result as WireAnswer);
      const outcome = outcomeOf(result, error);
      const attempt = {
        method: route.method,
        number,
        elapsedMs: clock.now() - started,
        budgetMs: callBudgetMs,
        random: random(),
      };
      const wait = waitBeforeRetry(attempt, outcome);
      if (wait === undefined) throw error;
      await clock.sleep(wait);
    }
  }

  #attempt(route: Route, path: string, input: CallInput): Promise<WireAnswer | NoAnswer> {
    const { profile, apiKey, baseUrl, limits } = this.#settings;
    const body =
      input.body === undefined ? {} : { body: JSON.stringify(renameUnitIds(input.body, profile, "send")) };
    return this.#limiter.run(route.method !== "GET", async () => {
      const request: WireRequest = {
        method: route.method,
        url: `${baseUrl}${pathPrefix}${path}`,
        headers: {
          accept: "application/json",
          ...profile.headers,
          [profile.keyHeader]: apiKey,
          ...("body" in body ? { "content-type": "application/json" } : {}),
        },
        ...body,
        signal: AbortSignal.timeout(limits.requestTimeoutMs),
      };
      try {
        return await this.#ports.transport.send(request);
      } catch (error) {
        return error instanceof NoAnswer ? error : new NoAnswer(messageOf(error), false, { cause: error });
      }
    });
  }

  #refusal(what: string, answer: WireAnswer): ConsoleError | undefined {
    if (answer.status >= 200 && answer.status < 300) return undefined;
    return failure(what, answer, this.#settings.apiKey, this.#ports.clock.now());
  }

  #unanswered(what: string, { message, refused }: NoAnswer): ConsoleError {
    const late = message === "no answer in time";
    const host = new URL(this.#settings.baseUrl).host;
    const advice = refused
      ? "Check feature-console:baseUrl and that the console can be reached from here."
      : "It may have been carried out: run the same command again, it continues from what is there.";
    return new ConsoleError(
      `${what}: no answer from ${host} (${redact(message, this.#settings.apiKey)}). ${advice}`,
      {
        category: late ? "timeout" : "unreachable",
        uncertain: !refused,
      },
    );
  }
}

function outcomeOf(result: WireAnswer | NoAnswer, error: ConsoleError): Outcome {
  if (result instanceof NoAnswer) return { how: result.refused ? "refused" : "lost" };
  const wait = error.retryAfterMs;
  return { how: "answered", status: result.status, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
}

function queryText(query: NonNullable<CallInput["query"]>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}
