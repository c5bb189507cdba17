import { ConsoleError, isConsoleError, messageOf, reworded } from "../schema/errors";
import { exactJson } from "../schema/json";
import type { Route } from "../schema/verbs";
import { failure, isSuccess, type Parsed, parseSuccess, withStatusOfBody } from "./answer";
import { Coalescer } from "./limits/coalesce";
import { type Clock, Limiter, type SharedBudget, systemClock } from "./limits/limiter";
import { type NoticePorts, WaitNotice } from "./limits/notice";
import { RedisConnection } from "./limits/redis";
import { redisBudget } from "./limits/redis-budget";
import { pathPrefix } from "./profile";
import { type ProjectReader, projectNameReader, projectReader } from "./project-name";
import { redact } from "./redact";
import { type Outcome, retryAfterMs, waitBeforeRetry } from "./retry";
import { fillPath } from "./route-path";
import type { ResolvedSettings } from "./settings";
import { NoAnswer, type Transport, type WireAnswer, type WireRequest } from "./transport";
import { renameUnitIds } from "./unit-ids";

/** Input of a call, beside its route. */
export interface CallInput {
  /** Parameters of the path, and of the query where they lead to one object there. */
  readonly params?: Readonly<Record<string, string>>;
  /** A repeated value is sent as a repeated parameter. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
  /** Asks the console to hold a write to its review settings. */
  readonly respectsReviews?: boolean;
}

/** Source: console-api/corrections-2.md, section 2. */
const reviewHeader = { "x-respect-review-settings": "true" };

/** Ports of a caller: injected, so that tests bring their own. */
export interface Ports extends Partial<NoticePorts> {
  readonly transport: Transport;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Advice about the key, where the console refuses it. */
  readonly keyAdvice?: () => string;
}

/** Sends calls of one process to one console. */
export class Caller {
  readonly #settings: ResolvedSettings;
  readonly #ports: Required<Omit<Ports, "keyAdvice">> & Pick<Ports, "keyAdvice">;
  readonly #limiter: Limiter;
  readonly #coalescer = new Coalescer();
  /** The project of the key. */
  readonly project: ProjectReader;
  #takenWrites = 0;
  #requests = 0;
  #clockOffsetMs: number | undefined;

