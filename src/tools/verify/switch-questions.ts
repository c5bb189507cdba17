import { type SwitchName, switches } from "../../emulator/console/rules/switches";
import { catalog } from "../../provider/definitions";
import { isObject, type JsonObject, objectsIn } from "../../provider/schema/json";
import { fromWire } from "../../provider/schema/wire-names";
import { isLacking, type ProbeSession, Undecided } from "./probe-session";
import {
  changeOf,
  changeOrdinary,
  firstRule,
  gateWith,
  off,
  readNew,
  rule,
  small,
  unlessMissing,
  withCondition,
} from "./probes";
import { acceptedOr, type Probe, type Question } from "./question";

const asking = (type: string, targetValue: unknown, operator?: string) =>
  withCondition({ type, targetValue, ...(operator === undefined ? {} : { operator }) });

/** The end of a name that an object gave and that nothing had. */
async function afterNaming(session: ProbeSession, field: "tags" | "targetApps", list: "tag" | "targetApp") {
  const name = session.newName();
  const reply = await session.make("gate", off({ [field]: [name] }));
  if (reply.isRefused) return acceptedOr("refuse", reply, () => session.make("gate", off()));
  const shown = (await session.read("gate", reply.id))[field];
  if (!Array.isArray(shown) || !shown.includes(name)) return "ignore";
  const one = (await session.list(list)).find((item) => item.name === name);
  if (one === undefined) return "accept";
  session.remember(list, String(one.id ?? name));
  return "create";
}

/** Probes by reads alone. */
const readProbes = {
  async keysInReads(session) {
    const keys = (await session.list("key")).map((item) => fromWire(catalog.key, item).value);
    if (keys.length === 0) throw new Undecided("the project has no key that this key may see");
    return keys.some((value) => typeof value === "string") ? "show" : "hide";
  },
  unsetSchedules: (session) =>
    unlessMissing("usual", async () => {
      for (const dataset of catalog.ingestionSchedule.fields.dataset.schema.options)
        await session.read("ingestionSchedule", dataset);
    }).catch((error) => {
      throw isLacking(error) ? new Undecided("the account or the key has no schedules") : error;
    }),
} as const satisfies Partial<Record<SwitchName, Probe>>;

