import type { Seed } from "../../src/emulator";
import { emptyTeam } from "../laws/furniture";

/** What is there already, and that the cases name. */
export const furniture: Seed = {
  gates: [{ name: "beta", id: "beta" }],
  segments: [{ name: "staff", id: "staff", type: "rule_based" }],
  dynamic_configs: [{ name: "colours", id: "colours" }],
  experiments: [
    {
      ...{ name: "button", id: "button" },
      groups: [
        { id: "control", name: "Control", size: 50, parameterValues: {} },
        { id: "test", name: "Test", size: 50, parameterValues: {} },
      ],
    },
  ],
  layers: [{ name: "shop", idType: "userID" }],
  holdouts: [{ name: "held" }],
  release_pipelines: [{ name: "careful", id: "careful" }],
  param_stores: [{ name: "texts", displayName: "Texts", description: "" }],
  tags: [{ name: "checkout", description: "" }],
  target_apps: [{ name: "web", id: "web", description: "" }],
  teams: [{ ...emptyTeam, name: "Shop", id: "team-1" }],
  unit_id_types: [{ name: "stableID", description: "" }],
};
