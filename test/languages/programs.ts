/** One program in each language: a gate whose rule has a condition of a usual type, and a lookup. */
export const programs = {
  java: `import com.pulumi.Context;
import com.pulumi.featureconsole.FeatureconsoleFunctions;
import com.pulumi.featureconsole.Gate;
import com.pulumi.featureconsole.GateArgs;
import com.pulumi.featureconsole.enums.GateType;
import com.pulumi.featureconsole.inputs.EmailConditionArgs;
import com.pulumi.featureconsole.inputs.GateRuleArgs;
import com.pulumi.featureconsole.inputs.GetGateArgs;
import java.util.List;

class Program {
  static void program(Context context) {
    var staff =
        EmailConditionArgs.builder()
            .type("email")
            .operator("str_contains_any")
            .targetValue(List.of("@example.com"))
            .build();
    var rule = GateRuleArgs.builder().name("Staff").passPercentage(100.0).conditions(staff).build();
    var gate = new Gate("checkout", GateArgs.builder().type(GateType.Temporary).rules(rule).build());
    context.export("gateId", gate.id());
    var found = FeatureconsoleFunctions.getGate(GetGateArgs.builder().id("checkout").build());
    context.export("status", found.applyValue(one -> one.status()));
  }
}
`,
  nodejs: `import * as fc from "./index";
const gate = new fc.Gate("checkout", {
  type: fc.GateType.Temporary,
  rules: [{
    name: "Staff",
    passPercentage: 100,
    conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
  }],
});
export const gateId = gate.id;
export const names = fc.listGatesOutput({ tags: ["shop"] }).items.apply((items) => items.map(({ name }) => name));
// @ts-expect-error A gate has no such argument.
new fc.Gate("misspelt", { isEnable: true });
`,
  go: `package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	fc "pulumi-feature-console/sdk/go/featureconsole"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		gate, err := fc.NewGate(ctx, "checkout", &fc.GateArgs{
			Type: pulumi.String(string(fc.GateTypeTemporary)),
			Rules: fc.GateRuleArray{fc.GateRuleArgs{
				Name:           pulumi.String("Staff"),
				PassPercentage: pulumi.Float64(100),
				Conditions: pulumi.Array{fc.EmailConditionArgs{
					Type:        pulumi.String("email"),
					Operator:    pulumi.String("str_contains_any"),
					TargetValue: pulumi.ToStringArray([]string{"@example.com"}),
				}},
			}},
		})
		if err != nil {
			return err
		}
		ctx.Export("gateId", gate.ID())
		_, err = fc.LookupGate(ctx, &fc.LookupGateArgs{Id: "checkout"})
		return err
	})
}
`,
  python: `import pulumi

sent = []


class Console(pulumi.runtime.Mocks):
    def new_resource(self, args):
        sent.append(args.inputs)
        kept = {"ids": {"count": 2, "hash": "x"}} if "ids" in args.inputs else {}
        return [args.name, {**args.inputs, **kept}]

    def call(self, args):
        if args.token.endswith(":getGate"):
            return {"id": "checkout", "status": "In Progress", "type": "PERMANENT"}
        return {"items": [{"id": "checkout", "name": "Checkout"}]}


pulumi.runtime.set_mocks(Console())

import pulumi_feature_console as fc

staff = fc.EmailConditionArgs(type="email", operator="str_contains_any", target_value=["@example.com"])
rule = fc.GateRuleArgs(name="Staff", pass_percentage=100, conditions=[staff])


@pulumi.runtime.test
def check():
    gate = fc.Gate("checkout", type=fc.GateType.TEMPORARY, rules=[rule])
    config = fc.DynamicConfig("theme", default_value={"darkMode": {"per_page": [1, 2]}})
    segment = fc.Segment("staff", type="id_list", ids=["a", "b"])
    listed = fc.list_gates_output(tags=["shop"]).items
    found = fc.get_gate_output(id="checkout")

    def equal(value, expected):
        assert value == expected, value

    return pulumi.Output.all(
        gate.rules.apply(lambda rules: equal(rules[0].pass_percentage, 100)),
        config.default_value.apply(lambda value: equal(value, {"darkMode": {"per_page": [1, 2]}})),
        segment.ids.apply(lambda ids: equal(ids.count, 2)),
        listed.apply(lambda gates: equal(gates[0].name, "Checkout")),
        found.apply(lambda one: equal([one.status, one.type], ["In Progress", "PERMANENT"])),
    )


check()
condition = {"type": "email", "operator": "str_contains_any", "targetValue": ["@example.com"]}
rules = [{"name": "Staff", "passPercentage": 100, "conditions": [condition]}]
assert {"type": "TEMPORARY", "rules": rules} in sent, sent
assert {"type": "id_list", "ids": ["a", "b"]} in sent, sent
`,
} as const;
