import { catalog } from "../../provider/definitions";
import { auditOf } from "../../provider/schema/audit";
import { isConsoleError } from "../../provider/schema/errors";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { fromWire } from "../../provider/schema/wire-names";
import { isNothing } from "../../provider/values/compare";
import { acceptance, changeOrdinary, duplicated, off, rule, withCondition } from "./bodies";
import { acceptedOr, type Outcome, type Question, type Undecided } from "./question";
import type { Workshop } from "./workshop";

/** How soon reads show a write. */
const moments = {
  "at-once": "No look more than needed.",
  late: "The provider looks up to three times, half a second apart.",
  later: "Report it: pulumi up fails where it looks for what it wrote, and a refresh may drop a new object.",
} as const;

/** Whether the console accepts a change that sends `body` to a gate that is off. */
async function changeWith(workshop: Workshop, body: JsonObject): Promise<Outcome> {
  const { id } = await workshop.made("gate", off({ rules: [rule()] }));
  const reply = await workshop.write("gate", "patch", id, body);
  return acceptedOr("refuse", reply, () => changeOrdinary(workshop));
}

/** An id list with one id, and its ids as reads show them. */
async function idList(workshop: Workshop) {
  const { id } = await workshop.made("segment", { type: "id_list", idType: "userID" });
  const write = (route: "addIds" | "removeIds" | "resetIds", ids: readonly string[]) =>
    workshop.write("segment", route, id, { ids });
  const shown = async (): Promise<unknown[]> => {
    const { ids } = await workshop.read("segment", id, "getIdList");
    return Array.isArray(ids) ? ids : [];
  };
  const added = await write("addIds", ["fcverify-a"]);
  return { id, write, shown, added };
}

const noList: Undecided = { undecided: "the console refused ids of a new id list" };

