import type { PlantedFault } from "../fault";

/** Untrue or missing sentences of previews and reports, one in each table of sentences. */
export const wordFaults: readonly PlantedFault[] = [
  {
    name: "a rule for 0 % is reported as one for everyone",
    file: "provider/words/rules.ts",
    find: "if (share === 0)\n",
    replace: "if (share === undefined)\n",
  },
  {
    name: "no warning says that two conditions of a rule exclude each other at one version",
    file: "provider/words/reach-values.ts",
    find: "order?.some((sign) => sign === Math.sign(difference)) === true",
    replace: "order?.some((sign) => difference === 0 || sign === Math.sign(difference)) === true",
  },
  {
    name: "a preview says that a replaced object is archived when it is deleted",
    file: "provider/words/replacement-text.ts",
    find: 'if (how === "archive") return "archived";',
    replace: 'if (how !== "retain") return "archived";',
  },
  {
    name: "a preview shows ids that leave a segment as ids that join it",
    file: "provider/id-lists/changes.ts",
    find: "[change.added, change.removed].map(",
    replace: "[change.removed, change.added].map(",
  },
  {
    name: "a report says of a gate that is off that its changed rules have no effect while it is launched",
    file: "provider/words/rule-sentences.ts",
    find: 'reach === "nobody" ? "off" : "launched"',
    replace: 'reach !== "nobody" ? "off" : "launched"',
  },
  {
    name: "a report does not call it a high risk that most users lose a gate at once",
    file: "tools/review/changes/passing.ts",
    find: "(was.share ?? 0) >= much && (is?.share ?? 0) < (was.share ?? 0)",
    replace: "(was.share ?? 0) >= much && (is?.share ?? 0) > (was.share ?? 0)",
  },
];
