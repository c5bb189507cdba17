import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import type { EmulatorOptions } from "../../../src/emulator";
import { type Desk, openDesk } from "../desk";
import { type SdkOptions, type ServerSdk, startBoth } from "./server-sdks";

/** A filled console, and both SDKs over it, for all tests of a file. */
export function sharedSdks(
  fill: (api: Desk) => Promise<unknown>,
  { idLists = false, ...options }: EmulatorOptions & Pick<SdkOptions, "idLists"> = {},
) {
  let api: Desk;
  let sdks: readonly ServerSdk[] = [];
  beforeAll(async () => {
    api = await openDesk(options);
    await fill(api);
    sdks = await startBoth(api.emulator.url, { idLists });
  });
  afterAll(async () => {
    await Promise.all(sdks.map((sdk) => sdk.stop()));
    await api.close();
  });
  return {
    /** What both say; fails where they differ. */
    both<T>(ask: (sdk: ServerSdk) => T): T {
      const [node, core] = sdks.map(ask);
      expect(core).toEqual(node);
      return node as T;
    },
    all: () => sdks,
  };
}

/** Keeps SDKs until the end of the test, and stops them then. */
export function sdksOfTests() {
  const sdks: ServerSdk[] = [];
  afterEach(() => Promise.all(sdks.splice(0).map((sdk) => sdk.stop())));
  return <T extends readonly ServerSdk[]>(started: T): T => {
    sdks.push(...started);
    return started;
  };
}
