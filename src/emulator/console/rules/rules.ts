import { conditionType } from "../../../provider/definitions/parts/condition-types";
import { isObject, type JsonObject, kept, objectsIn, picked } from "../../../provider/schema/json";
import type { Change, Ports } from "../behaviour";
import { invalidMember, refuseDuplicates } from "./outcomes";
import type { Switches } from "./switches";

/** Members of a rule that only the console sets: those of a body are ignored. */
const own = new Set(["id", "baseID", "completedAutomatedRollouts", "pendingAutomatedRollouts"]);

/** The rules of an item; empty when it has none. */
export function rulesOf(item: JsonObject | undefined): JsonObject[] {
  return objectsIn(item?.rules);
}

/**
 * The stored form of a list of rules (console-api/conditions.md, section 1): a rule sent with the id or base id of a
 * rule of `before` stays that rule, any other is new. Throws a 400 for names given twice and for ids that match nothing.
 */
function takeRules(
  before: readonly JsonObject[],
  sent: readonly JsonObject[],
  { ports, switches }: Pick<Change, "ports" | "switches">,
): JsonObject[] {
  refuseIncomplete(sent, switches);
  const names = sent.map((rule) => rule.name);
  refuseDuplicates("rules", names, "Duplicate rule name(s) given");
  const former = sent.map((rule) => formerOf(before, rule));
  // A rule cannot be two rules; the text is ours: none is published.
  const ids = former.flatMap((rule) => rule?.baseID ?? []);
  refuseDuplicates("rules", ids, "Duplicate rule ID(s) given");
  return sent.map((rule, index) => storedRule(former[index], rule, ports));
}

/** The rules of an item after a body: those of the body in their stored form, or those that are there. */
export function settledRules(change: Change): JsonObject[] {
  const { before, sent, after } = change;
  return sent.rules === undefined ? rulesOf(after) : takeRules(rulesOf(before), rulesOf(after), change);
}

/** Environments of the rules that one list has and the other lacks; undefined where one of these rules holds in all of them. */
export function touchedEnvironments(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): unknown[] | undefined {
  const [old, now] = [before, after].map((rules) => new Set(rules.map(contentOf)));
  const changed = [
    ...before.filter((rule) => now?.has(contentOf(rule)) !== true),
    ...after.filter((rule) => old?.has(contentOf(rule)) !== true),
  ];
  const named = changed.map(({ environments }) => (Array.isArray(environments) ? environments : []));
  return named.some((names) => names.length === 0) ? undefined : named.flat();
}

function contentOf({ id: _, baseID: __, ...rule }: JsonObject): string {
  return JSON.stringify(rule);
}

/** The rule that a path names, by id or base id. Throws a 400: no other status is published for an unknown rule. */
export function findRule(rules: readonly JsonObject[], id: string): JsonObject {
  const found = rules.find((rule) => rule.id === id || rule.baseID === id);
  if (found === undefined) throw unknownRule();
  return found;
}

/** Members of a condition that a body leaves out or says "". Whether it may say null is a switch. */
const optional = ["operator", "field", "customID", "targetValue"];

/**
 * Refuses conditions with null under the switch `nullConditions`, and those without a member that their type cannot do without
 * although the schema calls it optional (console-api/conditions.md, section 2). `place`: where the rules stand in the body.
 */
export function refuseIncomplete(
  rules: readonly JsonObject[],
  { nullConditions }: Pick<Switches, "nullConditions">,
  place = "rules",
): void {
  rules.forEach((rule, index) => {
    conditionsOf(rule).forEach((condition, at) => {
      const path = `${place}.${index}.conditions.${at}`;
      const empty = optional.find((member) => condition[member] === null);
      if (empty !== undefined && nullConditions === "refuse")
        throw invalidMember(`${path}.${empty}`, "Expected string, received null");
      const needed = conditionType(condition.type)?.needs;
      if (needed === undefined || (typeof condition[needed] === "string" && condition[needed] !== "")) return;
      throw invalidMember(`${path}.${needed}`, "Required");
    });
  });
}

/** The conditions of a rule; empty when it has none. */
export function conditionsOf(rule: JsonObject): JsonObject[] {
  return objectsIn(rule.conditions);
}

function unknownRule() {
  return invalidMember("rules", "A provided rule ID does not match an existing rule ID");
}

function formerOf(before: readonly JsonObject[], rule: JsonObject): JsonObject | undefined {
  // An empty id is none (console-api/corrections.md, section 1).
  const matches = [rule.id, rule.baseID]
    .filter((id) => id !== undefined && id !== "")
    .map((id) => before.find((one) => one.baseID === id || one.baseID === baseOf(id)));
  if (matches.some((one) => one === undefined || one !== matches[0])) throw unknownRule();
  return matches[0];
}

/**
 * An id is its base id, or `<baseID>:<percent>:<counter>`. One whose percentage has changed since still means its
 * rule: a client may have read it before.
 */
function baseOf(id: unknown): string {
  return typeof id === "string" ? (/^(.*):\d+(?:\.\d+)?:\d+$/.exec(id)?.[1] ?? id) : "";
}

function storedRule(former: JsonObject | undefined, sent: JsonObject, ports: Ports): JsonObject {
  const rule = kept(sent, (name) => !own.has(name));
  const passPercentage = Number(rule.passPercentage ?? former?.passPercentage ?? 100);
  const baseID = String(former?.baseID ?? ports.makeId());
  const counter = Number(/:(\d+)$/.exec(String(former?.id))?.[1] ?? 0);
  const same = former !== undefined && former.passPercentage === passPercentage;
  const id = same ? former.id : `${baseID}:${passPercentage.toFixed(2)}:${counter + 1}`;
  const variants = Array.isArray(rule.variants)
    ? { variants: takeVariants(former, rule.variants, ports) }
    : {};
  const conditions = conditionsOf(rule).map(storedCondition);
  return {
    ...rule,
    conditions,
    environments: rule.environments ?? null,
    passPercentage,
    ...variants,
    ...(same ? schedulesOf(former) : {}),
    id,
    baseID,
  };
}

/** The steps of a rule's schedule, done and to come. Those of a rule whose share a write leaves alone go on (assumption). */
export function schedulesOf(former: JsonObject): JsonObject {
  return picked(former, ["completedAutomatedRollouts", "pendingAutomatedRollouts"]);
}

/** An empty text is taken as none, and so is null. */
function storedCondition(condition: JsonObject): JsonObject {
  return kept(
    condition,
    (member, value) =>
      !optional.includes(member) || (value !== null && (value !== "" || member === "targetValue")),
  );
}

function takeVariants(former: JsonObject | undefined, sent: readonly unknown[], ports: Ports): unknown[] {
  const before = objectsIn(former?.variants);
  return sent.filter(isObject).map((variant) => {
    const same = before.find((one) =>
      variant.id === undefined || variant.id === "" ? one.name === variant.name : one.id === variant.id,
    );
    return { ...variant, id: same?.id ?? ports.makeId() };
  });
}
