import { expectedId, type ResourceDefinition, showsChanges } from "../../src/core/define";
import type { JsonObject } from "../../src/core/json";
import { differences } from "../../src/core/plan";
import { holdsUnknown } from "../../src/core/unknown";
import { fromWire } from "../../src/core/wire-names";
import { keyOf, type Stored } from "./console";
import type { Step } from "./engine";
import type { Act, Episode, Rule, Violation } from "./episode";
import { isAction, isOnlyOne, type KindPlay, kinds } from "./kinds";
import {
  aboutOf,
  definitionOf,
  holds,
  isEqualArchived,
  isExplicit,
  isInUse,
  isLeftover,
  makings,
  means,
  objectOf,
} from "./ownership";
import { type Held, nameOf } from "./program";

/** Everything that is wrong with a command and what it did. */
export function violationsOf(episode: Episode): Violation[] {
  return checks.flatMap((check) => check(episode));
}

type Check = (episode: Episode) => Violation[];

function violation(rule: Rule, object: string, text: string): Violation {
  return { rule, object, text };
}

const isRead = ({ method }: { readonly method: string }) => method === "GET";

/** Rule: a preview and a refresh write nothing. */
const writesNothing: Check = ({ preview, again, command, update }) =>
  [preview, again, command === "refresh" ? update : undefined].flatMap((act) =>
    (act?.requests ?? [])
      .filter((request) => !isRead(request))
      .map(({ method, path }) =>
        violation("a preview and a refresh write nothing", path, `${method} ${path} was sent`),
      ),
  );

/** Rule: a preview asks only about what it adopts, imports, replaces or deletes. */
const asksLittle: Check = ({ preview, again, refreshes }) =>
  [refreshes ? undefined : preview, again].flatMap((act) => {
    const asked = act?.requests[0];
    if (act === undefined || asked === undefined || act.run.error !== undefined) return [];
    const may = act.run.steps.some(
      (step) => step.op === "replace" || step.op === "delete" || (step.op === "create" && isExplicit(step)),
    );
    const rule = "a preview asks only about what it adopts, imports, replaces or deletes";
    return may ? [] : [violation(rule, asked.path, `${asked.method} ${asked.path} was sent`)];
  });

/** Objects that were there when the update began and are otherwise now, or gone. */
function changedObjects({ start, end }: Episode): Stored[] {
  return [...start.values()].filter(({ key, text }) => end.get(key)?.text !== text);
}

/** True when the stack may do something to an object: it is its own, or the program says that it becomes its own. */
function isOurs(episode: Episode, stored: Stored): boolean {
  const { before, others, stack, factsBefore, takesOver } = episode;
  if (holds(before, stored.key) || isLeftover(episode, stored.key)) return true;
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
function isUntold({ factsBefore, stack, end }: Episode, { key, kind, text }: Stored): boolean {
  const definition = definitionOf(kind);
  const isAsItWas = end.get(key)?.text === text;
  return (
    isAsItWas && factsBefore.get(key)?.maker === stack && !showsChanges(definition as ResourceDefinition)
  );
}

/** True where a preview says what it will do to an object that is there. */
function isNamed(lines: readonly string[], { kind, id }: Stored): boolean {
  const title = definitionOf(kind)?.title ?? kind;
  return lines.some((line) => line.includes(`${title} "${id}"`) && /\b(exists|is archived)\b/.test(line));
}

/** Rule: what changes was named by the preview. */
const announces: Check = (episode) =>
  changedObjects(episode)
    .filter((stored) => !isAnnounced(episode, stored))
    .map((stored) =>
      violation("what changes was named by the preview", stored.key, becameOf(episode, stored)),
    );

function isAnnounced(episode: Episode, stored: Stored): boolean {
  const { preview, seen, before, refreshes, disturbed } = episode;
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
    // A create that says nothing looks at nothing: that it brings back what is just the same is what it says.
    if (stored.archived && !isExplicit(step)) return true;
    return seen.has(stored.key) && isNamed(preview?.lines ?? [], stored);
  });
}

/** Rule: a key is declared once. */
const refusesTwins: Check = ({ preview }) => {
  if (preview === undefined || preview.run.error !== undefined) return [];
  const seen = new Map<string, Step>();
  return preview.run.steps.flatMap((step) => {
    const { kind, inputs } = step;
    const play = kinds[kind] as KindPlay;
    if (inputs === undefined || isAction(play)) return [];
    const id = isOnlyOne(play) ? "the only one" : expectedId(play.definition, inputs);
    if (id === undefined || holdsUnknown(id)) return [];
    const key = keyOf(kind, id);
    const first = seen.get(key);
    seen.set(key, step);
    if (first === undefined) return [];
    return [violation("a key is declared once", key, `${nameOf(first)} and ${nameOf(step)} declare it`)];
  });
};

