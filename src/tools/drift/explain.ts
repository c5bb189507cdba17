import { consoleEdits } from "../../provider/decisions/console-edits";
import {
  archivedText,
  changesInArchive,
  changesOf,
  isArchived,
  plan,
  wantsArchived,
} from "../../provider/decisions/plan";
import { inputNames } from "../../provider/schema/define";
import type { FieldTraits } from "../../provider/schema/field";
import { equalJson, isObject } from "../../provider/schema/json";
import { type Path, pathText, valueAt } from "../../provider/schema/path";
import { itemsOf, type Node, propertiesOf, treeOf } from "../../provider/schema/tree";
import { consoleOwns, isStatusOfConsole, ownsOption } from "../../provider/values/console-owned";
import { managedBefore, managedView, objectValues } from "../../provider/values/managed";
import { optionsOf, overwriteOption } from "../../provider/values/options";
import { hasSteps } from "../../provider/values/rollout";
import { exclusiveWith } from "../../provider/values/states";
import type { Resource } from "../stack/resources";
import type { Live } from "./live";
import type { Views } from "./sides";
import { isIgnored, isSecret, liveArgument, placesOf, seenArgument } from "./three-ways";

/** A value as the program sets it now, as it set it last time, as state has it from when it was last seen, and as it is. */
export type FourViews = Views<"lastProgram" | "seen" | "program">;

/** Who decides which value counts at a place. */
export type Decider = "program" | "console" | "server";

/** Why a value differs at one place, and what the next update does about it. */
export interface Explanation extends FourViews {
  /** The place as a user reads it, such as `rules["Staff"].passPercentage`. */
  readonly label: string;
  readonly decides: Decider;
  /** The trait of the field, or the option of the resource, by which it does. */
  readonly trait: string;
  readonly reason: string;
  /** What the next `pulumi up`, without a refresh, does at this place, and what to type if that is not what is wanted. */
  readonly next: string;
  /** Its values may not be shown. */
  readonly secret: boolean;
}

/**
 * What counts at one place of a resource, whether its values differ or not. `path`: from the argument on; a number or a name
 * stands for an element of a list.
 */
export function explainAt(
  resource: Resource,
  live: Live,
  { path, label }: Pick<PlaceInfo, "path" | "label">,
  overwrites: boolean,
): Explanation {
  const { definition, applied, wanted } = resource;
  const isInput = inputNames(definition).includes(String(path[0]));
  const named = namesFor(wanted ?? applied?.inputs, path);
  const views = {
    lastProgram: valueIn(isInput ? applied?.inputs : undefined, named),
    seen: valueIn(applied?.outputs, named),
    live: valueIn(live.outputs, named),
    program: valueIn(wanted, named),
  };
  const place = { path: named, label, views };
  const decision: Decision = isInput
    ? decisionAt(resource, live, place)
    : { decides: "server", trait: "output", reason: "the console sets it, and no program can" };
  const next = nextOf(resource, place, decision, updateOf(resource, live, overwrites));
  return { ...views, label, ...decision, next, secret: isSecret(resource, named) };
}

/** A path with names in place of indices, where the elements have names. */
function namesFor(values: unknown, path: Path): Path {
  let value = values;
  return path.map((step) => {
    const element = valueIn(value, [step]);
    const isNamed = Array.isArray(value) && isObject(element) && typeof element.name === "string";
    value = element;
    return isNamed ? String(element.name) : step;
  });
}

function valueIn(values: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      Array.isArray(value) && typeof step === "string"
        ? value.find((one) => isObject(one) && one.name === step)
        : valueAt(value, [step]),
    values,
  );
}

/** True for an object that the console archived, of which the program does not set the state. */
function isArchivedByHand({ definition, wanted = {} }: Resource, live: Live): boolean {
  return isArchived(definition, live.outputs) && !wantsArchived(definition, wanted);
}

/** What an update would do with a whole object. */
interface Update {
  readonly how: "nothing" | "update" | "replace";
  readonly names: readonly string[];
  /** Places by which it is refused. */
  readonly conflicts: readonly string[];
  /** True where it is refused because the object is archived and stays so. */
  readonly isInArchive?: boolean;
}