  constructor(settings: ResolvedSettings, ports: Ports) {
    this.#settings = settings;
    const nothing = () => undefined;
    const defaults = { report: nothing, writesLeft: nothing };
    this.#ports = { clock: systemClock, random: Math.random, ...defaults, ...ports };
    const { report, writesLeft } = this.#ports;
    const notice = new WaitNotice({ report, writesLeft }, settings.redisUrl !== undefined);
    this.project = projectReader((route: Route) => this.call(route));
    this.#limiter = new Limiter(
      { maxConcurrency: settings.limits.maxConcurrency, writes: settings.writeWindows },
      this.#ports.clock,
      {
        random: this.#ports.random,
        ...this.#shared(),
        onWait: (...wait) => notice.waits(...wait),
        onTaken: () => {
          this.#takenWrites += 1;
          notice.moved();
        },
      },
    );
  }

  #shared(): { readonly shared?: SharedBudget } {
    const settings = this.#settings;
    const { redisUrl, writeWindows: windows, limits } = settings;
    if (redisUrl === undefined) return {};
    const { report, clock } = this.#ports;
    const now = () => clock.now();
    const redis = new RedisConnection({ redisUrl, report, now });
    const project = projectNameReader({ settings, project: this.project, report, now });
    return { shared: redisBudget({ redis, windows, project, longestWriteMs: limits.requestTimeoutMs }) };
  }

  /** Count of the begins and ends of writes: a read before a change of it may be out of date. */
  writes(): number {
    return this.#coalescer.writes;
  }

  /** Writes that were sent, without those that were refused with 429. */
  sentWrites(): number {
    return this.#takenWrites + this.#limiter.underWay();
  }

  /** Requests that were sent, each attempt counted. */
  requests(): number {
    return this.#requests;
  }

  /** Lead of the console's clock before this machine's, milliseconds; undefined until an answer showed its time, to the second. */
  clockOffsetMs(): number | undefined {
    return this.#clockOffsetMs;
  }

  /** Calls a route. @throws ConsoleError for everything but a success. */
  async call(route: Route, input: CallInput = {}): Promise<Parsed> {
    const path = fillPath(route.path, input.params ?? {});
    const inQuery = (route.query ?? []).map((name) => [name, input.params?.[name]]);
    const query = queryText({ ...Object.fromEntries(inQuery), ...input.query });
    const what = `${route.method} ${route.secretPath ? route.path : path}`;
    if (route.method === "GET")
      return this.#coalescer.read(`${path}${query}`, () => this.#attempts(route, what, path + query, input));
    this.#coalescer.wrote();
    try {
      return await this.#attempts(route, what, path + query, input);
    } finally {
      this.#coalescer.wrote();
    }
  }

  async #attempts(route: Route, what: string, path: string, input: CallInput): Promise<Parsed> {
    const { clock, random } = this.#ports;
    const secrets = this.#secrets(route, input);
    let started: number | undefined;
    let wasPutOff = false;
    const onSend = () => {
      started ??= clock.now();
    };
    for (let number = 1; ; number += 1) {
      const result = await this.#attempt(route, path, input, onSend, number > 1);
      if (!(result instanceof NoAnswer) && isSuccess(result)) return parseSuccess(what, result);
      const error = this.#errorOf(route, what, result, { secrets, sent: [path, input] });
      if (result instanceof NoAnswer && result.advice !== undefined) throw error;
      // The limiter holds every write back after a refusal, this one too.
      const isHeldBack = error.category === "throttled" && route.method !== "GET";
      const attempt = {
        method: route.method,
        number,
        elapsedMs: clock.now() - (started ?? clock.now()),
        budgetMs: this.#settings.callBudgetMs,
        random: random(),
      };
      const asked = isHeldBack ? this.#limiter.closedMs() : error.retryAfterMs;
      const wait = waitBeforeRetry(attempt, outcomeOf(result, asked));
      // Whatever put an earlier attempt off may have passed it on: what exists now can be of that one.
      if (wait === undefined)
        throw wasPutOff && error.category === "exists" ? reworded(error, error.message, true) : error;
      wasPutOff ||= error.category === "busy" || error.category === "unavailable";
      if (!isHeldBack) await clock.sleep(wait);
    }
  }

  #attempt(
    route: Route,
    path: string,
    input: CallInput,
    onSend: () => void,
    again: boolean,
  ): Promise<WireAnswer | NoAnswer> {
    const { profile, apiKey, baseUrl, limits } = this.#settings;
    const body =
      input.body === undefined ? {} : { body: exactJson(renameUnitIds(input.body, profile, "send")) };
    const send = async () => {
      this.#requests += 1;
      onSend();
      const request: WireRequest = {
        method: route.method,
        url: `${baseUrl}${pathPrefix}${path}`,
        headers: {
          accept: "application/json",
          ...profile.headers,
          [profile.keyHeader]: apiKey,
          ...("body" in body ? { "content-type": "application/json" } : {}),
          ...(input.respectsReviews === true && route.method !== "GET" ? reviewHeader : {}),
        },
        ...body,
        signal: AbortSignal.timeout(limits.requestTimeoutMs),
      };
      try {
        const answer = withStatusOfBody(await this.#ports.transport.send(request));
        this.#noteClock(answer);
        return answer;
      } catch (error) {
        // A console in this process reports about its own file.
        if (isConsoleError(error)) throw error;
        return error instanceof NoAnswer ? error : new NoAnswer(messageOf(error), false, { cause: error });
      }
    };
    const demand = route.method === "GET" ? "read" : (route.limit ?? "project");
    return this.#limiter.run({
      demand,
      send,
      again,
      refusal: (result) => this.#throttling(result),
      isAnswer: (result) => !(result instanceof NoAnswer) && result.status < 500,
    });
  }

  #noteClock({ headers }: WireAnswer): void {
    const shown = Date.parse(headers.date ?? "");
    if (Number.isFinite(shown)) this.#clockOffsetMs = shown - this.#ports.clock.now();
  }

  /** Now by the console's clock, by which it gives dates. */
  #consoleNow(): number {
    return this.#ports.clock.now() + (this.#clockOffsetMs ?? 0);
  }

  /** A refusal (429) with the delay that the console asks for; undefined for every other result. */
  #throttling(result: WireAnswer | NoAnswer): { readonly retryAfterMs?: number } | undefined {
    if (result instanceof NoAnswer || result.status !== 429) return undefined;
    const wait = retryAfterMs(result.headers["retry-after"], this.#consoleNow());
    return wait === undefined ? {} : { retryAfterMs: wait };
  }

  /** Texts that no message may show. */
  #secrets({ secretPath }: Route, { params }: CallInput): string[] {
    const inPath = secretPath ? Object.values(params ?? {}) : [];
    return [this.#settings.apiKey, ...inPath, ...inPath.map(encodeURIComponent)];
  }

  #errorOf(
    { method, returns }: Route,
    what: string,
    result: WireAnswer | NoAnswer,
    { secrets, sent }: { readonly secrets: readonly string[]; readonly sent: unknown },
  ): ConsoleError {
    const { keyAdvice } = this.#ports;
    const isList = returns === "items";
    const asked = {
      secrets,
      sent,
      isList,
      now: this.#consoleNow(),
      ...(keyAdvice && { keyAdvice: keyAdvice() }),
    };
    if (!(result instanceof NoAnswer)) return failure(what, result, asked);
    const { message, refused, advice: ownAdvice } = result;
    const late = message === "no answer in time";
    const host = new URL(this.#settings.baseUrl).host;
    const again = `${method === "GET" ? "R" : "It may have been carried out: r"}un the same command again, it continues from what is there.`;
    const advice =
      ownAdvice ??
      (refused ? "Check feature-console:baseUrl and that the console can be reached from here." : again);
    return new ConsoleError(`${what}: no answer from ${host} (${redact(message, ...secrets)}). ${advice}`, {
      category: late ? "timeout" : "unreachable",
      uncertain: !refused,
    });
  }
}

function outcomeOf(result: WireAnswer | NoAnswer, wait: number | undefined): Outcome {
  if (result instanceof NoAnswer) return { how: result.refused ? "refused" : "lost" };
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
