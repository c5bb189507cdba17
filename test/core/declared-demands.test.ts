import { expect, test } from "@jest/globals";
import { DeclaredDemands } from "../../src/provider/decisions/declared-demands";
import { catalog, type KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { Desk } from "../drift/desk";

function program() {
  const demands = new DeclaredDemands();
  const found = (kind: KindName, args: JsonObject, isNew = true) =>
    [...demands.resource(catalog[kind], args), ...(isNew ? demands.newObject(catalog[kind], args) : [])].map(
      ({ message }) => message,
    );
  return { found, demand: () => found("teamSettings", { requireTeamsOnConfigs: true }) };
}

test("a new gate without a team is refused beside settings that demand one, whichever comes first", () => {
  const first = program();
  expect(first.demand()).toEqual([]);
  expect(first.found("gate", { key: "a" })).toEqual([
    "is needed: the team settings of this program demand one of new objects",
  ]);
  const last = program();
  expect(last.found("gate", { key: "a" })).toEqual([]);
  expect(last.found("dynamicConfig", { key: "b" })).toEqual([]);
  expect(last.demand()).toEqual([
    'demands a team of new objects, and this program gives none to gate "a", dynamic config "b": set the team of each, or set this in a later up',
  ]);
});

test.each<[string, KindName, JsonObject, boolean]>([
  ["has a team", "gate", { team: "Shop" }, true],
  ["has the id of a team", "gate", { teamID: "1" }, true],
  ["has a team that is not known yet", "experiment", { teamID: UNKNOWN }, true],
  ["is there already", "gate", {}, false],
  ["is of a kind that needs none", "segment", {}, true],
])("an object that %s is not refused", (_, kind, args, isNew) => {
  const { found, demand } = program();
  demand();
  expect(found(kind, args, isNew)).toEqual([]);
  expect(demand()).toEqual([]);
});

test("settings that demand no team refuse nothing", () => {
  const { found } = program();
  found("teamSettings", { requireTeamsOnConfigs: false });
  expect(found("gate", { key: "a" })).toEqual([]);
});

test("a gate that is to be taken over counts as new where the console does not have it", async () => {
  const desk = new Desk();
  try {
    desk.write(
      'new fc.TeamSettings("all", { requireTeamsOnConfigs: true });\nnew fc.Gate("flag", { adopt: true });\n',
    );
    await expect(desk.changes()).rejects.toThrow(
      "the team settings of this program demand one of new objects",
    );
    await desk.raw.gate.create({ body: { name: "flag" } });
    expect(await desk.changes()).toEqual({ all: "create", flag: "create" });
  } finally {
    await desk.close();
  }
});
