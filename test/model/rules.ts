import { differences } from "../../src/provider/decisions/plan";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectedId } from "../../src/provider/schema/object-id";
import { holdsUnknown } from "../../src/provider/schema/unknown";
import { fromWire } from "../../src/provider/schema/wire-names";
import { keyOf, type Stored } from "../world/console";
import { isAction, isOnlyOne, type KindPlay, kinds } from "../world/kinds";
import { type Held, nameOf } from "../world/programs";
import type { Act } from "../world/stage";
import type { Step } from "../world/steps";
import { type Check, type Episode, type Violation, violation } from "./episode";
import { overwritesNothing } from "./hand-edits";
import { harmChecks } from "./harm";
import { aboutOf, definitionOf, isExplicit, isInUse, isMadeAnew, means, objectOf } from "./ledger";

export function violationsOf(episode: Episode): Violation[] {
  return checks.flatMap((check) => check(episode));
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

/** Rule: a preview asks only about what it creates, adopts, imports, replaces or deletes. */
const asksLittle: Check = ({ preview, again, refreshes }) =>
  [refreshes ? undefined : preview, again].flatMap((act) => {
    const asked = act?.requests[0];
    if (act === undefined || asked === undefined || act.run.error !== undefined) return [];
    const may = act.run.steps.some(({ op }) => op === "replace" || op === "delete" || op === "create");
    const rule = "a preview asks only about what it creates, adopts, imports, replaces or deletes";
    return may ? [] : [violation(rule, asked.path, `${asked.method} ${asked.path} was sent`)];
  });

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
  const { command, update, after, facts, stack, unsure, actedOn } = episode;
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
    if (
      (facts.get(key)?.last ?? stack) !== stack ||
      (step.op === "same" && (unsure.has(key) || actedOn.has(key)))
    )
      return [];
    return [{ step, held, definition: play.definition, inputs: step.inputs }];
  });
}

/** Rules: what goes on being declared stays in use; the console holds what the program says. */
const settles: Check = (episode) =>
  settled(episode).flatMap(({ held, definition, inputs, step }) => {
    const key = objectOf(held);
    const stored = episode.end.get(key);
    const isPlainCreate = step.op === "create" && !isExplicit(step) && !episode.takesOver;
    // What every project has is noted with its first change: until then it is what a new project has.
    if (stored === undefined && definition.identity.how === "singleton") return [];
    if (stored?.archived && !showsArchived(definition) && !isPlainCreate) return [];
    if (stored === undefined || !isInUse(definition, stored, inputs)) {
      const text = `${nameOf(held)} (${step.op}) declares it, and it is ${stored === undefined ? "gone" : "archived"}`;
      return [violation("what goes on being declared stays in use", key, text)];
    }
    // What somebody changed beside, an update leaves until a refresh has shown it, and so does a replacement in place.
    const isAlone = [...(episode.facts.get(key)?.actors ?? [])].every((actor) => actor === episode.stack);
    const stays =
      step.op === "same" ||
      step.op === "update" ||
      episode.before.some((one) => one.urn === step.urn && objectOf(one) === key);
    if (!isAlone && stays) return [];
    const { ids: _, ...program } = inputs;
    const paths = differences(definition, fromWire(definition, stored.item), program);
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
    const begin = definition.fields.status?.mode === "input" && definition.fields.status.traits.serverDefault;
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

/** Rule: a green preview is followed by a green up, unless what only the console knows stands against it. */
const keepsGreen: Check = (episode) => {
  const { update, disturbed, lost, refused, command } = episode;
  const error = update?.run.error;
  if (error === undefined || disturbed || lost || refused || command === "refresh") return [];
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
  const { last, actors = new Set() } = factsBefore.get(key) ?? {};
  // What somebody changed and an update left so stands against one that changes the same later, also in a replacement in place.
  const isEdited = /since it was last seen/.test(episode.update?.run.error ?? "");
  if (isEdited && [...actors].some((actor) => actor !== stack)) return true;
  if (op === "update") {
    const stored = start.get(key);
    return stored === undefined || stored.archived || unsure.has(key) || last !== stack;
  }
  // The object of the state is gone, and another one has its id.
  if (op === "replace" && start.has(key) && isMadeAnew(episode.before, start.get(key) as Stored)) return true;
  // What is left where it is keeps its name.
  const isLeft = (held: Held) => objectOf(held) === key && held.outputs.onDelete === "retain";
  if (episode.before.some(isLeft)) return true;
  // What is archived already keeps its name too, and what goes after its successor came.
  const declared = episode.program.find((one) => nameOf(one) === nameOf(step));
  if (op === "replace" && (start.get(key)?.archived || declared?.deleteBeforeReplace === false)) return true;
  // What another stack demands of new objects stands in its own program.
  const isDemanded = /requires a team/.test(episode.update?.run.error ?? "");
  if (isDemanded && !episode.program.some(({ kind: other }) => other === "teamSettings")) return true;
  // With --replace the engine asks for no difference.
  if (replaced.includes(step.urn)) return true;
  const meant = [...start.values()].filter((stored) => means(step, stored));
  const definition = definitionOf(kind) as ResourceDefinition;
  if (meant.some(({ archived }) => archived && !showsArchived(definition))) return true;
  return op === "create" && !isExplicit(step) && meant.length > 0;
}

/** Rule: a lost permission empties no state, where other kinds tell it from a console that lost everything. */
const keepsUnseen: Check = ({ hidden, before, after, end }) => {
  const isThere = ({ kind, id }: Held) => end.has(keyOf(kind, id));
  const isListed = ({ kind }: Held) => definitionOf(kind)?.routes.list !== undefined;
  const shows = before.some(
    (held) =>
      held.kind !== hidden &&
      isListed(held) &&
      isThere(held) &&
      !isMadeAnew(before, end.get(objectOf(held)) as Stored),
  );
  // A list that answers 404 where there is none tells nothing.
  const routes = Object.values(definitionOf(hidden ?? "")?.routes ?? {});
  if (hidden === undefined || !shows || routes.some(({ noneAs404 }) => noneAs404 === true)) return [];
  return before
    .filter((held) => held.kind === hidden && isThere(held) && !after.some(({ urn }) => urn === held.urn))
    .map((held) => violation("a lost permission empties no state", objectOf(held), "left the state"));
};

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
  ...[
    writesNothing,
    ...harmChecks,
    overwritesNothing,
    refusesTwins,
    settles,
    beginsAnew,
    staysQuiet,
    keepsItsWord,
  ],
  ...[asksLittle, keepsUnseen, keepsGreen, failsOnPurpose, speaksTruly],
];
