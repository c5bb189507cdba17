import { showsChanges } from "../../src/provider/schema/audit";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { keyOf, type Stored } from "../world/console";
import { isAction, type KindPlay, kinds } from "../world/kinds";
import { type Held, nameOf } from "../world/programs";
import type { Step } from "../world/steps";
import { type Allowance, allowanceOf } from "./allowances";
import { type Check, type Episode, violation } from "./episode";
import {
  definitionOf,
  holds,
  isEqualArchived,
  isExplicit,
  isLeftover,
  isMadeAnew,
  makings,
  means,
  objectOf,
} from "./ledger";

/** Objects that were there when the update began and are otherwise now, or gone. */
function changedObjects({ start, end }: Episode): Stored[] {
  return [...start.values()].filter(({ key, text }) => end.get(key)?.text !== text);
}

/** True when the stack may do something to an object: it is its own, or nobody can tell from this stack that it is not. */
function isOurs(episode: Episode, stored: Stored): boolean {
  return isItsOwn(episode, stored) || allowanceOf(episode, stored) !== undefined;
}

/** Why something passes that is done to what is not the stack's own. */
export function allowedIn(episode: Episode): Set<Allowance> {
  const taken = episode.after.flatMap((held) => episode.start.get(objectOf(held)) ?? []);
  const foreign = [...changedObjects(episode), ...taken].filter((stored) => !isItsOwn(episode, stored));
  return new Set(foreign.flatMap((stored) => allowanceOf(episode, stored) ?? []));
}

/** True when an object is the stack's own, or the program says that it becomes its own. */
function isItsOwn(episode: Episode, stored: Stored): boolean {
  const { before, others, stack, factsBefore, takesOver } = episode;
  const isHeld = holds(before, stored.key) && !isMadeAnew(before, stored);
  if (isHeld || isLeftover(episode, stored.key)) return true;
  return makings(episode).some((step) => {
    if (!means(step, stored)) return false;
    if (isExplicit(step) || takesOver) return true;
    if (!stored.archived) return false;
    if (factsBefore.get(stored.key)?.archivedBy === stack) return true;
    return !holds(others, stored.key) && isEqualArchived(step, stored);
  });
}

/** Rule: what another stack or a person holds is left alone. */
const leavesOthersAlone: Check = (episode) =>
  changedObjects(episode)
    .filter((stored) => !isOurs(episode, stored))
    .map((stored) =>
      violation("what another stack or a person holds is left alone", stored.key, becameOf(episode, stored)),
    );

function becameOf({ end, others, factsBefore }: Episode, { key, archived, text }: Stored): string {
  const now = end.get(key);
  const fact = factsBefore.get(key);
  const whose = holds(others, key)
    ? "the other stack holds it"
    : `made by ${fact?.maker}, last touched by ${fact?.last}`;
  if (now === undefined) return `is gone; ${whose}`;
  if (now.text === text) return `is as it was; ${whose}`;
  if (now.archived === archived) return `is changed; ${whose}`;
  return `${archived ? "is back in use" : "is archived"}; ${whose}`;
}

/** Rule: what another stack or a person holds is not taken into state. */
const takesNothing: Check = (episode) =>
  episode.after.flatMap((held) => {
    const stored = held.makingRoom ? undefined : episode.start.get(objectOf(held));
    if (stored === undefined || holds(episode.before, stored.key) || isOurs(episode, stored)) return [];
    if (isUntold(episode, stored)) return [];
    const text = `${nameOf(held)} took it over; ${becameOf(episode, stored)}`;
    return [violation("what another stack or a person holds is not taken into state", stored.key, text)];
  });

/**
 * True for what a run of the stack made and did not record, and that somebody has changed since in a way that neither the
 * object shows nor the program speaks of: nothing is done to it.
 */
