import type { JsonObject } from "../../../provider/schema/json";
import { groupsOf } from "./experiment-groups";

/** What the visual editor has set is shown in the values of every group too (console-api/corrections.md, section 3). */
export function withSidecar(item: JsonObject): JsonObject {
  if (item.isSidecar !== true) return {};
  const { sidecarURLFilters, sidecarDisableAutoRun, sidecarPrerunScript, name } = item;
  const shown = {
    sidecarURLFilters,
    sidecarDisableAutoRun,
    sidecarPrerunScript,
    sidecarExperimentName: name,
  };
  const copied = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
  const groups = groupsOf(item).map((group) => ({
    ...group,
    parameterValues: { ...(group.parameterValues as JsonObject | undefined), ...copied },
  }));
  return { groups };
}
