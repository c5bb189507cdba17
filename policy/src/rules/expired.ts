import { DateTime } from "luxon";
import { type ExpiryParameters, expiriesOf, expiryParameters, isTemporary } from "../expiry";
import { kindProblems, timeZoneProblems } from "../parameters";
import { defineRule, type Finding, titleOf } from "../rule";

interface Parameters extends ExpiryParameters {
  readonly timeZone: string;
}

/** What was meant to go goes. */
export const expired = defineRule<Parameters>({
  name: "expired",
  description: "No temporary object stays beyond the day in its tag.",
  level: "mandatory",
  needs: "program",
  parameters: {
    ...expiryParameters,
    timeZone: {
      type: "string",
      description: "The time zone in which a day ends: a name of the IANA database.",
      default: "UTC",
    },
  },
  problemsOf: ({ kinds, timeZone }) => [
    ...kindProblems("kinds", kinds),
    ...timeZoneProblems("timeZone", timeZone),
  ],
  judge(object, parameters, { now }): Finding[] {
    if (!isTemporary(object, parameters)) return [];
    const { timeZone: zone, prefix } = parameters;
    return expiriesOf(object, parameters).flatMap((date): Finding[] => {
      const end = DateTime.fromISO(date, { zone }).endOf("day");
      if (!end.isValid)
        return [
          {
            message: `${titleOf(object)}: its tag "${prefix}${date}" names no day.`,
          },
        ];
      if (end >= DateTime.fromJSDate(now)) return [];
      return [
        {
          message: `${titleOf(object)} has expired: the day in its tag is ${date}. Take it out of the program, or agree on another day and change the tag.`,
        },
      ];
    });
  },
  examples: {
    violated: { kind: "Gate", args: { type: "TEMPORARY", tags: ["expires-2020-12-31"] } },
    met: { kind: "Gate", args: { type: "PERMANENT", tags: ["expires-2020-12-31"] } },
  },
});
