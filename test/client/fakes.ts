import { Caller, type Ports } from "../../src/provider/client/call";
import type { Clock } from "../../src/provider/client/limits/limiter";
import { type ClientSettings, resolveSettings } from "../../src/provider/client/settings";
import type { NoAnswer, Transport, WireAnswer, WireRequest } from "../../src/provider/client/transport";
import type { Route } from "../../src/provider/schema/verbs";

/** A clock that jumps to the next sleeper at once. */
export class FakeClock implements Clock {
  time = 0;
  readonly sleeps: number[] = [];

  now(): number {
    return this.time;
  }

  async sleep(ms: number): Promise<void> {
    this.sleeps.push(ms);
    await Promise.resolve();
    this.time += ms;
  }
}

/** A clock with any number of sleepers, in whose time a test lets hours pass in a moment. */
export class VirtualClock implements Clock {
  time = 0;
  readonly #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.time;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ at: this.time + ms, wake });
    });
  }

  /** Lets time pass until `done` has resolved, from one sleeper to the next. */
  async passUntil(done: Promise<unknown>): Promise<void> {
    let ended = false;
    void done.then(() => {
      ended = true;
    });
    while (!ended) {
      for (let tick = 0; tick < 12; tick += 1) await Promise.resolve();
      if (ended) return;
      this.#sleepers.sort((a, b) => a.at - b.at);
      const next = this.#sleepers.shift();
      if (next === undefined) throw new Error("Everybody waits and nobody sleeps.");
      this.time = Math.max(this.time, next.at);
      next.wake();
    }
  }
}

/** What a fake console does with one request. */
export type Reply = (Partial<WireAnswer> & { readonly body?: unknown }) | NoAnswer | Error;

/** An answer with a JSON body. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return { status, body, headers };
}

/** A success with data. */
export function ok(data: unknown, pagination?: object): Reply {
  return json(200, { message: "ok", data, ...(pagination === undefined ? {} : { pagination }) });
}

/** Answers with the replies in turn, the last one again and again; keeps what was asked. */
export class FakeTransport implements Transport {
  readonly requests: WireRequest[] = [];
  readonly #replies: Reply[];

  constructor(...replies: Reply[]) {
    this.#replies = replies;
  }

  async send(request: WireRequest): Promise<WireAnswer> {
    this.requests.push(request);
    await Promise.resolve();
    const reply = this.#replies[Math.min(this.requests.length, this.#replies.length) - 1] ?? ok({});
    if (reply instanceof Error) throw reply;
    const text = "body" in reply ? JSON.stringify(reply.body) : (reply.text ?? "");
    return { status: reply.status ?? 200, headers: reply.headers ?? {}, text };
  }
}

export const secretKey = ["console", "abc123XYZ"].join("-");

/** Settings of a console that does not exist. */
export const settings: ClientSettings = {
  profile: "custom",
  apiKey: secretKey,
  baseUrl: "https://console.example.com",
};

/** A caller over a fake transport and a fake clock. */
export function callerOf(
  transport: Transport,
  more: Partial<ClientSettings> = {},
  ports: Partial<Ports> = {},
) {
  const clock = new FakeClock();
  const all: Ports = { transport, clock, random: () => 0, ...ports };
  return {
    caller: new Caller(resolveSettings({ ...settings, ...more }), all),
    clock,
  };
}

/** A route made for a test. */
export function route(
  method: Route["method"],
  path = "/gates/{id}",
  answers: Route["returns"] = "item",
): Route {
  return { method, path, returns: answers, doc: "" };
}
