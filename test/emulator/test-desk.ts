import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import type { EmulatorOptions } from "../../src/emulator";
import type { Transport } from "../../src/provider/client/transport";
import { type Desk, openDesk } from "./desk";

/** A console that the tests of a file share. It is empty, or holds its seed alone, before each of them. */
export function sharedDesk(options: EmulatorOptions = {}): Desk {
  let shared: Desk | undefined;
  const api = (): Desk => {
    if (shared === undefined) throw new Error("The console opens with the first test.");
    return shared;
  };
  beforeAll(async () => {
    shared = await openDesk(options);
  });
  beforeEach(() => api().emulator.reset());
  afterAll(() => shared?.close());
  return {
    get emulator() {
      return api().emulator;
    },
    ask: (...request) => api().ask(...request),
    must: (...request) => api().must(...request),
    refused: (...request) => api().refused(...request),
    list: (path) => api().list(path),
    close: () => api().close(),
  };
}

/** Opens consoles, each closed at the end of the test that opened it. */
export function desksOfTests(transport?: Transport): (options?: EmulatorOptions) => Promise<Desk> {
  const open: Desk[] = [];
  afterEach(async () => {
    for (const api of open.splice(0)) await api.close();
  });
  return async (options = {}) => {
    const api = await openDesk(options, transport);
    open.push(api);
    return api;
  };
}
