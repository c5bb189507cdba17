import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import type { EmulatorOptions } from "../../src/emulator";
import type { Transport } from "../../src/provider/client/transport";
import { type Desk, openDesk } from "./desk";

/** A console that the tests of a file share. It is empty, or holds its seed alone, before each of them. */
export function sharedDesk(options: EmulatorOptions = {}): Desk {
  let shared: Desk | undefined;
  const desk = (): Desk => {
    if (shared === undefined) throw new Error("The console opens with the first test.");
    return shared;
  };
  beforeAll(async () => {
    shared = await openDesk(options);
  });
  beforeEach(() => desk().emulator.reset());
  afterAll(() => shared?.close());
  return {
    get emulator() {
      return desk().emulator;
    },
    ask: (...request) => desk().ask(...request),
    must: (...request) => desk().must(...request),
    refused: (...request) => desk().refused(...request),
    list: (path) => desk().list(path),
    close: () => desk().close(),
  };
}

/** Opens consoles, each closed at the end of the test that opened it. */
export function desksOfTests(transport?: Transport): (options?: EmulatorOptions) => Promise<Desk> {
  const open: Desk[] = [];
  afterEach(async () => {
    for (const desk of open.splice(0)) await desk.close();
  });
  return async (options = {}) => {
    const desk = await openDesk(options, transport);
    open.push(desk);
    return desk;
  };
}
