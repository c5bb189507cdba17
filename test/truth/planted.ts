import type { PlantedSentence } from "./run";

/** Sentences that reports and previews once made and that were not so, and others of their sort. */
export const plantedSentences: readonly PlantedSentence[] = [
  {
    name: "a running experiment that goes can be brought back",
    patches: [
      {
        file: "review/end-facts.ts",
        find: "if (endsForGood({ ...subject, outputs: live ?? outputs }))",
        replace: "if (live === null && endsForGood({ ...subject, outputs }))",
      },
    ],
  },
  {
    name: "a gate that is off reaches more people",
    patches: [
      { file: "review/reach-effects.ts", find: 'if (was !== "rules")', replace: "if (was === undefined)" },
    ],
  },
  {
    name: "rules count whatever rules are before them",
    patches: [
      {
        file: "core/reach-space.ts",
        find: "left = limited(left.flatMap((box) => without(box, audience)));",
        replace: "left = limited(left);",
      },
    ],
  },
  {
    name: "an object of this very stack is in the console only",
    patches: [
      {
        file: "review/references.ts",
        find: "if (known.has(keyOf(definition.name, id)) || isArchived(definition, values)) continue;",
        replace: "if (isArchived(definition, values)) continue;\n      void known;",
      },
    ],
  },
  {
    name: "what is changed in place is deleted and made anew",
    patches: [
      {
        file: "review/end-facts.ts",
        find: 'return "Pulumi calls it a replacement: it is changed in place, with its key and its history";',
        replace:
          "return `it is deleted and made anew: its history and results are lost, and meanwhile ${meanwhile}`;",
      },
    ],
  },
  {
    name: "what exists is new",
    patches: [
      {
        file: "review/found-objects.ts",
        find: 'create?.what === "adopts" ? "adopt" :',
        replace: 'create?.what === "adopts" ? act :',
      },
    ],
  },
  {
    name: "what comes back from the archive is new",
    patches: [
      {
        file: "review/found-objects.ts",
        find: 'create?.what === "revives" ? "restore" : act;',
        replace: "act;",
      },
    ],
  },
  {
    name: "what is archived goes to the archive",
    patches: [
      {
        file: "review/outcome.ts",
        find: 'return presence === "archived" && act === "archive"\n    ?',
        replace: 'return presence === "archived" && act === undefined\n    ?',
      },
    ],
  },
  {
    name: "what is gone is archived",
    patches: [
      {
        file: "review/outcome.ts",
        find: 'if (presence === "nothing") return { what: "left", why: "it is gone from the console already" };',
        replace: "",
      },
    ],
  },
  {
    name: "the update of what is gone goes well",
    patches: [
      {
        file: "review/outcome.ts",
        find: 'if (presence === "nothing" && definition.lifecycle.read.how !== "remember")',
        replace: 'if (presence === "nothing" && definition.lifecycle.read.how === "remember")',
      },
    ],
  },
  {
    name: "a create of what somebody else has goes well",
    patches: [
      {
        file: "review/outcome.ts",
        find: 'if (create?.what === "fails") return { what: "fails", why: create.why ?? "its place is taken" };',
        replace: "",
      },
      {
        file: "review/make-review.ts",
        find: "announced: failures.find((text) => isAbout(subject, text)),",
        replace: "announced: undefined,",
      },
      {
        file: "review/make-review.ts",
        find: "willFail: willFailOf(changes, failures),",
        replace: "willFail: willFailOf(changes, []),",
      },
    ],
  },
  {
    name: "any update will fail that changes what somebody has archived or changed",
    patches: [
      {
        file: "review/outcome.ts",
        find: "if (announced !== undefined) return",
        replace:
          'if (standing.live !== undefined && act === "update") return { what: "fails", why: "it was changed" };\n  if (announced !== undefined) return',
      },
    ],
  },
  {
    name: "the points of a share are the new share",
    patches: [
      {
        file: "review/reach-facts.ts",
        find: 'const points = percentText(Math.abs(is - was)).replace(" %", "");',
        replace: 'const points = percentText(is).replace(" %", "");',
      },
    ],
  },
  {
    name: "more is fewer",
    patches: [
      {
        file: "review/reach-facts.ts",
        find: '${is > was ? "more" : "fewer"}',
        replace: '${is < was ? "more" : "fewer"}',
      },
    ],
  },
  {
    name: "it holds in all environments",
    patches: [
      {
        file: "review/reach-effects.ts",
        find: "const place = whereText(where);",
        replace: "const place = whereText({ all: true, names: [] });",
      },
    ],
  },
  {
    name: "rules whose names are exchanged stay the same rules",
    patches: [
      {
        file: "review/reach-effects.ts",
        find: "const isSameShare = from === to && (isSameRule || from === 0 || from === 100);",
        replace: "const isSameShare = from === to;",
      },
    ],
  },
  {
    name: "another rule is for those whom the last one let in",
    patches: [
      {
        file: "review/reach-effects.ts",
        find: "`${was} is gone, and none is left`",
        replace: "`${was} is gone, and another rule may be for them`",
      },
    ],
  },
  {
    name: "all rules are unchanged",
    patches: [
      {
        file: "plain-words/rule-rows.ts",
        find: 'rows.filter((row) => row.what === "unchanged" && !isTouched(row))',
        replace: 'rows.filter((row) => row.what !== "unknown")',
      },
    ],
  },
  {
    name: "an object that is switched off is on",
    patches: [
      {
        file: "review/facts.ts",
        find: 'disable: ["high", "it is switched off"]',
        replace: 'disable: ["high", "its rules count from now on"]',
      },
    ],
  },
  {
    name: "an object of another state is let to everyone",
    patches: [
      {
        file: "review/passing.ts",
        find: 'if (reach === "nobody") return nobody;',
        replace: 'if (reach === "nobody") return everyone;',
      },
    ],
  },
  {
    name: "a preview shows shares the wrong way round",
    patches: [
      {
        file: "core/rule-changes-text.ts",
        find: "${before} → ${after} %`",
        replace: "${after} → ${before} %`",
      },
    ],
  },
  {
    name: "a preview counts places of rules from 0",
    patches: [
      {
        file: "core/rule-changes-text.ts",
        find: "(was ${rule.at + 1})",
        replace: "(was ${rule.at})",
      },
    ],
  },
  {
    name: "a preview does not show that its update will fail",
    patches: [
      {
        file: "pulumi/preview-notice.ts",
        find: "return `This update will fail: ${text}`;",
        replace: "return `Look at this: ${text}`;",
      },
    ],
  },
];
