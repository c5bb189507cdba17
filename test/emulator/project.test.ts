import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createEmulator, type EmulatorOptions } from "../../src/emulator";
import { profiles } from "../../src/provider/client/profile";
import { finding, type Item } from "./desk";
import { sharedDesk } from "./test-desk";

const desk = sharedDesk();

test("every key of a project is told the same id of it", async () => {
  const [one, ...others] = [await desk.must("GET", "/project"), await desk.must("GET", "/project")];
  expect(one).toEqual({ id: expect.stringMatching(/^emulated_\w{12}$/) });
  desk.emulator.reset();
  expect([...others, await desk.must("GET", "/project")]).toEqual([one, one]);
});

describe("the id of a project", () => {
  const idOf = async (options: EmulatorOptions) => {
    const emulator = createEmulator(options);
    const headers = { [profiles.custom.keyHeader]: "k" };
    const url = "http://console/console/v1/project";
    const { text } = await emulator.transport.send({ method: "GET", url, headers });
    emulator.close();
    return (JSON.parse(text) as { data: { id: string } }).data.id;
  };

  test("is another one for each console, also for consoles of one seed", async () => {
    const seed = { gates: [{ name: "checkout" }] };
    const ids = [await idOf({}), await idOf({}), await idOf({ seed }), await idOf({ seed })];
    expect(new Set(ids).size).toBe(4);
  });

  test("stays in the file, also in one of before, and for the embedded console", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "project-id-"));
    const data = path.join(folder, "console.db");
    const id = await idOf({ data });
    expect([await idOf({ data }), await idOf({ data, profile: "embedded" })]).toEqual([id, id]);
    expect(await idOf({ data: path.join(folder, "another.db") })).not.toBe(id);
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const database = new DatabaseSync(data);
    database.exec("DELETE FROM record WHERE collection = 'project'");
    database.close();
    const anew = await idOf({ data });
    expect([await idOf({ data }), anew !== id]).toEqual([anew, true]);
    rmSync(folder, { recursive: true });
  });

  test("is that of the seed, where the seed has one", async () => {
    expect(await idOf({ seed: { projects: [{ id: "shop" }] } })).toBe("shop");
  });
});

describe("tags", () => {
  test("[W3] are read, changed and removed by their id as by their name", async () => {
    const { id } = await desk.must("POST", "/tags", { name: "shop", description: "" });
    expect(await desk.must("GET", `/tags/${id}`)).toEqual(await desk.must("GET", "/tags/shop"));
    const changed = await desk.must("PATCH", `/tags/${id}`, { description: "new" });
    expect(changed).toMatchObject({ name: "shop", description: "new" });
    await desk.ask("DELETE", `/tags/${id}`);
    expect((await desk.ask("GET", "/tags/shop")).status).toBe(404);
  });

  test("keep their id when renamed, and are found under the new name", async () => {
    expect((await desk.ask("POST", "/tags", { name: "c" })).body).toEqual(finding("description", "Required"));
    const { id } = await desk.must("POST", "/tags", { name: "old", description: "x" });
    expect(await desk.must("PATCH", "/tags/old", { name: "new" })).toMatchObject({ id, description: "x" });
    expect((await desk.ask("GET", "/tags/old")).status).toBe(404);
    expect((await desk.must("GET", "/tags/new")).id).toBe(id);
  });

  test("that are renamed are carried under the new name, by what is archived too", async () => {
    await desk.must("POST", "/tags", { name: "old", description: "" });
    for (const name of ["gate_a", "gate_b"])
      await desk.must("POST", "/gates", { name, tags: ["one", "old"] });
    await desk.must("PUT", "/gates/gate_b/archive", { archiveReason: "Done" });
    await desk.must("PATCH", "/tags/old", { name: "new" });
    expect((await desk.must("GET", "/gates/gate_a")).tags).toEqual(["one", "new"]);
    expect((await desk.must("GET", "/gates/gate_b")).tags).toEqual(["one", "new"]);
    expect((await desk.list("/gates")).map(({ name }) => name)).toEqual(["gate_a"]);
    expect((await desk.list("/tags")).map(({ name }) => name)).toEqual(["new", "one"]);
  });

  test("that nothing knew before come into being when an object carries them", async () => {
    await desk.must("POST", "/gates", { name: "gate_a", tags: ["shop", "beta"] });
    expect((await desk.list("/tags")).map(({ name }) => name)).toEqual(["shop", "beta"]);
    expect((await desk.ask("POST", "/tags", { name: "shop", description: "" })).status).toBe(400);
  });

  test("that are core have a star on other objects, which is no part of the name", async () => {
    await desk.must("POST", "/tags", { name: "shop", description: "", isCore: true });
    const gate = await desk.must("POST", "/gates", { name: "gate_a", tags: ["shop", "beta"] });
    expect(gate.tags).toEqual(["★ shop", "beta"]);
    expect((await desk.must("PATCH", "/gates/gate_a", { tags: gate.tags })).tags).toEqual(["★ shop", "beta"]);
    await desk.must("PATCH", "/tags/shop", { isCore: false });
    expect((await desk.must("GET", "/gates/gate_a")).tags).toEqual(["shop", "beta"]);
    expect(await desk.list("/tags")).toHaveLength(2);
  });
});

test("unit id types change their description only", async () => {
  await desk.must("POST", "/unit_id_types", { name: "device ID" });
  const path = "/unit_id_types/device%20ID";
  const changed = { name: "device ID", description: "x" };
  expect(await desk.must("PATCH", path, { description: "x", name: "other" })).toEqual(changed);
  expect((await desk.ask("PATCH", path, {})).body).toEqual(finding("description", "Required"));
});

