import * as fc from "pulumi-feature-console";

const tag = new fc.Tag("shop", { description: "The web shop" });
const app = new fc.TargetApp("web", { description: "The web shop" });
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
const testers = new fc.Segment("testers", { type: "id_list", ids: ["user-1", "user-2"] });
const checkout = new fc.Gate("checkout_v2", {
  description: "New checkout",
  tags: [tag.name],
  targetApps: [app.name],
  rules: [
    { name: "Staff", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: staff.id }] },
    {
      name: "Testers",
      passPercentage: 12.5,
      conditions: [{ type: "passes_segment", targetValue: testers.id }],
    },
  ],
});
new fc.DynamicConfig("limits", {
  defaultValue: { most: 10, texts: { title: "Welcome" } },
  rules: [
    {
      name: "New",
      passPercentage: 100,
      conditions: [{ type: "passes_gate", targetValue: checkout.id }],
      returnValue: { most: 20, texts: { title: "Hello" } },
    },
  ],
});
const layer = new fc.Layer("Shop layer", {
  idType: "userID",
  parameters: [{ name: "colour", type: "string", defaultValue: "blue" }],
});
const colours = new fc.Experiment("colours", {
  hypothesis: "Red sells more",
  layerID: layer.id,
  targetingGateID: checkout.id,
  groups: [
    { name: "Control", size: 50, parameterValues: { colour: "blue" } },
    { name: "Red", size: 50, parameterValues: { colour: "red" } },
  ],
});
new fc.Holdout("Shop holdout", { passPercentage: 5, gateIDs: [checkout.id], experimentIDs: [colours.id] });
new fc.ParamStore("shop", {
  displayName: "Shop",
  description: "Values of the shop",
  parameters: [
    {
      name: "checkoutIsNew",
      refType: "gate",
      paramType: "boolean",
      gateName: checkout.id,
      passValue: true,
      failValue: false,
    },
  ],
});
