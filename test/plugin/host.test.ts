import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { failureAt } from "../laws/failure-at";
import { samplesOf } from "../samples";
import { type Driver, named } from "../support/driver";
import { UNKNOWN_VALUE } from "../support/dynamic-host";
import { configFor, testKey } from "../support/in-process";
import { secret } from "../support/wire-json";
import { openBench } from "./bench";

// What only Pulumi's host and the wire can break: the configuration beside the first calls, and ids that come from files.

let bench: Awaited<ReturnType<typeof openBench>>;
let segments: Driver;
beforeAll(async () => {
  bench = await openBench();
  segments = bench.of(catalog.segment);
}, 300_000);
afterAll(() => bench?.close());

test("twenty creates at once, together with the configuration and its secret key, are all made", async () => {
  const { gate, dynamicConfig, segment, layer, assignmentSource } = catalog;
  const creates = [gate, dynamicConfig, segment, layer, assignmentSource].flatMap((definition) =>
    Array.from({ length: 4 }, (_, index) => {
      const args = named(definition, samplesOf(definition).smallest, `${definition.kind}_${index}`);
      return () => bench.host.create({ ...args, __provider: bench.of(definition).text });
    }),
  );
  const configured = bench.host.configure(configFor(bench.emulator, secret(testKey)));
  const made = await Promise.all(creates.map((create) => create()));
  await configured;
  expect(new Set(made.map(({ id }) => id)).size).toBe(20);
  expect(bench.emulator.requests.filter(({ route }) => route === "create")).toHaveLength(20);
});

const signature = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17" };
const list = (ids: unknown) => ({ key: "vip_list", type: "id_list", ids });
const digestOf = async (ids: unknown) => (await segments.checked(list(ids))).ids;

test("an array, a file, an asset and a text are the same ids", async () => {
  await bench.project.write("ids.txt", "\uFEFFa id\r\n\r\n  b  \r\na id\r\nc");
  const expected = await digestOf(["c", "b", "a id"]);
  expect(expected).toMatchObject({ count: 3 });
  const file = path.join(bench.project.folder, "ids.txt");
  for (const ids of [{ file: "ids.txt" }, { file }, { ...signature, path: "ids.txt" }])
    expect(await digestOf(ids)).toEqual(expected);
  expect(await digestOf({ ...signature, text: "a id\nb\nc\n" })).toEqual(expected);
});

test("the ids of a file reach the console, and an update sends the difference", async () => {
  const live = async () => (await bench.raw.segment.getIdList({ id: "vip_list" })).ids;
  await bench.project.write("ids.txt", "one\ntwo\n");
  const made = await segments.up(list({ file: "ids.txt" }));
  expect(await live()).toEqual(["one", "two"]);
  await bench.project.write("ids.txt", "two\nthree\n");
  const updated = await segments.update(made, list({ file: "ids.txt" }));
  expect(await live()).toEqual(["two", "three"]);
  expect(JSON.stringify([made, updated])).not.toContain("three");
});

test("what is not known yet leaves the whole set unknown", async () => {
  for (const ids of [UNKNOWN_VALUE, ["a", UNKNOWN_VALUE], { file: UNKNOWN_VALUE }])
    expect(await digestOf(ids)).toBe(UNKNOWN_VALUE);
});

const noFile = /found the file "none\.txt", but there is no such file; correct its path/;
const network = { ...signature, uri: "https://example.com/ids" };
test.each([
  ["a file that is not there", { file: "none.txt" }, "ids", noFile],
  ["a folder", { file: "." }, "ids", /cannot be read \(EISDIR\)/],
  ["an asset of the network", network, "ids", /nothing is fetched: use a file or a text/],
  ["a number among the ids", ["a", 5], "ids[1]", /found 5; text is needed/],
  ["a bare text", "a", "ids", /found "a"; an array or an object is needed/],
  ["another member", { path: "ids.txt" }, "ids.path", /unknown argument/],
  ["a digest", { count: 1, hash: "0123456789abcdef" }, "ids.count", /unknown argument/],
])("%s is refused before anything is sent", async (_, ids, property, reason) => {
  bench.emulator.clearRequests();
  expect(await segments.problems(list(ids))).toContainEqual(failureAt(property, reason, ids));
  expect(bench.emulator.requests).toEqual([]);
});

test("a file that changed between check and update is an error, and nothing is sent", async () => {
  await bench.project.write("moving.txt", "one\ntwo\n");
  const inputs = await segments.checked({ ...list({ file: "moving.txt" }), key: "moving", name: "Moving" });
  await bench.project.write("moving.txt", "one\n");
  await expect(bench.host.create(inputs)).rejects.toThrow(/moving\.txt" was changed while this run went on/);
});
