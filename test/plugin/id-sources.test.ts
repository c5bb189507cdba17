import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { failureAt } from "../laws/failure-at";
import type { Driver } from "../support/driver";
import { UNKNOWN_VALUE } from "../support/dynamic-host";
import { openBench, type WireBench } from "./bench";

jest.setTimeout(60_000);

let bench: WireBench;
let segments: Driver;
beforeAll(async () => {
  bench = await openBench();
  segments = bench.of(catalog.segment);
}, 300_000);
afterAll(() => bench?.close());

const signature = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17" };
const list = (ids: unknown) => ({ key: "vip_list", type: "id_list", ids });
const digestOf = async (ids: unknown) => (await segments.checked(list(ids))).ids;

test("an array, a file, an asset and a text are the same ids", async () => {
  await bench.project.write("ids.txt", "\uFEFFa id\r\n\r\n  b  \r\na id\r\nc");
  const expected = await digestOf(["c", "b", "a id"]);
  expect(expected).toMatchObject({ count: 3 });
  const file = path.join(bench.project.folder, "ids.txt");
  expect(await digestOf({ file: "ids.txt" })).toEqual(expected);
  expect(await digestOf({ file })).toEqual(expected);
  expect(await digestOf({ ...signature, path: "ids.txt" })).toEqual(expected);
  expect(await digestOf({ ...signature, text: "a id\nb\nc\n" })).toEqual(expected);
});

test("the ids of a file reach the console, and an update sends the difference", async () => {
  await bench.project.write("ids.txt", "one\ntwo\n");
  const made = await segments.up(list({ file: "ids.txt" }));
  expect((await bench.raw.segment.getIdList({ id: "vip_list" })).ids).toEqual(["one", "two"]);
  await bench.project.write("ids.txt", "two\nthree\n");
  const updated = await segments.update(made, list({ file: "ids.txt" }));
  expect((await bench.raw.segment.getIdList({ id: "vip_list" })).ids).toEqual(["two", "three"]);
  expect(JSON.stringify([made, updated])).not.toContain("three");
});

test("what is not known yet leaves the whole set unknown", async () => {
  expect(await digestOf(UNKNOWN_VALUE)).toBe(UNKNOWN_VALUE);
  expect(await digestOf(["a", UNKNOWN_VALUE])).toBe(UNKNOWN_VALUE);
  expect(await digestOf({ file: UNKNOWN_VALUE })).toBe(UNKNOWN_VALUE);
});

test.each([
  [
    "a file that is not there",
    { file: "none.txt" },
    "ids",
    /found the file "none\.txt", but there is no such file; correct its path/,
  ],
  ["a folder", { file: "." }, "ids", /cannot be read \(EISDIR\)/],
  [
    "an asset of the network",
    { ...signature, uri: "https://example.com/ids" },
    "ids",
    /nothing is fetched: use a file or a text/,
  ],
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
