import { catalog } from "../../provider/definitions";
import { fromWire } from "../../provider/schema/wire-names";
import type { Question } from "./question";

/** Questions that reads alone answer. */
export const readQuestions: readonly Question[] = [
  {
    id: "keysInReads",
    asked: "Does the list of keys show the values of the keys?",
    answers: {
      show: "doctor and import know whether the key may write.",
      hide: "doctor and import do not know whether the key may write.",
    },
    decides: { switch: "keysInReads" },
    async ask(workshop) {
      const keys = (await workshop.list("key")).map((item) => fromWire(catalog.key, item).value);
      if (keys.length === 0) return { undecided: "the project has no key that this key may see" };
      return keys.some((value) => typeof value === "string") ? "show" : "hide";
    },
  },
];
