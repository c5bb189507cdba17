import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { idsOfUsers, marksOf } from "../../src/emulator/http/marks";
import { behaviours } from "../../src/emulator/kinds";
import { openStore } from "../../src/emulator/store/sqlite-store";
import type { Store, World } from "../../src/emulator/store/store";
import type { JsonObject } from "../../src/provider/schema/json";

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "store-"));
});
afterEach(() => {
  store?.close();
  rmSync(folder, { recursive: true });
});

const opened: [string, () => Store][] = [
  ["memory", () => openStore(":memory:")],
  ["a file", () => openStore(join(folder, "deep", "er", "console.db"))],
];

describe.each(opened)("a store in %s", (_name, open) => {
  const write = <T>(work: (world: World) => T) => store.transaction("write", work);
  const read = <T>(work: (world: World) => T) => store.transaction("read", work);
  const ids = (everything = true) => read((world) => world.list("a", everything).map(({ n }) => n));
  beforeEach(() => {
    store = open();
    write((world) => {
      for (const n of [1, 2, 3])
        world.put("a", `id${n}`, { n }, { listed: n !== 2, refersTo: [`x:${n % 2}`] });
      world.put("b", "id1", { n: 9 });
    });
  });

  test("keeps the order of creation through changes, renames and hidden records", () => {
    write((world) => {
      world.put("a", "id1", { n: 10 });
      world.rename("a", "id2", "new");
    });
    expect(ids()).toEqual([10, 2, 3]);
    expect(read((world) => world.get("a", "new"))).toEqual({ n: 2 });
    expect(read((world) => world.count("a", true))).toBe(3);
    expect(read((world) => world.list("a", true, { offset: 1, limit: 1 }))).toEqual([{ n: 2 }]);
  });

  test("changes a content and nothing else of a record; of one that is not there, nothing", () => {
    write((world) => {
      for (const n of [1, 2, 9]) world.change("a", `id${n}`, { n: n * 10 });
    });
    expect(ids()).toEqual([10, 20, 3]);
    expect(ids(false)).toEqual([10, 3]);
    expect(read((world) => world.referrers("x:1", "a"))).toEqual(["id1", "id3"]);
  });

  test("leaves hidden records out of lists, and gives out copies", () => {
    const shown = read((world) => world.list("a", false, { offset: 1, limit: 5 }));
    expect([shown, read((world) => world.count("a", false))]).toEqual([[{ n: 3 }], 2]);
    for (const record of shown) record.n = 5;
    expect(ids(false)).toEqual([1, 3]);
  });

  test("knows who refers to what", () => {
    const referrers = () => read((world) => world.referrers("x:1", "a"));
    expect(referrers()).toEqual(["id1", "id3"]);
    expect(read((world) => world.referrers("x:1", "b"))).toEqual([]);
    write((world) => world.put("a", "id1", { n: 1 }));
    write((world) => world.remove("a", "id3"));
    expect(referrers()).toEqual([]);
  });

  test("removes one record, a whole collection, or everything", () => {
    write((world) => world.remove("a", "id2"));
    expect(ids()).toEqual([1, 3]);
    write((world) => world.clear("a"));
    expect(ids()).toEqual([]);
    expect(read((world) => world.get("b", "id1"))).toEqual({ n: 9 });
    write((world) => world.addMembers("s", ["a"]));
    store.wipe();
    expect(read((world) => [world.list("b", true), world.members("s")])).toEqual([[], []]);
  });

  test("keeps sets of ids apart", () => {
    const members = () => read((world) => world.members("s"));
    expect(write((world) => world.addMembers("s", ["b", "a", "a"]))).toBe(2);
    expect(members()).toEqual(["b", "a"]);
    expect(write((world) => world.removeMembers("s", ["a", "x"]))).toBe(1);
    expect(members()).toEqual(["b"]);
    write((world) => world.clearMembers("s"));
    expect(members()).toEqual([]);
  });

  test("undoes everything that a failed transaction did", () => {
    write((world) => world.addMembers("s", ["kept", "gone"]));
    const fail = () =>
      write((world) => {
        world.put("a", "id1", { n: 11 }, { refersTo: [] });
        world.put("a", "id4", { n: 4 });
        world.remove("a", "id3");
        world.rename("a", "id2", "new");
        world.clear("b");
        world.removeMembers("s", ["gone"]);
        world.addMembers("s", ["added"]);
        world.clearMembers("s");
        throw new Error("stop");
      });
    expect(fail).toThrow("stop");
    expect(ids()).toEqual([1, 2, 3]);
    expect(read((world) => world.referrers("x:1", "a"))).toEqual(["id1", "id3"]);
    expect(read((world) => world.members("s").sort())).toEqual(["gone", "kept"]);
    expect(read((world) => world.get("b", "id1"))).toEqual({ n: 9 });
  });

  test("makes copies that are apart from what happens later", () => {
    write((world) => world.addMembers("s", ["m"]));
    const copy = store.copy();
    const there = <T>(work: (world: World) => T) => copy.transaction("write", work);
    write((world) => {
      world.put("a", "id1", { n: 11 });
      world.clearMembers("s");
    });
    there((world) => world.remove("a", "id3"));
    expect(ids()).toEqual([11, 2, 3]);
    expect(there((world) => world.list("a", false))).toEqual([{ n: 1 }]);
    expect(there((world) => [world.referrers("x:1", "a"), world.members("s")])).toEqual([["id1"], ["m"]]);
    there((world) => world.put("a", "id4", { n: 4 }));
    expect(there((world) => world.list("a", true))).toEqual([{ n: 1 }, { n: 2 }, { n: 4 }]);
    copy.close();
  });
});