/** Resources of the program after a success, with the objects that nobody else has touched since. */
function settled(
  episode: Episode,
): { step: Step; held: Held; definition: ResourceDefinition; inputs: JsonObject }[] {
  const { command, update, after, facts, stack, unsure } = episode;
  if (command !== "up" || update === undefined || update.run.error !== undefined || update.run.killed)
    return [];
  const acting = [...episode.before, ...update.run.steps].filter(({ kind }) =>
    isAction(kinds[kind] as KindPlay),
  );
  return update.run.steps.flatMap((step) => {
    const held = after.find(({ urn, condemned }) => urn === step.urn && !condemned);
    const play = kinds[step.kind] as KindPlay;
    if (step.inputs === undefined || held === undefined || isAction(play)) return [];
    const key = objectOf(held);
    // What an action of the same program does to it, the program does not say of it.
    if (acting.some(({ kind, inputs = {} }) => aboutOf(kind, inputs).includes(key))) return [];
    if ((facts.get(key)?.last ?? stack) !== stack || (step.op === "same" && unsure.has(key))) return [];
    return [{ step, held, definition: play.definition, inputs: step.inputs }];
  });
}

/** Rules: what goes on being declared stays in use; the console holds what the program says. */
const settles: Check = (episode) =>
  settled(episode).flatMap(({ held, definition, inputs, step }) => {
    const key = objectOf(held);
    const stored = episode.end.get(key);
    const isPlainCreate = step.op === "create" && !isExplicit(step) && !episode.takesOver;
    if (stored?.archived && !showsArchived(definition) && !isPlainCreate) return [];
    if (stored === undefined || !isInUse(definition, stored, inputs)) {
      const text = `${nameOf(held)} (${step.op}) declares it, and it is ${stored === undefined ? "gone" : "archived"}`;
      return [violation("what goes on being declared stays in use", key, text)];
    }
    // What somebody changed beside, an update leaves until a refresh has shown it.
    const isAlone = [...(episode.facts.get(key)?.actors ?? [])].every((actor) => actor === episode.stack);
    if (!isAlone && (step.op === "same" || step.op === "update")) return [];
    const { ids: _, ...wants } = inputs;
    const paths = differences(definition, fromWire(definition, stored.item), wants);
    if (paths.length === 0) return [];
    const text = `${nameOf(held)} (${step.op}) differs in ${paths.join(", ")}`;
    return [violation("after an up the console holds what the program says", key, text)];
  });

/** False where no read tells that an object is archived: who is told to adopt it cannot know. */
function showsArchived({ lifecycle }: ResourceDefinition): boolean {
  return lifecycle.archived !== undefined;
}

/** Rule: what comes into being begins at the beginning. */
const beginsAnew: Check = (episode) =>
  settled(episode).flatMap(({ step, held, definition, inputs }) => {
    if (step.op !== "create" && step.op !== "replace") return [];
    const before = episode.start.get(objectOf(held));
    if (isExplicit(step) || (before !== undefined && !before.archived)) return [];
    if (inputs.status !== undefined || inputs.isEnabled !== undefined) return [];
    const begin = definition.fields.status?.mode === "input" && definition.fields.status.facts.serverDefault;
    const item = episode.end.get(objectOf(held))?.item ?? {};
    if (!begin || item.status === begin) return [];
    const text = `${nameOf(held)} says no status, and it is ${String(item.status)}`;
    return [violation("what comes into being begins at the beginning", objectOf(held), text)];
  });

/** Rule: after an up the next preview is empty. */
const staysQuiet: Check = ({ again }) => {
  if (again === undefined) return [];
  const rule = "after an up the next preview is empty";
  if (again.run.error !== undefined) return [violation(rule, "program", again.run.error)];
  return again.run.steps
    .filter(({ op }) => op !== "same")
    .map((step) => violation(rule, nameOf(step), `${step.op}`));
};

/** Rule: the update does what the preview said, but where something was not known yet. */
const keepsItsWord: Check = ({ preview, update, disturbed }) => {
  if (preview === undefined || update === undefined || disturbed) return [];
  return update.run.steps.flatMap((step) => {
    const said = preview.run.steps.filter(({ urn }) => urn === step.urn);
    const isOpen = step.op === "same" && said.some(({ inputs }) => holdsUnknown(inputs));
    if (isOpen || said.some(({ op }) => op === step.op)) return [];
    const text = `${step.op}, where the preview said ${said.map(({ op }) => op).join(", ") || "nothing"}`;
    return [violation("the update does what the preview said", nameOf(step), text)];
  });
};

