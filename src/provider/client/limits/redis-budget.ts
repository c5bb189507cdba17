import type { LimitName, WriteWindow } from "../../schema/write-limits";
import type { SharedBudget } from "./limiter";
import type { Redis, SharedRedis } from "./redis";
import { subWindowOf } from "./sub-window";

/** What a budget in Redis needs. */
export interface RedisBudgetOptions {
  readonly redis: SharedRedis;
  readonly windows: Readonly<Record<LimitName, readonly WriteWindow[]>>;
  /** Names the project whose budget it is; undefined while that is not known. */
  readonly project: () => Promise<string | undefined>;
}

/** What holds while a budget in Redis does not. */
export const withoutBudget = "only this process's own write limit holds";

/**
 * A budget that all processes of a project share through Redis. Without Redis it lets everything pass: the limiter of the
 * process holds in any case.
 */
export function redisBudget({ redis, windows, project }: RedisBudgetOptions): SharedBudget {
  let library: Promise<Library> | undefined;
  let limiters: readonly Take[] | undefined;
  return {
    async take(names) {
      const key = await project();
      if (key === undefined) return 0;
      // Loaded only where it is used: the start of a provider must not wait for it.
      library ??= import("rate-limiter-flexible");
      const { RateLimiterRedis } = await library;
      const wait = await redis.use((client) => {
        limiters ??= limitersOf(RateLimiterRedis, client, windows);
        return firstWait(limiters, names, key);
      });
      return wait ?? 0;
    },
  };
}

type Library = typeof import("rate-limiter-flexible");

/** Takes one write out of a window. */
interface Take {
  readonly name: LimitName;
  consume(key: string): Promise<unknown>;
}

function limitersOf(
  Limiter: Library["RateLimiterRedis"],
  redis: Redis,
  windows: RedisBudgetOptions["windows"],
): Take[] {
  return Object.entries(windows).flatMap(([name, list]) =>
    list.map((window) => {
      const { points, seconds } = subWindowOf(window);
      const keyPrefix = `feature-console:writes:${name}:${seconds}s`;
      const limiter = new Limiter({ storeClient: redis, keyPrefix, points, duration: seconds });
      return { name: name as LimitName, consume: (key: string) => limiter.consume(key) };
    }),
  );
}

/** Those of ids first: what is taken there in vain holds nobody else up. */
async function firstWait(
  limiters: readonly Take[],
  names: readonly LimitName[],
  key: string,
): Promise<number> {
  for (const { consume } of limiters.filter(({ name }) => names.includes(name)).reverse()) {
    const wait = await consume(key).then(() => 0, msBeforeNext);
    if (wait > 0) return wait;
  }
  return 0;
}

/** The library rejects with a result when there is no room, and with an error when it could not find out. */
function msBeforeNext(rejected: unknown): number {
  if (rejected instanceof Error) throw rejected;
  return Math.max(1, (rejected as { msBeforeNext: number }).msBeforeNext);
}
