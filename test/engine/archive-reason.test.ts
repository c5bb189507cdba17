import { expect, test } from "@jest/globals";
import { catalog } from "../../src/catalog";
import { createRouteClient } from "../../src/client/client";
import type { WireRequest } from "../../src/client/transport";
import type { ResourceDefinition } from "../../src/core/define";
import { createEmulator } from "../../src/emulator";
import { create, type EngineContext, Ownership } from "../../src/engine";
import { FakeClock, settings } from "../client/fakes";

const kinds = Object.values(catalog as Record<string, ResourceDefinition>).filter(
  ({ lifecycle }) => lifecycle.archived !== undefined && lifecycle.delete.archive?.takesReason === true,
);

test("three kinds are archived for a reason and come back", () => {
  expect(kinds.map(({ name }) => name).sort()).toEqual(["dynamicConfig", "experiment", "gate"]);
});

test.each(kinds.map((kind) => [kind.title, kind] as const))(
  "a %s whose program says that it is archived says whose program that is",
  async (_, definition) => {
    const { transport } = createEmulator({ profile: "custom" });
    const reasons: unknown[] = [];
    const watched = {
      send: (request: WireRequest) => {
        if (request.url.endsWith("/archive")) reasons.push(JSON.parse(request.body ?? "{}").archiveReason);
        return transport.send(request);
      },
    };
    const context: EngineContext = {
      ...{ report: () => {}, ownership: new Ownership(), now: Date.now, idsOf: () => undefined },
      client: createRouteClient(settings, { transport: watched, clock: new FakeClock() }),
      stack: () => "flags/dev",
      sleep: async () => {},
    };
    const { field = "", is } = definition.lifecycle.archived ?? {};
    const { smallest } = definition.samples;
    await create(context, definition, { ...smallest, [field]: is });
    await create(context, definition, {
      ...{ ...smallest, key: "second", name: "second", [field]: is },
      archiveReason: "Replaced",
    });
    expect(reasons).toEqual(["Kept archived by the Pulumi stack flags/dev.", "Replaced"]);
  },
);
