import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { type DynamicHost, ProviderCallError, startDynamicHost, UNKNOWN_VALUE } from "./dynamic-host";

const provider = `
let greeting;
exports.handler = () => ({
  async configure({ config }) { greeting = config.get("console:greeting"); },
  async check(olds, news) { return { inputs: news, failures: news.bad ? [{ property: "bad", reason: "no" }] : [] }; },
  async diff(id, olds, news) { return { changes: olds.size !== news.size, replaces: ["size"] }; },
  async create(inputs) {
    if (inputs.half) throw { message: "half", id: "7", properties: { size: 1 }, reasons: ["not settled"] };
    return { id: "1", outs: { ...inputs, greeting } };
  },
  async read(id, props) { return id === "gone" ? {} : { id, props, inputs: { size: 2 } }; },
  async delete() { throw new Error("in use"); },
});`;

let folder: string;
let host: DynamicHost;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "dynamic-host-"));
  host = await startDynamicHost({ cwd: folder, provider });
  await host.configure({ "console:greeting": "hello" });
});
afterAll(async () => {
  await host.stop();
  await removeTree(folder);
});

test("a call answers with plain values", async () => {
  const created = await host.create({ list: [1, { inner: null }] });
  expect(created).toMatchObject({ id: "1", properties: { list: [1, { inner: null }], greeting: "hello" } });
  const checked = await host.check({}, { bad: true, later: UNKNOWN_VALUE });
  expect(checked).toMatchObject({
    inputs: { later: UNKNOWN_VALUE },
    failures: [{ property: "bad", reason: "no" }],
  });
  const compared = await host.diff("1", { size: 1 }, { size: 2 });
  expect(compared).toEqual({ changes: "some", replaces: ["size"], deleteBeforeReplace: false });
});

test("numbers that JSON lacks arrive as they are, as with the real engine", async () => {
  const news = { value: { a: Number.NaN, b: [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] } };
  expect((await host.check({}, news)).inputs).toMatchObject(news);
});

test("a read tells a found object from a missing one", async () => {
  await expect(host.read("1", { size: 1 }, {})).resolves.toMatchObject({ id: "1", inputs: { size: 2 } });
  const gone = await host.read("gone", { size: 1 }, {});
  expect(gone).toEqual({ id: "", properties: { __provider: provider } });
});

test("an error carries what exists in spite of it", async () => {
  const failure = await host.create({ half: true }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProviderCallError);
  expect(failure).toMatchObject({ partial: { id: "7", properties: { size: 1 }, reasons: ["not settled"] } });
  const refused = await host.delete("1", {}).catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: "delete: in use", partial: undefined });
  expect(host.stderr()).toContain("in use");
});

test.each([
  ["list[1]", { list: [1, undefined] }, "undefined"],
  ["deep.when", { deep: { when: new Date(0) } }, "an instance of Date"],
  ["big", { big: 1n }, "a bigint"],
])("what the engine cannot send is refused: %s", async (at, bag, what) => {
  await expect(host.create(bag)).rejects.toThrow(`${at} is ${what}`);
});
