import type { Redis } from "ioredis";

export type { Redis } from "ioredis";

/** What a connection needs. */
export interface RedisOptions {
  readonly redisUrl: string;
  readonly report: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A Redis as one use of it sees it. */
export interface SharedRedis {
  /** What `work` makes of it, which has a second for that; undefined while it is gone or refuses. Never rejects. */
  use<T>(work: (redis: Redis) => Promise<T>): Promise<T | undefined>;
}

/** Redis is near, or it is as good as gone. Milliseconds. */
const answerWithinMs = 1000;

/** After a failed connection no other is tried for this long. Milliseconds. */
const lookAgainAfterMs = 5000;

/**
 * The connection of one process to a Redis. One that is gone holds nobody up for more than a second, is reported once for all
 * uses of it, and is connected to again from time to time, when it is needed.
 */
export class RedisConnection {
  readonly #options: RedisOptions;
  readonly #meanwhile: string[] = [];
  #loaded: Promise<Loaded> | undefined;
  #connecting: Promise<void> | undefined;
  #goneUntil = 0;
  #isSaid = false;

  constructor(options: RedisOptions) {
    this.#options = options;
  }

  /** @param meanwhile what holds for this use while Redis is gone, as a part of a sentence. */
  userOf(meanwhile: string): SharedRedis {
    const { now, report } = this.#options;
    let refusedUntil = 0;
    let isSaid = false;
    this.#meanwhile.push(meanwhile);
    return {
      use: async (work) => {
        if (now() < refusedUntil) return undefined;
        const redis = await this.#ready();
        if (redis === undefined) return undefined;
        try {
          return await within(work(redis));
        } catch (error) {
          if (!isRefusal(error)) return this.#gone(error);
          // It is there, and what it refuses one use it may well do for another.
          refusedUntil = now() + lookAgainAfterMs;
          if (!isSaid) report(goneText(error, [meanwhile]));
          isSaid = true;
          return undefined;
        }
      },
    };
  }

  async #ready(): Promise<Redis | undefined> {
    if (this.#options.now() < this.#goneUntil) return undefined;
    try {
      this.#loaded ??= load(this.#options.redisUrl);
      const { redis, connect } = await this.#loaded;
      if (redis.status === "ready") return redis;
      this.#connecting ??= connect().finally(() => {
        this.#connecting = undefined;
      });
      await this.#connecting;
      return redis;
    } catch (error) {
      return this.#gone(error);
    }
  }

  #gone(error: unknown): undefined {
    this.#goneUntil = this.#options.now() + lookAgainAfterMs;
    if (!this.#isSaid) this.#options.report(goneText(error, this.#meanwhile));
    this.#isSaid = true;
    return undefined;
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
  // What a refused connection rejects with does not say why.
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

/** True for an answer of Redis, such as NOPERM or OOM. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === "ReplyError";
}

/** Only the code of an error is shown, such as WRONGPASS: its text may hold the address with its password. */
function goneText(error: unknown, meanwhile: readonly string[]): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  const why = code ?? /^(?:no answer in time|[A-Z]+(?= ))/.exec(message ?? "")?.[0] ?? "it refused";
  return `The Redis of feature-console:redisUrl cannot be used (${why}): ${meanwhile.join(", and ")} until it is back.`;
}
