import * as fc from "pulumi-feature-console";

// Experiments in one layer never have a user in common; they set the layer's parameters.
const layer = new fc.Layer("checkout_page", {
  description: "Experiments on the checkout page",
  idType: "userID",
  parameters: [
    { name: "buttonColour", type: "string", defaultValue: "blue" },
    { name: "showVoucher", type: "boolean", defaultValue: false },
  ],
});

// Who may take part at all.
const newCheckout = new fc.Gate("new_checkout", {
  description: "Users who see the new checkout",
  rules: [{ name: "Half", passPercentage: 50, conditions: [{ type: "public" }] }],
});

const button = new fc.Experiment("green_button", {
  name: "Green button",
  hypothesis: "A green button is pressed more often",
  layerID: layer,
  targetingGateID: newCheckout,
  allocation: 50,
  groups: [
    { name: "Control", size: 50, parameterValues: { buttonColour: "blue" } },
    { name: "Green", size: 50, parameterValues: { buttonColour: "green" } },
  ],
  controlGroup: "Control",
  duration: 21,
  // The experiment runs. To end it, say status: "decision_made", launchedGroup: "Green" and a decisionReason;
  // or status: "abandoned" and a decisionReason. Should a group do harm: disabledGroups: ["Green"].
  status: "active",
  tags: ["checkout"],
});

// Still being set up: everything about it may change, and nobody takes part.
const voucher = new fc.Experiment("voucher", {
  description: "Where to ask for vouchers",
  layerID: layer,
  allocation: 50,
  groups: [
    { name: "Hidden", size: 66.67, parameterValues: { showVoucher: false } },
    { name: "Shown", size: 33.33, parameterValues: { showVoucher: true } },
  ],
  status: "setup",
});

// Testers always get the green button, in staging the voucher too. The API takes a group of an experiment by its id.
new fc.ExperimentOverrides("green_button", {
  experiment: button,
  userIDOverrides: [{ groupID: button.groups.apply((groups) => groups[1]?.id ?? ""), ids: ["qa_1", "qa_2"] }],
});
new fc.LayerOverrides(
  "checkout_page",
  {
    layer,
    idOverrides: [
      { experimentName: "voucher", groupName: "Shown", ids: ["qa_1", "qa_2"], environment: "staging" },
    ],
  },
  { dependsOn: voucher },
);

export const layerId = layer.id;
export const experimentId = button.id;
export const startedAt = button.startTime;
export const voucherStatus = voucher.status;
