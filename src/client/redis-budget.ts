import { createHash } from "node:crypto";
import { everyKind } from "../catalog";
import { type Category, isConsoleError } from "../core/errors";
import type { LimitName, WriteWindow } from "../core/limits";
import type { Route } from "../core/verbs";
import type { Parsed } from "./answer";
import type { SharedBudget } from "./limiter";
import type { ResolvedSettings } from "./settings";
import { type SubWindow, subWindowOf } from "./sub-window";

/** What a budget in Redis needs. */
export interface RedisBudgetOptions {
  readonly redisUrl: string;
  readonly windows: Readonly<Record<LimitName, readonly WriteWindow[]>>;
  /** Names the project whose budget it is; asked once. */
  readonly project: () => Promise<string>;
  readonly report: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Redis is near, or it is as good as gone. Milliseconds. */
const answerWithinMs = 1000;

/** A Redis that is gone is not looked for again for this long. Milliseconds. */
const lookAgainAfterMs = 5000;

/**
 * A budget that all processes of a project share through Redis. Without Redis it lets everything pass: the limiter of the
 * process holds in any case. It is looked for again from time to time, at a write.
 */
export function redisBudget({ redisUrl, windows, project, report, now }: RedisBudgetOptions): SharedBudget {
  const subWindows = Object.fromEntries(
    Object.entries(windows).map(([name, list]) => [name, list.map(subWindowOf)]),
  ) as Record<LimitName, SubWindow[]>;
  let connection: ReturnType<typeof connect> | undefined;
  let key: Promise<string> | undefined;
  let goneUntil = 0;
  let warned = false;

  const consume = async (names: readonly LimitName[]): Promise<number> => {
    connection ??= connect(redisUrl, subWindows);
    key ??= project().catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    const { ready, limiters } = await connection;
    await ready();
    // Those of ids first: what is taken there in vain holds nobody else up.
    for (const { consume: take } of limiters.filter(({ name }) => names.includes(name)).reverse()) {
      const wait = await within(take(await key).then(() => 0, msBeforeNext));
      if (wait > 0) return wait;
    }
    return 0;
  };

  return {
    async take(names) {
      if (now() < goneUntil) return 0;
      try {
        return await consume(names);
      } catch (error) {
        goneUntil = now() + lookAgainAfterMs;
        if (!warned) report(goneText(error));
        warned = true;
        return 0;
      }
    },
  };
}

/** Loaded only where it is used: the start of a provider must not wait for it. */
async function connect(redisUrl: string, subWindows: Readonly<Record<LimitName, readonly SubWindow[]>>) {
  const [{ Redis }, { RateLimiterRedis }] = await Promise.all([
    import("ioredis"),
    import("rate-limiter-flexible"),
  ]);
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    enableOfflineQueue: false,
    connectTimeout: answerWithinMs,
    maxRetriesPerRequest: 0,
    // Looked for at a write and by no timer, which would keep the process alive.
    retryStrategy: () => null,
  });
  // What a refused connection rejects with does not say why.
  let problem: unknown;
  redis.on("error", (error) => {
    problem = error;
  });
  redis.on("connect", () => (redis as unknown as { stream: { unref(): void } }).stream.unref());
  const limiters = Object.entries(subWindows).flatMap(([name, list]) =>
    list.map(({ points, seconds }) => {
      const keyPrefix = `feature-console:writes:${name}:${seconds}s`;
      const limiter = new RateLimiterRedis({ storeClient: redis, keyPrefix, points, duration: seconds });
      return { name: name as LimitName, consume: (key: string) => limiter.consume(key) };
    }),
  );
  const ready = async () => {
    if (!["wait", "end", "close"].includes(redis.status)) return;
    problem = undefined;
    await within(redis.connect()).catch((error: unknown) => Promise.reject(problem ?? error));
  };
  return { ready, limiters };
}

/** The library rejects with a result when there is no room, and with an error when it could not find out. */
function msBeforeNext(rejected: unknown): number {
  if (rejected instanceof Error) throw rejected;
  return Math.max(1, (rejected as { msBeforeNext: number }).msBeforeNext);
}

/** The timer also keeps the process alive while it waits: the connection does not. */
async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), answerWithinMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Only the code of an error is shown, such as WRONGPASS: its text may hold the address with its password. */
function goneText(error: unknown): string {
  if (isConsoleError(error))
    return "The console does not tell the project whose write limit is shared over Redis: only this process's own limit holds until it does.";
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  const why = code ?? /^(?:no answer in time|[A-Z]+(?= ))/.exec(message ?? "")?.[0] ?? "it refused";
  return `The Redis of feature-console:redisUrl cannot be used (${why}): only this process's own write limit holds until it is back.`;
}

/** What a console answers that will not tell the project, now or later. */
const withholding: ReadonlySet<Category> = new Set(["forbidden", "unauthorized", "not-found"]);

/**
 * A name that all processes of one project know: its id, or, where the console does not tell it, a hash of address and
 * key, from which neither can be read.
 */
export async function projectKey(
  { baseUrl, apiKey }: ResolvedSettings,
  call: (route: Route) => Promise<Parsed>,
): Promise<string> {
  try {
    const { data } = await call(everyKind.project.routes.get);
    const id = (data as { readonly id?: unknown } | undefined)?.id;
    if (typeof id === "string" && id !== "") return hash(`${baseUrl} ${id}`);
  } catch (error) {
    // A key may write and not read this; its own name does then. Any other failure would part runs that share a budget.
    if (!isConsoleError(error) || !withholding.has(error.category)) throw error;
  }
  return hash(`${baseUrl} ${apiKey}`);
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