describe("target apps", () => {
  const make = (name: string, more = {}): Promise<Item> =>
    desk.must("POST", "/target_app", { name, description: "x", ...more });
  const appsOf = async (path: string): Promise<unknown> => (await desk.must("GET", path)).targetApps;

  test("answer a change by a message alone", async () => {
    const { id } = await make("web");
    const { body } = await desk.ask("PATCH", `/target_app/${id}`, { name: "site", description: "y" });
    expect(Object.keys(body)).toEqual(["message"]);
    expect(await desk.list("/target_app")).toEqual([{ id, name: "site" }]);
    const bare = await desk.ask("POST", "/target_app", { name: "web" });
    expect(bare.body).toEqual(finding("description", "Required"));
  });

  test("that are renamed are on their members under the new name", async () => {
    const { id } = await make("web");
    await desk.must("POST", "/experiments", { name: "experiment_a", targetApps: ["web"] });
    await desk.must("PATCH", `/target_app/${id}`, { name: "site" });
    expect(await appsOf("/experiments/experiment_a")).toEqual(["site"]);
  });

  test("take their first members at creation", async () => {
    await desk.must("POST", "/gates", { name: "gate_a" });
    await make("web", { gates: ["gate_a"] });
    expect(await appsOf("/gates/gate_a")).toEqual(["web"]);
    const unknown = { name: "x", description: "", dynamicConfigs: ["no"] };
    expect((await desk.ask("POST", "/target_app", unknown)).body).toEqual({
      status: 404,
      message: "Dynamic configs with IDs [no] do not exist",
    });
    expect(await desk.list("/target_app")).toHaveLength(1);
  });

  test("are assigned in bulk, and refused with the ids that are unknown", async () => {
    await desk.must("POST", "/gates", { name: "gate_a", targetApps: ["web"] });
    await desk.must("POST", "/experiments", { name: "experiment_a" });
    const ids = [(await make("web")).id, (await make("phone")).id];
    const body = { targetApps: ids, gates: ["gate_a"], experiments: ["experiment_a"] };
    expect(Object.keys((await desk.ask("PATCH", "/target_app", body)).body)).toEqual(["message"]);
    expect(await appsOf("/gates/gate_a")).toEqual(["web", "phone"]);
    expect(await appsOf("/experiments/experiment_a")).toEqual(["web", "phone"]);
    const texts: [object, string][] = [
      [{ ...body, gates: ["x", "y"] }, "Gates with IDs [x, y] do not exist"],
      [{ ...body, targetApps: ["z"] }, "Target apps with IDs [z] do not exist"],
    ];
    for (const [sent, message] of texts)
      expect((await desk.ask("PATCH", "/target_app", sent)).body).toEqual({ status: 404, message });
    expect((await desk.ask("PATCH", "/target_app", { targetApps: [] })).body).toEqual(
      finding("targetApps", "Array must contain at least 1 element(s)"),
    );
  });
});

describe("environments", () => {
  interface Listed {
    readonly name: string;
    readonly id: string;
  }
  const read = async () => (await desk.must("GET", "/environments")).environments as Listed[];
  const write = (environments: unknown) => desk.ask("POST", "/environments", { environments });
  const flags = { isProduction: false, requiresReview: false, requiresReleasePipeline: false };

  test("are there from the start", async () => {
    expect((await read()).map(({ name }) => name)).toEqual(["production", "staging", "development"]);
  });

  test("are replaced as a whole: an id keeps one, none makes a new one, what is left out goes", async () => {
    const [production, staging] = await read();
    const sent = [
      { ...flags, ...production, requiresReview: true },
      { ...flags, name: "staging" },
    ];
    const { status } = await write(sent);
    expect(status).toBe(200);
    const after = await read();
    expect(after.map(({ name }) => name)).toEqual(["production", "staging"]);
    expect(after[0]).toMatchObject({ id: production?.id, requiresReview: true });
    expect(after[1]?.id).not.toBe(staging?.id);
  });

  test("[W4] keep the id that the body gives, and their review group may be null", async () => {
    const given = { name: "live", id: "0.5", requiredReviewGroupID: null, ...flags, isProduction: true };
    const answer = await desk.must("POST", "/environments", { environments: [given] });
    expect(answer.environments).toEqual([given]);
    expect((await desk.must("GET", "/environments")).environments).toEqual([given]);
  });

  test("[E1] begin with reviews of production and release pipelines everywhere", async () => {
    const begin = (await read()) as unknown as Record<string, unknown>[];
    expect(begin.map(({ requiresReview }) => requiresReview)).toEqual([true, false, false]);
    expect(begin.map(({ requiresReleasePipeline }) => requiresReleasePipeline)).toEqual([true, true, true]);
  });

  test.each([
    ["none", [false, false]],
    ["two", [true, true]],
  ])("[E2] a list with %s as production is refused, and nothing changes", async (_, areProduction) => {
    const before = await read();
    const sent = areProduction.map((isProduction, at) => ({ ...flags, name: `e${at}`, isProduction }));
    expect((await write(sent)).body).toEqual(
      finding("environments", "Exactly one environment must be production"),
    );
    expect(await read()).toEqual(before);
  });

  test("need their flags, unique names and no empty review group", async () => {
    const one = { ...flags, name: "a" };
    const atLeastOne = "String must contain at least 1 character(s)";
    for (const [sent, property, message] of [
      [
        [{ ...one, requiresReleasePipeline: undefined }],
        "environments.0.requiresReleasePipeline",
        "Required",
      ],
      [[{ ...one, requiredReviewGroupID: "" }], "environments.0.requiredReviewGroupID", atLeastOne],
      [[one, one], "environments", "Duplicate environment name(s) given"],
      [undefined, "environments", "Required"],
    ] as const)
      expect((await write(sent)).body).toEqual(finding(property, message));
  });
});
