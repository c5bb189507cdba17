package languages;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.core.Output;
import com.pulumi.featureconsole.*;
import com.pulumi.featureconsole.inputs.*;
import java.util.List;
import java.util.Map;

public class App {
  public static void main(String[] args) {
    Pulumi.run(App::program);
  }

  static void program(Context context) {
    var tag = new Tag("shop", TagArgs.builder().description("The web shop").build());
    var app = new TargetApp("web", TargetAppArgs.builder().description("The web shop").build());
    var mail =
        EmailConditionArgs.builder()
            .type("email")
            .operator("str_contains_any")
            .targetValue(List.of("@example.com"))
            .build();
    var staff =
        new Segment(
            "staff",
            SegmentArgs.builder()
                .type("rule_based")
                .rules(
                    SegmentRuleArgs.builder()
                        .name("Company mail")
                        .passPercentage(100.0)
                        .conditions(mail)
                        .build())
                .build());
    var testers =
        new Segment("testers", SegmentArgs.builder().type("id_list").ids(List.of("user-1", "user-2")).build());
    var checkout =
        new Gate(
            "checkout_v2",
            GateArgs.builder()
                .description("New checkout")
                .tags(tag.name().applyValue(List::of))
                .targetApps(app.name().applyValue(List::of))
                .rules(share("Staff", 100.0, staff), share("Testers", 12.5, testers))
                .build());
    new DynamicConfig(
        "limits",
        DynamicConfigArgs.builder()
            .defaultValue(limit(10, "Welcome"))
            .rules(
                DynamicConfigRuleArgs.builder()
                    .name("New")
                    .passPercentage(100.0)
                    .conditions(passes("gate", checkout.id()))
                    .returnValue(limit(20, "Hello"))
                    .build())
            .build());
    experiment(checkout);
  }

  static void experiment(Gate checkout) {
    var layer =
        new Layer(
            "Shop layer",
            LayerArgs.builder()
                .idType("userID")
                .parameters(
                    LayerParameterArgs.builder()
                        .name("colour")
                        .type("string")
                        .defaultValue("blue")
                        .build())
                .build());
    var colours =
        new Experiment(
            "colours",
            ExperimentArgs.builder()
                .hypothesis("Red sells more")
                .layerID(layer.id())
                .targetingGateID(checkout.id())
                .groups(group("Control", "blue"), group("Red", "red"))
                .build());
    new Holdout(
        "Shop holdout",
        HoldoutArgs.builder()
            .passPercentage(5.0)
            .gateIDs(checkout.id().applyValue(List::of))
            .experimentIDs(colours.id().applyValue(List::of))
            .build());
    new ParamStore(
        "shop",
        ParamStoreArgs.builder()
            .displayName("Shop")
            .description("Values of the shop")
            .parameters(
                ParamStoreParameterArgs.builder()
                    .name("checkoutIsNew")
                    .refType("gate")
                    .paramType("boolean")
                    .gateName(checkout.id())
                    .passValue(true)
                    .failValue(false)
                    .build())
            .build());
  }

  static GateRuleArgs share(String name, double percent, Segment segment) {
    return GateRuleArgs.builder()
        .name(name)
        .passPercentage(percent)
        .conditions(passes("segment", segment.id()))
        .build();
  }

  static Output<List<Object>> passes(String kind, Output<String> id) {
    return id.applyValue(
        value -> List.of(Map.of("type", "passes_" + kind, "targetValue", List.of(value))));
  }

  static Map<String, Object> limit(int most, String title) {
    return Map.of("most", most, "texts", Map.of("title", title));
  }

  static ExperimentGroupArgs group(String name, String colour) {
    return ExperimentGroupArgs.builder()
        .name(name)
        .size(50.0)
        .parameterValues(Map.of("colour", colour))
        .build();
  }
}
