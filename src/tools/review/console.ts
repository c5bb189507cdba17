import { isClaimCertain } from "../../provider/decisions/claim";
import { catalog } from "../../provider/definitions";
import { type PossibleUser, takenOverText } from "../../provider/engine";
import { changesForMessage } from "../../provider/engine/edits/authors";
import { isDefaultProvider } from "../../provider/pulumi/provider-settings";
import type { ResourceDefinition } from "../../provider/schema/define";
import { messageOf } from "../../provider/schema/errors";
import type { JsonObject } from "../../provider/schema/json";
import { expectedId, programId } from "../../provider/schema/object-id";
import { holdsNode, treeOf } from "../../provider/schema/tree";
import { holdsUnknown } from "../../provider/schema/unknown";
import { countOf, pluralOf } from "../../provider/texts/count-text";
import { overwriteOption } from "../../provider/values/options";
import { isHidden } from "../../provider/words";
import { Consoles, type StackPorts } from "../stack/live";
import { hidesSame, type PreviewResult } from "../stack/preview";
import { type Exported, nameInUrn } from "../stack/stack";
import { stackIn } from "./changes/around-changes";
import {
  type ConsoleFindings,
  type CreateFinding,
  type LiveChange,
  notAsked,
  type ObjectFinding,
} from "./changes/findings";
import { liveChangeOf } from "./changes/live-changes";
import { exposuresOf } from "./exposures";
import { keyOf, valuesByKey } from "./references";
import { objectText, type Subject, subjectsOf } from "./subjects";

/** A report waits no longer for an answer than this, unless the environment says otherwise; milliseconds. */
const patience = { "feature-console:requestTimeoutMs": "10000" };

/**
 * Reads the console: a list of each kind that changes or may refer to one; changing objects that are in no list, and the places of new
 * ones, one by one. A failure to read is a note, never an error: a report without it is worth more than none.
 */
export async function askConsole(
  preview: PreviewResult,
  subjects: readonly Subject[],
  { stack, console, progress }: StackPorts,
): Promise<ConsoleFindings> {
  const changing = subjects.filter(({ act }) => act !== undefined);
  if (changing.length === 0) return notAsked;
  const kinds = kindsToRead(changing);
  const providers = new Set(changing.map(providerOf));
  const exported =
    hidesSame(preview) || [...providers].some((one) => one !== undefined)
      ? await stack.exported().catch(() => undefined)
      : undefined;
  // Which console they are of, the objects of the preview show as well as a state does.
  const shown = { resources: subjects.flatMap(({ step }) => step.oldState ?? []) };
  const { project, stack: own } = stackIn(preview);
  // The environment may say all of it: then a stack that cannot be read is no loss.
  const config = await stack.config().catch(() => ({}));
  const name = own === undefined ? undefined : `${project}/${own}`;
  const consoles = new Consoles({ ...patience, ...config }, exported ?? shown, console, name);
  const objects: PossibleUser[] = [];
  const failures: string[] = [];
  let reads = 0;
  progress(`Asking the console about ${countOf(kinds.length, "kind")} ...`);
  for (const provider of providers) {
    for (const { definition, list } of kinds) {
      try {
        for (const { id, values } of await consoles.listed(definition, list, provider))
          objects.push({ definition, id, values });
        reads += 1;
      } catch (error) {
        failures.push(`${pluralOf(definition.title)}: ${messageOf(error)}`);
        // Without an answer about one kind, the others would wait as long.
        if (reads === 0) break;
      }
    }
  }
  const known: ConsoleFindings = {
    asked: failures.length === 0 ? "asked" : reads > 0 ? "partly" : "not asked",
    ...{ objects, of: new Map() },
    notes: failures.map((text) => `The console was not read: ${text}`),
    ...(exported === undefined ? {} : { unchanged: unchangedIn(exported, subjects) }),
  };
  return reads === 0 && failures.length > 0 ? known : lookAtEach(changing, consoles, known);
}

