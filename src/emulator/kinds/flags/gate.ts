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
import { rulesOf, takeRules } from "../../console/rules/rules";
import { archive, archiveMembers, move } from "../../console/rules/states";
import { heldByHoldouts, joinGlobalHoldouts, joinTeamHoldout } from "./holdout";

const held = heldByHoldouts("gateIDs");
const joinHoldout = joinTeamHoldout("gateIDs");
const releaseFirst = startFirstRelease("gateID");
const checked = checkedInHour(catalog.gate.name);

/** Launched: everyone passes, and `isEnabled` is shown as false (console-api/gates-configs.md, 1.4). */
const launch = move(() => ({ status: "Launched", isEnabled: false }));

/** Behaviour of gates. */
export const gate = defineBehaviour({
  definition: catalog.gate,
  states: { on: "In Progress", off: "Disabled", archived: "Archived" },
  // Rates come from traffic, of which there is none here.
  filters: { targetAppID: byTargetApp, passRate: null, rolloutRate: null, store0100Exposures: null },
  onRequest: { includeArchiveMetadata: archiveMembers },
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
    const { before, sent, after } = change;
    const rules =
      sent.rules === undefined ? rulesOf(after) : takeRules(rulesOf(before), rulesOf(after), change);
    refuseSuddenRise(change, rules);
    // Reviewers come from the team's settings; a body cannot name them.
    const reviewSettings = {
      ...(isObject(after.reviewSettings) ? after.reviewSettings : {}),
      allowedReviewers: [],
    };
    return { ...after, rules, reviewSettings };
  },
  // A nightly job calls unused gates stale.
  ownValues: { type: ["STALE", "TEMPLATE"] },
  shows: ({ switches }, item) =>
    item.isTemplate === true && switches.templateTypes === "template" ? { ...item, type: "TEMPLATE" } : item,
  onCreate(call, after) {
    joinHoldout(call, after);
    releaseFirst(call, after);
  },
  onChange: startRelease("gateID"),
  follows: (world, item, ports) => ({
    ...held.follows(world, item, ports),
    ...checked(world, item, ports),
    ...activeReviewOf(world, catalog.gate.name, item.id),
  }),
  onAdd: joinGlobalHoldouts,
  onRemove: held.onRemove,
});
