import { expect, test } from "@jest/globals";
import { finding } from "./desk";
import { desksOfTests, sharedDesk } from "./test-desk";

const all = "/experiments/assignment_sources";
const one = (name: string) => `/experiments/assignment_source/${encodeURIComponent(name)}`;
const open = desksOfTests();
const { ask, must, list } = sharedDesk();

const columns = { sql: "select 1", timestampColumn: "ts", experimentIDColumn: "e", groupIDColumn: "g" };
const source = { ...columns, idTypeMapping: [{ serviceUnitID: "userID", column: "user" }] };

test("a source is changed in part by PATCH, where null clears the hour, and as a whole by POST", async () => {
  await must("POST", all, { name: "source", ...source });
  const change = (method: string, body: object) => must(method, one("source"), body);
  const hour = { scheduledReloadHour: 3 };
  expect(await change("PATCH", { description: "new", ...hour })).toMatchObject(hour);
  const none = { scheduledReloadHour: null };
  expect(await change("PATCH", none)).toMatchObject(none);
  const whole = await change("POST", { ...source, sql: "select 2" });
  expect(whole).toMatchObject({ sql: "select 2", description: "new" });
});

test("a source of another name is not found", async () => {
  const message = "No assignment source was found with the given name";
  for (const method of ["PATCH", "DELETE"]) {
    expect((await ask(method, one("unknown"), {})).body).toEqual({ status: 404, message });
  }
});

test("PATCH takes no sql, the update needs every part of the query", async () => {
  await must("POST", all, { name: "source", ...source });
  const refused = finding("sql", "Invalid literal value, expected undefined");
  expect((await ask("PATCH", one("source"), { sql: "select 2" })).body).toEqual(refused);
  const { body } = await ask("POST", one("source"), { sql: "select 2" });
  const missing = ["timestampColumn", "experimentIDColumn", "groupIDColumn", "idTypeMapping"];
  expect(body.errors).toEqual(missing.map((property) => ({ property, errorMessage: "Required" })));
  expect((await ask("PATCH", one("source"), { scheduledReloadHour: 24 })).status).toBe(400);
});

test("a dry run answers and stores nothing", async () => {
  const { status, data } = await ask("POST", all, { name: "source", ...source, dryRun: true });
  expect([status, data.name]).toEqual([201, "source"]);
  expect(await list(all)).toEqual([]);
  await must("POST", all, { name: "source", ...source });
  expect(await must("PATCH", one("source"), { name: "new", dryRun: true })).toMatchObject({ name: "new" });
  expect(await list(all)).toMatchObject([{ name: "source" }]);
  expect((await ask("POST", all, { name: "bad", dryRun: true })).status).toBe(400);
  expect((await ask("POST", all, { name: "source", ...source, dryRun: "yes" })).body).toEqual(
    finding("dryRun", "Expected boolean, received string"),
  );
});

test("a rename moves the source to its new path and keeps its place", async () => {
  for (const name of ["first", "second"]) await must("POST", all, { name, ...source });
  expect((await ask("PATCH", one("first"), { name: "second" })).body.message).toBe("Name is already in use");
  await must("PATCH", one("first"), { name: "third" });
  expect((await list(all)).map(({ name }) => name)).toEqual(["third", "second"]);
  expect((await ask("PATCH", one("first"), {})).status).toBe(404);
  await must("POST", all, { name: "first", ...source });
});

test("profile statsig has its own name for the unit id, in bodies, answers and findings", async () => {
  const statsig = await open({ profile: "statsig" });
  const idTypeMapping = [{ statsigUnitID: "userID", column: "user" }];
  const made = await statsig.must("POST", all, { name: "source", ...columns, idTypeMapping });
  expect(made).toMatchObject({ idTypeMapping });
  expect((await statsig.list(all))[0]?.idTypeMapping).toEqual(idTypeMapping);
  const wrong = { idTypeMapping: [{ serviceUnitID: "a", column: "b" }] };
  const { body } = await statsig.ask("PATCH", one("source"), wrong);
  expect(body).toEqual(finding("idTypeMapping.0.statsigUnitID", "Required"));
});
