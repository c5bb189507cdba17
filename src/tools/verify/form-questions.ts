import { isObject, type JsonObject } from "../../provider/schema/json";
import { isNothing } from "../../provider/values/compare";
import { acceptance, changeOrdinary, duplicated, gateWith, off, rule } from "./bodies";
import { acceptedOr, type Outcome, type Question } from "./question";
import type { Workshop } from "./workshop";

/** The form of a text without a value, where one was sent as "" and the other one was not sent. */
function emptyForm(sent: unknown, unsent: unknown): string {
  if (sent === undefined && unsent === undefined) return "absent";
  if (sent === null && unsent === null) return "null";
  return sent === "" && unsent === "" ? "text" : "stored";
}

const ruleIn = ({ rules }: JsonObject): JsonObject => {
  const [first] = Array.isArray(rules) ? rules : [];
  return isObject(first) ? first : {};
};

async function readNew(workshop: Workshop, kind: "gate" | "dynamicConfig" | "metric", body: JsonObject) {
  const { id } = await workshop.made(kind, body);
  return workshop.read(kind, id);
}

/** What becomes of rules with these percentages. */
async function keptShares(
  workshop: Workshop,
  shares: readonly number[],
): Promise<"kept" | "rounded" | "refused"> {
  const rules = shares.map((passPercentage, index) => rule({ name: `Share ${index}`, passPercentage }));
  // A policy may refuse percentages that rise at once.
  const reply = await workshop.make("gate", off({ rules, gradual_rollout_strategy: { type: "bypass" } }));
  if (reply.isRefused) return "refused";
  const shown = (await workshop.read("gate", reply.id)).rules;
  const kept = (Array.isArray(shown) ? shown : []).map((one) =>
    isObject(one) ? one.passPercentage : undefined,
  );
  return shares.every((share, index) => kept[index] === share) ? "kept" : "rounded";
}

/** What became of a description that an update empties by this value. */
async function cleared(workshop: Workshop, by: "" | null): Promise<Outcome> {
  const { id } = await workshop.made("gate", off());
  const reply = await workshop.write("gate", "patch", id, { description: by });
  const found = await acceptedOr("refused", reply, () => changeOrdinary(workshop));
  if (found !== "accept") return found;
  return isNothing((await workshop.read("gate", id)).description) ? "cleared" : "kept";
}

const bothForms = "The provider treats all forms of an empty member as equal.";