/**
 * Why program, state and console differ in a resource that all three have: place by place, by the decisions of an update.
 * `overwrites`: the provider's setting overwriteConsoleEdits.
 */
export function explain(resource: Resource, live: Live, overwrites: boolean): Explanation[] {
  const { definition, applied, wanted = {} } = resource;
  const update = updateOf(resource, live, overwrites);
  const managed = managedBefore(applied?.outputs ?? {});
  const lastArgs = Object.fromEntries([...managed, ownsOption].map((name) => [name, applied?.inputs[name]]));
  const now = managedView(definition, { live: live.outputs, program: wanted, lastProgram: lastArgs });
  const archivedField = definition.lifecycle.archived?.field;
  const viewsOf = (name: string): FourViews => {
    const lastProgram = managed.includes(name) ? applied?.inputs[name] : undefined;
    const isRemembered = definition.fields[name]?.traits.remembered === true;
    const argument = wanted[name] ?? lastProgram;
    return {
      lastProgram,
      seen: isRemembered ? lastProgram : seenArgument(definition, name, applied?.outputs ?? {}, argument),
      live: name === archivedField ? now[name] : liveArgument(resource, live, now, name),
      program: wanted[name],
    };
  };
  const names = inputNames(definition).filter(
    (name) =>
      wanted[name] !== undefined ||
      managed.includes(name) ||
      (name === archivedField && isArchivedByHand(resource, live)),
  );
  const ofArguments = names.flatMap((name) => placesOf(definition, name, viewsOf(name)));
  const options = Object.keys(optionsOf(definition)).flatMap((name) => {
    const last = applied?.inputs[name];
    return placesOf(definition, name, { lastProgram: last, seen: last, live: last, program: wanted[name] });
  });
  return [...ofArguments, ...options].map(({ path, label, ...views }) => {
    const place = { path, label, views: views as FourViews };
    const decision = decisionAt(resource, live, place);
    const next = nextOf(resource, place, decision, update);
    return { ...place.views, label, ...decision, next, secret: isSecret(resource, path) };
  });
}

function updateOf({ definition, applied, wanted = {} }: Resource, live: Live, overwrites: boolean): Update {
  const state = applied?.outputs ?? {};
  const planned = plan(definition, state, wanted);
  if (planned.how !== "update") return { names: [], ...planned, conflicts: [] };
  const changed = changesOf(definition, objectValues(wanted, state, live.outputs));
  const names = planned.names.filter((name) => name in changed);
  const edits = consoleEdits(definition, { program: wanted, state, live: live.outputs });
  const overwritesHere = wanted[overwriteOption] ?? overwrites;
  return {
    how: "update",
    names: planned.names,
    conflicts: overwritesHere === true ? [] : edits.conflicts.map(({ path }) => pathText(path)),
    isInArchive: changesInArchive(definition, live.outputs, wanted, names).length > 0,
  };
}

interface PlaceInfo {
  readonly path: Path;
  readonly label: string;
  readonly views: FourViews;
}

type Decision = Pick<Explanation, "decides" | "trait" | "reason">;

/** The nodes of the schema on the way to a place, the field's first. A name stands for an element of a list, too. */
function nodesTo({ definition }: Resource, [name, ...steps]: Path): Node[] {
  const nodes: Node[] = [treeOf(definition)[String(name)]?.node ?? {}];
  for (const step of steps) {
    const node = nodes.at(-1) ?? {};
    nodes.push(itemsOf(node) ?? propertiesOf(node)?.[step] ?? {});
  }
  return nodes;
}

