import { expect, test } from "@jest/globals";
import { finding } from "./desk";
import { desksOfTests, sharedDesk } from "./test-desk";

const all = "/metrics/metric_source";
const one = (name: string) => `${all}/${encodeURIComponent(name)}`;
const open = desksOfTests();
const { ask, must, list } = sharedDesk();

const query = {
  sql: "select 1",
  timestampColumn: "ts",
  idTypeMapping: [{ serviceUnitID: "userID", column: "user" }],
};

test("the update needs every part of the query, refuses a name, and keeps what it does not name", async () => {
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
  const written = { skip_validation: true, all_columns: ["ts"], column_types: ["timestamp"], dryRun: false };
  const made = await must("POST", all, { name: "source", ...query, ...written });
  for (const shown of [made, await must("GET", one("source"))]) {
    for (const member of Object.keys(written)) expect(shown).not.toHaveProperty(member);
  }
});

test("a query that reads from nothing is refused, unless a table is named or nothing is to be checked", async () => {
  const empty = { ...query, sql: " " };
  const refused = finding("sql", "The query is empty and no table is named");
  expect((await ask("POST", all, { name: "source", ...empty })).body).toEqual(refused);
  expect((await ask("POST", all, { name: "source", ...empty, dryRun: true })).body).toEqual(refused);
  const table = { ...query, sql: "", sourceType: "table", tableName: "shop.purchases" };
  await must("POST", all, { name: "table", ...table });
  await must("POST", all, { name: "unchecked", ...empty, skip_validation: true });
  expect((await ask("POST", one("unchecked"), empty)).body).toEqual(refused);
});

test("a dry run stores nothing", async () => {
  const { status, data } = await ask("POST", all, { name: "source", ...query, dryRun: true });
  expect([status, data.name]).toEqual([201, "source"]);
  expect(await list(`${all}/list`)).toEqual([]);
  await must("POST", all, { name: "source", ...query });
  await must("POST", one("source"), { ...query, description: "tried", dryRun: true });
  expect(await must("GET", one("source"))).toMatchObject({ description: "" });
});

test("profile statsig has its own name for the unit id; a seed speaks it too", async () => {
  const idTypeMapping = [{ statsigUnitID: "userID", column: "user" }];
  const seed = { metric_sources: [{ name: "planted", ...query, idTypeMapping }] };
  const statsig = await open({ profile: "statsig", seed });
  expect(await statsig.must("GET", one("planted"))).toMatchObject({ idTypeMapping });
  const made = await statsig.must("POST", all, { name: "source", ...query, idTypeMapping });
  expect(made).toMatchObject({ idTypeMapping });
});