/** Most objects that are read one by one, and most that are looked for where new ones are to be: as many as a preview does. */
const mostLooks = 25;

/** Reads what no list shows: whether it is gone; and what is in the place of new objects. */
async function lookAtEach(
  changing: readonly Subject[],
  consoles: Consoles,
  known: ConsoleFindings,
): Promise<ConsoleFindings> {
  const listed = valuesByKey(known.objects);
  const objects = [...known.objects];
  const of = new Map<string, ObjectFinding>();
  const looked = { reads: 0, creates: 0, failures: new Set<string>() };
  for (const subject of changing) {
    const { urn, definition, id = "" } = subject;
    const inList = listed.get(keyOf(definition.name, id));
    const found = await lookAt(subject, inList, consoles, looked);
    of.set(urn, found);
    if (inList === undefined && found.live !== undefined)
      objects.push({ definition, id, values: found.live });
  }
  const unlooked = looked.creates - mostLooks;
  const there = changing.filter(({ urn }) => of.get(urn)?.live !== undefined);
  for (const [context, own] of Map.groupBy(there, (one) => consoles.context(providerOf(one))))
    for (const [urn, exposures] of await exposuresOf(context, own))
      of.set(urn, { ...of.get(urn), exposures });
  return {
    ...{ ...known, objects, of },
    notes: [
      ...known.notes,
      ...[...looked.failures].map((text) => `The console was not read: ${text}`),
      ...(unlooked > 0
        ? [`${countOf(unlooked, "new object")} not checked: a report looks for ${mostLooks}.`]
        : []),
    ],
  };
}

/** Everything that the console shows of one object. A look that fails takes nothing from the others. */
async function lookAt(
  subject: Subject,
  inList: JsonObject | undefined,
  consoles: Consoles,
  looked: { reads: number; creates: number; readonly failures: Set<string> },
): Promise<ObjectFinding> {
  const { definition, id = "", program, called } = subject;
  const provider = providerOf(subject);
  const { overwritesEdits } = consoles.context(provider);
  const tried = <Found>(look: () => Promise<Found>): Promise<Found | undefined> =>
    look().catch((error) => {
      looked.failures.add(`${objectText(definition, called)}: ${messageOf(error)}`);
      return undefined;
    });
  const isRead = inList === undefined && isStored(subject) && ++looked.reads <= mostLooks;
  const read = isRead
    ? await tried(async () => ({ live: await consoles.live(definition, id, provider) }))
    : undefined;
  const live = inList ?? read?.live;
  const isGone = read !== undefined && live === undefined;
  const isNew = looksForItself(subject, { live, isGone }) && ++looked.creates <= mostLooks;
  return {
    ...{ live, isGone, overwrites: (program?.[overwriteOption] ?? overwritesEdits) === true },
    create: isNew ? await tried(() => createFinding(subject, consoles)) : undefined,
    taker: await tried(() => laterStackOf(subject, consoles)),
    edit: await tried(() => editOf(subject, live, consoles)),
  };
}

/** True for a resource with an object that a read would show. */
function isStored({ definition, id, state, act }: Subject): boolean {
  return (
    id !== undefined && state !== undefined && act !== "run" && definition.lifecycle.read.how !== "remember"
  );
}

/** Fate of an object that goes, where another stack has taken it over. Journals are files: the console is not asked. */
async function laterStackOf(subject: Subject, consoles: Consoles): Promise<string | undefined> {
  const { definition, step } = subject;
  if (step.op !== "delete") return undefined;
  const { id = "", outputs = {} } = step.oldState ?? {};
  const taker = await consoles.laterAdopter(definition, id, outputs, providerOf(subject));
  return taker && `${takenOverText(taker)}: it stays as it is, and this stack forgets it`;
}

