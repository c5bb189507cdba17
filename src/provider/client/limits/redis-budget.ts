import type { LimitName, WriteWindow } from "../../schema/write-limits";
import type { SharedBudget } from "./limiter";
import type { RedisConnection } from "./redis";
import { longestMs } from "./windows";

/** Ports of a budget in Redis. */
export interface RedisBudgetOptions {
  readonly redis: Pick<RedisConnection, "use">;
  readonly windows: Readonly<Record<LimitName, readonly WriteWindow[]>>;
  /** Names the project whose budget it is; undefined while that is not known. */
  readonly project: () => Promise<string | undefined>;
  /** A write that gets no answer ends after so many milliseconds. */
  readonly longestWriteMs: number;
}

/**
 * A budget that all processes of a project share through Redis. It counts as the limiter of a process does: a write takes its
 * room from its sending until a window after its answer. Without Redis it lets everything pass: the limiter of the process
 * holds in any case.
 */
export function redisBudget(options: RedisBudgetOptions): SharedBudget {
  const { redis, windows, project, longestWriteMs } = options;
  return {
    async take(names) {
      const name = await project();
      if (name === undefined) return { waitMs: 0 };
      // Braces keep both keys on one node of a cluster.
      const keys = names.map((limit) => `feature-console:writes:{${name}}:${limit}`);
      const limits = names.map((limit) => ({
        windows: windows[limit].map(({ most, windowMs }) => ({ most, windowMs })),
        longestMs: longestMs(windows[limit]),
      }));
      const write = crypto.randomUUID();
      const waitMs = await redis.use((client) =>
        client.eval(takeScript, keys.length, ...keys, write, longestWriteMs, JSON.stringify(limits)),
      );
      if (typeof waitMs === "number" && waitMs > 0) return { waitMs };
      return {
        waitMs: 0,
        ended: () => void redis.use((client) => client.eval(endedScript, keys.length, ...keys, write)),
      };
    },
  };
}

/** The clock of Redis is the one that all processes have. */
const nowInRedis = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * KEYS: a log of each limit, by the time at which a write ended. One that is under way has the time by which it ends at
 * the latest, for a process that dies meanwhile. Returns 0, or the milliseconds until there is room.
 */
const takeScript = `${nowInRedis}
local write, longestWriteMs, limits = ARGV[1], ARGV[2], cjson.decode(ARGV[3])
local wait = 0
for index, key in ipairs(KEYS) do
  for _, window in ipairs(limits[index].windows) do
    local oldest = redis.call("ZREVRANGE", key, window.most - 1, window.most - 1, "WITHSCORES")[2]
    if oldest then wait = math.max(wait, math.min(oldest, now) + window.windowMs - now) end
  end
end
if wait > 0 then return math.ceil(wait) end
for index, key in ipairs(KEYS) do
  redis.call("ZREMRANGEBYSCORE", key, "-inf", now - limits[index].longestMs)
  redis.call("ZADD", key, now + longestWriteMs, write)
  redis.call("PEXPIRE", key, math.ceil(limits[index].longestMs + longestWriteMs))
end
return 0
`;

const endedScript = `${nowInRedis}
for _, key in ipairs(KEYS) do redis.call("ZADD", key, "XX", now, ARGV[1]) end
`;