test("a file of the first layout keeps what it holds", () => {
  const file = join(folder, "first.db");
  const first = new DatabaseSync(file);
  first.exec(`
    CREATE TABLE record (
      place INTEGER PRIMARY KEY AUTOINCREMENT, collection TEXT NOT NULL, id TEXT NOT NULL,
      listed INTEGER NOT NULL, content TEXT NOT NULL, UNIQUE (collection, id));
    CREATE TABLE member (name TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (name, id)) WITHOUT ROWID;
    INSERT INTO record (collection, id, listed, content) VALUES ('gate', 'old', 1, '{"n":1}');
    INSERT INTO member VALUES ('s', 'a'), ('s', 'b');
    PRAGMA user_version = 1;`);
  first.close();
  store = openStore(file);
  expect(store.transaction("read", (world) => world.get("gate", "old"))).toEqual({ n: 1 });
  expect(store.transaction("write", (world) => world.addMembers("s", ["b", "0"]))).toBe(1);
  expect(store.transaction("read", (world) => world.members("s"))).toEqual(["a", "b", "0"]);
});

test("several processes write to one file at once, and none of their objects is lost", async () => {
  const file = join(folder, "shared.db");
  const outputs = await Promise.all(["p1", "p2", "p3"].map((name) => writer(file, name)));
  // Nothing on stderr: the warning about node:sqlite is held back.
  expect(outputs).toEqual(["", "", ""]);
  store = openStore(file);
  expect(store.transaction("read", (world) => world.count("gate", true))).toBe(90);
}, 60_000);

/** Makes 30 gates from a process of its own; resolves with what it printed as errors. */
async function writer(file: string, name: string): Promise<string> {
  const index = join(__dirname, "..", "..", "src", "emulator", "index.ts");
  const code = `
    const { createEmulator } = require(${JSON.stringify(index)});
    const { transport } = createEmulator({ profile: "embedded", data: ${JSON.stringify(file)} });
    const url = "http://embedded.invalid/console/v1/gates";
    (async () => {
      for (let n = 0; n < 30; n++) {
        const answer = await transport.send({ method: "POST", url, headers: {}, body: JSON.stringify({ name: "${name} " + n }) });
        if (answer.status !== 201) throw new Error(answer.text);
      }
    })();`;
  const args = ["--import", "tsx", "--eval", code];
  return (await run(process.execPath, args, { timeoutMs: 50_000 })).stderr;
}

describe("what a record refers to", () => {
  const conditions = [
    { type: "passes_gate", targetValue: "open" },
    { type: "fails_segment", targetValue: ["staff", "guests"] },
    { type: "passes_segment", targetValue: "staff" },
    { type: "country", operator: "any", targetValue: ["open"] },
    { type: "unit_id", operator: "any", customID: "companyID", targetValue: ["1"] },
  ];
  const rules = [{ name: "Staff", conditions }];
  const asked = ["gate:open", "segment:staff", "segment:guests"];
  const [a, b] = ["a", "b"].map((name) => ({ name, type: "sum" }));
  const metrics = { primaryMetrics: [a], otherMetrics: [a], cureCovariates: [b] };
  const parameters = [
    { name: "colour", ref_type: "gate", param_type: "string", gate_name: "open", pass_value: "gate" },
    { name: "size", ref_type: "dynamic_config", param_type: "number", config_name: "sizes" },
  ];

  // Which places of which kind refer to others is in test/core/references.test.ts; here is what the console makes of them.
  test.each<[keyof typeof behaviours, JsonObject, string[]]>([
    ["gate", { id: "checkout", idType: "userID", tags: ["shop"], targetApps: ["web"], rules }, asked],
    ["releasePipeline", { id: "slowly", phases: [{ name: "First", rules }] }, asked],
    ["experiment", { layerID: "home", targetingGateID: "", ...metrics }, ["layer:home", "metric:a::sum"]],
    [
      "holdout",
      { gateIDs: ["a", "b"], layerIDs: ["c"], targetingGateID: "d" },
      ["gate:a", "gate:b", "layer:c"],
    ],
    ["paramStore", { tags: ["shop"], parameters }, ["gate:open", "dynamicConfig:sizes"]],
  ])("a %s is marked by what it refers to: %j", (kind, item, marks) => {
    expect(new Set(marksOf(behaviours[kind], item))).toEqual(new Set(marks));
  });

  test("nobody can ask for the users of what is not marked, and be told that there are none", () => {
    openStore(":memory:").transaction("read", (world) => {
      expect(idsOfUsers(world, "gate", "open", "gate")).toEqual([]);
      expect(() => idsOfUsers(world, "tag", "shop", "gate")).toThrow("who refers to a tag is not marked");
    });
  });
});
