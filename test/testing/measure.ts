import { performance } from "node:perf_hooks";
import * as fc from "../../src";
import { flagsOf } from "../../src/tools/testing";

/** Makes so many resources: gates with three rules, dynamic configs, rule-based segments and lists of ids, layers and experiments. */
function program(resources: number): void {
  const staff = new fc.Segment("staff", {
    type: "rule_based",
    rules: [
      {
        name: "Company mail",
        passPercentage: 100,
        conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
      },
    ],
  });
  const ofStaff: fc.ConditionArgs[] = [{ type: "passes_segment", targetValue: staff }];
  for (let index = 1; index < resources; ) {
    const name = `area_${index}`;
    const rules: fc.GateRuleArgs[] = [
      { name: "Staff", passPercentage: 100, conditions: ofStaff },
      {
        name: "New Zealand",
        passPercentage: 10,
        conditions: [{ type: "country", operator: "any", targetValue: ["NZ"] }],
      },
      { name: "Everyone else", passPercentage: 1, conditions: [{ type: "public" }] },
    ];
    const made = [
      () => new fc.Gate(name, { rules }),
      () => new fc.Gate(`${name}_old`, { rules: rules.toReversed() }),
      () =>
        new fc.DynamicConfig(`${name}_limits`, {
          defaultValue: { most: 10 },
          rules: [{ name: "Staff", passPercentage: 100, conditions: ofStaff, returnValue: { most: 20 } }],
        }),
      () => new fc.Segment(`${name}_testers`, { type: "id_list", ids: [`${name}-1`, `${name}-2`] }),
      () =>
        new fc.Layer(`${name} layer`, {
          idType: "userID",
          parameters: [{ name: "colour", type: "string", defaultValue: "blue" }],
        }),
    ].slice(0, resources - index);
    for (const make of made) make();
    index += made.length;
  }
}

/** Milliseconds that `flagsOf` takes over a program of so many resources, in a process that has run none before. */
export async function measureFlagsOf(resources: number) {
  const [started, used] = [performance.now(), process.cpuUsage()];
  const flags = await flagsOf(() => program(resources));
  const { user, system } = process.cpuUsage(used);
  const answer = flags.gate("area_1", { userID: "ann", email: "ann@example.com" });
  if (!answer.value) throw new Error(answer.why);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - started };
}
