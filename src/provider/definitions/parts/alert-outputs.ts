import { z } from "zod";
import { nested, output } from "../../schema/field";
import { owner, shownTeam } from "./audit-fields";
import { moving, number, text } from "./traits";

const settings = z.record(z.string(), z.unknown());

const groups = z.array(z.object({ key: text("Name of the group."), value: text("Which one.") }));
const schedule = z.object({
  start: number("When it begins, seconds since 1970."),
  end: number("When it ends, seconds since 1970; 0: never."),
  groupBys: nested(groups, { doc: "The groups that it holds for; empty: all." }),
});
const muted = { groupBys: groups.optional(), currentSchedule: schedule.nullable().optional() };

/** Body of the route that silences an alert. Source: console-api/delivery.md, section 1.1. */
export const muteBody = {
  schema: z.object({
    ...muted,
    indefinite: z.boolean().optional(),
    durationSeconds: z.int().positive().optional(),
  }),
};

/** Body of the route that ends the silence. */
export const unmuteBody = { schema: z.object(muted) };

/** Values of an alert beside its settings. Source: console-api/delivery.md, section 1.2. */
export const alertOutputs = {
  team: shownTeam.team,
  alertType: output(z.string(), {
    doc: "`threshold`, `change` or `pct_change`: follows from the metrics.",
    serverDefault: "threshold",
  }),
  metrics: moving(settings, "The metrics that it looks at.", {}, { sameAs: "opaque" }),
  metricGroupBys: moving(settings, "The groups that it examines separately.", {}, { sameAs: "opaque" }),
  status: moving(
    z.string().nullable(),
    "`alert`, `warn`, `stable`, or `setup_incomplete` while something is missing.",
    "setup_incomplete",
  ),
  lastTriggeredTime: moving(z.number().nullable(), "When it last alerted, milliseconds since 1970.", null),
  activeMuteSchedules: moving(
    z.array(schedule),
    "When it is silent, seconds since 1970; an end of 0 means for ever.",
    [],
  ),
  creatorID: output(z.string(), { doc: "Id of who made it.", serverDefault: "", audit: "madeById" }),
  companyID: output(z.string(), { doc: "Id of the company.", serverDefault: "company" }),
  owner: output(owner.schema, { ...owner.traits, serverDefault: null }),
};
