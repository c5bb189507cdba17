import type { Seed } from "../../src/emulator";
import type { Item } from "../emulator/desk";
import { emptyTeam } from "../laws/furniture";
import type { Case } from "./cases";
import { tools } from "./tools";

/** What is there already, and that the cases name. */
export const fixtures: Seed = {
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

/** As much of it as a case names: by a name or an id in its body, or as what it is a part of. */
export function furnitureOf({ kind, body, made }: Case): Seed {
  const path = "make" in tools[kind] ? "" : tools[kind].at({} as never);
  const text = JSON.stringify([body, made, path.split("/")]);
  const isNamed = (item: unknown) => {
    const { name, id = name } = item as Item;
    return [name, id].some((one) => text.includes(JSON.stringify(one)));
  };
  return Object.fromEntries(Object.entries(fixtures).map(([list, items]) => [list, items.filter(isNamed)]));
}