/** Who decides at a place, and by which trait of the field or option of the resource. */
function decisionAt(resource: Resource, live: Live, { path, label, views }: PlaceInfo): Decision {
  const { definition, applied, wanted = {} } = resource;
  const name = String(path[0]);
  const traits: Partial<FieldTraits> = definition.fields[name]?.traits ?? {};
  const nodes = nodesTo(resource, path);
  const node = nodes.at(-1) ?? {};
  const args = resource.wanted ?? applied?.inputs ?? {};
  if (isIgnored(resource, label, name))
    return byConsole("ignoreChanges", "the resource option `ignoreChanges` names this place");
  if (Object.hasOwn(optionsOf(definition), name))
    return byProgram("option", "it is an option of the resource, which the console does not store");
  if (nodes.some(({ serverSet }) => serverSet !== undefined))
    return { decides: "server", trait: "serverSet", reason: "the console computes it" };
  if (isStatusOfConsole(definition, name, args, live.outputs))
    return byConsole("owns", 'the program sets `owns: { status: "console" }`');
  if (node.rollout !== undefined && consoleOwns(args, "rollout"))
    return byConsole("owns", 'the program sets `owns: { rollout: "console" }`');
  if (
    node.rollout !== undefined &&
    hasSteps(valueIn(live.outputs, path.slice(0, -1)), node.rollout.scheduledBy)
  )
    return byConsole("rollout", "a schedule of the console moves it");
  if (name === definition.lifecycle.archived?.field && isArchivedByHand(resource, live))
    return byProgram("archived", "the program has the resource and does not archive it");
  if (views.program === undefined && path.length === 1) {
    if (exclusiveWith(definition, name).some((other) => wanted[other] !== undefined))
      return byProgram("aliasOf", "the program sets the same thing by another argument");
    if (views.lastProgram === undefined) return byConsole("unset", "the program does not set it");
    return "clearWith" in traits
      ? byProgram("clearWith", "the program set it last time and no longer does, and the API can clear it")
      : byConsole("unset", "the program set it last time and no longer does, and the API cannot clear it");
  }
  if (traits.remembered === true)
    return byProgram("writeOnly", "no read returns it: only the program's last value is known");
  if (traits.readsOtherId === true)
    return byProgram("readsOtherId", "reads return another id: only the program's last value is compared");
  if (traits.replaces === true)
    return byProgram("replaces", "the program sets it, and a change replaces the object");
  if (traits.fixed === true)
    return byProgram("fixed", "the program sets it, and the API takes it at creation alone");
  return byProgram("argument", path.length === 1 ? "the program sets it" : `the program sets \`${name}\``);
}

function byProgram(trait: string, reason: string): Decision {
  return { decides: "program", trait, reason };
}

function byConsole(trait: string, reason: string): Decision {
  return { decides: "console", trait, reason };
}

function nextOf(resource: Resource, place: PlaceInfo, { decides, trait }: Decision, update: Update): string {
  const { program, lastProgram, seen, live } = place.views;
  const same = equalJson;
  const accept = `\`feature-console drift --accept ${resource.name}\``;
  if (decides !== "program") return "sends nothing here: the console's value stays.";
  if (update.isInArchive === true) return `is refused: the object ${archivedText}.`;
  if (same(program, live))
    return "sends nothing here: program and console agree, and state takes the value over.";
  if (update.how === "replace") return "replaces the object: it deletes this one and creates another.";
  const isSeen = same(seen, live);
  if (trait === "option") return "takes it into state, and sends nothing.";
  if (update.how === "nothing")
    return isSeen
      ? "sends nothing here."
      : `does not look: state still has the value from before the change. Type ${accept} to take the console's value into the program, or \`pulumi refresh\` to see it in the next preview.`;
  if (update.conflicts.length > 0) {
    const isHere = !isSeen && !same(program, seen);
    return isHere
      ? `is refused: the console's value changed after state saw it. Type ${accept} to keep the console's value, or \`pulumi refresh\` and look at the preview again.`
      : `is refused because of ${update.conflicts.join(", ")}, and sends nothing here.`;
  }
  if (!isSeen && same(program, seen))
    return `sends the object's other changes and keeps the console's value here. Type ${accept} to take it into the program.`;
  const verb =
    trait === "archived"
      ? "brings the object back from the archive"
      : program === undefined
        ? "clears it"
        : "sends the program's value";
  return isSeen && same(program, lastProgram) && program !== undefined
    ? `${verb} again: the last update sent it too, and the console stored another value. Set the console's value in the program, or name the place in \`ignoreChanges\`.`
    : `${verb}.`;
}