function isUntold({ factsBefore, stack, end }: Episode, { key, kind, text, archived }: Stored): boolean {
  const definition = definitionOf(kind) as ResourceDefinition;
  const isAsItWas = end.get(key)?.text === text;
  const isShown = archived ? definition.lifecycle.archived !== undefined : showsChanges(definition);
  return isAsItWas && factsBefore.get(key)?.maker === stack && !isShown;
}

/** True where a command names an object that is there as one that it takes over. */
function isNamed(lines: readonly string[], { kind, id }: Stored): boolean {
  const title = definitionOf(kind)?.title ?? kind;
  return lines.some(
    (line) => line.includes(`${title} "${id}"`) && /\b(exists|is archived|was archived)\b/.test(line),
  );
}

/** Rule: what changes was named by the preview; what came after that, by the update. */
const announces: Check = (episode) =>
  changedObjects(episode)
    .filter((stored) => !isAnnounced(episode, stored))
    .map((stored) =>
      violation("what changes was named by the preview", stored.key, becameOf(episode, stored)),
    );

function isAnnounced(episode: Episode, stored: Stored): boolean {
  const { preview, update, seen, before, refreshes, disturbed } = episode;
  const isHeld = holds(before, stored.key);
  // The engine puts right whatever its own second look finds.
  if (isHeld && refreshes && disturbed) return true;
  return (preview?.run.steps ?? []).some((step) => {
    const { op, kind, id } = step;
    if (op === "same") return false;
    if (isHeld && id !== undefined && keyOf(kind, id) === stored.key) return true;
    if ((op !== "create" && op !== "replace") || !means(step, stored)) return false;
    if (isAction(kinds[kind] as KindPlay) || episode.takesOver || isLeftover(episode, stored.key))
      return true;
    if (allowanceOf(episode, stored) !== undefined) return true;
    const teller = seen.has(stored.key) ? preview : update;
    return isNamed(teller?.lines ?? [], stored);
  });
}

/** Rule: a replacement that fails leaves the old object, and so does one that is killed, but where both have one id. */
const replacesWhole: Check = ({ update, start, end, after, lost, replaced, program }) => {
  if (update === undefined || (update.run.error === undefined && !update.run.killed)) return [];
  return update.run.steps.flatMap((step) => {
    if (step.op !== "replace" || step.id === undefined) return [];
    // With --replace and deleteBeforeReplace the engine asks nobody before it deletes.
    if (replaced.includes(step.urn)) return [];
    const key = keyOf(step.kind, step.id);
    const [old, now] = [start.get(key), end.get(key)];
    const declared = program.find((one) => nameOf(one) === nameOf(step));
    const isFirst = declared?.deleteBeforeReplace !== true && old !== undefined && !means(step, old);
    const isThere = [...end.values()].some((stored) => stored.key !== key && means(step, stored));
    if (isFirst && isThere) return [];
    if (!isFirst && (update.run.killed || lost || step.urn !== update.run.failed)) return [];
    const successor = after.find(
      ({ urn, makingRoom, condemned }) => urn === step.urn && !makingRoom && !condemned,
    );
    if (old === undefined || old.archived || (now !== undefined && !now.archived)) return [];
    if (successor !== undefined && objectOf(successor) !== key) return [];
    const text = `${nameOf(step)} was to be replaced: it is out of use, and ${update.run.error ?? "the run was killed"}`;
    return [violation("a replacement that fails leaves the old object", key, text)];
  });
};

/** Rule: what others ask is not taken away. */
const leavesWhatIsAsked: Check = ({ asked, before, after, update }) => {
  // A program may ask for what it gives up in this same run: that is what it says.
  const written = new Set(update?.requests.flatMap(({ touched }) => touched));
  const replaced = (update?.run.steps ?? []).flatMap(({ op, kind, id }) =>
    op === "replace" && id !== undefined ? [keyOf(kind, id)] : [],
  );
  return [...asked].flatMap(([key, everybody]) => {
    // A run that is killed in the middle of a replacement was about to show them its successor.
    const isFollowed = (user: string) =>
      update?.run.killed === true && replaced.includes(key) && holds(before, user);
    const users = everybody.filter((user) => !written.has(user) && !isFollowed(user));
    const says = ({ outputs }: Held) => outputs.forceArchive === true || outputs.forceDelete === true;
    const forced = [...before, ...after].some((held) => objectOf(held) === key && says(held));
    if (forced || users.length === 0) return [];
    return [violation("what others ask is not taken away", key, `${users.join(", ")} still asks it`)];
  });
};

