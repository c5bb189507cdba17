import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { recordChange, recordedChanges } from "../../src/emulator/console/audit-log";
import type { Call } from "../../src/emulator/console/behaviour";
import { operationsOf } from "../../src/emulator/console/default-operations";
import { behaviours } from "../../src/emulator/kinds";
import { openStore } from "../../src/emulator/store/sqlite-store";
import { type Desk, deskOf, openDesk, ruleFor } from "./desk";

const ada = ["ada", "key"].join("-");
const day = 86_400_000;

let now: number;
let desk: Desk;
let adas: Desk;
beforeEach(async () => {
  now = Date.UTC(2026, 10, 24, 23, 59, 58);
  desk = await openDesk({ people: { [ada]: "ada@example.com" }, clock: () => now });
  adas = deskOf(desk.emulator, { "SERVICE-API-KEY": ada });
});
afterEach(() => desk?.close());

const typesOf = async (query = "") =>
  (await desk.list(`/audit_logs${query}`)).map(({ actionType }) => actionType);

test("[H1] each change has an entry with its author and its time, newest first", async () => {
  await desk.must("POST", "/gates", { id: "one", name: "One", tags: ["shop"] });
  now += 2000;
  await adas.must("DELETE", "/gates/one");
  expect(await desk.list("/audit_logs")).toEqual([
    {
      ...{ id: "2", name: "One", actionType: "delete_gate", changeLog: "Delete: gate", changes: {} },
      ...{ date: "2026-11-25", time: "00:00:00", tags: ["shop"] },
      ...{ updatedBy: "ada@example.com", updatedByUserID: "user-ada@example.com" },
      modifierEmail: "ada@example.com",
    },
    {
      ...{ id: "1", name: "One", actionType: "create_gate", changeLog: "Create: gate", changes: {} },
      ...{ date: "2026-11-24", time: "23:59:58", tags: ["shop"] },
      ...{ updatedBy: "CONSOLE API", updatedByUserID: "", modifierEmail: null },
    },
  ]);
});

test("an object shows who changed it last: a person, or a machine again", async () => {
  const by = async () => (await desk.must("GET", "/gates/one")).lastModifierEmail;
  await desk.must("POST", "/gates", { id: "one" });
  expect(await by()).toBeNull();
  await adas.must("PATCH", "/gates/one", { description: "New" });
  expect(await by()).toBe("ada@example.com");
  await desk.must("PATCH", "/gates/one", { description: "Newer" });
  expect(await by()).toBeNull();
});

test("parts of an object and reviews have entries, and a committed change has one of its own", async () => {
  await desk.must("POST", "/gates", { id: "one" });
  await desk.must("POST", "/gates/one/rule", ruleFor("r"));
  await desk.must("PUT", "/gates/one/disable", {});
  await desk.must("POST", "/gates/one/reviews", { description: "Please", change: { delete: true } });
  await adas.must("PUT", "/gates/one/reviews/1/approve", {});
  await desk.must("PUT", "/gates/one/reviews/1/commit", {});
  expect((await typesOf()).reverse()).toEqual([
    ...["create_gate", "add_gate_rule", "disable_gate"],
    ...["create_gate_review", "approve_gate_review", "delete_gate", "commit_gate_review"],
  ]);
});

test("a change that a policy holds is the review that it opened", async () => {
  await desk.close();
  desk = await openDesk({ behaviour: { requiredReviews: "hold" } });
  await desk.must("POST", "/gates", { id: "one", reviewSettings: { requiredReview: true } });
  await desk.must("PUT", "/gates/one/disable", {});
  expect(await typesOf()).toEqual(["create_gate_review", "create_gate"]);
});

test("a read, a refused change and a dry run have no entry, and no entry shows a key", async () => {
  await desk.must("POST", "/gates", { id: "one" });
  await desk.must("GET", "/gates/one");
  expect((await desk.ask("PATCH", "/gates/one", { rules: "none" })).status).toBe(400);
  await desk.must("POST", "/dynamic_configs?dryRun=true", { name: "two" });
  const { key } = await desk.must("POST", "/keys", { description: "For CI", type: "SERVER" });
  await desk.must("PATCH", `/keys/${String(key)}`, { description: "For CI, too" });
  const entries = await desk.list("/audit_logs");
  const told = entries.map(({ name, actionType }) => `${actionType}: ${name}`);
  expect(told).toEqual(["update_key: For CI", "create_key: For CI", "create_gate: one"]);
  expect(JSON.stringify(entries)).not.toContain(String(key));
});

test("[H1] entries are filtered by type, tag, id and day, and sorted", async () => {
  for (const [id, tag] of Object.entries({ one: "a", two: "b" }))
    await desk.must("POST", "/gates", { id, tags: [tag] });
  now += day;
  await desk.must("DELETE", "/gates/one");
  const all = ["delete_gate", "create_gate", "create_gate"];
  const names = async (query: string) => (await desk.list(`/audit_logs${query}`)).map(({ name }) => name);
  expect(await typesOf("?actionTypes=create_gate&actionTypes=delete_gate")).toEqual(all);
  expect(await typesOf("?actionType=delete_gate")).toEqual(["delete_gate"]);
  expect(await names("?tags=b")).toEqual(["two"]);
  expect(await names("?id=1")).toEqual(["one"]);
  expect(await names("?startDate=2026-11-25")).toEqual(["one"]);
  expect(await names("?endDate=2026-11-24")).toEqual(["two", "one"]);
  expect(await typesOf("?latestID=2")).toEqual(["delete_gate"]);
  expect(await names("?sortKey=name&sortOrder=asc")).toEqual(["one", "one", "two"]);
  expect(await names("?sortKey=id&sortOrder=desc")).toEqual(["one", "two", "one"]);
  const page = await desk.ask("GET", "/audit_logs?limit=2&page=2");
  expect(page.body).toMatchObject({ pagination: { totalItems: 3 }, data: [{ actionType: "create_gate" }] });
});

test("only the newest entries are kept", () => {
  const store = openStore(":memory:");
  store.transaction("write", (world) => {
    const call = { world, behaviour: behaviours.gate, ports: { clock: () => now } } as unknown as Call;
    for (let count = 0; count <= 5000; count += 1) recordChange(call, "enable", { name: "one" });
    const entries = recordedChanges(world);
    expect([entries.length, entries[0]?.id, entries.at(-1)?.id]).toEqual([5000, "5001", "2"]);
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
