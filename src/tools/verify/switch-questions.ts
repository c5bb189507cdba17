import { isConsoleError } from "../../provider/schema/errors";
import { isObject, type JsonObject, objectsIn } from "../../provider/schema/json";
import { gateWith, off, rule, withCondition } from "./bodies";
import { acceptedOr, type Question, type Undecided } from "./question";
import type { Workshop } from "./workshop";

const asking = (type: string, targetValue: unknown, operator?: string) =>
  withCondition({ type, targetValue, ...(operator === undefined ? {} : { operator }) });

/** What became of a name that an object gave and that nothing had. */
async function afterNaming(
  workshop: Workshop,
  field: "tags" | "targetApps",
  list: "tag" | "targetApp",
): Promise<string | Undecided> {
  const name = workshop.newName();
  const reply = await workshop.make("gate", off({ [field]: [name] }));
  if (reply.isRefused) return acceptedOr("refuse", reply, () => workshop.make("gate", off()));
  const shown = (await workshop.read("gate", reply.id))[field];
  if (!Array.isArray(shown) || !shown.includes(name)) return "ignore";
  const one = (await workshop.list(list)).find((item) => item.name === name);
  if (one === undefined) return "accept";
  workshop.remember(list, String(one.id ?? name));
  return "create";
}

/** The questions that switches of the emulator answer, too. Every object is off, and goes when its run ends. */
export const switchQuestions: readonly Question[] = [
  {
    id: "unknownReferences",
    asked: "Does a condition accept a gate that does not exist?",
    answers: {
      accept: "The order of creation does not matter.",
      refuse: "Pass the id of the gate or segment as an output, so that it is created first.",
    },
    decides: { switch: "unknownReferences" },
    ask: (workshop) => gateWith(workshop, asking("passes_gate", workshop.newName())),
  },
  {
    id: "unknownEnvironments",
    asked: "Does a rule accept an environment that the project does not have?",
    answers: {
      accept: "A misspelt environment shows only in the warning of a preview.",
      refuse: "Declare the environment before the rules that name it.",
    },
    decides: { switch: "unknownEnvironments" },
    ask: (workshop) => gateWith(workshop, off({ rules: [rule({ environments: [workshop.newName()] })] })),
  },
  {
    id: "unknownTargetApps",
    asked: "What happens to a target app that does not exist?",
    answers: {
      accept: "The object keeps the name.",
      create: "The console creates the target app: destroy does not remove it.",
      ignore: "The console drops the name, and the update fails: declare the target app first.",
      refuse: "Declare the target app, and pass its name as an output.",
    },
    decides: { switch: "unknownTargetApps" },
    ask: (workshop) => afterNaming(workshop, "targetApps", "targetApp"),
  },
  {
    id: "unknownTags",
    asked: "What happens to a tag that does not exist?",
    answers: {
      create: "The console creates the tag: destroy does not remove it.",
      ignore: "The console drops the tag, and the update fails: declare the tag first.",
      refuse: "Declare the tag, and pass its name as an output.",
    },
    decides: { switch: "unknownTags" },
    ask: (workshop) => afterNaming(workshop, "tags", "tag"),
  },
  {
    id: "unknownTeams",
    asked: "Does a gate accept a team that does not exist?",
    answers: {
      accept: "The gate keeps the name: a misspelt team shows nowhere.",
      refuse: "Declare the team, and pass its name as an output.",
    },
    decides: { switch: "unknownTeams" },
    ask: (workshop) => gateWith(workshop, off({ team: workshop.newName() })),
  },
  {
    id: "unusualOperators",
    asked: "Does a condition accept an operator that is unusual for its type?",
    answers: {
      accept: "fc.unusual works as documented.",
      refuse: "fc.unusual fails: use the operators of the reference.",
    },
    decides: { switch: "unusualOperators" },
    ask: (workshop) => gateWith(workshop, asking("country", "NZ", "gt")),
  },
  {
    id: "nullConditions",
    asked: "Does a condition accept null for a member that it may leave out?",
    answers: {
      refuse: "Nothing: the provider leaves such members out.",
      accept: "Nothing: the provider leaves such members out.",
    },
    decides: { switch: "nullConditions" },
    ask: (workshop) => gateWith(workshop, withCondition({ type: "public", field: null })),
  },
  {
    id: "deleteSegmentInUse",
    asked: "Can a segment be deleted while a gate asks it?",
    answers: {
      accept: "The provider looks for the users of a segment before it deletes one.",
      refuse: "The console protects a segment in use by itself.",
    },
    decides: { switch: "deleteSegmentInUse" },
    async ask(workshop) {
      const segment = await workshop.made("segment", { type: "rule_based" });
      await workshop.made("gate", asking("passes_segment", segment.id));
      const reply = await workshop.write("segment", "delete", segment.id);
      return acceptedOr("refuse", reply, async () => {
        const unused = await workshop.made("segment", { type: "rule_based" });
        return workshop.write("segment", "delete", unused.id);
      });
    },
  },
  {
    id: "largeIdLists",
    asked: "Does the console accept an id list of more than 10,000 ids?",
    answers: {
      accept: "No list is too large for the project's plan.",
      refuse: "Ask the service for larger lists, or split the segment.",
    },
    decides: { switch: "largeIdLists" },
    async ask(workshop) {
      const segment = await workshop.made("segment", { type: "id_list", idType: "userID" });
      const add = (count: number) => {
        const ids = Array.from({ length: count }, (_, at) => `verify-${at}`);
        return workshop.write("segment", "addIds", segment.id, { ids });
      };
      return acceptedOr("refuse", await add(10_001), () => add(1));
    },
  },
  {
    id: "deleteLayerUnderArchived",
    asked: "Can a layer be deleted while an archived experiment is in it?",
    answers: {
      accept: "A layer goes with the program.",
      refuse: 'Set onDelete: "retain" on layers, or delete their archived experiments in the console first.',
    },
    decides: { switch: "deleteLayerUnderArchived" },
    async ask(workshop) {
      const layer = await workshop.made("layer", { idType: "userID" });
      const experiment = await workshop.made("experiment", { layerID: layer.id, idType: "userID" });
      const archived = await workshop.write("experiment", "archive", experiment.id, {});
      if (archived.isRefused) return { undecided: "the console refused to archive the experiment" };
      const reply = await workshop.write("layer", "delete", layer.id);
      return acceptedOr("refuse", reply, async () => {
        const empty = await workshop.made("layer", { idType: "userID" });
        return workshop.write("layer", "delete", empty.id);
      });
    },
  },
  {
    id: "holdoutMembers",
    asked: "Does PATCH of a holdout replace its gates, or add to them?",
    answers: {
      replace: "The provider sends a holdout whole: a gate that the program removes leaves it.",
      append: "The provider sends a holdout whole: a gate that the program removes leaves it.",
    },
    decides: { switch: "holdoutMembers" },
    async ask(workshop) {
      const [one, other] = [await workshop.made("gate", off()), await workshop.made("gate", off())];
      const holdout = await workshop.made("holdout", { isEnabled: false, passPercentage: 1 });
      for (const { id } of [one, other]) {
        const reply = await workshop.write("holdout", "patch", holdout.id, { gateIDs: [id] });
        if (reply.isRefused)
          return { undecided: `the console refused the gates of the holdout (${reply.status})` };
      }
      const { gateIDs } = await workshop.read("holdout", holdout.id);
      return Array.isArray(gateIDs) && gateIDs.includes(one.id) ? "append" : "replace";
    },
  },
  {
    id: "holdoutUnitTypes",
    asked: "Does a holdout accept a gate of another unit type?",
    answers: {
      accept: "The holdout holds the gate, whose results it cannot compare.",
      refuse: "Declare a holdout for each unit type.",
    },
    decides: { switch: "holdoutUnitTypes" },
    async ask(workshop) {
      const holdout = await workshop.made("holdout", { idType: "userID" });
      const join = async (idType: string) => {
        const gate = await workshop.made("gate", off({ idType }));
        return workshop.write("holdout", "patch", holdout.id, { gateIDs: [gate.id] });
      };
      return acceptedOr("refuse", await join("stableID"), () => join("userID"));
    },
  },
  {
    id: "pipelineInRollout",
    asked: "Can a release pipeline be changed while a release goes through it?",
    answers: {
      accept: "The change is for later releases.",
      refuse: "pulumi up fails until the release is over, or ended by an action.",
    },
    decides: { switch: "pipelineInRollout" },
    async ask(workshop) {
      const rules = [{ name: "Verify", conditions: [], environments: ["development"] }];
      const phase = { name: "Verify", timeIntervalMs: 3_600_000, requiredReview: true, rules };
      const pipeline = () => workshop.made("releasePipeline", { phases: [phase] });
      const change = (id: string) =>
        workshop.write("releasePipeline", "update", id, { triggerNotice: "Changed." });
      const { id } = await pipeline();
      const gate = await workshop.made("gate", off({ releasePipelineID: id }));
      await workshop.write("gate", "patch", gate.id, { rules: [rule()] });
      const started = await workshop.list("releasePipelineTrigger");
      if (!started.some(({ gateID }) => gateID === gate.id))
        return { undecided: "the change of a gate started no release" };
      return acceptedOr("refuse", await change(id), async () => change((await pipeline()).id));
    },
  },
  {
    id: "absentOverrides",
    asked: "What does a read of the overrides of a gate show that has none?",
    answers: {
      empty: "Empty lists.",
      missing: "404: the provider reads the gate too, and takes it that there are none.",
    },
    decides: { switch: "absentOverrides" },
    async ask(workshop) {
      const { id } = await workshop.made("gate", off());
      try {
        await workshop.read("gate", id, "getOverrides");
        return "empty";
      } catch (error) {
        if (isConsoleError(error, "not-found")) return "missing";
        throw error;
      }
    },
  },
  {
    id: "holdoutGateIds",
    asked: "Does a read of a holdout show the targeting gate by its own id?",
    answers: {
      own: "The provider compares only whether there is a targeting gate: another one is no drift.",
      internal: "The provider compares only whether there is a targeting gate: another one is no drift.",
    },
    decides: { switch: "holdoutGateIds" },
    async ask(workshop) {
      const gate = await workshop.made("gate", off());
      const holdout = await workshop.made("holdout", { isEnabled: false, passPercentage: 1 });
      const reply = await workshop.write("holdout", "patch", holdout.id, { targetingGateID: gate.id });
      if (reply.isRefused) return { undecided: `the console refused the targeting gate (${reply.status})` };
      const { targetingGateID } = await workshop.read("holdout", holdout.id);
      return targetingGateID === gate.id ? "own" : "internal";
    },
  },
  {
    id: "partialDefaults",
    asked: "Does PATCH of a dynamic config keep isEnabled where the body leaves it out?",
    answers: {
      keep: "Partial updates change only what they name.",
      apply: "The provider sends these members with each update, as it does today.",
    },
    decides: { switch: "partialDefaults" },
    async ask(workshop) {
      const { id } = await workshop.made("dynamicConfig", off());
      const reply = await workshop.write("dynamicConfig", "patch", id, { description: "Changed." });
      if (reply.isRefused) return { undecided: `the console refused the change (${reply.status})` };
      return (await workshop.read("dynamicConfig", id)).isEnabled === false ? "keep" : "apply";
    },
  },
  {
    id: "singleTargets",
    asked: "In which form does a read show the only target value of a condition?",
    answers: {
      sent: "As it was sent.",
      scalar: "As a scalar: the provider treats both forms as equal.",
      list: "As a list: the provider treats both forms as equal.",
    },
    decides: { switch: "singleTargets" },
    async ask(workshop) {
      const conditions = [
        { type: "country", operator: "any", targetValue: ["NZ"] },
        { type: "app_version", operator: "version_gt", targetValue: "1.0.0" },
      ];
      const { id } = await workshop.made("gate", off({ rules: [rule({ conditions })] }));
      const shown = conditionsIn(await workshop.read("gate", id)).map(({ targetValue }) =>
        Array.isArray(targetValue),
      );
      if (shown.length !== 2) return { undecided: "the read does not show the conditions" };
      return shown[0] === shown[1] ? (shown[0] ? "list" : "scalar") : "sent";
    },
  },
];

function conditionsIn({ rules }: JsonObject): JsonObject[] {
  const [first] = Array.isArray(rules) ? rules : [];
  const conditions = isObject(first) ? first.conditions : undefined;
  return objectsIn(conditions);
}