/** Probes with throw-away objects. Every object is off, and goes when its run ends. */
const writeProbes: Readonly<Record<Exclude<SwitchName, keyof typeof readProbes>, Probe>> = {
  unknownReferences: (session) => gateWith(session, asking("passes_gate", session.newName())),
  unknownEnvironments: (session) =>
    gateWith(session, off({ rules: [rule({ environments: [session.newName()] })] })),
  unknownTargetApps: (session) => afterNaming(session, "targetApps", "targetApp"),
  unknownTags: (session) => afterNaming(session, "tags", "tag"),
  unknownTeams: (session) => gateWith(session, off({ team: session.newName() })),
  unusualOperators: (session) => gateWith(session, asking("country", "NZ", "gt")),
  nullConditions: (session) => gateWith(session, withCondition({ type: "public", field: null })),
  async deleteSegmentInUse(session) {
    const segment = () => session.made("segment", { type: "rule_based" });
    const { id } = await segment();
    await session.made("gate", asking("passes_segment", id));
    const reply = await session.write("segment", "delete", id);
    return acceptedOr("refuse", reply, async () => session.write("segment", "delete", (await segment()).id));
  },
  async largeIdLists(session) {
    const segment = await session.made("segment", { type: "id_list", idType: "userID" });
    const add = (count: number) => {
      const ids = Array.from({ length: count }, (_, at) => `verify-${at}`);
      return session.write("segment", "addIds", segment.id, { ids });
    };
    return acceptedOr("refuse", await add(10_001), () => add(1));
  },
  async deleteLayerUnderArchived(session) {
    const layer = () => session.made("layer", { idType: "userID" });
    const { id: layerID } = await layer();
    const experiment = await session.made("experiment", { layerID, idType: "userID" });
    await session.must("experiment", "archive", experiment.id, {});
    const reply = await session.write("layer", "delete", layerID);
    return acceptedOr("refuse", reply, async () => session.write("layer", "delete", (await layer()).id));
  },
  async holdoutMembers(session) {
    const [one, other] = [await session.made("gate", off()), await session.made("gate", off())];
    const holdout = await session.made("holdout", small);
    for (const { id } of [one, other]) await session.must("holdout", "patch", holdout.id, { gateIDs: [id] });
    const { gateIDs } = await session.read("holdout", holdout.id);
    return Array.isArray(gateIDs) && gateIDs.includes(one.id) ? "append" : "replace";
  },
  async holdoutUnitTypes(session) {
    const holdout = await session.made("holdout", { idType: "userID" });
    const join = async (idType: string) => {
      const gate = await session.made("gate", off({ idType }));
      return session.write("holdout", "patch", holdout.id, { gateIDs: [gate.id] });
    };
    return acceptedOr("refuse", await join("stableID"), () => join("userID"));
  },
  async holdoutGateIds(session) {
    const gate = await session.made("gate", off());
    const { targetingGateID } = await session.changed("holdout", small, { targetingGateID: gate.id });
    return targetingGateID === gate.id ? "own" : "internal";
  },
  async pipelineInRollout(session) {
    const rules = [{ name: "Verify", conditions: [], environments: ["development"] }];
    const phase = { name: "Verify", timeIntervalMs: 3_600_000, requiredReview: true, rules };
    const pipeline = () => session.made("releasePipeline", { phases: [phase] });
    const change = (id: string) =>
      session.write("releasePipeline", "update", id, { triggerNotice: "Changed." });
    const { id } = await pipeline();
    const gate = await session.made("gate", off({ releasePipelineID: id }));
    await session.write("gate", "patch", gate.id, { rules: [rule()] });
    const started = await session.list("releasePipelineTrigger");
    if (!started.some(({ gateID }) => gateID === gate.id))
      throw new Undecided("the change of a gate started no release");
    return acceptedOr("refuse", await change(id), async () => change((await pipeline()).id));
  },
  async absentOverrides(session) {
    const { id } = await session.made("gate", off());
    return unlessMissing("empty", () => session.read("gate", id, "getOverrides"));
  },
  async partialDefaults(session) {
    const { isEnabled } = await session.changed("dynamicConfig", off(), { description: "Changed." });
    return isEnabled === false ? "keep" : "apply";
  },
  async singleTargets(session) {
    const conditions = [
      { type: "country", operator: "any", targetValue: ["NZ"] },
      { type: "app_version", operator: "version_gt", targetValue: "1.0.0" },
    ];
    const gate = await readNew(session, "gate", off({ rules: [rule({ conditions })] }));
    const shown = objectsIn(firstRule(gate).conditions);
    if (shown.length !== 2) throw new Undecided("the read does not show the conditions");
    const [first, second] = shown.map(({ targetValue }) => Array.isArray(targetValue));
    return first !== second ? "sent" : first ? "list" : "scalar";
  },
  async requiredReviews(session) {
    const { id } = await session.made("gate", off({ reviewSettings: { requiredReview: true } }));
    const change = (description: string, respectsReviews: boolean) =>
      session.write("gate", "patch", id, { description }, { respectsReviews, mayBeForbidden: true });
    const reply = await change("Changed.", false);
    const refusal = reply.isRefused && reply.status === 403 ? "forbid" : "refuse";
    const found = await acceptedOr(refusal, reply, () => changeOrdinary(session));
    if (found !== "accept") return found;
    const { description, activeReview } = await session.read("gate", id);
    if (description === "Changed.") return (await change("Again.", true)).isRefused ? "asked" : "apply";
    if (isObject(activeReview)) return "hold";
    throw new Undecided("the write succeeded and changed nothing: it may wait for a review");
  },
  async openReviews(session) {
    const { id } = await session.made("gate", off());
    const review = (change: JsonObject) => ({ description: "A trial of this API.", change });
    await session.must("gate", "createReview", id, review({ rules: [] }));
    const second = await session.write("gate", "createReview", id, review({ is_enabled: true }));
    return second.isRefused ? "one" : "several";
  },
  suddenRises: (session) => changeOf(session, off(), { rules: [rule({ passPercentage: 100 })] }),
  templateWrites: (session) => changeOf(session, off({ isTemplate: true }), { description: "Changed." }),
  async templateTypes(session) {
    const { type } = await readNew(session, "gate", off({ isTemplate: true, type: "PERMANENT" }));
    return type === "TEMPLATE" ? "template" : "said";
  },
  async emptyMembers(session) {
    const { creatorEmail: sent, team: unsent } = await readNew(session, "gate", off({ creatorEmail: "" }));
    if (sent === undefined && unsent === undefined) return "absent";
    if (sent === null && unsent === null) return "null";
    return sent === "" && unsent === "" ? "text" : "stored";
  },
  async emptyObjects(session) {
    const { warehouseNative } = await readNew(session, "metric", {
      ...{ type: "sum", unitTypes: ["userID"], metricEvents: [{ name: "fcverify", type: "value" }] },
      warehouseNative: {},
    });
    return isObject(warehouseNative) ? "stored" : "absent";
  },
  async filledDefaults(session) {
    const read = await readNew(session, "dynamicConfig", off({ rules: [rule()] }));
    if (read.idType === undefined) return "none";
    return firstRule(read).returnValue === undefined ? "stored" : "all";
  },
  async listedMembers(session) {
    const { id } = await session.made("gate", off({ rules: [rule()] }));
    const one = (await session.list("gate")).find((item) => item.id === id);
    if (one === undefined) throw new Undecided("the list does not show a new gate yet");
    return Array.isArray(one.rules) ? "all" : "fewer";
  },
};

const ofSwitches = (probes: Partial<Record<SwitchName, Probe>>): Question[] =>
  Object.entries(probes).map(([id, ask]) => {
    const { asked, answers } = switches[id as SwitchName];
    return { id, asked, answers, ask };
  });

/** The questions that switches of the emulator answer, too: by reads alone, and by writes. */
export const switchQuestions = { byReads: ofSwitches(readProbes), byWrites: ofSwitches(writeProbes) };
