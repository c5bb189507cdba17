import { fieldsWith, type ResourceDefinition } from "../../../provider/schema/define";
import { type JsonObject, picked } from "../../../provider/schema/json";
import { itemsOf, propertiesOf, treeOf } from "../../../provider/schema/tree";
import { machineOf } from "../../../provider/values/machine";
import { isArchived, reachOf, stateNames } from "../../../provider/values/states";
import {
  argumentValueText,
  eitherWhere,
  isForRest,
  isHidden,
  listReach,
  type RuleWords,
  ruleWords,
  shareText,
  whereReached,
  whereText,
} from "../../../provider/words";
import { reachChanges, type Where } from "../../../provider/words/reach-changes";
import type { Level } from "../review";
import { type ChangingObject, isFirst, trafficField } from "../subjects";

/** Units that an object lets in at one time. */
export interface Passing {
  /** `everyone`, `nobody`, `10 % of users in NZ in production`, `3 ids`. */
  readonly text: string;
  /** The greatest share of a rule, in percent; undefined where it is not known. */
  readonly share: number | undefined;
  /** Names of the environments in which it lets units in; null: all of them. */
  readonly environments: readonly string[] | null;
  /** The greatest share of a rule for everybody. */
  readonly shareOfAll: number;
}

const nobody: Passing = { text: "nobody", share: 0, environments: [], shareOfAll: 0 };
const everyone: Passing = { text: "everyone", share: 100, environments: null, shareOfAll: 100 };

/**
 * Units that an object with such values lets in; undefined for a kind whose rules let in nobody, because they choose values or
 * there are none, and where rules are hidden.
 * @param now milliseconds since 1970; left out: rules that ask for a time count whenever that is
 */
export function passingOf(
  definition: ResourceDefinition,
  values: JsonObject,
  now?: number,
): Passing | undefined {
  const field = rulesThatLetIn(definition);
  if (field === undefined || isHidden(values[field])) return undefined;
  const reach = reachOf(definition, values);
  if (reach === "nobody") return nobody;
  if (reach === "everybody") return everyone;
  const list: readonly unknown[] = Array.isArray(values[field]) ? values[field] : [];
  const rules = lettingIn(list, values.idType, now);
  return rules.length > 0 ? bySome(rules, letsAllIn(list, now)) : (byIds(definition, values) ?? nobody);
}

/** The argument with the rules that let units in, and choose no values. */
export function rulesThatLetIn(definition: ResourceDefinition): string | undefined {
  const tree = treeOf(definition);
  return Object.keys(tree).find((name) => {
    const rule = propertiesOf(itemsOf(tree[name]?.node ?? {}) ?? {});
    return rule?.passPercentage !== undefined && rule.returnValue === undefined;
  });
}

/** A rule that units come to and that lets some of them in. */
interface LettingIn extends RuleWords {
  readonly where: Where;
}

function lettingIn(rules: readonly unknown[], idType: unknown, now: number | undefined): LettingIn[] {
  const reach = listReach(rules, now);
  return rules.flatMap((rule, at) => {
    const words = { ...ruleWords(rule, { idType }), isRest: isForRest(reach, at) };
    // With too many groups to tell apart, each rule counts.
    const { environmentNames: names } = words;
    const declared = { all: names === null, names: names ?? [] };
    const where = whereReached(reach, at) ?? (reach.slices === undefined ? declared : undefined);
    return where === undefined || words.share === 0 ? [] : [{ ...words, where }];
  });
}

function bySome(rules: readonly LettingIn[], isEverybody: boolean): Passing {
  if (isEverybody) return everyone;
  const widest = rules.reduce((one, other) => ((other.share ?? 0) > (one.share ?? 0) ? other : one));
  const forAll = rules.filter(({ audience }) => audience === "everyone");
  const reached = rules.map(({ where }) => where).reduce(eitherWhere);
  return {
    text:
      rules.length < 3
        ? rules.map(sideText).join(" and ")
        : `whom ${rules.length} rules let in, such as ${sideText(forAll[0] ?? widest)}`,
    share: rules.some(({ share }) => share === undefined) ? undefined : widest.share,
    // All but a few count as all.
    environments: reached.all ? null : reached.names,
    shareOfAll: Math.max(0, ...forAll.map(({ share = 0 }) => share)),
  };
}

/** True where everybody is let in, by whichever rule. */
function letsAllIn(rules: readonly unknown[], now: number | undefined): boolean {
  const changes = reachChanges({ rules }, { rules: [], reach: "everybody" }, now);
  return changes?.every(({ from }) => from === 100) ?? false;
}

