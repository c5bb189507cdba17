import { afterEach, expect, test } from "@jest/globals";
import { type Desk, finding, openDesk } from "./desk";

const all = "/experiments/assignment_sources";
const one = (name: string) => `/experiments/assignment_source/${encodeURIComponent(name)}`;
const desks: Desk[] = [];
const open = async (profile: "custom" | "statsig" = "custom") => {
  const desk = await openDesk({ profile });
  desks.push(desk);
  return desk;
};
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close();
});

const columns = { sql: "select 1", timestampColumn: "ts", experimentIDColumn: "e", groupIDColumn: "g" };
const source = { ...columns, idTypeMapping: [{ serviceUnitID: "userID", column: "user" }] };

test("a source is made, listed, changed and removed by its name", async () => {
  const { ask, must, list } = await open();
  const name = "Source 1.0 / a::b ü";
  expect((await ask("POST", all, { name, ...source })).status).toBe(201);
  expect(await list(all)).toMatchObject([{ name, ...source, description: "", tags: [], isVerified: false }]);
  expect(await must("PATCH", one(name), { description: "new", scheduledReloadHour: 3 })).toMatchObject({
    scheduledReloadHour: 3,
  });
  expect(await must("PATCH", one(name), { scheduledReloadHour: null })).toMatchObject({
    scheduledReloadHour: null,
  });
  expect(await must("POST", one(name), { ...source, sql: "select 2" })).toMatchObject({
    sql: "select 2",
    description: "new",
  });
  expect((await ask("DELETE", one(name))).body).toEqual({ message: expect.any(String) });
  expect(await list(all)).toEqual([]);
});

test("a source of another name is not found", async () => {
  const { ask } = await open();
  const message = "No assignment source was found with the given name";
  for (const method of ["PATCH", "DELETE"]) {
    expect((await ask(method, one("unknown"), {})).body).toEqual({ status: 404, message });
  }
});

test("PATCH takes no sql, the update needs every part of the query", async () => {
  const { ask, must } = await open();
  await must("POST", all, { name: "source", ...source });
  const refused = finding("sql", "Invalid literal value, expected undefined");
  expect((await ask("PATCH", one("source"), { sql: "select 2" })).body).toEqual(refused);
  const { body } = await ask("POST", one("source"), { sql: "select 2" });
  const missing = ["timestampColumn", "experimentIDColumn", "groupIDColumn", "idTypeMapping"];
  expect(body.errors).toEqual(missing.map((property) => ({ property, errorMessage: "Required" })));
  expect((await ask("PATCH", one("source"), { scheduledReloadHour: 24 })).status).toBe(400);
});

test("a dry run answers and stores nothing", async () => {
  const { ask, must, list } = await open();
  expect(await ask("POST", all, { name: "source", ...source, dryRun: true })).toMatchObject({
    status: 201,
    data: { name: "source" },
  });
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
  const { ask, must, list } = await open();
  for (const name of ["first", "second"]) await must("POST", all, { name, ...source });
  expect((await ask("PATCH", one("first"), { name: "second" })).body.message).toBe("Name is already in use");
  await must("PATCH", one("first"), { name: "third" });
  expect((await list(all)).map(({ name }) => name)).toEqual(["third", "second"]);
  expect((await ask("PATCH", one("first"), {})).status).toBe(404);
  await must("POST", all, { name: "first", ...source });
});

test("profile statsig has its own name for the unit id, in bodies, answers and findings", async () => {
  const { ask, must, list } = await open("statsig");
  const idTypeMapping = [{ statsigUnitID: "userID", column: "user" }];
  expect(await must("POST", all, { name: "source", ...columns, idTypeMapping })).toMatchObject({
    idTypeMapping,
  });
  expect((await list(all))[0]?.idTypeMapping).toEqual(idTypeMapping);
  expect(
    (await ask("PATCH", one("source"), { idTypeMapping: [{ serviceUnitID: "a", column: "b" }] })).body,
  ).toEqual(finding("idTypeMapping.0.statsigUnitID", "Required"));
});
