import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Desk } from "./desk";

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk?.close());

const program = (owns: string) => `new fc.Gate("flag", {
  isEnabled: true,${owns}
  rules: [{ name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] }],
});
`;
const ramped = { name: "Everyone", passPercentage: 60, conditions: [{ type: "public" }] };

test.each([
  ["", ["isEnabled", "rules[0].passPercentage"]],
  [' owns: { rollout: "console" },', ["isEnabled"]],
  [' owns: { rollout: "console", status: "console" },', []],
])("a ramp and a stop in the console are drift but for what the console owns:%s", async (owns, expected) => {
  desk.write(program(owns));
  await desk.up();
  await desk.raw.gate.patch({ id: "flag", body: { rules: [ramped] } });
  await desk.raw.gate.disable({ id: "flag" });
  const { comparisons } = await desk.compare();
  const labels = comparisons.flatMap(({ differences }) => differences.map(({ label }) => label));
  expect(labels.map((label) => (label === "status" ? "isEnabled" : label)).sort()).toEqual(expected);
  expect(comparisons.map(({ what }) => what)).toEqual([expected.length === 0 ? "same" : "differs"]);
});
