import { catalog } from "../../../provider/definitions/index";
import { isObject } from "../../../provider/schema/json";
import { defineBehaviour } from "../../console/default-operations";
import { unitOverrides } from "../../console/overrides";
import { startFirstRelease, startRelease } from "../../console/releases";
import { activeReviewOf } from "../../console/reviews";
import { checkedInHour } from "../../console/rules/checks";
import { byTargetApp } from "../../console/rules/filters";
import { refuseSuddenRise } from "../../console/rules/policies";
import { loadPulse, pulseLoadHistory, pulseResults, references } from "../../console/rules/referring-objects";
import { settledRules } from "../../console/rules/rules";
import { archive, flagReads, move } from "../../console/rules/states";
import { heldByHoldouts, joinGlobalHoldouts, joinTeamHoldout } from "./holdout";

/** Launched: everyone passes, and `isEnabled` is shown as false (console-api/gates-configs.md, 1.4). */
const launch = move(() => ({ status: "Launched", isEnabled: false }));

/** Behaviour of gates. */
export const gate = defineBehaviour({
  definition: catalog.gate,
  states: { on: "In Progress", off: "Disabled", archived: "Archived" },
  // Rates come from traffic, of which there is none here.
  filters: { targetAppID: byTargetApp, passRate: null, rolloutRate: null, store0100Exposures: null },
  ...flagReads,
  operations: {
    launch,
    archive: archive(["gate", "dynamicConfig", "segment", "experiment"]),
    ...unitOverrides,
    listDynamicConfigReferences: references("dynamicConfig"),
    listExperimentReferences: references("experiment"),
    listGateReferences: references("gate"),
    ...{ listPulseLoadHistory: pulseLoadHistory, getPulseResults: pulseResults, loadPulse },
  },
  settle(change) {
    const { after } = change;
    const rules = settledRules(change);
    refuseSuddenRise(change, rules);
    // Reviewers come from the team's settings; a body cannot name them.
    const reviewSettings = {
      ...(isObject(after.reviewSettings) ? after.reviewSettings : {}),
      allowedReviewers: [],
    };
    return { ...after, rules, reviewSettings };
  },
  onCreate(call, after) {
    joinTeamHoldout(call, after);
    startFirstRelease(call, after);
  },
  onChange: startRelease,
  follows: (call, item) => ({
    ...heldByHoldouts.follows(call, item),
    ...checkedInHour(call, item),
    ...activeReviewOf(call, item),
  }),
  onAdd: joinGlobalHoldouts,
  onRemove: heldByHoldouts.onRemove,
});
