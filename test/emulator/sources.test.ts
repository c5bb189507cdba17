import { describe, expect, test } from "@jest/globals";
import { desksOfTests, sharedDesk } from "./test-desk";

const open = desksOfTests();
const { ask, must, list, refused } = sharedDesk();

const mapping = (member: string) => ({ idTypeMapping: [{ [member]: "userID", column: "user" }] });
const query = { sql: "select 1", timestampColumn: "ts", ...mapping("serviceUnitID") };
const assignment = { ...query, experimentIDColumn: "e", groupIDColumn: "g" };
const allRequired = (...parts: string[]) => `400 ${parts.map((part) => `${part}: Required`).join("; ")}`;

describe("metric sources", () => {
  const all = "/metrics/metric_source";
  const one = `${all}/source`;
  const make = (body: object = {}) => must("POST", all, { name: "source", ...query, ...body });

  test("the update needs every part of the query, refuses a name, and keeps what it does not name", async () => {
    await make({ description: "old", tags: ["a"] });
    expect(await refused("POST", one, { description: "new" })).toBe(
      allRequired("sql", "timestampColumn", "idTypeMapping"),
    );
    expect(await refused("POST", one, { ...query, name: "other" })).toBe(
      "400 name: Invalid literal value, expected undefined",
    );
    expect(await must("POST", one, query)).toMatchObject({ description: "old", tags: ["a"] });
    // [X3] Other clients send the name along.
    expect(await must("POST", one, { ...query, name: "source" })).toMatchObject({ name: "source" });
    expect((await ask("PATCH", one, query)).status).toBe(404);
  });

  test("a query that reads from nothing is refused, unless a table is named or nothing is to be checked", async () => {
    const empty = { ...query, name: "source", sql: " " };
    const reason = "400 sql: The query is empty and no table is named";
    for (const more of [{}, { dryRun: true }])
      expect(await refused("POST", all, { ...empty, ...more })).toBe(reason);
    await make({ name: "table", sql: "", sourceType: "table", tableName: "shop.purchases" });
    await make({ ...empty, skip_validation: true });
    expect(await refused("POST", one, empty)).toBe(reason);
  });
});

describe("assignment sources", () => {
  const all = "/experiments/assignment_sources";
  const one = "/experiments/assignment_source/source";
  const make = (name = "source") => must("POST", all, { name, ...assignment });

  test("a source is changed in part by PATCH, where null clears the hour, and as a whole by POST", async () => {
    await make();
    for (const hour of [{ scheduledReloadHour: 3 }, { scheduledReloadHour: null }])
      expect(await must("PATCH", one, { description: "new", ...hour })).toMatchObject(hour);
    const whole = await must("POST", one, { ...assignment, sql: "select 2" });
    expect(whole).toMatchObject({ sql: "select 2", description: "new" });
  });

  test("a rename moves the source to its new path and keeps its place", async () => {
    for (const name of ["source", "second"]) await make(name);
    expect(await refused("PATCH", one, { name: "second" })).toBe("400 Name is already in use");
    await must("PATCH", one, { name: "third" });
    expect((await list(all)).map(({ name }) => name)).toEqual(["third", "second"]);
    for (const method of ["PATCH", "DELETE"])
      expect(await refused(method, one, {})).toBe("404 No assignment source was found with the given name");
    await make();
  });
});

test("profile statsig has its own name for the unit id, in bodies, answers, findings and seeds", async () => {
  const own = mapping("statsigUnitID");
  const seed = { metric_sources: [{ name: "planted", ...query, ...own }] };
  const { must, list, refused } = await open({ profile: "statsig", seed });
  expect(await must("GET", "/metrics/metric_source/planted")).toMatchObject(own);
  for (const path of ["/metrics/metric_source", "/experiments/assignment_sources"])
    expect(await must("POST", path, { name: "source", ...assignment, ...own })).toMatchObject(own);
  expect(await list("/experiments/assignment_sources")).toMatchObject([own]);
  expect(await refused("PATCH", "/experiments/assignment_source/source", mapping("serviceUnitID"))).toBe(
    "400 idTypeMapping.0.statsigUnitID: Required",
  );
});
