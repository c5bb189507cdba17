import type { JsonObject } from "../../../provider/schema/json";
import { groupsOf } from "./experiment-groups";

/** Groups with the settings of the visual editor among their values, as reads show them (console-api/corrections.md, section 3). */
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
