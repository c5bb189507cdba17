import { defineRule, titleOf } from "../rule";

/** What other objects ask for is not taken away from under them. */
export const stillInUse = defineRule({
  name: "still-in-use",
  description: "Nothing is archived or deleted to which something refers that stays.",
  level: "mandatory",
  needs: "state",
  parameters: {},
  judgeLeaving(object) {
    const { how, users } = object;
    if (users.length === 0) return [];
    const verb = users.length === 1 ? "refers" : "refer";
    return [
      {
        message: `${titleOf(object)} would be ${how}d, and ${several(users)} still ${verb} to it. Take the reference out first, in an update of its own.`,
      },
    ];
  },
  examples: {
    violated: { kind: "Gate", args: {}, before: {}, leaves: { users: ['dynamic config "prices"'] } },
    met: { kind: "Gate", args: {}, before: {}, leaves: { users: [] } },
  },
});

const most = 3;

function several(users: readonly string[]): string {
  const rest = users.length - most;
  return [...users.slice(0, most), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}