/** The change of an object from what the console has, with the authors of what an update would overwrite. */
async function editOf(
  subject: Subject,
  live: JsonObject | undefined,
  consoles: Consoles,
): Promise<LiveChange> {
  const change = liveChangeOf(subject, live);
  const { definition, id, state } = subject;
  if (change.conflicts.length === 0 || id === undefined || state === undefined || live === undefined)
    return change;
  const places = change.conflicts.map(({ place }) => place);
  const context = consoles.context(providerOf(subject));
  const { text } = await changesForMessage({ context, definition, id, state, live }, places);
  return { ...change, by: text };
}

/** True for what is new, and for what Pulumi replaces in place: a create looks for it, and sends whatever differs. */
function looksForItself({ act, state, replacement }: Subject, { live, isGone }: ObjectFinding): boolean {
  if (replacement === "in place") return isGone === true || live !== undefined;
  return (act === "create" || act === "adopt") && state === undefined;
}

/** Finding of a create of a new object; undefined where its key is known only later. */
async function createFinding(subject: Subject, consoles: Consoles): Promise<CreateFinding | undefined> {
  const { definition, step, program = {} } = subject;
  const { create } = definition.lifecycle;
  const args = step.newState?.inputs ?? {};
  const called = programId(definition, program);
  if (create.how === "run" || [called, expectedId(definition, program)].some(holdsUnknown)) return undefined;
  const adopts = subject.act === "adopt";
  // The id to import is one that the arguments lead to, or nobody knows it.
  if (adopts && args.adopt !== true && definition.identity.how === "server") return undefined;
  const asked = adopts ? { ...args, adopt: true } : args;
  const { claim, evidence, taken, refusal } = await consoles.createOf(definition, asked, {
    provider: providerOf(subject),
    heldId: subject.state && subject.id,
  });
  const place = evidence.place === "empty" ? "nothing" : evidence.place === "live" ? "in use" : "archived";
  if (claim.act === "send") return { what: "creates", place };
  // Secrets of the preview, and values that are known only later, cannot be compared with the live object.
  const isOpen = isHidden(args) || holdsUnknown(args);
  if (isOpen && (evidence.match === "stuck" || !isClaimCertain(evidence)))
    return {
      ...{ what: "not known", place },
      why: `${objectText(definition, called)} ${place === "archived" ? "is archived" : "exists already"}`,
    };
  if (refusal !== undefined) return { what: "fails", place, why: refusal };
  // An object that is replaced in place is updated.
  if (claim.act === "adopt" && subject.replacement === "in place") return undefined;
  return { what: claim.act === "adopt" ? "adopts" : "revives", place, taken };
}

/** Resources of the stack that the preview does not show. */
function unchangedIn({ resources }: Exported, subjects: readonly Subject[]): Subject[] {
  const shown = new Set(subjects.map(({ urn }) => urn));
  const unchanged = resources.filter((one) => !shown.has(one.urn) && one.delete !== true);
  const same = { op: "same", changedPaths: [] };
  return subjectsOf({
    steps: unchanged.map((one) => ({ ...same, urn: one.urn, oldState: one, newState: one })),
  });
}

function providerOf({ provider }: Subject): string | undefined {
  // State holds the settings of others; these have none, and a state that is not read is a second saved.
  return provider === undefined || isDefaultProvider(nameInUrn(provider)) ? undefined : provider;
}

/** Kinds of objects that change, and kinds whose objects may refer to them, as far as a list shows them. */
function kindsToRead(changing: readonly Subject[]) {
  const names = new Set(
    changing.filter(({ act }) => act !== "create").map(({ definition }) => definition.name),
  );
  const mayReferTo = holdsNode(({ refersTo }) => {
    const kinds = typeof refersTo === "object" ? Object.values(refersTo.of) : [refersTo];
    return kinds.some((kind) => kind !== undefined && names.has(kind));
  });
  return Object.values<ResourceDefinition>(catalog).flatMap((definition) => {
    const { read } = definition.lifecycle;
    if (read.how === "remember" || read.list === undefined) return [];
    const isNeeded =
      names.has(definition.name) || Object.values(treeOf(definition)).some(({ node }) => mayReferTo(node));
    return isNeeded ? [{ definition, list: read.list }] : [];
  });
}
