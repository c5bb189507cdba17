import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { recordChange, recordedChanges } from "../../src/emulator/console/audit-log";
import type { Call } from "../../src/emulator/console/behaviour";
import { operationsOf } from "../../src/emulator/console/default-operations";
import { behaviours } from "../../src/emulator/kinds";
import { openStore } from "../../src/emulator/store/sqlite-store";
import { type Desk, deskOf, openDesk, ruleFor } from "./desk";

const ada = ["ada", "key"].join("-");

let now: number;
let api: Desk;
let adas: Desk;
beforeEach(async () => {
  now = Date.UTC(2026, 10, 24, 23, 59, 58);
  const behaviour = { requiredReviews: "hold" } as const;
  api = await openDesk({ people: { [ada]: "ada@example.com" }, clock: () => now, behaviour });
  adas = deskOf(api.emulator, { "SERVICE-API-KEY": ada });
});
afterEach(() => api?.close());

const make = (id = "one", more: object = {}) => api.must("POST", "/gates", { id, ...more });
const entries = async (query = "") => {
  const listed = await api.list(`/audit_logs${query}`);
  return listed.map(({ name, actionType }) => `${actionType} ${name}`);
};

test("[H1] each change has an entry with its author and its time, newest first", async () => {
  await make("one", { name: "One", tags: ["shop"] });
  now += 2000;
  await adas.must("DELETE", "/gates/one");
  const common = { name: "One", changes: {}, tags: ["shop"] };
  expect(await api.list("/audit_logs")).toEqual([
    {
      ...{ ...common, id: "2", actionType: "delete_gate", changeLog: "Delete: gate" },
      ...{ date: "2026-11-25", time: "00:00:00", modifierEmail: "ada@example.com" },
      ...{ updatedBy: "ada@example.com", updatedByUserID: "user-ada@example.com" },
    },
    {
      ...{ ...common, id: "1", actionType: "create_gate", changeLog: "Create: gate" },
      ...{ date: "2026-11-24", time: "23:59:58", modifierEmail: null },
      ...{ updatedBy: "CONSOLE API", updatedByUserID: "" },
    },
  ]);
});

test("parts of an object and reviews have entries, and a committed change has one of its own", async () => {
  await make();
  await api.must("POST", "/gates/one/rule", ruleFor("r"));
  await api.must("PUT", "/gates/one/disable", {});
  await api.must("POST", "/gates/one/reviews", { description: "Please", change: { delete: true } });
  await adas.must("PUT", "/gates/one/reviews/1/approve", {});
  await api.must("PUT", "/gates/one/reviews/1/commit", {});
  expect((await entries()).map((entry) => entry.split(" ")[0]).reverse()).toEqual([
    ...["create_gate", "add_gate_rule", "disable_gate"],
    ...["create_gate_review", "approve_gate_review", "delete_gate", "commit_gate_review"],
  ]);
});

test("a change that a policy holds is the review that it opened", async () => {
  await make("one", { reviewSettings: { requiredReview: true } });
  await api.must("PUT", "/gates/one/disable", {});
  expect(await entries()).toEqual(["create_gate_review one", "create_gate one"]);
});

test("a read, a refused change and a dry run have no entry, and no entry shows a key", async () => {
  await make();
  await api.must("GET", "/gates/one");
  expect((await api.ask("PATCH", "/gates/one", { rules: "none" })).status).toBe(400);
  await api.must("POST", "/dynamic_configs?dryRun=true", { name: "two" });
  const { key } = await api.must("POST", "/keys", { description: "For CI", type: "SERVER" });
  await api.must("PATCH", `/keys/${String(key)}`, { description: "For CI, too" });
  expect(await entries()).toEqual(["update_key For CI", "create_key For CI", "create_gate one"]);
  expect(JSON.stringify(await api.list("/audit_logs"))).not.toContain(String(key));
});

test("[H1] entries are filtered by type, tag, id and day, and sorted", async () => {
  for (const [id, tag] of Object.entries({ one: "a", two: "b" })) await make(id, { tags: [tag] });
  now += 86_400_000;
  await api.must("DELETE", "/gates/one");
  const [deleted, two, one] = ["delete_gate one", "create_gate two", "create_gate one"];
  for (const [query, expected] of [
    ["?actionTypes=create_gate&actionTypes=delete_gate", [deleted, two, one]],
    ["?actionType=delete_gate", [deleted]],
    ["?tags=b", [two]],
    ["?id=1", [one]],
    ["?startDate=2026-11-25", [deleted]],
    ["?endDate=2026-11-24", [two, one]],
    ["?latestID=2", [deleted]],
    ["?sortKey=name&sortOrder=asc", [deleted, one, two]],
    ["?sortKey=id&sortOrder=desc", [deleted, two, one]],
  ] as const)
    expect([query, await entries(query)]).toEqual([query, expected]);
  const page = await api.ask("GET", "/audit_logs?limit=2&page=2");
  expect(page.body).toMatchObject({ pagination: { totalItems: 3 }, data: [{ actionType: "create_gate" }] });
});

test("only the newest entries are kept", () => {
  const store = openStore(":memory:");
  store.transaction("write", (world) => {
    const call = { world, behaviour: behaviours.gate, ports: { clock: () => now } } as unknown as Call;
    for (let count = 0; count <= 5000; count += 1) recordChange(call, "enable", { name: "one" });
    const kept = recordedChanges(world);
    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([5000, "5001", "2"]);
  });
  store.close();
});

test("every write of every kind is one that entries can name", () => {
  const names = Object.values(behaviours).flatMap((behaviour) =>
    Object.keys(operationsOf(behaviour)).filter(
      (name) => behaviour.definition.routes[name]?.method !== "GET" && !/^[a-z]+([A-Z][a-z]*)*$/.test(name),
    ),
  );
  expect(names).toEqual([]);
});
