import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { Seed } from "../../src/emulator";
import { freshFolder } from "../support/folders";
import { ruleFor } from "./desk";
import { desksOfTests } from "./test-desk";

const open = desksOfTests();

test("objects of every kind are there from the start, as bodies or as whole objects", async () => {
  const whole = { type: "STALE", status: "Launched", isEnabled: false, version: 7, createdTime: 5 };
  const rules = [{ ...ruleFor("r", 5), id: "Base1234:5.00:3", baseID: "Base1234" }];
  const columns = { sql: "s", timestampColumn: "t", experimentIDColumn: "e", groupIDColumn: "g" };
  const texts = [{ name: "title", ref_type: "static", param_type: "string", value: "Hello" }];
  const value = ["planted", "key"].join("-");
  const server = { description: "Servers", key: value, scopes: ["omni_read_only"] };
  const { must, list } = await open({
    seed: {
      gates: [{ name: "Bare Gate" }, { id: "whole", name: "Whole", ...whole, rules }],
      dynamic_configs: [{ name: "config", defaultValue: { a: 1 } }],
      segments: [{ name: "list", type: "id_list", ids: ["a", "b", "b"] }],
      layers: [
        { name: "layer", idType: "userID", parameters: [{ name: "p", type: "string", defaultValue: "x" }] },
      ],
      assignment_sources: [{ name: "source", ...columns, idTypeMapping: [] }],
      param_stores: [{ name: "texts", displayName: "Texts", description: "", parameters: texts }],
      keys: [
        { ...server, type: "SERVER", targetAppID: "web" },
        { description: "Phones", type: "CLIENT", status: "deactivated" },
      ],
    },
  });
  expect(await must("GET", "/gates/bare_gate")).toMatchObject({ status: "In Progress", version: 1 });
  expect(await must("GET", "/gates/whole")).toMatchObject({ ...whole, rules });
  expect(await must("GET", "/dynamic_configs/config")).toMatchObject({ defaultValueJson5: '{"a":1}' });
  expect(await must("GET", "/segments/list/id_list")).toMatchObject({ count: 2, ids: ["a", "b"] });
  expect(await must("GET", "/layers/layer")).toMatchObject({ parameters: [{ name: "p" }] });
  expect(await must("GET", "/param_stores/texts")).toMatchObject({ parameters: texts });
  expect(await list("/experiments/assignment_sources")).toHaveLength(1);
  const shown = { ...server, status: "active", primaryTargetApp: "web", environments: [] };
  expect(await must("GET", `/keys/${value}`)).toMatchObject(shown);
  const phones = { description: "Phones", status: "deactivated", key: expect.any(String) };
  expect((await list("/keys"))[1]).toMatchObject(phones);
});

test.each<[object, string]>([
  [{ gates: [{ name: "fine" }, { name: 5 }] }, "seed.gates[1].name: Expected string, received number"],
  [{ gates: [{ name: "one" }, { name: "one" }] }, "seed.gates[1]: Name is already in use"],
  [{ gates: ["text"] }, "seed.gates[0]: Expected object, received string"],
  [{ gates: {} }, "seed.gates: not an array"],
  [{ gates: [{ name: "one", version: "x" }] }, "seed.gates[0].version: Expected number, received string"],
  [{ gate: [] }, "seed.gate: there is no such list; there are "],
])("%j is refused with its place", async (bad, message) => {
  await expect(open({ seed: bad as Seed })).rejects.toThrow(message);
});

test("a file that holds the objects already is left as it is", async () => {
  const folder = freshFolder();
  const options = { data: join(folder, "console.db"), seed: { gates: [{ name: "gate" }] } };
  const first = await open(options);
  await first.must("PATCH", "/gates/gate", { description: "mine" });
  await first.close();
  const second = await open(options);
  expect(await second.list("/gates")).toMatchObject([{ description: "mine" }]);
});
