import { describe, expect, test } from "@jest/globals";
import { eachPage } from "../../src/provider/client/pages";
import { callerOf, FakeTransport, json, ok, type Reply, route } from "./fakes";

const list = route("GET", "/gates", "items");
const page = (nextPage: unknown, ...ids: string[]): Reply =>
  ok(
    ids.map((id) => ({ id })),
    { itemsPerPage: 2, pageNumber: 1, nextPage, previousPage: null },
  );

async function walk(replies: Reply[], query?: Record<string, string>) {
  const transport = new FakeTransport(...replies);
  const { caller } = callerOf(transport);
  const ids: unknown[] = [];
  const pages = eachPage(caller, list, query === undefined ? {} : { query }, (item) => item);
  for await (const page of pages) ids.push(...page.map(({ id }) => id));
  return { ids, asked: transport.requests.map(({ url }) => new URL(url).search) };
}

const two = ["?limit=100&page=1", "?limit=100&page=2"];

describe("a list is walked to its end", () => {
  test.each([
    ...["?page=2", "?page=2&limit=5", "/console/v1/layers?page=2&limit=3"],
    "/console/v1/metrics/values?date=2026-01-01&page=2&limit=5",
    "console.example.com/console/v1/gates?page=2&limit=5",
    "/console/v1/qualifying_events?page=7&limit=1",
  ])("whatever the link to the next page looks like (%s)", async (link) => {
    expect(await walk([page(link, "a", "b"), page(null, "c")])).toEqual({ ids: ["a", "b", "c"], asked: two });
  });

  const nullPages = json(200, { message: "ok", data: [{ id: "a" }], pagination: null });
  test.each<[string, Reply[], string[], number]>([
    ["a last page", [page(null, "a")], ["a"], 1],
    ["a link that is empty", [page("", "a")], ["a"], 1],
    ["a link that is absent", [page(undefined, "a")], ["a"], 1],
    ["no pagination", [ok([{ id: "a" }])], ["a"], 1],
    ["pagination that is null", [nullPages], ["a"], 1],
    ["an empty list", [page(null)], [], 1],
    ["an empty page", [page("?page=2", "a"), page("?page=3")], ["a"], 2],
    ["a page that begins like the one before", [page("2", "a"), page("3", "a")], ["a"], 2],
    ["one object in the place of a list", [ok({ id: "a" })], ["a"], 1],
    ["a page that begins like an earlier", [page("2", "a"), page("3", "b"), page("4", "a")], ["a", "b"], 3],
  ])("and ends at %s", async (_, replies, ids, requests) => {
    const walked = await walk(replies);
    expect(walked.ids).toEqual(ids);
    expect(walked.asked).toHaveLength(requests);
  });

  test.each<[string, Reply]>([
    ["an answer without data", json(200, { message: "ok" })],
    ["an empty body", { text: "" }],
    ["null", json(200, { data: null })],
    ["a list of something else", json(200, { data: [{ id: "a" }, "b"] })],
  ])("and %s is no list: it must not pass for an empty one", async (_, reply) => {
    await expect(walk([reply])).rejects.toMatchObject({ category: "unexpected-answer" });
  });

  test("but not for ever: a list that shows a next page for ever is given up with a message", async () => {
    const endless = Array.from({ length: 5001 }, (_, index) => page("?page=next", `g${index}`));
    await expect(walk(endless)).rejects.toThrow(/next page after 5000 pages/);
  });

  test("with the same filters and page size throughout", async () => {
    const pages = [page("x", "a"), page("x", "b"), page(null, "c")];
    const { asked } = await walk(pages, { tags: "shop", limit: "5" });
    expect(asked).toEqual([1, 2, 3].map((number) => `?limit=5&tags=shop&page=${number}`));
  });

  test("lazily: what is not asked for is not read", async () => {
    const transport = new FakeTransport(page("?page=2", "a", "b"));
    for await (const _ of eachPage(callerOf(transport).caller, list, {}, (item) => item)) break;
    expect(transport.requests).toHaveLength(1);
  });
});
