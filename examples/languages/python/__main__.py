import pulumi_feature_console as fc


def share(name, percent, condition):
    return {"name": name, "pass_percentage": percent, "conditions": [condition]}


def passes(kind, target):
    return {"type": f"passes_{kind}", "target_value": [target.id]}


tag = fc.Tag("shop", description="The web shop")
app = fc.TargetApp("web", description="The web shop")
mail = {"type": "email", "operator": "str_contains_any", "target_value": ["@example.com"]}
staff = fc.Segment("staff", type="rule_based", rules=[share("Company mail", 100, mail)])
testers = fc.Segment("testers", type="id_list", ids=["user-1", "user-2"])
checkout = fc.Gate(
    "checkout_v2",
    description="New checkout",
    tags=[tag.name],
    target_apps=[app.name],
    rules=[
        share("Staff", 100, passes("segment", staff)),
        share("Testers", 12.5, passes("segment", testers)),
    ],
)
fc.DynamicConfig(
    "limits",
    default_value={"most": 10, "texts": {"title": "Welcome"}},
    rules=[
        {
            **share("New", 100, passes("gate", checkout)),
            "return_value": {"most": 20, "texts": {"title": "Hello"}},
        }
    ],
)
layer = fc.Layer(
    "Shop layer",
    id_type="userID",
    parameters=[{"name": "colour", "type": "string", "default_value": "blue"}],
)
colours = fc.Experiment(
    "colours",
    hypothesis="Red sells more",
    layer_id=layer.id,
    targeting_gate_id=checkout.id,
    groups=[
        {"name": "Control", "size": 50, "parameter_values": {"colour": "blue"}},
        {"name": "Red", "size": 50, "parameter_values": {"colour": "red"}},
    ],
)
fc.Holdout("Shop holdout", pass_percentage=5, gate_ids=[checkout.id], experiment_ids=[colours.id])
fc.ParamStore(
    "shop",
    display_name="Shop",
    description="Values of the shop",
    parameters=[
        fc.ParamStoreParameterArgs(
            name="checkoutIsNew",
            ref_type="gate",
            param_type="boolean",
            gate_name=checkout.id,
            pass_value=True,
            fail_value=False,
        )
    ],
)