/** Rule: a replacement that fails leaves the old object. */
const replacesWhole: Check = ({ update, start, end, after, lost, replaced }) => {
  if (update === undefined || update.run.error === undefined || update.run.killed || lost) return [];
  return update.run.steps.flatMap((step) => {
    if (step.op !== "replace" || step.id === undefined || step.urn !== update.run.failed) return [];
    // With --replace and deleteBeforeReplace the engine asks nobody before it deletes.
    if (replaced.includes(step.urn)) return [];
    const key = keyOf(step.kind, step.id);
    const [old, now] = [start.get(key), end.get(key)];
    const successor = after.find(
      ({ urn, makingRoom, condemned }) => urn === step.urn && !makingRoom && !condemned,
    );
    if (old === undefined || old.archived || (now !== undefined && !now.archived)) return [];
    if (successor !== undefined && objectOf(successor) !== key) return [];
    const text = `${nameOf(step)} was to be replaced: it is out of use, and ${update.run.error}`;
    return [violation("a replacement that fails leaves the old object", key, text)];
  });
};

/** Rule: what others ask is not taken away. */
const leavesWhatIsAsked: Check = ({ asked, before, after, update }) => {
  // A program may ask for what it gives up in this same run: that is what it says.
  const written = new Set(update?.requests.flatMap(({ touched }) => touched));
  return [...asked].flatMap(([key, everybody]) => {
    const users = everybody.filter((user) => !written.has(user));
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

/** Rule: a green preview is followed by a green up, unless what only the console knows stands against it. */
const keepsGreen: Check = (episode) => {
  const { update, disturbed, lost, command } = episode;
  const error = update?.run.error;
  if (error === undefined || disturbed || lost || command === "refresh") return [];
  const step = unforeseen(episode);
  if (step === undefined) return [];
  return [violation("a green preview is followed by a green up", nameOf(step), `${step.op}: ${error}`)];
};

/** The step that failed, unless a preview cannot see why: it asks nobody, or only for the object that is meant. */
export function unforeseen(episode: Episode): Step | undefined {
  const { update } = episode;
  const step = update?.run.steps.find(({ urn }) => urn === update.run.failed);
  return step === undefined || isExcused(episode, step) ? undefined : step;
}

function isExcused(episode: Episode, step: Step): boolean {
  const { start, end, factsBefore, stack, unsure, replaced } = episode;
  const { kind, op, id, inputs } = step;
  // What asks for an object is told by the delete alone, and where an action leads by the action.
  if (op === "delete" || isAction(kinds[kind] as KindPlay)) return true;
  const key = id === undefined ? "" : keyOf(kind, id);
  if (episode.users.has(key) || /\bin use by\b/.test(episode.update?.run.error ?? "")) return true;
  const isNamesake = (stored: Stored) =>
    stored.kind === kind && stored.item.name === (inputs?.name ?? inputs?.key) && stored.id !== id;
  if ([...end.values()].some((stored) => isNamesake(stored) && !means(step, stored))) return true;
  if (op === "update") {
    const stored = start.get(key);
    return stored === undefined || stored.archived || factsBefore.get(key)?.last !== stack || unsure.has(key);
  }
  // What is left where it is keeps its name.
  const isLeft = (held: Held) => objectOf(held) === key && held.outputs.onDelete === "retain";
  if (episode.before.some(isLeft)) return true;
  // What is archived already keeps its name too, and what goes after its successor came.
  const declared = episode.program.find((one) => nameOf(one) === nameOf(step));
  if (op === "replace" && (start.get(key)?.archived || declared?.deleteBeforeReplace === false)) return true;
  // With --replace the engine asks for no difference.
  if (replaced.includes(step.urn)) return true;
  const meant = [...start.values()].filter((stored) => means(step, stored));
  const definition = definitionOf(kind) as ResourceDefinition;
  if (meant.some(({ archived }) => archived && !showsArchived(definition))) return true;
  return op === "create" && !isExplicit(step) && meant.length > 0;
}

/** Rule: no error is an accident. */
const failsOnPurpose: Check = ({ preview, update, again }) =>
  [preview, update, again].flatMap((act: Act | undefined) => {
    const error = act?.run.error;
    const accident = /is a bug in|Cannot read prop|is not a function|is not iterable|undefined/;
    if (error === undefined || !accident.test(error)) return [];
    return [violation("no error is an accident", "program", error)];
  });

/** Rule: an interrupted run is spoken of only where there was one. */
const speaksTruly: Check = ({ update, wasKilled }) =>
  (update?.lines ?? [])
    .filter((line) => !wasKilled && /interrupted run/.test(line))
    .map((line) => violation("an interrupted run is spoken of only where there was one", "program", line));

const checks: readonly Check[] = [
  ...[writesNothing, leavesOthersAlone, takesNothing, announces, refusesTwins, settles, beginsAnew],
  ...[replacesWhole, leavesWhatIsAsked, interruptsNothing, leavesNothing, staysQuiet, keepsItsWord],
  ...[asksLittle, keepsGreen, failsOnPurpose, speaksTruly],
];
