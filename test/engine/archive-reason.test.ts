import { expect, test } from "@jest/globals";
import type { Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { startSubject } from "../laws/subject";

const kinds = Object.values(catalog as Record<string, ResourceDefinition>).filter(
  ({ lifecycle }) => lifecycle.archived !== undefined && lifecycle.delete.archive?.takesReason === true,
);

test("three kinds are archived for a reason and come back", () => {
  expect(kinds.map(({ name }) => name).sort()).toEqual(["dynamicConfig", "experiment", "gate"]);
});

test.each(kinds.map((kind) => [kind.title, kind] as const))(
  "a %s whose program says that it is archived says whose program that is",
  async (_, definition) => {
    const reasons: unknown[] = [];
    const through = ({ send }: Transport): Transport => ({
      send(request) {
        if (request.url.endsWith("/archive")) reasons.push(JSON.parse(request.body ?? "{}").archiveReason);
        return send(request);
      },
    });
    const subject = await startSubject(definition, { through });
    const { field = "", is } = definition.lifecycle.archived ?? {};
    const { smallest } = definition.samples;
    await subject.up({ ...smallest, [field]: is });
    const second = { ...smallest, key: "second", name: "second", [field]: is };
    await subject.up({ ...second, archiveReason: "Replaced" });
    await subject.close();
    expect(reasons).toEqual(["Kept archived by the Pulumi stack test/dev.", "Replaced"]);
  },
);
