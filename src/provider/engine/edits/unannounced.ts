import { type ConsoleEdits, consoleEdits, type EditConflict } from "../../decisions/console-edits";
import { changeRefused } from "../../schema/errors";
import { resourceMember } from "../../schema/internal";
import { type JsonObject, kept, membersOf } from "../../schema/json";
import { argumentName, keepingText, placeText } from "../../texts/argument-names";
import { visible } from "../../texts/issue-text";
import { sameMeaning } from "../../values/compare";
import { consoleOwns } from "../../values/console-owned";
import { managedBefore, managedMember, objectValues } from "../../values/managed";
import { overwriteOption } from "../../values/options";
import { withLiveMembers } from "../../values/server-set-members";
import { isArchived, reachOf, stateNames } from "../../values/states";
import { nameOf, withinText } from "../context";
import { type DeclaredObject, type LiveObject, type Target, valueTextAt } from "../subject";
import { changesForMessage } from "./authors";
import { overwrites } from "./concurrent-edits";

/** An object as it is to become, and as it is. */
export type Updated = Target & LiveObject;

/** An update as a preview has announced it, and what has changed in the console since: its fields, and its places. */
export interface Announced extends Pick<ConsoleEdits, "paths" | "conflicts"> {
  readonly announced: Updated;
  readonly unseen: readonly string[];
}

/**
 * An update without what the program did not change and the live object did: fields, and places inside those that both have
 * changed. A preview that knows nothing of such a change has not announced that it would be undone.
 */
export function withoutUnannounced(target: Updated): Announced {
  const { definition, program, state, live } = target;
  const { left, merged, paths, conflicts } = consoleEdits(definition, objectValues(program, state, live));
  if (paths.length === 0) return { announced: target, unseen: [], paths, conflicts };
  const others = kept(program, (name) => !left.includes(name));
  const managed = managedBefore(state).filter((name) => !left.includes(name));
  return {
    announced: {
      ...target,
      program: { ...others, ...merged },
      state: { ...state, [managedMember]: managed },
    },
    unseen: [...left, ...Object.keys(merged)],
    paths,
    conflicts,
  };
}

/**
 * Keeps an update from overwriting what somebody changed since the object was last seen, where nothing says that it may.
 * @throws ConsoleError "refused", before anything is sent.
 */
export async function refuseConflicts(target: Updated, conflicts: readonly EditConflict[]): Promise<void> {
  if (conflicts.length === 0) return;
  const { context, definition, id, program } = target;
  const object = nameOf(definition, id);
  const places = placesText(target, conflicts);
  const { isLast, text } = await changesForMessage(target, conflicts);
  const changed = `${isLast ? "last change: " : "changed by "}${text}`;
  if (overwrites(context, program)) {
    context.report(
      `${object} changed in the console since it was last seen (${changed}): ${places}. Overwritten, because ${argumentName(overwriteOption)} is set.`,
    );
    return;
  }
  throw changeRefused(
    `${object} changed in the console since it was last seen, where this update changes it too (${changed}): ${places}. ` +
      `Nothing was sent. To keep what the console has, ${keepingText("it", nameToType(target), '"')}; ` +
      'to decide anew, type "pulumi refresh" and look at the preview again.',
  );
}

/** Most places that a message shows with their values. */
const mostShown = 3;

function placesText(declared: DeclaredObject, conflicts: readonly EditConflict[]): string {
  const shown = conflicts.slice(0, mostShown).map((one) => conflictText(declared, one));
  const more = conflicts.slice(mostShown).map(({ path }) => placeText(declared.definition, path));
  return [...shown, ...(more.length === 0 ? [] : [`also ${[...new Set(more)].join(", ")}`])].join("; ");
}

/** `rules[0].passPercentage of "Everyone" was 50, is 0 now, and the program sets 80`. */
function conflictText(
  declared: DeclaredObject,
  { path, within, isOrder, programAt, ...values }: EditConflict,
) {
  const text = (value: unknown) => valueTextAt(declared, path, value);
  const place = `${isOrder === true ? "the order of " : ""}${placeText(declared.definition, path)}`;
  const ours =
    values.program === undefined
      ? "the program removes it"
      : `the program sets ${programAt === undefined ? "" : `${argumentName(programAt)} to `}${text(values.program)}`;
  return visible(
    `${place}${withinText(within)} was ${text(values.seen)}, is ${text(values.live)} now, and ${ours}`,
  );
}

/** Argument of `drift --accept`: the name of the resource, else the id. */
function nameToType({ context, id, program }: Updated): string {
  const { [resourceMember]: resource } = program;
  const name = (typeof resource === "string" ? context.resourceNames(resource)?.name : undefined) ?? id;
  return /^[\w.@:/-]+$/.test(name) ? name : `'${visible(name).replaceAll("'", "'\\''")}'`;
}

/**
 * Fields of a state, such as on and off, that somebody changed since the object was last seen, where the program sets none of
 * them: they stay, and so does what state has of them, or nothing would show the change any more.
 */
export function unseenStates({ definition, program, state, live }: Updated): readonly string[] {
  const names = stateNames(definition);
  if (names.some((name) => program[name] !== undefined) || consoleOwns(program, "status")) return [];
  // Bringing it back was announced, whoever did it.
  if (isArchived(definition, state) && !isArchived(definition, live)) return [];
  return names.filter(
    (name) => state[name] !== undefined && !sameMeaning(definition, name, state[name], live[name]),
  );
}

/** Tells that a changed object stays off, where the program does not set that. */
export function reportOff({ context, definition, id, program, live }: Updated): void {
  if (isArchived(definition, live) || reachOf(definition, live) !== "nobody") return;
  if (consoleOwns(program, "status") || reachOf(definition, program) !== undefined) return;
  context.report(
    `${nameOf(definition, id)} is off in the console, and this update leaves it off: no user gets it, before or after.`,
  );
}

/** Tells of what is left as the console has it. */
export function reportUnseen({ announced: { context, definition, id }, paths }: Announced): void {
  if (paths.length === 0) return;
  context.report(
    `${nameOf(definition, id)}: ${paths.join(", ")} changed in the console since the last refresh: left as it is. ` +
      `Run "pulumi refresh" to see it; the next "pulumi up" then restores it, except paths in ${argumentName("ignoreChanges")}.`,
  );
}

/**
 * Fields in which the console has what nobody has seen yet, as the program says them: state tells what was seen, so that the
 * next update does not take the rest for announced either.
 */
export function keepSeenValues(
  { definition, program }: DeclaredObject,
  live: JsonObject,
  unseen: readonly string[],
): JsonObject {
  const said = unseen.filter((name) => program[name] !== undefined);
  return membersOf(said, (name) => withLiveMembers(definition, "all", name, program[name], live[name]));
}
