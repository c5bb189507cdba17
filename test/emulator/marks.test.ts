import { expect, test } from "@jest/globals";
import { idsOfUsers, marksOf } from "../../src/emulator/http/marks";
import { behaviours } from "../../src/emulator/kinds";
import { openStore } from "../../src/emulator/store/sqlite-store";
import type { JsonObject } from "../../src/provider/schema/json";

const conditions = [
  { type: "passes_gate", targetValue: "open" },
  { type: "fails_segment", targetValue: ["staff", "guests"] },
  { type: "passes_segment", targetValue: "staff" },
  { type: "country", operator: "any", targetValue: ["open"] },
  { type: "unit_id", operator: "any", customID: "companyID", targetValue: ["1"] },
];
const rules = [{ name: "Staff", conditions }];
const asked = ["gate:open", "segment:staff", "segment:guests"];
const [a, b] = ["a", "b"].map((name) => ({ name, type: "sum" }));
const metrics = { primaryMetrics: [a], otherMetrics: [a], cureCovariates: [b] };
const parameters = [
  { name: "colour", ref_type: "gate", param_type: "string", gate_name: "open", pass_value: "gate" },
  { name: "size", ref_type: "dynamic_config", param_type: "number", config_name: "sizes" },
];

// Which places of which kind refer to others is in test/core/references.test.ts; here is what the console makes of them.
test.each<[keyof typeof behaviours, JsonObject, string[]]>([
  ["gate", { id: "checkout", idType: "userID", tags: ["shop"], targetApps: ["web"], rules }, asked],
  ["releasePipeline", { id: "slowly", phases: [{ name: "First", rules }] }, asked],
  ["experiment", { layerID: "home", targetingGateID: "", ...metrics }, ["layer:home", "metric:a::sum"]],
  [
    "holdout",
    { gateIDs: ["a", "b"], layerIDs: ["c"], targetingGateID: "d" },
    ["gate:a", "gate:b", "layer:c"],
  ],
  ["paramStore", { tags: ["shop"], parameters }, ["gate:open", "dynamicConfig:sizes"]],
])("a %s is marked by what it refers to: %j", (kind, item, marks) => {
  expect(new Set(marksOf(behaviours[kind], item))).toEqual(new Set(marks));
});

test("nobody can ask for the users of what is not marked, and be told that there are none", () => {
  openStore(":memory:").transaction("read", (world) => {
    expect(idsOfUsers(world, "gate", "open", "gate")).toEqual([]);
    expect(() => idsOfUsers(world, "tag", "shop", "gate")).toThrow("who refers to a tag is not marked");
  });
});