/** What the console does after a write, or with one that only some consoles accept. */
export const sequelQuestions: readonly Question[] = [
  {
    id: "readAfterCreate",
    asked: "Does a read right after a create show the object?",
    answers: moments,
    decides: { row: 21 },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off());
      return workshop.soon(async () => {
        try {
          await workshop.read("gate", id);
          return true;
        } catch (error) {
          if (isConsoleError(error, "not-found")) return false;
          throw error;
        }
      });
    },
  },
  {
    id: "readAfterWrite",
    asked: "Does a read right after a change show it?",
    answers: moments,
    decides: { row: 21 },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off());
      const reply = await workshop.write("gate", "patch", id, { description: "Changed." });
      if (reply.isRefused) return { undecided: `the console refused the change (${reply.status})` };
      return workshop.soon(async () => (await workshop.read("gate", id)).description === "Changed.");
    },
  },
  {
    id: "listAfterCreate",
    asked: "Does a list right after a create show the object?",
    answers: moments,
    decides: { row: 21 },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off());
      return workshop.soon(async () => (await workshop.list("gate")).some((item) => item.id === id));
    },
  },
  {
    id: "newVersions",
    asked: "Does a new gate have version 1, and the time of its creation as that of its change?",
    answers: {
      first: "The provider recognises a create whose answer was lost.",
      otherwise: "Adopt an object by hand after a create whose answer was lost.",
    },
    decides: { row: 9 },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off());
      const { version, created, changed } = auditOf(
        catalog.gate,
        fromWire(catalog.gate, await workshop.read("gate", id)),
      );
      return version === 1 && (changed === undefined || changed === created) ? "first" : "otherwise";
    },
  },
  {
    id: "changeTimes",
    asked: "Does a change raise the version or the time of an object?",
    answers: {
      raised: "protectConcurrentEdits notices every change.",
      same: "protectConcurrentEdits notices only changed values.",
    },
    decides: { row: 40 },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off());
      const audit = async () =>
        auditOf(catalog.gate, fromWire(catalog.gate, await workshop.read("gate", id)));
      const before = await audit();
      const reply = await workshop.write("gate", "patch", id, { description: "Changed." });
      if (reply.isRefused) return { undecided: `the console refused the change (${reply.status})` };
      const after = await audit();
      return after.version !== before.version || after.changed !== before.changed ? "raised" : "same";
    },
  },
  {
    id: "keyAuthors",
    asked: "Whom does a read show as the author of an object that this key made?",
    answers: {
      key: "A key: the provider recognises a create whose answer was lost.",
      person: "A person, as of a personal key: adopt an object by hand after a create whose answer was lost.",
    },
    decides: { row: 8 },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off());
      const { owner, ...item } = fromWire(catalog.gate, await workshop.read("gate", id));
      const { madeBy } = auditOf(catalog.gate, item);
      const type = isObject(owner) ? owner.ownerType : undefined;
      return isNothing(madeBy) && (isNothing(type) || type === "SDK_KEY") ? "key" : "person";
    },
  },
  {
    id: "archivedNames",
    asked: "Does an archived gate keep its name?",
    answers: {
      kept: "The provider renames an archived gate whose name a replacement needs.",
      freed: "One write more than needed renames an archived gate.",
    },
    decides: { row: 13 },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off());
      const archived = await workshop.write("gate", "archive", id, {});
      if (archived.isRefused) return { undecided: `the console refused the archive (${archived.status})` };
      const reply = await workshop.write("gate", "create", "", { name: id, ...off() });
      const found = await acceptedOr("kept", reply, () => workshop.make("gate", off()));
      return found === "accept" ? "freed" : found;
    },
  },
  {
    id: "archiveInUse",
    asked: "Does the console refuse the archive of a gate that another gate asks?",
    answers: {
      refused: "A preview predicts the refusal.",
      accepted: 'A preview predicts "This update will fail" about an update that succeeds.',
    },
    decides: { row: 43 },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off());
      await workshop.made("gate", withCondition({ type: "passes_gate", targetValue: id }));
      const reply = await workshop.write("gate", "archive", id, {});
      const found = await acceptedOr("refused", reply, async () => {
        const unused = await workshop.made("gate", off());
        return workshop.write("gate", "archive", unused.id, {});
      });
      return found === "accept" ? "accepted" : found;
    },
  },
  {
    id: "archivedExperiments",
    asked: "Which status has an experiment that is archived before its start and unarchived?",
    answers: {
      setup: "It goes on in setup.",
      otherwise: "The provider continues from the status that it finds.",
    },
    decides: { row: 59 },
    async ask(workshop) {
      const { id } = await workshop.made("experiment", { idType: "userID" });
      for (const route of ["archive", "unarchive"]) {
        const reply = await workshop.write("experiment", route, id, {});
        if (reply.isRefused) return { undecided: `the console refused to ${route} it (${reply.status})` };
      }
      return (await workshop.read("experiment", id)).status === "setup" ? "setup" : "otherwise";
    },
  },
  {
    id: "duplicateSegments",
    asked: "Does the console refuse a second segment of the same name?",
    answers: {
      refused: "An interrupted create is found again.",
      reworded: "Report it: the provider does not see in this refusal that the name is taken.",
      accepted: "Report it: a create that arrives twice makes two segments.",
    },
    decides: { row: 2 },
    ask: (workshop) => duplicated(workshop, "segment", { type: "rule_based" }),
  },
  {
    id: "bareRules",
    asked: "Do the rules of a segment go as a bare array?",
    answers: acceptance("They do.", "The provider sends an object with the rules instead."),
    decides: { row: 10 },
    async ask(workshop) {
      const { id } = await workshop.made("segment", { type: "rule_based" });
      const { route, rules } = { route: "setRules", rules: [rule()] };
      const reply = await workshop.write("segment", route, id, rules);
      return acceptedOr("refuse", reply, () => workshop.write("segment", route, id, { rules }));
    },
  },
  {
    id: "rolloutStrategies",
    asked: "Does PATCH accept gradual_rollout_strategy?",
    answers: acceptance(
      "gradualRolloutStrategy works as documented.",
      "Leave gradualRolloutStrategy out, and bring percentages up in steps.",
    ),
    decides: { row: 5 },
    ask: (workshop) =>
      changeWith(workshop, { rules: [rule()], gradual_rollout_strategy: { type: "bypass" } }),
  },
  {
    id: "clearedTargeting",
    asked: 'Does an update end the targeting of a holdout by ""?',
    answers: {
      cleared: "Removing targetingGateID clears it.",
      kept: "Report it: pulumi up fails where a program removes targetingGateID.",
    },
    decides: { row: 61 },
    async ask(workshop) {
      const { id: targetingGateID } = await workshop.made("gate", off());
      const holdout = await workshop.made("holdout", { isEnabled: false, passPercentage: 1 });
      for (const value of [targetingGateID, ""]) {
        const reply = await workshop.write("holdout", "patch", holdout.id, { targetingGateID: value });
        if (reply.isRefused) return { undecided: `the console refused the change (${reply.status})` };
      }
      return isNothing((await workshop.read("holdout", holdout.id)).targetingGateID) ? "cleared" : "kept";
    },
  },
  {
    id: "idListReads",
    asked: "Does an id list show a write as soon as isUpdating is false?",
    answers: moments,
    decides: { row: 23 },
    async ask(workshop) {
      const { id, shown, added } = await idList(workshop);
      if (added.isRefused) return noList;
      const { route, member } = { route: "getIdListMetadata", member: "isUpdating" };
      const isReady = async () => (await workshop.read("segment", id, route))[member] !== true;
      if ((await workshop.soon(isReady)) === "later") return { undecided: "the id list is still updating" };
      return workshop.soon(async () => (await shown()).includes("fcverify-a"));
    },
  },
  {
    id: "presentIds",
    asked: "Does an id list accept ids to add that it has, and ids to remove that it lacks?",
    answers: acceptance("An update may send them twice.", "An update that was interrupted may fail."),
    decides: { row: 25 },
    async ask(workshop) {
      const { write, added } = await idList(workshop);
      if (added.isRefused) return noList;
      const again = [await write("addIds", ["fcverify-a"]), await write("removeIds", ["fcverify-b"])];
      return again.some(({ isRefused }) => isRefused) ? "refuse" : "accept";
    },
  },
  {
    id: "resetIds",
    asked: "Does a reset of an id list replace all its ids?",
    answers: {
      replaced: "Small lists change in one request.",
      added: "Report it: ids that the program removes would stay.",
    },
    decides: { row: 24 },
    async ask(workshop) {
      const { write, shown, added } = await idList(workshop);
      if (added.isRefused || (await write("resetIds", ["fcverify-b"])).isRefused) return noList;
      const moment = await workshop.soon(async () => (await shown()).includes("fcverify-b"));
      if (moment === "later") return { undecided: "the id list does not show the reset yet" };
      return (await shown()).includes("fcverify-a") ? "added" : "replaced";
    },
  },
];
