import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Bench, openBench } from "./bench";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 600_000);
afterAll(() => bench.close());

// A value that comes of the component makes Pulumi wait for all parts of it: each would wait for the others.
test("parts of a component refer to each other", async () => {
  await bench.write(`
class Feature extends pulumi.ComponentResource {
  constructor(name: string, args: fc.GateArgs) {
    super("acme:flags:Feature", name);
    const staff = new fc.Segment(name + "_staff", { type: "rule_based" }, { parent: this });
    const rule: fc.GateRuleArgs = {
      name: "Staff",
      passPercentage: 100,
      conditions: [{ type: "passes_segment", targetValue: staff }],
    };
    new fc.Gate(name, { rules: [rule], ...args }, { parent: this });
  }
}
new Feature("checkout", { description: "New checkout" });`);
  await bench.stack.up();
  expect(Object.keys(await bench.state()).sort()).toEqual(["checkout", "checkout_staff"]);
  await bench.stack.preview({ args: ["--expect-no-changes"] });
}, 240_000);
