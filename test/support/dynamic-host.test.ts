import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runInThisContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import type { Provider } from "../../src/provider/pulumi/provider";
import { type Backend, partialOf } from "./driver";
import { type DynamicHost, startDynamicHost, UNKNOWN_VALUE } from "./dynamic-host";
import { inProcess } from "./in-process";

const text = `
let greeting;
exports.handler = () => ({
  async configure({ config }) { greeting = config.get("console:greeting"); },
  async check(olds, news) { return { inputs: news, failures: news.bad ? [{ property: "bad", reason: "no" }] : [] }; },
  async diff(id, olds, news) {
    return { changes: news.size === undefined ? undefined : olds.size !== news.size, replaces: ["size"] };
  },
  async create(inputs) {
    if (inputs.half) throw { message: "half", id: "7", properties: { size: 1 }, reasons: ["not settled"] };
    return { id: "1", outs: { ...inputs, greeting, ...(inputs.lost && { lost: undefined }) } };
  },
  async update(id, olds, news) { return { outs: { size: news.size } }; },
  async read(id, props) { return id === "gone" ? {} : { id, props, inputs: { size: 2 } }; },
  async delete() { throw new Error("in use"); },
});`;
const own = { __provider: text };

let folder: string;
let host: DynamicHost;
let here: Backend;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "dynamic-host-"));
  host = await startDynamicHost({ cwd: folder });
  await host.configure({ "console:greeting": "hello" });
  const exported = {} as { handler: () => Provider };
  (runInThisContext(`(function (exports) {${text}})`) as (exports: object) => void)(exported);
  const provider = exported.handler();
  await provider.configure({ config: { get: () => "hello", require: () => "hello" } });
  here = inProcess(provider);
}, 60_000);
afterAll(async () => {
  await host?.stop();
  await removeTree(folder);
});

describe.each([
  ["Pulumi's host", () => host],
  ["this process", () => here],
])("a provider, called in %s", (_, backend: () => Backend) => {
  test("answers with plain values, and the text that leads to it", async () => {
    const created = await backend().create({ ...own, list: [1, { inner: null }] });
    expect(created).toEqual({
      id: "1",
      properties: { ...own, list: [1, { inner: null }], greeting: "hello" },
    });
    const checked = await backend().check({}, { ...own, bad: true, later: UNKNOWN_VALUE });
    expect(checked).toEqual({
      inputs: { ...own, bad: true, later: UNKNOWN_VALUE },
      failures: [{ property: "bad", reason: "no" }],
    });
    const updated = await backend().update("1", { ...own, size: 1 }, { ...own, size: 2, gone: 1 });
    expect(updated).toEqual({ properties: { ...own, size: 2 } });
  });

  test.each([
    [2, "some"],
    [1, "none"],
    [undefined, "unknown"],
  ])("compares: with %p there are %s changes", async (size, changes) => {
    const news = size === undefined ? own : { ...own, size };
    const compared = await backend().diff("1", { ...own, size: 1 }, news);
    expect(compared).toEqual({ changes, replaces: ["size"], deleteBeforeReplace: false });
  });

  test("gets numbers that JSON lacks as they are, as with the real engine", async () => {
    const news = { value: { a: Number.NaN, b: [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] } };
    expect((await backend().check({}, { ...own, ...news })).inputs).toMatchObject(news);
  });

  test("tells a found object from a missing one", async () => {
    const found = await backend().read("1", { ...own, size: 1 }, own);
    expect(found).toEqual({ id: "1", properties: { ...own, size: 1 }, inputs: { ...own, size: 2 } });
    const got = await backend().read("1", undefined, own);
    expect(got).toEqual({ id: "1", properties: own, inputs: { ...own, size: 2 } });
    const gone = await backend().read("gone", { ...own, size: 1 }, own);
    expect(gone).toEqual({ id: "", properties: own });
  });

  test("says in an error what exists in spite of it", async () => {
    const failure = await backend()
      .create({ ...own, half: true })
      .catch((error: unknown) => error);
    expect(partialOf(failure)).toEqual({ id: "7", properties: { size: 1 }, reasons: ["not settled"] });
    const refused = (await backend()
      .delete("1", own)
      .catch((error: unknown) => error)) as Error;
    expect(refused.message).toContain("in use");
    expect(partialOf(refused)).toBeUndefined();
  });

  test("cannot answer with what the wire does not carry", async () => {
    await expect(backend().create({ ...own, lost: true })).rejects.toThrow();
  });

  test.each([
    ["list[1]", { list: [1, undefined] }, "undefined"],
    ["deep.when", { deep: { when: new Date(0) } }, "an instance of Date"],
    ["big", { big: 1n }, "a bigint"],
  ])("is not sent what the engine cannot send: %s", async (at, bag, what) => {
    await expect(backend().create({ ...own, ...bag })).rejects.toThrow(`${at} is ${what}`);
  });
});

test("the host prints what went wrong", () => {
  expect(host.stderr()).toContain("in use");
});
