import { createRouteClient } from "../../src/provider/client/client";
import type { WireRequest } from "../../src/provider/client/transport";
import { type EngineContext, Ownership } from "../../src/provider/engine";
import { FakeClock, FakeTransport, type Reply, settings } from "../client/fakes";

/** An engine whose console is a function, and the writes that were sent to it. */
export function engineOver(answer: (request: WireRequest) => Reply) {
  const writes: WireRequest[] = [];
  const transport = {
    async send(request: WireRequest) {
      if (request.method !== "GET") writes.push(request);
      return new FakeTransport(answer(request)).send(request);
    },
  };
  const context: EngineContext = {
    client: createRouteClient(settings, { transport, clock: new FakeClock() }),
    report: () => {},
    ownership: new Ownership(),
    now: Date.now,
    idsOf: () => undefined,
    sleep: async () => {},
  };
  return { context, writes };
}
