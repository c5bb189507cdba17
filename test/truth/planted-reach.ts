import type { PlantedSentence } from "./run";

/** Untrue sentences about whom an object reaches. */
export const plantedReach: readonly PlantedSentence[] = [
  {
    name: "a gate that is off reaches more people",
    patches: [
      {
        file: "tools/review/changes/reach-effects.ts",
        find: 'if (was !== "rules")',
        replace: "if (was === undefined)",
      },
    ],
  },
  {
    name: "rules count whatever rules are before them",
    patches: [
      {
        file: "provider/words/reach-space.ts",
        find: "left = limited(left.flatMap((box) => without(box, audience)));",
        replace: "left = limited(left);",
      },
    ],
  },
  {
    name: "the points of a share are the new share",
    patches: [
      {
        file: "tools/review/changes/reach-reasons.ts",
        find: 'const points = percentText(Math.abs(is - was)).replace(" %", "");',
        replace: 'const points = percentText(is).replace(" %", "");',
      },
    ],
  },
  {
    name: "more is fewer",
    patches: [
      {
        file: "tools/review/changes/reach-reasons.ts",
        find: '${is > was ? "more" : "fewer"}',
        replace: '${is < was ? "more" : "fewer"}',
      },
    ],
  },
  {
    name: "it holds in all environments",
    patches: [
      {
        file: "tools/review/changes/reach-effects.ts",
        find: "const place = whereText(where);",
        replace: "const place = whereText({ all: true, names: [] });",
      },
    ],
  },
  {
    name: "rules whose names are exchanged stay the same rules",
    patches: [
      {
        file: "tools/review/changes/reach-effects.ts",
        find: "const isSameShare = from === to && (isSameRule || from === 0 || from === 100);",
        replace: "const isSameShare = from === to;",
      },
    ],
  },
  {
    name: "another rule is for those whom the last one let in",
    patches: [
      {
        file: "tools/review/changes/reach-effects.ts",
        find: "`${was} is gone, and none is left`",
        replace: "`${was} is gone, and another rule may be for them`",
      },
    ],
  },
  {
    name: "all rules are unchanged",
    patches: [
      {
        file: "provider/words/rule-rows.ts",
        find: 'rows.filter((row) => row.what === "unchanged" && !isTouched(row))',
        replace: 'rows.filter((row) => row.what !== "unknown")',
      },
    ],
  },
  {
    name: "an object of another state is let to everyone",
    patches: [
      {
        file: "tools/review/changes/passing.ts",
        find: 'if (reach === "nobody") return nobody;',
        replace: 'if (reach === "nobody") return everyone;',
      },
    ],
  },
  {
    name: "a preview shows shares the wrong way round",
    patches: [
      {
        file: "provider/words/rule-changes-text.ts",
        find: "${before} → ${after} %`",
        replace: "${after} → ${before} %`",
      },
    ],
  },
  {
    name: "a preview counts places of rules from 0",
    patches: [
      {
        file: "provider/words/rule-changes-text.ts",
        find: "(was ${rule.at + 1})",
        replace: "(was ${rule.at})",
      },
    ],
  },
  {
    name: "a gate that is launched reaches more people",
    patches: [
      {
        file: "tools/review/changes/reach-effects.ts",
        find: 'if (was !== "rules")',
        replace: 'if (was === "nobody")',
      },
    ],
  },
  {
    name: "what is over lets somebody in",
    patches: [
      {
        file: "tools/review/changes/reach-effects.ts",
        find: "reachChanges({ rules: olds }, { rules: news }, now)",
        replace: "reachChanges({ rules: olds }, { rules: news }, now && undefined)",
      },
    ],
  },
  {
    name: "an experiment gets all that it asks for of a full layer",
    patches: [
      {
        file: "tools/review/changes/reach-reasons.ts",
        find: "return [reach(level, rest ?",
        replace: "return [reach(level, rest === null ?",
      },
    ],
  },
  {
    name: "however many gain, the level is low",
    patches: [
      {
        file: "tools/review/changes/reach-reasons.ts",
        find: 'return points >= bigMove ? "high" : points >= move ? "medium" : "low";',
        replace: 'return points >= bigMove && points < move ? "high" : "low";',
      },
    ],
  },
];
