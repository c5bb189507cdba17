import { holdsUnknown, isObject, ownerTagPattern, UNKNOWN } from "pulumi-feature-console/facts";
import { kindProblems, patternOf, patternProblems, tagsOf } from "../parameters";
import { defineRule, type Finding, titleOf } from "../rule";

interface Parameters {
  readonly kinds: readonly string[];
  readonly tagPattern: string;
}

/** Somebody answers for it: a team, an owner, or a tag that names one. */
export const owner = defineRule<Parameters>({
  name: "owner",
  description: "Each object names its owner.",
  level: "advisory",
  needs: "program",
  parameters: {
    kinds: {
      type: "array",
      items: { type: "string" },
      description: "Kinds that need an owner.",
      default: ["gate", "dynamicConfig", "experiment"],
    },
    tagPattern: {
      type: "string",
      description: "Tags that name an owner, as a regular expression. Teams are not part of every plan.",
      default: ownerTagPattern,
    },
  },
  problemsOf: ({ kinds, tagPattern }) => [
    ...kindProblems("kinds", kinds),
    ...patternProblems("tagPattern", tagPattern),
  ],
  judge(object, { kinds, tagPattern }): Finding[] {
    const { kind, args } = object;
    if (!kinds.includes(kind.name)) return [];
    const fields = kind.ownerFields;
    if (fields.some((field) => saysWho(args[field]))) return [];
    const tags = tagsOf(object);
    if (tags.some((tag) => tag !== UNKNOWN && patternOf(tagPattern).test(tag))) return [];
    const open = [...fields, kind.tagsField ?? ""].find((field) => holdsUnknown(args[field]));
    if (open !== undefined) return [{ unknown: [open] }];
    const ways = [
      ...fields.map((field) => `\`${field}\``),
      ...(kind.tagsField === undefined ? [] : ["a tag"]),
    ];
    return [
      {
        message: `${titleOf(object)} names no owner. Set ${ways.join(" or ")}; a tag counts when it matches ${tagPattern}.`,
      },
    ];
  },
  examples: {
    violated: { kind: "Gate", args: { tags: ["shop"] } },
    met: { kind: "Gate", args: { tags: ["shop", "team:growth"] } },
  },
});

function saysWho(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).some(saysWho);
  return typeof value === "string" && value !== "" && value !== UNKNOWN;
}
