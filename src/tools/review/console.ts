import { isClaimCertain } from "../../provider/decisions/claim";
import { catalog, readables } from "../../provider/definitions";
import { countedKinds, mostCountedIds } from "../../provider/definitions/measures/exposure-count";
import { type EngineContext, takenOverText } from "../../provider/engine";
import { changesForMessage } from "../../provider/engine/edits/authors";
import type { ProcessPorts } from "../../provider/pulumi/process";
import { isDefaultProvider } from "../../provider/pulumi/provider-settings";
import type { ResourceDefinition } from "../../provider/schema/define";
import { isConsoleError, messageOf } from "../../provider/schema/errors";
import type { MeantKind } from "../../provider/schema/field";
import { isObject, type JsonObject, objectsIn } from "../../provider/schema/json";
import { expectedId, programId } from "../../provider/schema/object-id";
import { holdsNode, treeOf } from "../../provider/schema/tree";
import { holdsUnknown } from "../../provider/schema/unknown";
import { countOf, pluralOf } from "../../provider/texts/count-text";
import { overwriteOption } from "../../provider/values/options";
import { isArchived } from "../../provider/values/states";
import { isHidden } from "../../provider/words";
import { Consoles } from "../drift/live";
import { hidesSame, type PreviewResult } from "../stack/preview";
import { type Exported, nameInUrn, type Stack } from "../stack/stack";
import { stackIn } from "./changes/around-changes";
import { liveChangeOf } from "./changes/live-changes";
import type { ConsoleFindings, CreateFinding } from "./changes/outcome";
import { type ConsoleObject, keyOf, valuesByKey } from "./references";
import type { Exposures } from "./review";
import { objectText, type Subject, subjectsOf } from "./subjects";

/** Ports of the questions to a console. */
interface ConsolePorts {
  readonly stack: Stack;
  /** Ports of the provider's code, such as the door to the console. */
  readonly process: Partial<ProcessPorts>;
  /** Reports progress. */
  readonly progress: (line: string) => void;
}

/** A report waits no longer for an answer than this, unless the environment says otherwise; milliseconds. */
const patience = { "feature-console:requestTimeoutMs": "10000" };

/**
 * Reads the console: a list of each kind that changes or may refer to one; changing objects that are in no list, and the places of new
 * ones, one by one. A failure to read is a note, never an error: a report without it is worth more than none.
 */
