import type { SharedRedis } from "./redis";

/** A hash in Redis that is forgotten as a whole when nothing was set in it for its lifetime. */
export interface SharedHash {
  /** Undefined for what is not there, and while Redis is gone. */
  get(field: string): Promise<string | undefined>;
  set(field: string, text: string): Promise<void>;
  remove(field: string): Promise<void>;
}

/** The hash of a key. Where Redis is gone, nothing is set or removed. */
export function sharedHash(redis: SharedRedis, key: string, lifetimeMs: number): SharedHash {
  return {
    get: async (field) => (await redis.use((client) => client.hget(key, field))) ?? undefined,
    async set(field, text) {
      // Sent together: neither waits for the answer to the other.
      await redis.use((client) =>
        Promise.all([client.hset(key, field, text), client.pexpire(key, lifetimeMs)]),
      );
    },
    async remove(field) {
      await redis.use((client) => client.hdel(key, field));
    },
  };
}