/** Rule: what goes on being declared is in use at every moment. */
const interruptsNothing: Check = ({ interrupted }) =>
  interrupted.map((key) =>
    violation("what goes on being declared is in use at every moment", key, "was out of use for a moment"),
  );

/** Rule: nothing is left that nobody holds. */
const leavesNothing: Check = (episode) => {
  const { update, command, end, after, others, facts, stack, everHeld, continues } = episode;
  const isDone = update !== undefined && update.run.error === undefined && !update.run.killed;
  // Of what a program has changed its mind about since, nobody can say what it was for.
  if (command !== "up" || !isDone || !continues) return [];
  return [...end.values()].flatMap((stored) => {
    const fact = facts.get(stored.key);
    if (stored.archived || fact?.maker !== stack || fact.last !== stack || everHeld.has(stored.key))
      return [];
    if (holds(after, stored.key) || holds(others, stored.key)) return [];
    const isMade = ({ op, kind }: Step) =>
      (op === "create" || op === "replace") && !isAction(kinds[kind] as KindPlay);
    const [step, another] = update.run.steps.filter((one) => isMade(one) && means(one, stored));
    // Of two that the program itself calls alike, nobody can say whose it was.
    if (step === undefined || another !== undefined) return [];
    return [violation("nothing is left that nobody holds", stored.key, `${nameOf(step)} has another one`)];
  });
};

/** Rule: a removal leaves what another stack has adopted since. */
const leavesWhatWasAdopted: Check = ({ adoptedAway, update, start, end, before, others }) =>
  (update?.run.steps ?? []).flatMap((step) => {
    const held = before.find(({ urn, id }) => urn === step.urn && id === step.id);
    if (step.op !== "delete" || held === undefined || kinds[step.kind]?.definition.identity.how !== "key")
      return [];
    const key = objectOf(held);
    const [was, now] = [start.get(key), end.get(key)];
    if (!adoptedAway.has(key) || !holds(others, key) || was === undefined || was.archived) return [];
    if (now !== undefined && !now.archived) return [];
    const text = `is ${now === undefined ? "deleted" : "archived"}, and the other stack has adopted it`;
    return [violation("a removal leaves what another stack has adopted since", key, text)];
  });

const stacksReason = /^Archived by the Pulumi stack /;

/** Rule: what a stack archived comes back from any checkout, where the console shows the reason: of gates. */
const bringsBackItsOwn: Check = ({ update, factsBefore, start, stack }) => {
  const step = update?.run.steps.find(({ urn }) => urn === update.run.failed);
  if (step === undefined || step.kind !== "gate" || isAction(kinds[step.kind] as KindPlay)) return [];
  return [...start.values()].flatMap((stored) => {
    const fact = factsBefore.get(stored.key);
    const isOwn = stored.archived && fact?.archivedBy === stack && fact.last === stack && means(step, stored);
    if (!isOwn || !stacksReason.test(String(stored.item.archiveReason))) return [];
    if (!/exists already and is archived/.test(update?.run.error ?? "")) return [];
    const rule = "what a stack archived comes back from any checkout";
    return [violation(rule, stored.key, update?.run.error ?? "")];
  });
};

/** Looks for harm: to what others hold, to what was not named, and to what goes on being declared. */
export const harmChecks: readonly Check[] = [
  ...[leavesOthersAlone, takesNothing, announces, replacesWhole],
  ...[leavesWhatIsAsked, interruptsNothing, leavesNothing, leavesWhatWasAdopted, bringsBackItsOwn],
];