export async function askConsole(
  preview: PreviewResult,
  subjects: readonly Subject[],
  ports: ConsolePorts,
): Promise<ConsoleFindings> {
  const changing = subjects.filter(({ act }) => act !== undefined);
  if (changing.length === 0) return { asked: "not asked", objects: [], notes: [] };
  const kinds = kindsToRead(changing);
  const providers = new Set(changing.map(providerOf));
  const exported =
    hidesSame(preview) || [...providers].some((one) => one !== undefined)
      ? await ports.stack.exported().catch(() => undefined)
      : undefined;
  // Which console they are of, the objects of the preview show as well as a state does.
  const shown = { resources: subjects.flatMap(({ step }) => step.oldState ?? []) };
  const { project, stack } = stackIn(preview);
  const name = stack === undefined ? undefined : `${project}/${stack}`;
  const consoles = await consolesOf(ports, exported ?? shown, name);
  const objects: ConsoleObject[] = [];
  const failures: string[] = [];
  let reads = 0;
  ports.progress(`Asking the console about ${countOf(kinds.length, "kind")} ...`);
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
    objects,
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
  const failures = new Set<string>();
  const lookAt = async <T>(some: readonly Subject[], find: (subject: Subject) => Promise<T | undefined>) => {
    const found = new Map<string, T>();
    for (const subject of some)
      await find(subject).then(
        (one) => one !== undefined && found.set(subject.urn, one),
        (error) => failures.add(`${objectText(subject.definition, subject.called)}: ${messageOf(error)}`),
      );
    return found;
  };
  const missing = changing.filter(
    ({ definition, id, state, act }) =>
      ![id, state].includes(undefined) &&
      act !== "run" &&
      definition.lifecycle.read.how !== "remember" &&
      !listed.has(keyOf(definition.name, id)),
  );
  const read = await lookAt(missing.slice(0, mostLooks), async (subject) => {
    const { definition, id = "" } = subject;
    return { definition, id, values: await consoles.live(definition, id, providerOf(subject)) };
  });
  const gone = new Set([...read].flatMap(([urn, { values }]) => (values === undefined ? [urn] : [])));
  const there = [...read.values()].flatMap(({ values, ...one }) => (values ? [{ ...one, values }] : []));
  const objects = [...known.objects, ...there];
  const fresh = changing.filter((subject) => looksForItself(subject, { gone, objects }));
  const creates = await lookAt(fresh.slice(0, mostLooks), (subject) => createFinding(subject, consoles));
  // Journals are files: the console is not asked.
  const going = changing.filter(({ step }) => step.op === "delete");
  const takers = await lookAt(going, async (subject) => {
    const { id = "", outputs = {} } = subject.step.oldState ?? {};
    const taker = await consoles.laterAdopter(subject.definition, id, outputs, providerOf(subject));
    return taker && `${takenOverText(taker)}: it stays as it is, and this stack forgets it`;
  });
  const values = valuesByKey(objects);
  const authors = await lookAt(changing, (subject) =>
    authorsOf(subject, values.get(keyOf(subject.definition.name, subject.id)), consoles),
  );
  const overwriting = changing.filter((subject) => {
    const own = subject.program?.[overwriteOption];
    return typeof own === "boolean" ? own : consoles.context(providerOf(subject)).overwritesEdits === true;
  });
  const unlooked = fresh.length - mostLooks;
  const exposures = await exposuresOf(changing, objects, (subject) => consoles.context(providerOf(subject)));
  return {
    ...known,
    ...{ objects, gone, creates, takers, authors, exposures },
    overwrites: new Set(overwriting.map(({ urn }) => urn)),
    notes: [
      ...known.notes,
      ...[...failures].map((text) => `The console was not read: ${text}`),
      ...(unlooked > 0
        ? [`${countOf(unlooked, "new object")} not checked: a report looks for ${mostLooks}.`]
        : []),
    ],
  };
}

/** Authors and times of changes in the console to which an update gives other values; undefined where there are none. */
async function authorsOf(
  subject: Subject,
  live: JsonObject | undefined,
  consoles: Consoles,
): Promise<string | undefined> {
  const { definition, id, state } = subject;
  const { conflicts } = liveChangeOf(subject, live);
  if (conflicts.length === 0 || id === undefined || state === undefined || live === undefined)
    return undefined;
  const names = [...new Set(conflicts.map(({ argument }) => argument))];
  const context = consoles.context(providerOf(subject));
  return (await changesForMessage(context, definition, { id, state, live }, names)).text;
}

/** True for what is new, and for what Pulumi replaces in place and the console does not have in use: a create looks for it. */
function looksForItself(
  { urn, act, state, replacement, definition, id }: Subject,
  { gone, objects }: { readonly gone: ReadonlySet<string>; readonly objects: readonly ConsoleObject[] },
): boolean {
  if (replacement !== "in place") return (act === "create" || act === "adopt") && state === undefined;
  const live = objects.find((one) => one.definition.name === definition.name && one.id === id);
  return gone.has(urn) || (live !== undefined && isArchived(definition, live.values));
}

