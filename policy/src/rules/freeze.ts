import { type Calendar, emergencyIn, freezeAt, problemsOf, whenText } from "../calendar";
import { patternProblems } from "../parameters";
import { type Circumstances, defineRule, type Finding, titleOf } from "../rule";

interface Parameters extends Calendar {
  readonly emergencies: string;
}

const windowSchema = (form: string) => ({
  type: "object",
  properties: {
    name: { type: "string" },
    from: { type: "string", description: form },
    to: { type: "string", description: form },
  },
  required: ["from", "to"],
});

/** There are times at which nobody is there to see what goes wrong. */
export const freeze = defineRule<Parameters>({
  name: "freeze",
  description: "Nothing changes in a freeze.",
  level: "mandatory",
  needs: "state",
  parameters: {
    timeZone: {
      type: "string",
      description: "The time zone of the windows: a name of the IANA database, such as Europe/Berlin.",
      default: "UTC",
    },
    weekly: {
      type: "array",
      items: windowSchema("Fri 16:00"),
      description: 'Windows of each week: `{ "name": "weekend", "from": "Fri 16:00", "to": "Mon 08:00" }`.',
      default: [],
    },
    dated: {
      type: "array",
      items: windowSchema("2026-12-20, or 2026-12-20T12:00"),
      description:
        'Windows with dates: `{ "name": "holidays", "from": "2026-12-20", "to": "2027-01-03" }`. A day counts whole.',
      default: [],
    },
    emergencies: {
      type: "string",
      description:
        "A regular expression for names of emergencies, such as `INC-\\d+`. Set FEATURE_CONSOLE_EMERGENCY to such a name to pass the freeze. Empty: none passes.",
      default: "",
    },
  },
  problemsOf: (parameters) => [
    ...problemsOf(parameters),
    ...patternProblems("emergencies", parameters.emergencies),
  ],
  judge: (object, parameters, circumstances) =>
    object.isChanged ? judged(`${titleOf(object)} would change`, parameters, circumstances) : [],
  judgeLeaving: (object, parameters, circumstances) =>
    judged(`${titleOf(object)} would be ${object.how}d`, parameters, circumstances),
  examples: {
    violated: {
      kind: "Gate",
      args: {},
      parameters: {
        weekly: [{ name: "weekend", from: "Fri 16:00", to: "Mon 08:00" }],
        emergencies: "INC-\\d+",
      },
    },
    met: {
      kind: "Gate",
      args: {},
      parameters: {
        weekly: [{ name: "weekend", from: "Fri 16:00", to: "Mon 08:00" }],
        emergencies: "INC-\\d+",
      },
      environment: { FEATURE_CONSOLE_EMERGENCY: "INC-4711" },
    },
  },
});

function judged(what: string, parameters: Parameters, { now, environment }: Circumstances): Finding[] {
  const found = freezeAt(parameters, now);
  if (found === undefined) return [];
  const emergency = emergencyIn(parameters.emergencies, environment);
  if (emergency !== undefined)
    return [{ note: `The freeze ${whenText(found)} is passed by the emergency ${emergency}.` }];
  const pass =
    parameters.emergencies === ""
      ? ""
      : " In an emergency, set FEATURE_CONSOLE_EMERGENCY to the name of the incident.";
  return [{ message: `${what} in the freeze ${whenText(found)}. Wait until it is over.${pass}` }];
}
