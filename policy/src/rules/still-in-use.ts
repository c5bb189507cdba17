import { defineRule, type Finding, type LeavingObject, titleOf } from "../rule";

interface Parameters {
  readonly checksPerHour: number;
}

/** What applications or other objects ask for is not taken away from under them. */
export const stillInUse = defineRule<Parameters>({
  name: "still-in-use",
  description:
    "Nothing is archived or deleted that is still checked, or to which something refers that stays.",
  level: "mandatory",
  needs: "state",
  parameters: {
    checksPerHour: {
      type: "number",
      minimum: 0,
      description:
        "So many checks an hour are none. Counted by the console, as of the last update or refresh.",
      default: 0,
    },
  },
  judge(object, parameters): Finding[] {
    const { kind, args, before } = object;
    if (before === undefined || !kind.isArchived(args) || kind.isArchived(before)) return [];
    return checked({ ...object, state: before, how: "archive" }, parameters);
  },
  judgeLeaving(object, parameters): Finding[] {
    const { how, users } = object;
    const used =
      users.length === 0
        ? []
        : [
            {
              message: `${titleOf(object)} would be ${how}d, and ${several(users)} still ${users.length === 1 ? "refers" : "refer"} to it. Take the reference out first, in an update of its own.`,
            },
          ];
    return [...checked(object, parameters), ...used];
  },
  examples: {
    violated: {
      kind: "Gate",
      args: {},
      before: { checksPerHour: 48_000 },
      leaves: { users: ['dynamic config "prices"'] },
    },
    met: { kind: "Gate", args: {}, before: { checksPerHour: 0 }, leaves: { users: [] } },
  },
});

function checked(
  object: Pick<LeavingObject, "kind" | "name" | "state" | "how">,
  { checksPerHour: most }: Parameters,
): Finding[] {
  const { checksPerHour } = object.state;
  if (typeof checksPerHour !== "number" || checksPerHour <= most) return [];
  return [
    {
      message: `${titleOf(object)} would be ${object.how}d, and applications check it ${checksPerHour === 1 ? "once" : `${checksPerHour.toLocaleString("en")} times`} an hour. Take it out of the code first, then \`pulumi refresh\`.`,
    },
  ];
}

const most = 3;

function several(users: readonly string[]): string {
  const rest = users.length - most;
  return [...users.slice(0, most), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}
