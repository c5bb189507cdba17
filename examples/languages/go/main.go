package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	fc "pulumi-feature-console/sdk/go/featureconsole"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	tag, err := fc.NewTag(ctx, "shop", &fc.TagArgs{Description: pulumi.String("The web shop")})
	if err != nil {
		return err
	}
	app, err := fc.NewTargetApp(ctx, "web", &fc.TargetAppArgs{Description: pulumi.String("The web shop")})
	if err != nil {
		return err
	}
	staff, err := fc.NewSegment(ctx, "staff", &fc.SegmentArgs{
		Type: pulumi.String("rule_based"),
		Rules: fc.SegmentRuleArray{fc.SegmentRuleArgs{
			Name:           pulumi.String("Company mail"),
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
	testers, err := fc.NewSegment(ctx, "testers", &fc.SegmentArgs{
		Type: pulumi.String("id_list"),
		Ids:  pulumi.ToStringArray([]string{"user-1", "user-2"}),
	})
	if err != nil {
		return err
	}
	checkout, err := fc.NewGate(ctx, "checkout_v2", &fc.GateArgs{
		Description: pulumi.String("New checkout"),
		Tags:        pulumi.StringArray{tag.Name},
		TargetApps:  pulumi.StringArray{app.Name},
		Rules:       fc.GateRuleArray{share("Staff", 100, staff), share("Testers", 12.5, testers)},
	})
	if err != nil {
		return err
	}
	_, err = fc.NewDynamicConfig(ctx, "limits", &fc.DynamicConfigArgs{
		DefaultValue: limit(10, "Welcome"),
		Rules: fc.DynamicConfigRuleArray{fc.DynamicConfigRuleArgs{
			Name:           pulumi.String("New"),
			PassPercentage: pulumi.Float64(100),
			Conditions:     pulumi.Array{passes("gate", checkout.ID())},
			ReturnValue:    limit(20, "Hello"),
		}},
	})
	if err != nil {
		return err
	}
	return experiment(ctx, checkout)
}

func experiment(ctx *pulumi.Context, checkout *fc.Gate) error {
	layer, err := fc.NewLayer(ctx, "Shop layer", &fc.LayerArgs{
		IdType: pulumi.String("userID"),
		Parameters: fc.LayerParameterArray{fc.LayerParameterArgs{
			Name:         pulumi.String("colour"),
			Type:         pulumi.String("string"),
			DefaultValue: pulumi.String("blue"),
		}},
	})
	if err != nil {
		return err
	}
	colours, err := fc.NewExperiment(ctx, "colours", &fc.ExperimentArgs{
		Hypothesis:      pulumi.String("Red sells more"),
		LayerID:         layer.ID(),
		TargetingGateID: checkout.ID(),
		Groups:          fc.ExperimentGroupArray{group("Control", "blue"), group("Red", "red")},
	})
	if err != nil {
		return err
	}
	_, err = fc.NewHoldout(ctx, "Shop holdout", &fc.HoldoutArgs{
		PassPercentage: pulumi.Float64(5),
		GateIDs:        pulumi.StringArray{checkout.ID()},
		ExperimentIDs:  pulumi.StringArray{colours.ID()},
	})
	if err != nil {
		return err
	}
	_, err = fc.NewParamStore(ctx, "shop", &fc.ParamStoreArgs{
		DisplayName: pulumi.String("Shop"),
		Description: pulumi.String("Values of the shop"),
		Parameters: fc.ParamStoreParameterArray{fc.ParamStoreParameterArgs{
			Name:      pulumi.String("checkoutIsNew"),
			RefType:   pulumi.String("gate"),
			ParamType: pulumi.String("boolean"),
			GateName:  checkout.ID(),
			PassValue: pulumi.Bool(true),
			FailValue: pulumi.Bool(false),
		}},
	})
	return err
}

func share(name string, percent float64, segment *fc.Segment) fc.GateRuleArgs {
	return fc.GateRuleArgs{
		Name:           pulumi.String(name),
		PassPercentage: pulumi.Float64(percent),
		Conditions:     pulumi.Array{passes("segment", segment.ID())},
	}
}

func passes(kind string, id pulumi.IDOutput) pulumi.Map {
	return pulumi.Map{"type": pulumi.String("passes_" + kind), "targetValue": pulumi.StringArray{id}}
}

func limit(most int, title string) pulumi.Map {
	return pulumi.Map{"most": pulumi.Int(most), "texts": pulumi.StringMap{"title": pulumi.String(title)}}
}

func group(name, colour string) fc.ExperimentGroupArgs {
	return fc.ExperimentGroupArgs{
		Name:            pulumi.String(name),
		Size:            pulumi.Float64(50),
		ParameterValues: pulumi.Map{"colour": pulumi.String(colour)},
	}
}
