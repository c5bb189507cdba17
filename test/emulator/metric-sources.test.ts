import { afterEach, expect, test } from "@jest/globals";
import { type Desk, finding, openDesk } from "./desk";

const all = "/metrics/metric_source";
const one = (name: string) => `${all}/${encodeURIComponent(name)}`;
const desks: Desk[] = [];
const open = async (options: Parameters<typeof openDesk>[0] = {}) => {
  const desk = await openDesk(options);
  desks.push(desk);
  return desk;
};
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close();
});

const query = {
  sql: "select 1",
  timestampColumn: "ts",
  idTypeMapping: [{ serviceUnitID: "userID", column: "user" }],
};

test("a source is made, listed, read, changed and removed by its name", async () => {
  const { ask, must, list } = await open();
  const name = "Source 1.0 / a::b ü";
  expect(await ask("POST", all, { name, ...query })).toMatchObject({ status: 201, data: { name } });
  expect(await list(`${all}/list`)).toMatchObject([{ name, ...query, tags: [], sourceType: "query" }]);
  expect(await must("GET", one(name))).toMatchObject({
    description: "",
    isVerified: false,
    owner: { ownerType: "SDK_KEY" },
  });
  const changed = await must("POST", one(name), { ...query, sql: "select 2", description: "new" });
  expect(changed).toMatchObject({ name, sql: "select 2", description: "new" });
  expect((await ask("DELETE", one(name))).body).toEqual({ message: expect.any(String) });
  expect((await ask("GET", one(name))).status).toBe(404);
  expect(await list(`${all}/list`)).toEqual([]);
});

test("the update needs every part of the query, refuses a name, and keeps what it does not name", async () => {
  const { ask, must } = await open();
  await must("POST", all, { name: "source", ...query, description: "old", tags: ["a"] });
  const { body } = await ask("POST", one("source"), { description: "new" });
  expect(body.errors).toEqual(Object.keys(query).map((property) => ({ property, errorMessage: "Required" })));
  expect((await ask("POST", one("source"), { ...query, name: "other" })).body).toEqual(
    finding("name", "Invalid literal value, expected undefined"),
  );
  expect(await must("POST", one("source"), query)).toMatchObject({ description: "old", tags: ["a"] });
  // [X3] Other clients send the name along.
  expect(await must("POST", one("source"), { ...query, name: "source" })).toMatchObject({ name: "source" });
  expect((await ask("PATCH", one("source"), query)).status).toBe(404);
});

test("what is written only is never shown", async () => {
  const { must } = await open();
  const written = { skip_validation: true, all_columns: ["ts"], column_types: ["timestamp"], dryRun: false };
  const made = await must("POST", all, { name: "source", ...query, ...written });
  for (const shown of [made, await must("GET", one("source"))]) {
    for (const member of Object.keys(written)) expect(shown).not.toHaveProperty(member);
  }
});

test("a query that reads from nothing is refused, unless a table is named or nothing is to be checked", async () => {
  const { ask, must } = await open();
  const empty = { ...query, sql: " " };
  const refused = finding("sql", "The query is empty and no table is named");
  expect((await ask("POST", all, { name: "source", ...empty })).body).toEqual(refused);
  expect((await ask("POST", all, { name: "source", ...empty, dryRun: true })).body).toEqual(refused);
  const table = { ...query, sql: "", sourceType: "table", tableName: "shop.purchases" };
  await must("POST", all, { name: "table", ...table });
  await must("POST", all, { name: "unchecked", ...empty, skip_validation: true });
  expect((await ask("POST", one("unchecked"), empty)).body).toEqual(refused);
});

test("a taken name is refused, and a dry run stores nothing", async () => {
  const { ask, must, list } = await open();
  expect(await ask("POST", all, { name: "source", ...query, dryRun: true })).toMatchObject({
    status: 201,
    data: { name: "source" },
  });
  expect(await list(`${all}/list`)).toEqual([]);
  await must("POST", all, { name: "source", ...query });
  expect((await ask("POST", all, { name: "source", ...query })).body).toEqual({
    status: 400,
    message: "Name is already in use",
  });
  await must("POST", one("source"), { ...query, description: "tried", dryRun: true });
  expect(await must("GET", one("source"))).toMatchObject({ description: "" });
});

test("profile statsig has its own name for the unit id; a seed speaks it too", async () => {
  const idTypeMapping = [{ statsigUnitID: "userID", column: "user" }];
  const seed = { metric_sources: [{ name: "planted", ...query, idTypeMapping }] };
  const { must } = await open({ profile: "statsig", seed });
  expect(await must("GET", one("planted"))).toMatchObject({ idTypeMapping });
  expect(await must("POST", all, { name: "source", ...query, idTypeMapping })).toMatchObject({
    idTypeMapping,
  });
});
