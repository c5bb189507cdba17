import { firstEnvironments } from "../../../provider/definitions/environments";
import { catalog } from "../../../provider/definitions/index";
import { isObject, type JsonObject } from "../../../provider/schema/json";
import type { World } from "../../store/store";

const collection = catalog.environments.name;
const id = catalog.environments.identity.id;

const ids = { production: "0.3562190486541", staging: "0.7418205519376", development: "0.1907736284015" };

/** The environments of a new project. Not published: the names that the samples of other kinds use (assumption). */
const first = firstEnvironments.map((name) => ({
  name,
  id: ids[name],
  ...{ isProduction: name === "production", requiresReview: name === "production" },
  requiresReleasePipeline: true,
}));

/** The environments of the one project. */
export function environmentsOf(world: World): JsonObject[] {
  const stored = world.get(collection, id)?.environments;
  return Array.isArray(stored) ? stored.filter(isObject) : first;
}

/** Replaces them all. */
export function keepEnvironments(world: World, environments: readonly JsonObject[]): void {
  world.put(collection, id, { environments });
}
