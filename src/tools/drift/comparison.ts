import { argumentValues, type Change, type ComparedObject, changes } from "../../provider/decisions/changes";
import { namesInReview } from "../../provider/engine";
import { isFormerDigest } from "../../provider/id-lists/digest";
import { idListNames } from "../../provider/id-lists/value-type";
import type { Change as AuditedChange } from "../../provider/schema/audit";
import { equalJson, isObject, type JsonObject, mapped, picked } from "../../provider/schema/json";
import { meaning, sameMeaning } from "../../provider/values/compare";
import { ownsOption } from "../../provider/values/console-owned";
import { managedBefore } from "../../provider/values/managed";
import { optionsOf } from "../../provider/values/options";
import { stateNames } from "../../provider/values/states";
import { ruleListText } from "../../provider/words";
import type { NewValue } from "../rewrite/wish";
import { isSecret, type Resource } from "../stack/resources";

/**
 * Origin of a difference. `changed`: the console has something else than was applied and than the program sets. `pending`: the
 * program sets something else than was applied, and nobody touched the console. `settled`: console and program agree, and the
 * state does not know yet. `kept`: the program no longer sets what was applied, and no update clears it.
 */
export type Standing = "changed" | "pending" | "settled" | "kept";

/** One place at which console, state and program are not the same, and the program decides. */
export interface Difference extends Change {
  /** The argument. */
  readonly name: string;
  /** The last argument; of one that the program sets for the first time, the value that the console had when it was last seen. */
  readonly applied: unknown;
  readonly standing: Standing;
  /** Its values may not be shown. */
  readonly secret: boolean;
  /** State has the console's value already. */
  readonly isSeen?: true;
  /** The change that gave the console its value, where it is known. */
  readonly author?: AuditedChange | undefined;
}

/** The changes of one resource. */
export interface Comparison {
  readonly resource: Resource;
  /**
   * `same` and `differs`: it is in all three. `gone`: it was deleted in the console. `new`: the program has it and
   * state does not. `dropped`: state has it and the program does not.
   */
  readonly what: "same" | "differs" | "gone" | "new" | "dropped";
  /** Places at which anything differs, whoever decides there. */
  readonly changes: readonly Change[];
  readonly differences: readonly Difference[];
  /** Changes in lists of named objects, and advice, in words. */
  readonly words: readonly string[];
  readonly values: readonly NewValue[];
  /** The object as it is. */
  readonly live: JsonObject | undefined;
  /** Of an object that is gone: another one has its id now. */
  readonly hasOther?: boolean;
  /** The change that the audit log shows: of an object that is gone its deletion, of another one its last change. */
  readonly audited?: AuditedChange;
}

/** A resource in state with its live object, as the decisions of an update compare them. */
export function comparedObject(
  { definition, applied, wanted, ignored, createsFirst }: Resource,
  live: JsonObject,
  overwrites = false,
): ComparedObject {
  const { inputs = {}, outputs = {} } = applied ?? {};
  // State still has what the program no longer sets and no update clears; the arguments of last time do not.
  const managed = [...managedBefore(outputs), ownsOption].filter((name) => inputs[name] !== undefined);
  const sources = {
    lastProgram: picked(inputs, managed),
    seen: outputs,
    live,
    ...(wanted === undefined ? {} : { program: wanted }),
  };
  const former = idListNames(definition).filter((name) =>
    Object.values(sources).some((values: JsonObject) => isFormerDigest(values[name])),
  );
  // An earlier version hashed large sets otherwise: of them the numbers are compared.
  const counted = (values: JsonObject): JsonObject => {
    const numbers = former.flatMap((name) => {
      const { [name]: ids } = values;
      return isObject(ids) ? [[name, { count: ids.count }]] : [];
    });
    return { ...values, ...Object.fromEntries(numbers) };
  };
  const values = mapped(sources, (one) => counted(one as JsonObject)) as unknown as ComparedObject["values"];
  return {
    definition,
    values,
    ignored,
    overwrites,
    inReview: namesInReview(definition, outputs),
    createsFirst,
  };
}

/**
 * Compares the last update, the console and the program, by the meaning that the definition gives. `hasOther`: the console has another
 * object under the id of one that is gone. `overwrites`: the provider's setting overwriteConsoleEdits.
 */
export function compareThree(
  resource: Resource,
  live: JsonObject | undefined,
  { hasOther = false, overwrites = false } = {},
): Comparison {
  const nothing = { resource, changes: [], differences: [], words: [], values: [], live };
  const { applied, wanted, definition } = resource;
  if (applied === undefined) return { ...nothing, what: "new" };
  if (live === undefined) return { ...nothing, what: "gone", ...(hasOther ? { hasOther } : {}) };
  const object = comparedObject(resource, live, overwrites);
  const found = changes(object);
  const differences = found.flatMap((change) => differenceIn(resource, object, change));
  const names = new Set(differences.map(({ name }) => name));
  const touched = argumentValues(object).filter(({ name }) => names.has(name));
  const isOption = (name: string) => Object.hasOwn(optionsOf(definition), name);
  const isSame = ({ name, live: now, program }: (typeof touched)[number]) =>
    program !== undefined && sameMeaning(definition, name, now, program);
  const switches = touched.filter(({ name }) => isSilentSwitch(object, name));
  return {
    ...nothing,
    what: wanted === undefined ? "dropped" : differences.length > 0 ? "differs" : "same",
    changes: found,
    differences,
    words: [
      ...touched.flatMap((one) => wordsOf(resource, object, one)),
      ...switches.map(({ name }) => adviceText(name)),
    ],
    values: touched
      .filter((one) => !isOption(one.name) && !isSame(one))
      .map((one) => newValue(object, one, switches.includes(one))),
  };
}