function sideText(rule: LettingIn): string {
  const { all, names } = rule.where;
  return all && names.length === 0 ? shareText(rule) : `${shareText(rule)} ${whereText(rule.where)}`;
}

/** A list of ids in the place of rules. */
function byIds(definition: ResourceDefinition, values: JsonObject): Passing | undefined {
  const [field] = fieldsWith(definition, ({ traits }) => traits.valueType !== undefined);
  const text = field === undefined ? undefined : argumentValueText(definition, field, values[field]);
  return text === undefined ? undefined : { text, share: undefined, environments: null, shareOfAll: 0 };
}

/** Effect on units of an object that comes into use or goes out of use. */
export interface Consequence {
  /** `everyone → nobody`; `no unit is held back`. */
  readonly text: string;
  /** As it would be in production. */
  readonly level: Level;
  /** Names of the environments where it is felt; null: in all of them. */
  readonly environments: readonly string[] | null;
}

/** Effect on units of a change of state, or of an end; undefined where there is none, or nothing is known of the state before. */
export function consequenceOf(subject: ChangingObject, now?: number): Consequence | undefined {
  const { definition, before, changes, act } = subject;
  // Of an archived object is known whom it lets in, although nobody has seen it: nobody.
  if (isFirst(before) && act !== "restore") return undefined;
  const ends = act === "archive" || act === "delete";
  const movesState =
    ends ||
    act === "restore" ||
    stateNames(definition).some((name) => name in changes) ||
    (act === "replace" && reachOf(definition, before) !== reachOf(definition, afterwards(subject)));
  if (!movesState) return undefined;
  const was = passingOf(definition, before, now);
  const is = ends ? undefined : passingAfter(subject, now);
  if (was === undefined) return ends ? endOf(definition, before) : undefined;
  const [from, to] = [was.text, ends ? "nobody" : is?.text];
  if (to === undefined || from === to) return undefined;
  return {
    text: `${from} → ${to}`,
    level: levelOf(definition, was, ends ? undefined : is),
    environments: eachOf([was.environments, is?.environments]),
  };
}

/** Units that an object lets in after an update; by rules that nobody has seen, where it comes back with those that it had. */
function passingAfter(subject: ChangingObject, now?: number): Passing | undefined {
  const { definition, before, changes } = subject;
  const is = passingOf(definition, afterwards(subject), now);
  const field = rulesThatLetIn(definition);
  const isUnseen = isFirst(before) && field !== undefined && changes[field] === undefined;
  return isUnseen && is === nobody ? { ...everyone, text: "whom its rules let in", share: undefined } : is;
}

/** The object after an update. One field may say the same state as another: what the program says or changes counts. */
export function afterwards({ definition, before, changes, program = {}, act, step }: ChangingObject) {
  const states = stateNames(definition);
  // By a create it comes back as a new one begins, by an update with the switch that it had in the archive.
  const isOfNewState =
    act === "replace" ||
    (act === "restore" && step?.op !== "update") ||
    states.some((name) => name in changes);
  const left = isOfNewState ? states : act === "restore" ? [definition.lifecycle.archived?.field] : [];
  const kept = Object.keys(before).filter((name) => !left.includes(name));
  return { ...picked(before, kept), ...picked(program, states), ...changes };
}

/** So much of everyone at once asks for a second look. */
const much = 50;

function levelOf(definition: ResourceDefinition, was: Passing, is: Passing | undefined): Level {
  // Only dependents feel an object that code does not ask for, and they have reasons of their own.
  const asked = trafficField(definition) !== undefined;
  const loses = asked && (was.share ?? 0) >= much && (is?.share ?? 0) < (was.share ?? 0);
  const gains = is !== undefined && is.shareOfAll >= much && was.shareOfAll < is.shareOfAll;
  return loses || gains ? "high" : "medium";
}

/** Each environment of these lists; null: all of them, where one list stands for all. */
export function eachOf(lists: readonly (readonly string[] | null | undefined)[]): readonly string[] | null {
  return lists.includes(null) ? null : [...new Set(lists.flatMap((names) => names ?? []))].sort();
}

/** The end of an object of which nobody says who gets what. */
function endOf(definition: ResourceDefinition, before: JsonObject): Consequence | undefined {
  const { whenGone } = definition;
  const machine = machineOf(definition);
  const state = machine === undefined ? undefined : before[machine.field];
  const isIdle =
    isArchived(definition, before) ||
    reachOf(definition, before) === "nobody" ||
    before.isEnabled === false ||
    (machine !== undefined && state === machine.initial);
  if (whenGone === undefined || isIdle) return undefined;
  return { text: whenGone, level: machine === undefined ? "medium" : "high", environments: null };
}
