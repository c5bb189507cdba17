import type { Redis } from "ioredis";

export type { Redis } from "ioredis";

/** Ports of a connection. */
export interface RedisOptions {
  readonly redisUrl: string;
  readonly report: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Redis is near, or it is as good as gone. Milliseconds. */
const answerWithinMs = 1000;

/** After a failure nothing else is tried for this long. Milliseconds. */
const lookAgainAfterMs = 5000;

/** Does work with something that may be gone: after a failure it tries nothing for a while, and reports the first. Never rejects. */
export function whileThere(
  { now, report }: Pick<RedisOptions, "now" | "report">,
  goneText: (error: unknown) => string,
): <T>(work: () => Promise<T>) => Promise<T | undefined> {
  let goneUntil = 0;
  let isReported = false;
  return async (work) => {
    if (now() < goneUntil) return undefined;
    try {
      return await work();
    } catch (error) {
      goneUntil = now() + lookAgainAfterMs;
      if (!isReported) report(goneText(error));
      isReported = true;
      return undefined;
    }
  };
}

/**
 * The connection of one process to a Redis. One that is gone or refuses holds nobody up for more than a second, is reported
 * once, and is tried again from time to time, when it is needed.
 */
export class RedisConnection {
  readonly #redisUrl: string;
  readonly #whileThere: ReturnType<typeof whileThere>;
  #loaded: Promise<Loaded> | undefined;
  #connecting: Promise<void> | undefined;

  constructor({ redisUrl, ...ports }: RedisOptions) {
    this.#redisUrl = redisUrl;
    this.#whileThere = whileThere(ports, goneText);
  }

  /** Result of `work`, which has a second for it; undefined while Redis is gone or refuses. Never rejects. */
  use<T>(work: (redis: Redis) => Promise<T>): Promise<T | undefined> {
    return this.#whileThere(async () => within(work(await this.#ready())));
  }

  async #ready(): Promise<Redis> {
    this.#loaded ??= load(this.#redisUrl);
    const { redis, connect } = await this.#loaded;
    if (redis.status === "ready") return redis;
    this.#connecting ??= connect().finally(() => {
      this.#connecting = undefined;
    });
    await this.#connecting;
    return redis;
  }
}

interface Loaded {
  readonly redis: Redis;
  connect(): Promise<void>;
}

/** Loaded only where it is used: the start of a provider must not wait for it. */
async function load(redisUrl: string): Promise<Loaded> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    enableOfflineQueue: false,
    // `within` decides who waits how long. These close what answers no more, so that there can be another connection; late
    // enough that an answer is not lost to a process that was too busy to look at it.
    connectTimeout: lookAgainAfterMs,
    socketTimeout: lookAgainAfterMs,
    maxRetriesPerRequest: 0,
    // Looked for when it is needed and by no timer, which would keep the process alive.
    retryStrategy: () => null,
  });
  // The error of a refused connection does not give the reason.
  let problem: unknown;
  redis.on("error", (error) => {
    problem = error;
  });
  redis.on("connect", () => (redis as unknown as { stream: { unref(): void } }).stream.unref());
  const connect = async () => {
    problem = undefined;
    await within(redis.connect()).catch((error: unknown) => {
      redis.disconnect();
      throw problem ?? error;
    });
  };
  return { redis, connect };
}

/** The timer also keeps the process alive while it waits: the connection does not. */
async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const late = () => reject(new Error("no answer in time"));
    // A process that was busy for a second first looks at the answer that is there already.
    timer = setTimeout(() => setImmediate(late), answerWithinMs);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Only the code of an error is shown, such as WRONGPASS: its text may hold the address with its password. */
function goneText(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  const why = code ?? /^(?:no answer in time|[A-Z]+(?= ))/.exec(message ?? "")?.[0] ?? "it refused";
  return `The Redis of feature-console:redisUrl cannot be used (${why}): only this process's own write limit holds until it is back.`;
}
