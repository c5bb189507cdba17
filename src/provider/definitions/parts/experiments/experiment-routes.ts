import { z } from "zod";
import { type Route, route } from "../../../schema/verbs";
import { plainName } from "../names";
import { experimentReviewRoutes } from "../review";

const item = "/experiments/{id}";
const overridesPath = `${item}/overrides` as const;
const environment = z.string().nullable().optional();

const overrides = {
  returnsKind: "experimentOverrideLists",
  body: {
    schema: z.object({
      overrides: z
        .array(
          z.object({ type: z.enum(["gate", "segment"]), id: z.string(), groupID: z.string(), environment }),
        )
        .max(1000),
      userIDOverrides: z.array(
        z.object({
          groupID: z.string(),
          ids: z.array(z.string()).max(1000),
          environment,
          unitType: z.string().nullable().optional(),
        }),
      ),
    }),
  },
};
const groupNames = { status: 201, body: { schema: z.object({ group_names: z.array(z.string()) }) } };
const decisionReason = z.string();

/** Members that a full replacement needs. */
const wholeNeeds = [
  ...["description", "idType", "hypothesis", "groups", "allocation", "targetingGateID"],
  ...["bonferroniCorrection", "defaultConfidenceInterval", "status"],
] as const;

/** Query parameters of every list of experiments. */
export const experimentFilters: readonly string[] = [
  ...["layerID", "idType", "teamID", "creatorName", "creatorID", "targetAppID"],
  ...["createdStartDate", "createdEndDate", "stale"],
];
const query = [...experimentFilters, "status", "tags"];

/** An operation that moves an experiment from state to state. It answers a message alone. */
const move = <const V extends string, const R extends Partial<Route> = object>(
  verb: V,
  doc: string,
  rest?: R,
) => route("PUT", `${item}/${verb}` as const, "message", doc, rest);

const states = {
  start: move("start", "Starts it.", {
    body: {
      schema: z.object({
        analysisStartTime: z.string().optional(),
        analysisEndTime: z.string().optional(),
        turboMode: z.boolean().optional(),
      }),
    },
  }),
  scheduleStart: route("POST", `${item}/schedule_start`, "message", "Starts it at a later time.", {
    body: { schema: z.object({ scheduledTime: z.number() }) },
  }),
  makeDecision: move("make_decision", "Ends it and ships a group, named by its id.", {
    body: { schema: z.object({ id: z.string(), decisionReason, removeTargeting: z.boolean().optional() }) },
  }),
  deferDecision: move("defer_decision", "Puts the decision off; nothing else changes."),
  abandon: move("abandon", "Ends it without a decision.", {
    body: { schema: z.object({ decisionReason }) },
  }),
  reset: move("reset", "Takes an ended one back to setup; its results are lost."),
  archive: move("archive", "Takes it out of use; the name stays taken.", {
    body: { schema: z.object({ archiveReason: z.string().optional() }) },
  }),
  unarchive: move("unarchive", "Brings it back as it ended, not running."),
};

/** Every operation of experiments. `writable`: the fields that bodies take. Source: console-api/experiments.md, 1.1. */
export function experimentRoutes<const F extends string>(writable: readonly F[]) {
  const changeable = writable.filter((name) => name !== "key" && name !== "layerID");
  return {
    list: route("GET", "/experiments", "items", "All experiments, archived ones too.", { query }),
    create: route("POST", "/experiments", "item", "Makes an experiment.", {
      status: 201,
      body: { only: writable, requires: ["name"] },
    }),
    get: route("GET", item, "item", "One experiment, archived or not."),
    replace: route("POST", item, "item", "Replaces an experiment: what is left out is dropped.", {
      body: { only: changeable, requires: wholeNeeds },
    }),
    patch: route("PATCH", item, "item", "Changes what the body names.", { body: { only: changeable } }),
    delete: route("DELETE", item, "message", "Removes an experiment for ever, with its results."),
    ...states,
    restartAsNew: route("POST", `${item}/restart_as_new`, "item", "Makes a new experiment of an ended one.", {
      body: { schema: z.object({ name: plainName }) },
    }),
    disableGroups: route("POST", `${item}/disable_groups`, "item", "Switches groups off, by name.", {
      op: 1,
      ...groupNames,
    }),
    enableGroups: route("POST", `${item}/enable_groups`, "item", "Switches groups on, by name.", groupNames),
    getOverrides: route("GET", overridesPath, "item", "Units that always get a group.", {
      returnsKind: overrides.returnsKind,
    }),
    setOverrides: route("POST", overridesPath, "item", "Replaces the overrides.", overrides),
    addOverrides: route("PATCH", overridesPath, "item", "Adds overrides.", overrides),
    removeOverrides: route(
      "DELETE",
      overridesPath,
      "item",
      "Removes overrides; the body names them.",
      overrides,
    ),
    listVersions: route("GET", `${item}/versions`, "items", "Earlier forms of it, newest first."),
    listPulseLoadHistory: route("GET", `${item}/pulse_load_history`, "items", "Loads of its results.", {
      returnsKind: "pulseLoadHistoryEntry",
    }),
    ...experimentReviewRoutes(item),
  };
}