/** In which form the console stores and shows what it was sent. */
export const formQuestions: readonly Question[] = [
  {
    id: "emptyMembers",
    asked: "In which form does a read show a text without a value?",
    answers: { stored: bothForms, absent: bothForms, null: bothForms, text: bothForms },
    decides: { switch: "emptyMembers" },
    async ask(workshop) {
      const { creatorEmail, team } = await readNew(workshop, "gate", off({ creatorEmail: "" }));
      return emptyForm(creatorEmail, team);
    },
  },
  {
    id: "emptyObjects",
    asked: "Does the console store an object without any value?",
    answers: {
      absent: "An empty object in a program means the same as none.",
      stored: "The console keeps an empty object that a program sets.",
    },
    decides: { switch: "emptyObjects" },
    async ask(workshop) {
      const { warehouseNative } = await readNew(workshop, "metric", {
        ...{ type: "sum", unitTypes: ["userID"], metricEvents: [{ name: "fcverify", type: "value" }] },
        warehouseNative: {},
      });
      return isObject(warehouseNative) ? "stored" : "absent";
    },
  },
  {
    id: "filledDefaults",
    asked: "Which defaults does a read show?",
    answers: {
      stored: "Those that were stored.",
      all: "All: the provider knows them, and compares with them.",
      none: "None: the provider knows them, and compares with them.",
    },
    decides: { switch: "filledDefaults" },
    async ask(workshop) {
      const read = await readNew(workshop, "dynamicConfig", off({ rules: [rule()] }));
      if (read.idType === undefined) return "none";
      return ruleIn(read).returnValue === undefined ? "stored" : "all";
    },
  },
  {
    id: "listedMembers",
    asked: "Does a list show as much of an object as a read of the object does?",
    answers: {
      all: "A refresh reads lists: about one request for a hundred objects.",
      fewer: "A refresh reads each object by itself.",
    },
    decides: { switch: "listedMembers" },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off({ rules: [rule()] }));
      const one = (await workshop.list("gate")).find((item) => item.id === id);
      if (one === undefined) return { undecided: "the list does not show a new gate yet" };
      return Array.isArray(one.rules) ? "all" : "fewer";
    },
  },
  {
    id: "duplicateCreate",
    asked: "Does the console refuse a second gate of the same name?",
    answers: {
      refused: "An interrupted create is found again.",
      reworded: "Report it: the provider does not see in this refusal that the name is taken.",
      accepted: "Report it: a create that arrives twice makes two gates.",
    },
    decides: { row: 2 },
    ask: (workshop) => duplicated(workshop, "gate", off()),
  },
  {
    id: "archivedWrite",
    asked: "Does the console refuse a change of an archived gate?",
    answers: {
      refused: "An archived gate is brought back before it changes.",
      accepted: "One request more than needed brings an archived gate back.",
    },
    decides: { row: 4 },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off());
      const archived = await workshop.write("gate", "archive", id, {});
      if (archived.isRefused) return { undecided: `the console refused the archive (${archived.status})` };
      const reply = await workshop.write("gate", "patch", id, { description: "Changed." });
      const found = await acceptedOr("refused", reply, () => changeOrdinary(workshop));
      return found === "accept" ? "accepted" : found;
    },
  },
  {
    id: "patchedLists",
    asked: "Does PATCH replace the rules of a gate, or merge them?",
    answers: {
      replaced: "A rule that the program removes is removed.",
      merged: "Report it: a rule that the program removes would stay.",
    },
    decides: { row: 1 },
    async ask(workshop) {
      const rules = [rule(), rule({ name: "Second" })];
      const { id } = await workshop.made("gate", off({ rules }));
      const reply = await workshop.write("gate", "patch", id, { rules: rules.slice(1) });
      if (reply.isRefused) return { undecided: `the console refused the change (${reply.status})` };
      const shown = (await workshop.read("gate", id)).rules;
      return Array.isArray(shown) && shown.length === 1 ? "replaced" : "merged";
    },
  },
  {
    id: "ruleIds",
    asked: "Does a rule keep its base id when it is sent back with it?",
    answers: {
      kept: "The history of a rule survives an update.",
      new: "The history of a rule starts again with each update.",
    },
    decides: { row: 6 },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off({ rules: [rule()] }));
      const before = ruleIn(await workshop.read("gate", id));
      if (typeof before.baseID !== "string") return { undecided: "the read shows no base id" };
      const { id: ruleId, baseID } = before;
      const reply = await workshop.write("gate", "patch", id, {
        rules: [rule({ id: ruleId, baseID, name: "Renamed" })],
      });
      if (reply.isRefused) return { undecided: `the console refused the change (${reply.status})` };
      return ruleIn(await workshop.read("gate", id)).baseID === baseID ? "kept" : "new";
    },
  },
  {
    id: "finePercentages",
    asked: "Which of 12.5, 0.01 and 33.333 per cent does the console keep?",
    answers: {
      hundredths: "Percentages have at most two decimal places.",
      thousandths: "The console keeps finer percentages than the provider accepts.",
      rounded: "Use the percentages that the console keeps: others show as drift.",
      refused: "Use whole percentages.",
    },
    decides: { row: 46 },
    async ask(workshop) {
      const coarse = await keptShares(workshop, [12.5, 0.01]);
      if (coarse !== "kept") return coarse;
      return (await keptShares(workshop, [33.333])) === "kept" ? "thousandths" : "hundredths";
    },
  },
  {
    id: "countedVersions",
    asked: "Does one write count the version of an object up by one?",
    answers: {
      "by-one": "Changes that others make during an update are noticed.",
      otherwise: "A notice about a change during an update may be wrong.",
    },
    decides: { row: 39 },
    async ask(workshop) {
      const { id, version: before } = await workshop.made("gate", off());
      const reply = await workshop.write("gate", "patch", id, { description: "Changed." });
      if (reply.isRefused) return { undecided: `the console refused the change (${reply.status})` };
      const { version } = await workshop.read("gate", id);
      if (typeof before !== "number" || typeof version !== "number")
        return { undecided: "reads show no version" };
      return version === before + 1 ? "by-one" : "otherwise";
    },
  },
  {
    id: "emptyTexts",
    asked: "Does a rule accept empty texts for an operator, a field or an id?",
    answers: acceptance("They mean the same as none.", "The provider leaves them out."),
    decides: { row: 60 },
    ask: (workshop) => {
      const conditions = [{ type: "public", operator: "", field: "" }];
      return gateWith(workshop, off({ rules: [rule({ id: "", conditions })] }));
    },
  },
  {
    id: "clearedTexts",
    asked: 'Does an update empty a description by ""?',
    answers: {
      cleared: "Removing the argument clears it.",
      kept: "Report it: pulumi up fails where a program removes a description.",
      refused: "Report it: pulumi up fails where a program removes a description.",
    },
    decides: { row: 61 },
    ask: (workshop) => cleared(workshop, ""),
  },
  {
    id: "nullTexts",
    asked: "Does an update empty a description by null?",
    answers: {
      refused: 'Nothing: the provider sends "".',
      cleared: 'Nothing: the provider sends "".',
      kept: 'Nothing: the provider sends "".',
    },
    decides: { row: 61 },
    ask: (workshop) => cleared(workshop, null),
  },
  {
    id: "patchedObjects",
    asked: "Does PATCH replace the default value of a dynamic config, or merge it?",
    answers: {
      replaced: "A member that the program removes is removed.",
      merged: "Report it: a member that the program removes would stay.",
    },
    decides: { row: 1 },
    async ask(workshop) {
      const { id } = await workshop.made("dynamicConfig", off({ defaultValue: { first: 1, second: 2 } }));
      const reply = await workshop.write("dynamicConfig", "patch", id, off({ defaultValue: { first: 1 } }));
      if (reply.isRefused) return { undecided: `the console refused the change (${reply.status})` };
      const { defaultValue } = await workshop.read("dynamicConfig", id);
      return isObject(defaultValue) && "second" in defaultValue ? "merged" : "replaced";
    },
  },
];
