import type { ResourceDefinition } from "../schema/define";
import { isObject } from "../schema/json";
import { memoized } from "../schema/memoized";
import { holdsNode, itemsOf, type Node, propertiesOf, treeOf } from "../schema/tree";

/** True for a place that is a share, or holds one. */
export const holdsRollout = holdsNode((node) => node.rollout !== undefined);

/** Fields with shares. Few kinds have any, and every comparison asks. */
export const rolloutNames = memoized((definition: ResourceDefinition): readonly string[] =>
  Object.entries(treeOf(definition)).flatMap(([name, { node, mode }]) =>
    mode !== "output" && holdsRollout(node) ? [name] : [],
  ),
);

/** True for a list with an element that a schedule moves. */
export function isScheduled(node: Node, live: unknown): boolean {
  if (!Array.isArray(live)) return false;
  const schedules = schedulesIn(node);
  return live.some((one) => schedules.some((name) => hasSteps(one, name)));
}

/** Members of the elements of a list that tell which steps are to come. */
const schedulesIn = memoized((node: Node): readonly string[] =>
  Object.values(propertiesOf(itemsOf(node) ?? {}) ?? {}).flatMap(({ rollout }) => rollout?.scheduledBy ?? []),
);

/** True for an element whose schedule has steps to come. `schedule`: the member that holds them. */
export function hasSteps(element: unknown, schedule: string | undefined): boolean {
  const steps = schedule !== undefined && isObject(element) ? element[schedule] : undefined;
  return Array.isArray(steps) && steps.length > 0;
}
