import type { PlantedFault } from "../fault";

/** Mistakes of the commands. */
export const toolFaults: readonly PlantedFault[] = [
  {
    name: "drift counts a gate as switched off although the program leaves its status to the console",
    file: "provider/decisions/changes.ts",
    find: 'if (isStatusOfConsole(definition, name, args, live)) return by("console", "owns");',
    replace: "",
  },
  {
    name: "import leaves out every object that is not archived",
    file: "tools/import/selection.ts",
    find: "if (archived !== true && isArchived(definition, live)) return false;",
    replace: "if (archived !== true && !isArchived(definition, live)) return false;",
  },
  {
    name: "explain names the program as the one who decides about shares that it leaves to the console",
    file: "provider/decisions/changes.ts",
    find: 'rollout !== undefined && consoleOwns(args, "rollout") && isThere()',
    replace: 'rollout === undefined && consoleOwns(args, "rollout") && isThere()',
  },
  {
    name: "promote --keep percentages takes the percentages of the first stack",
    file: "tools/promote/promotion.ts",
    find: "{ program: from, live: to }",
    replace: "{ program: from, live: from }",
  },
  {
    name: "a rollback does not say that the console draws the users of a share anew",
    file: "tools/past/obstacles.ts",
    find: "Number(one[share]) > 0 && Number(one[share]) < 100",
    replace: "Number(one[share]) > 0 && Number(one[share]) > 100",
  },
  {
    name: "doctor calls a lock abandoned whose process still runs",
    file: "tools/doctor/stack-checks.ts",
    find: "if (holders.some(context.ports.isAlive))",
    replace: "if (!holders.some(context.ports.isAlive))",
  },
  {
    name: "verify --write writes to a project that applications ask",
    file: "tools/verify/verify.ts",
    find: "const looksLive = isAsked || ",
    replace: "const looksLive = isAsked && ",
  },
  {
    name: "report --users counts users of one answer as users of another",
    file: "tools/users/tally.ts",
    find: "const at = row * tallies.length + column;",
    replace: "const at = column * users.length + row;",
  },
];
