import { plantedReach } from "./planted-reach";
import type { PlantedSentence } from "./run";

/** Sentences that reports and previews once made and that were not so, and others of their sort. */
export const plantedSentences: readonly PlantedSentence[] = [
  ...plantedReach,
  {
    name: "a running experiment that goes can be brought back",
    patches: [
      {
        file: "tools/review/changes/end-reasons.ts",
        find: "if (endsForGood({ ...subject, outputs: live ?? outputs }))",
        replace: "if (live === null && endsForGood({ ...subject, outputs }))",
      },
    ],
  },
  {
    name: "an object of this very stack is in the console only",
    patches: [
      {
        file: "tools/review/references.ts",
        find: "if (known.has(keyOf(definition.name, id)) || isArchived(definition, values)) continue;",
        replace: "if (isArchived(definition, values)) continue;\n      void known;",
      },
    ],
  },
  {
    name: "what is changed in place is deleted and made anew",
    patches: [
      {
        file: "tools/review/changes/end-reasons.ts",
        find: 'return "Pulumi calls it a replacement: it is changed in place, with its key and its history";',
        replace: 'return "it is deleted and made anew";',
      },
    ],
  },
  {
    name: "what exists is new",
    patches: [
      {
        file: "tools/review/found-objects.ts",
        find: 'create?.what === "adopts" ? "adopt" :',
        replace: 'create?.what === "adopts" ? act :',
      },
    ],
  },
  {
    name: "what comes back from the archive is new",
    patches: [
      {
        file: "tools/review/found-objects.ts",
        find: 'create?.what === "revives" ? "restore" : act;',
        replace: "act;",
      },
    ],
  },
  {
    name: "what is archived goes to the archive",
    patches: [
      {
        file: "tools/review/changes/outcome.ts",
        find: 'return presence === "archived" && act === "archive"\n    ?',
        replace: 'return presence === "archived" && act === undefined\n    ?',
      },
    ],
  },
  {
    name: "what is gone is archived",
    patches: [
      {
        file: "tools/review/changes/outcome.ts",
        find: 'if (presence === "nothing") return { what: "left", why: "it is gone from the console already" };',
        replace: "",
      },
    ],
  },
  {
    name: "the update of what is gone goes well",
    patches: [
      {
        file: "tools/review/changes/outcome.ts",
        find: 'if (presence === "nothing" && definition.lifecycle.read.how !== "remember")',
        replace: 'if (presence === "nothing" && definition.lifecycle.read.how === "remember")',
      },
    ],
  },
  {
    name: "a create of what somebody else has goes well",
    patches: [
      {
        file: "tools/review/changes/outcome.ts",
        find: 'if (create?.what === "fails") return { what: "fails", why: create.why ?? "its place is taken" };',
        replace: "",
      },
      {
        file: "tools/review/make-review.ts",
        find: "announced: failures.find((text) => isAbout(subject, text)),",
        replace: "announced: undefined,",
      },
      {
        file: "tools/review/make-review.ts",
        find: "willFail: willFailOf(changes, failures),",
        replace: "willFail: willFailOf(changes, []),",
      },
    ],
  },
  {
    name: "any update will fail that changes what somebody has archived or changed",
    patches: [
      {
        file: "tools/review/changes/outcome.ts",
        find: "if (announced !== undefined) return",
        replace:
          'if (standing.live !== undefined && act === "update") return { what: "fails", why: "it was changed" };\n  if (announced !== undefined) return',
      },
    ],
  },
  {
    name: "an object that is switched off is on",
    patches: [
      {
        file: "tools/review/changes/reasons.ts",
        find: 'disable: ["high", "it is switched off"]',
        replace: 'disable: ["high", "its rules count from now on"]',
      },
    ],
  },
  {
    name: "a preview does not show that its update will fail",
    patches: [
      {
        file: "provider/pulumi/previews/preview-notice.ts",
        find: "return `This update will fail: ${text}`;",
        replace: "return `Look at this: ${text}`;",
      },
    ],
  },
  {
    name: "an update that would overwrite what somebody changed goes well",
    patches: [
      {
        file: "tools/review/changes/outcome.ts",
        find: 'if (standing.conflict !== undefined) return { what: "fails", why: standing.conflict };',
        replace: "",
      },
    ],
  },
  {
    name: "what another stack has taken over goes to the archive",
    patches: [
      {
        file: "tools/review/changes/outcome.ts",
        find: 'if (standing.taker !== undefined) return { what: "left", why: standing.taker };',
        replace: "",
      },
    ],
  },
  {
    name: "what another stack has taken over ends for good, a preview says",
    patches: [
      {
        file: "provider/pulumi/previews/preview-notice.ts",
        find: "facts.takers?.has(urn) !== true",
        replace: "facts.takers?.has(urn) !== null",
      },
    ],
  },
  {
    name: "a gate that others ask goes without a word",
    patches: [
      {
        file: "provider/pulumi/previews/preview-notice.ts",
        find: "users: isGuarded(one) && !isOut(one, facts) ? [...(users.get(one.facts)?.get(idOf(one)) ?? [])] : [],",
        replace: "users: isGuarded(one) && !isOut(one, facts) ? [] : [],",
      },
    ],
  },
  {
    name: "that a new gate is off asks for attention",
    patches: [
      {
        file: "tools/review/changes/reasons.ts",
        find: 'isUnfelt || isNew ? "low" : level',
        replace: 'isUnfelt ? "low" : level',
      },
    ],
  },
];
