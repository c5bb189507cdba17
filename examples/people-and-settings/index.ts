import * as fc from "pulumi-feature-console";

// Permissions that are not said stay what they are, also those that the console gets tomorrow.
const releaser = new fc.Role("Releaser", {
  permissions: { create_configs: true, launch_to_production: true, bypass_reviews_for_overrides: false },
});

const growth = new fc.Team("growth", {
  description: "Owns sign-up and checkout",
  members: ["ada@example.com", "grace@example.com"],
  admins: ["ada@example.com"],
  reviewApproval: "team_only",
});

// One of each for the project. What is left out stays, and destroy leaves all of it.
new fc.RoleSettings("roles", { defaultProjectRole: releaser.name });
new fc.ReviewSettings("reviews", { isConfigReviewRequired: false, isMetricReviewRequired: true });
new fc.TeamSettings("teams", { requireTeamsOnConfigs: true });
new fc.ProjectSettings("project", { visibility: "CLOSED" });

const checkout = new fc.Gate("checkout_v3", { teamID: growth, rules: [] });

// What people add by hand is drift; destroy takes out what stands here and nothing else.
new fc.GateOverrides("checkout_v3", {
  gate: checkout,
  passingUserIDs: ["qa_1", "qa_2"],
  environmentOverrides: [
    { environment: "staging", unitID: "userID", passingIDs: ["robot_1"], failingIDs: [] },
  ],
});

const buttons = new fc.Autotune("Button colour", {
  variants: [
    { name: "Blue", json: { colour: "blue" } },
    { name: "Green", json: { colour: "green" } },
  ],
  successEvent: "purchase",
  explorationWindow: "24",
  attributionWindow: "1",
  winnerThreshold: "95%",
  isStarted: true,
});

new fc.EntityProperty("customers", {
  sql: "select user_id, country, plan from customers",
  idTypeMapping: [{ serviceUnitID: "userID", column: "user_id" }],
});

new fc.QualifyingEvent("saw checkout", {
  sql: "select user_id, ts from page_views where page = 'checkout'",
  timestampColumn: "ts",
  idTypeMapping: [{ serviceUnitID: "userID", column: "user_id" }],
});

// Another text here gives the key another value; with onRotation: "keep" the old one goes on working.
const servers = new fc.Key("servers", {
  description: "Checkout servers",
  type: "SERVER",
  scopes: ["omni_read_only"],
  rotation: "2026-11",
});

// A secret output: state holds it encrypted, and nothing shows it.
export const serverKey = servers.value;
export const teamId = growth.id;
export const autotuneId = buttons.id;