/** Finding of a create of a new object; undefined where its key is known only later. */
async function createFinding(subject: Subject, consoles: Consoles): Promise<CreateFinding | undefined> {
  const { definition, step, program = {} } = subject;
  const { create } = definition.lifecycle;
  const args = step.newState?.inputs ?? {};
  const called = programId(definition, program);
  if (create.how !== "send" || [called, expectedId(definition, program)].some(holdsUnknown)) return undefined;
  const adopts = subject.act === "adopt";
  // The id to import is one that the arguments lead to, or nobody knows it.
  if (adopts && args.adopt !== true && definition.identity.how === "server") return undefined;
  const asked = adopts ? { ...args, adopt: true } : args;
  const { claim, evidence, taken, refusal } = await consoles.createOf(definition, asked, providerOf(subject));
  const place = evidence.place === "empty" ? "nothing" : evidence.place === "live" ? "in use" : "archived";
  if (claim.act === "send") return { what: "creates", place };
  // Secrets of the preview, and values that are known only later, cannot be compared with the live object.
  const isOpen = isHidden(args) || holdsUnknown(args);
  if (isOpen && (evidence.match === "stuck" || !isClaimCertain(evidence)))
    return {
      ...{ what: "not known", place },
      why: `${objectText(definition, called)} ${place === "archived" ? "is archived" : "exists already"}`,
    };
  if (claim.act === "refuse")
    return { what: "fails", place, ...(refusal === undefined ? {} : { why: refusal }) };
  return { what: claim.act === "adopt" ? "adopts" : "revives", place, ...(taken && { taken }) };
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

async function consolesOf(
  { stack, process }: ConsolePorts,
  exported: Exported,
  name: string | undefined,
): Promise<Consoles> {
  // The environment may say all of it: then a stack that cannot be read is no loss.
  const config = await stack.config().catch(() => ({}));
  return new Consoles({ ...patience, ...config }, exported, process, name);
}

interface ReadKind {
  readonly definition: ResourceDefinition;
  readonly list: string;
}

/** Kinds of objects that change, and kinds whose objects may refer to them, as far as a list shows them. */
function kindsToRead(changing: readonly Subject[]): ReadKind[] {
  const names = new Set(
    changing.filter(({ act }) => act !== "create").map(({ definition }) => definition.name),
  );
  return Object.values(catalog as Readonly<Record<string, ResourceDefinition>>).flatMap((definition) => {
    const { read } = definition.lifecycle;
    if (read.how === "remember" || read.list === undefined) return [];
    const isNeeded = names.has(definition.name) || [...names].some((name) => mayReferTo(definition, name));
    return isNeeded ? [{ definition, list: read.list }] : [];
  });
}

function mayReferTo(definition: ResourceDefinition, kind: string): boolean {
  const holds = holdsNode(({ refersTo }) => means(refersTo, kind));
  return Object.values(treeOf(definition)).some(({ node }) => holds(node));
}

function means(fact: MeantKind | undefined, kind: string): boolean {
  if (typeof fact === "string") return fact === kind;
  return isObject(fact) && Object.values(fact.of as JsonObject).includes(kind);
}

/** Most requests for exposures. */
const mostRequests = 10;

/** Exposures to the changing objects that the console has, by URN. None where the key may not see them, or where the console does not count them. */
async function exposuresOf(
  changing: readonly Subject[],
  objects: readonly ConsoleObject[],
  contextOf: (subject: Subject) => EngineContext,
): Promise<ReadonlyMap<string, Exposures>> {
  const there = valuesByKey(objects);
  const counted = changing.filter(
    ({ definition, id }) => definition.name in listOfKind && there.has(keyOf(definition.name, id)),
  );
  const found = new Map<string, Exposures>();
  for (const context of new Set(counted.map(contextOf))) {
    const asked = counted.filter((one) => contextOf(one) === context).slice(0, mostRequests * mostCountedIds);
    try {
      for (let first = 0; first < asked.length; first += mostCountedIds)
        await count(context, asked.slice(first, first + mostCountedIds), found);
    } catch (error) {
      if (!isConsoleError(error)) throw error;
    }
  }
  return found;
}

/** Lists of counts, by kind. */
const listOfKind: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(countedKinds).map(([list, kind]) => [kind, list]),
);

async function count(
  { client }: EngineContext,
  asked: readonly Subject[],
  found: Map<string, Exposures>,
): Promise<void> {
  const idsOf = (kind: string) =>
    asked.filter(({ definition }) => definition.name === kind).map(({ id = "" }) => id);
  const query = Object.fromEntries(Object.entries(countedKinds).map(([list, kind]) => [list, idsOf(kind)]));
  const answer = await client.item(readables.exposureCount.routes.get, { query });
  for (const { urn, definition, id } of asked) {
    const counts = objectsIn(answer[listOfKind[definition.name] ?? ""]).find((one) => one.id === id);
    const { pastDay, past7Days } = counts ?? {};
    if (typeof pastDay === "number" && typeof past7Days === "number") found.set(urn, { pastDay, past7Days });
  }
}