/** True for an object that changed in the console. */
export function isDrift({ what, differences }: Comparison): boolean {
  return what === "gone" || differences.some(({ standing }) => standing === "changed");
}

/** True for a place that the program alone changed. */
export function isOfProgram({ standing }: Pick<Difference, "standing">): boolean {
  return standing === "pending" || standing === "kept";
}

/** True for a place that both the console and the program changed, to different values. */
export function isChangedByBoth({ standing, applied, program }: Difference): boolean {
  const isInBoth = applied !== undefined && program !== undefined;
  return standing === "changed" && isInBoth && !equalJson(applied, program);
}

/** The value that the console has at a place: it stores no option. */
export function consoleValue({ trait, live }: Pick<Change, "trait" | "live">): unknown {
  return trait === "option" ? undefined : live;
}

/** Traits by which a difference is none of the program's. */
const apart: ReadonlySet<string> = new Set(["ignoreChanges", "owns", "rollout", "serverSet", "aliasOf"]);

function differenceIn(resource: Resource, object: ComparedObject, change: Change): Difference[] {
  const { path, seen, live, program, trait } = change;
  const name = String(path[0]);
  if (apart.has(trait)) return [];
  const isSilent = isSilentSwitch(object, name);
  const applied = isSilent ? seen : appliedIn(object, name, change);
  const isInProgram = equalJson(live, program);
  const isPending = !isSilent && equalJson(applied, live);
  if (isPending && isInProgram) return [];
  const isKept = trait === "unset" && resource.wanted !== undefined;
  const standing = isPending ? (isKept ? "kept" : "pending") : isInProgram ? "settled" : "changed";
  const known = isSilent && seen !== true ? { isSeen: true as const } : {};
  return [{ ...change, name, applied, standing, secret: isSecret(resource, path), ...known }];
}

/** The last argument, or the value that state has of one that the program did not set, or whose change waits for a review. */
function appliedIn(
  { values, inReview }: ComparedObject,
  name: string,
  place: Pick<Change, "lastProgram" | "seen">,
): unknown {
  const isApplied = name in (values.lastProgram ?? {}) && inReview?.includes(name) !== true;
  return isApplied ? place.lastProgram : place.seen;
}

/**
 * True for a switch that shows as off although the program does not set it. A refresh takes the console's value into state, and no
 * update restores what no argument sets: so it counts as changed until it is on again or the program sets it.
 */
function isSilentSwitch({ definition, values }: ComparedObject, name: string): boolean {
  const isSet = values.program?.[name] !== undefined || name in (values.lastProgram ?? {});
  return definition.fields[name]?.traits.isSwitch === true && !isSet && values.program !== undefined;
}

function adviceText(name: string): string {
  return `${name} is off, and the program does not set it: set it to false to keep it off, or to true and run "pulumi up"`;
}

function newValue(
  { definition, values }: ComparedObject,
  { name, live, program }: ReturnType<typeof argumentValues>[number],
  isSwitch: boolean,
): NewValue {
  const value = { name, live, ...(isSwitch ? { isExplicit: true } : {}) };
  if (name !== definition.lifecycle.archived?.field || program !== undefined) return value;
  const instead = stateNames(definition).find((one) => one !== name && values.program?.[one] !== undefined);
  return instead === undefined ? value : { ...value, instead };
}

function wordsOf(
  { definition, secrets, applied: state, wanted }: Resource,
  object: ComparedObject,
  values: ReturnType<typeof argumentValues>[number],
): string[] {
  const { name } = values;
  if (definition.fields[name]?.traits.namedList !== true || secrets.some(([first]) => first === name))
    return [];
  const [applied, live, program] = [appliedIn(object, name, values), values.live, values.program].map(
    (list) => meaning(definition, name, list),
  );
  const { idType } = wanted ?? state?.inputs ?? {};
  const inConsole = equalJson(applied, live) ? undefined : ruleListText(applied, live, { idType });
  const isPending = program !== undefined && !equalJson(applied, program) && !equalJson(live, program);
  const inProgram = isPending ? ruleListText(applied, program, { idType }) : undefined;
  return [
    ...(inConsole === undefined ? [] : [`${name}: ${inConsole}`]),
    ...(inProgram === undefined ? [] : [`${name}, not applied yet: ${inProgram}`]),
  ];
}
