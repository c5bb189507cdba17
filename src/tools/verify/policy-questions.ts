import { isObject, type JsonObject } from "../../provider/schema/json";
import { changeOrdinary, off, rule } from "./bodies";
import { acceptedOr, type Question, type Undecided } from "./question";
import type { Workshop } from "./workshop";

/** A change of a gate that the console may refuse; the control changes an ordinary gate. */
async function changeOf(
  workshop: Workshop,
  gate: JsonObject,
  change: JsonObject,
): Promise<string | Undecided> {
  const { id } = await workshop.made("gate", gate);
  const reply = await workshop.write("gate", "patch", id, change);
  return acceptedOr("refuse", reply, () => changeOrdinary(workshop));
}

/** Questions about reviews, policies and templates, which switches of the emulator answer, too. */
export const policyQuestions: readonly Question[] = [
  {
    id: "requiredReviews",
    asked: "Does a write apply to a gate whose changes need a review?",
    answers: {
      apply: 'pulumi up changes objects under review: restrict who may run it, or set reviews: "open".',
      asked: 'pulumi up changes objects under review, unless reviews is "respect" or "open".',
      refuse: 'Set reviews: "open", or commit a review in the console before pulumi up.',
      forbid: 'Set reviews: "open", or commit a review in the console before pulumi up.',
      hold: 'Set reviews: "open": without it pulumi up fails, and the console opens a review for each attempt.',
    },
    decides: { switch: "requiredReviews" },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off({ reviewSettings: { requiredReview: true } }));
      const change = (description: string, respectsReviews: boolean) =>
        workshop.write("gate", "patch", id, { description }, { respectsReviews, mayBeForbidden: true });
      const reply = await change("Changed.", false);
      const refusal = reply.isRefused && reply.status === 403 ? "forbid" : "refuse";
      const found = await acceptedOr(refusal, reply, () => changeOrdinary(workshop));
      if (found !== "accept") return found;
      const { description, activeReview } = await workshop.read("gate", id);
      if (description === "Changed.") return (await change("Again.", true)).isRefused ? "asked" : "apply";
      if (isObject(activeReview)) return "hold";
      return { undecided: "the write succeeded and changed nothing: it may wait for a review" };
    },
  },
  {
    id: "openReviews",
    asked: "How many reviews of a gate may be open at a time?",
    answers: {
      several: "pulumi up opens a review for each change of an object.",
      one: "pulumi up opens the next review of an object after the first is committed.",
    },
    decides: { switch: "openReviews" },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off());
      const review = (change: JsonObject) =>
        workshop.write("gate", "createReview", id, { description: "A trial of this API.", change });
      if ((await review({ rules: [] })).isRefused)
        return { undecided: "the console refuses to open a review of this change" };
      return (await review({ is_enabled: true })).isRefused ? "one" : "several";
    },
  },
  {
    id: "suddenRises",
    asked: "Does the console accept a percentage that rises at once?",
    answers: {
      accept: "No rollout strategy is needed.",
      refuse: "Set gradualRolloutStrategy on gates whose percentage rises.",
    },
    decides: { switch: "suddenRises" },
    ask: (workshop) => changeOf(workshop, off(), { rules: [rule({ passPercentage: 100 })] }),
  },
  {
    id: "templateWrites",
    asked: "Can a template be changed through the API?",
    answers: {
      accept: "Templates are managed like other gates.",
      refuse: "Change templates in the console, and declare them with ignoreChanges.",
    },
    decides: { switch: "templateWrites" },
    ask: (workshop) => changeOf(workshop, off({ isTemplate: true }), { description: "Changed." }),
  },
  {
    id: "templateTypes",
    asked: "Which type does a read of a template show?",
    answers: {
      said: "The one that was set.",
      template: "TEMPLATE: the provider does not compare it.",
    },
    decides: { switch: "templateTypes" },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off({ isTemplate: true, type: "PERMANENT" }));
      return (await workshop.read("gate", id)).type === "TEMPLATE" ? "template" : "said";
    },
  },
];
