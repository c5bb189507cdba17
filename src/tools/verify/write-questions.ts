import { isObject, type JsonObject } from "../../provider/schema/json";
import { isNothing } from "../../provider/values/compare";
import { type MadeKind, type ProbeSession, Undecided } from "./probe-session";
import { changeOrdinary, off, rule, small, unlessMissing } from "./probes";
import { acceptedOr, type Question, questionsOf } from "./question";

/** Moments at which reads may show a write. */
const moments = {
  "at-once": "No look more than needed.",
  late: "The provider looks up to three times, half a second apart.",
  later: "Report it: pulumi up fails where it looks for what it wrote, and a refresh may drop a new object.",
} as const;

/** The question about a second object of one name. */
const duplicates = (kind: "gate" | "segment", body: JsonObject): Omit<Question, "id"> => ({
  asked: `Does the console refuse a second ${kind} of the same name?`,
  answers: {
    refused: "An interrupted create is found again.",
    reworded: "Report it: the provider does not see in this refusal that the name is taken.",
    accepted: `Report it: a create that arrives twice makes two ${kind}s.`,
  },
  row: 2,
  ask: (session) => duplicated(session, kind, body),
});

/** Answers about a part that an update leaves out. */
const removals = (part: string) => ({
  replaced: `A ${part} that the program removes is removed.`,
  merged: `Report it: a ${part} that the program removes would stay.`,
});

async function duplicated(session: ProbeSession, kind: MadeKind, body: JsonObject): Promise<string> {
  const { id, name } = await session.made(kind, body);
  const reply = await session.write(kind, "create", "", { name: name ?? id, ...body });
  if (reply.isRefused) return reply.category === "exists" ? "refused" : "reworded";
  const other = reply.item.id;
  if (typeof other === "string" && other !== id) session.remember(kind, other);
  return "accepted";
}

/** An id list with one id, and its ids as reads show them. */
async function idList(session: ProbeSession) {
  const { id } = await session.made("segment", { type: "id_list", idType: "userID" });
  await session.must("segment", "addIds", id, { ids: ["fcverify-a"] });
  const shown = async (): Promise<unknown[]> => {
    const { ids } = await session.read("segment", id, "getIdList");
    return Array.isArray(ids) ? ids : [];
  };
  return { id, shown };
}

/** Questions about assumptions whose other answer is a fault to report; they need throw-away objects. */
export const writeQuestions = questionsOf({
  duplicateCreate: duplicates("gate", off()),
  duplicateSegments: duplicates("segment", { type: "rule_based" }),
  patchedLists: {
    asked: "Does PATCH replace the rules of a gate, or merge them?",
    answers: removals("rule"),
    row: 1,
    async ask(session) {
      const rules = [rule(), rule({ name: "Second" })];
      const { rules: shown } = await session.changed("gate", off({ rules }), { rules: rules.slice(1) });
      return Array.isArray(shown) && shown.length === 1 ? "replaced" : "merged";
    },
  },
  patchedObjects: {
    asked: "Does PATCH replace the default value of a dynamic config, or merge it?",
    answers: removals("member"),
    row: 1,
    async ask(session) {
      const body = off({ defaultValue: { first: 1, second: 2 } });
      const change = off({ defaultValue: { first: 1 } });
      const { defaultValue } = await session.changed("dynamicConfig", body, change);
      return isObject(defaultValue) && "second" in defaultValue ? "merged" : "replaced";
    },
  },
  clearedTexts: {
    asked: 'Does an update empty a description by ""?',
    answers: {
      cleared: "Removing the argument clears it.",
      kept: "Report it: pulumi up fails where a program removes a description.",
      refused: "Report it: pulumi up fails where a program removes a description.",
    },
    row: 61,
    async ask(session) {
      const { id } = await session.made("gate", off());
      const reply = await session.write("gate", "patch", id, { description: "" });
      const found = await acceptedOr("refused", reply, () => changeOrdinary(session));
      if (found !== "accept") return found;
      return isNothing((await session.read("gate", id)).description) ? "cleared" : "kept";
    },
  },
  clearedTargeting: {
    asked: 'Does an update end the targeting of a holdout by ""?',
    answers: {
      cleared: "Removing targetingGateID clears it.",
      kept: "Report it: pulumi up fails where a program removes targetingGateID.",
    },
    row: 61,
    async ask(session) {
      const gate = await session.made("gate", off());
      const { id } = await session.made("holdout", small);
      for (const targetingGateID of [gate.id, ""])
        await session.must("holdout", "patch", id, { targetingGateID });
      return isNothing((await session.read("holdout", id)).targetingGateID) ? "cleared" : "kept";
    },
  },
  readAfterCreate: {
    asked: "Does a read right after a create show the object?",
    answers: moments,
    row: 21,
    async ask(session) {
      const { id } = await session.made("gate", off());
      const read = () => unlessMissing("shown", () => session.read("gate", id));
      return session.soon(async () => (await read()) === "shown");
    },
  },
  readAfterWrite: {
    asked: "Does a read right after a change show it?",
    answers: moments,
    row: 21,
    async ask(session) {
      const { id } = await session.made("gate", off());
      await session.must("gate", "patch", id, { description: "Changed." });
      return session.soon(async () => (await session.read("gate", id)).description === "Changed.");
    },
  },
  listAfterCreate: {
    asked: "Does a list right after a create show the object?",
    answers: moments,
    row: 21,
    async ask(session) {
      const { id } = await session.made("gate", off());
      return session.soon(async () => (await session.list("gate")).some((item) => item.id === id));
    },
  },
  idListReads: {
    asked: "Does an id list show a write as soon as isUpdating is false?",
    answers: moments,
    row: 23,
    async ask(session) {
      const { id, shown } = await idList(session);
      const isReady = async () =>
        (await session.read("segment", id, "getIdListMetadata")).isUpdating !== true;
      if ((await session.soon(isReady)) === "later") throw new Undecided("the id list is still updating");
      return session.soon(async () => (await shown()).includes("fcverify-a"));
    },
  },
  resetIds: {
    asked: "Does a reset of an id list replace all its ids?",
    answers: {
      replaced: "Small lists change in one request.",
      added: "Report it: ids that the program removes would stay.",
    },
    row: 24,
    async ask(session) {
      const { id, shown } = await idList(session);
      await session.must("segment", "resetIds", id, { ids: ["fcverify-b"] });
      const moment = await session.soon(async () => (await shown()).includes("fcverify-b"));
      if (moment === "later") throw new Undecided("the id list does not show the reset yet");
      return (await shown()).includes("fcverify-a") ? "added" : "replaced";
    },
  },
});
