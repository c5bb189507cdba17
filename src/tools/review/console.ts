import { catalog } from "../../provider/definitions";
import type { ProcessPorts } from "../../provider/pulumi/process";
import type { ResourceDefinition } from "../../provider/schema/define";
import { messageOf } from "../../provider/schema/errors";
import type { MeantKind } from "../../provider/schema/field";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { expectedId, programId } from "../../provider/schema/object-id";
import { holdsNode, treeOf } from "../../provider/schema/tree";
import { holdsUnknown } from "../../provider/schema/unknown";
import { countOf, pluralOf } from "../../provider/texts/count-text";
import { overwriteOption } from "../../provider/values/options";
import { isArchived } from "../../provider/values/states";
import { isHidden, nameIn } from "../../provider/words";
import { Consoles } from "../drift";
import { providerUrn } from "../stack/resources";
import type { Exported, Stack } from "../stack/stack";
import type { ConsoleFindings, CreateFinding } from "./changes/outcome";
import { exposuresOf } from "./exposures";
import type { ConsoleObject } from "./references";
import { type Subject, subjectOf } from "./subjects";
import { takerText } from "./takers";

/** What the console is asked with. */
export interface ConsolePorts {
  readonly stack: Stack;
  /** What the provider's code works with, such as the door to the console. */
  readonly process: Partial<ProcessPorts>;
  /** Tells how far it is. */
  readonly progress: (line: string) => void;
}

/** A report waits no longer for an answer than this, unless the environment says otherwise; milliseconds. */
const patience = { "feature-console:requestTimeoutMs": "10000" };

/** What a report asks, beside the preview. */
export interface Question {
  /** Resources of the preview. */
  readonly subjects: readonly Subject[];
  /** Project and stack. */
  readonly stackName?: string;
  /** True where the preview leaves out what stays as it is. */
  readonly hidesSame?: boolean;
}

/**
 * Reads what the console has of the kinds that change and of those that may refer to them: a list each; what changes and is in
 * none, and what is new, one by one. What cannot be read is a note, never an error: a report without it is worth more than none.
 */
export async function askConsole(
  { subjects, stackName, hidesSame = false }: Question,
  ports: ConsolePorts,
): Promise<ConsoleFindings> {
  const changing = subjects.filter(({ act }) => act !== undefined);
  if (changing.length === 0) return { asked: "not asked", objects: [], notes: [] };
  const kinds = kindsToRead(changing);
  const providers = new Set(changing.map(providerOf));
  const exported =
    hidesSame || [...providers].some((one) => one !== undefined)
      ? await ports.stack.exported().catch(() => undefined)
      : undefined;
  // Which console they are of, the objects of the preview show as well as a state does.
  const shown = { resources: subjects.flatMap(({ step }) => step.oldState ?? []) };
  const consoles = await consolesOf(ports, exported ?? shown, stackName);
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
        // What one kind was refused for want of an answer, the others would wait for as long.
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
  const objects = [...known.objects];
  const listed = new Set(objects.map(({ definition, id }) => `${definition.name}\n${id}`));
  const gone = new Set<string>();
  const creates = new Map<string, CreateFinding>();
  const takers = new Map<string, string>();
  const failures = new Set<string>();
  const missing = changing.filter(
    ({ definition, step: { oldState }, act }) =>
      oldState?.id !== undefined &&
      act !== "run" &&
      definition.lifecycle.read.how !== "remember" &&
      !listed.has(`${definition.name}\n${oldState.id}`),
  );
  const look = async (subject: Subject, work: () => Promise<void>) => {
    await work().catch((error) =>
      failures.add(`${subject.definition.title} ${nameIn(subject.called)}: ${messageOf(error)}`),
    );
  };
  for (const subject of missing.slice(0, mostLooks))
    await look(subject, async () => {
      const id = subject.step.oldState?.id ?? "";
      const values = await consoles.live(subject.definition, id, providerOf(subject));
      if (values === undefined) gone.add(subject.urn);
      else objects.push({ definition: subject.definition, id, values });
    });
  const fresh = changing.filter((subject) => looksForItself(subject, { gone, objects }));
  for (const subject of fresh.slice(0, mostLooks))
    await look(subject, async () => {
      const found = await createFinding(subject, consoles);
      if (found !== undefined) creates.set(subject.urn, found);
    });
  // Journals are files: the console is not asked.
  for (const subject of changing.filter(({ step }) => step.op === "delete"))
    await look(subject, async () => {
      const { id = "", outputs = {} } = subject.step.oldState ?? {};
      const taker = await consoles.laterAdopter(subject.definition, id, outputs, providerOf(subject));
      if (taker !== undefined) takers.set(subject.urn, takerText(taker));
    });
  const overwrites = new Set(
    changing
      .filter(({ program, ...subject }) => {
        const own = program?.[overwriteOption];
        return typeof own === "boolean" ? own : consoles.overwritesEdits(providerOf(subject as Subject));
      })
      .map(({ urn }) => urn),
  );
  const unlooked = fresh.length - mostLooks;
  const exposures = await exposuresOf(changing, objects, (subject) => consoles.context(providerOf(subject)));
  return {
    ...known,
    ...{ objects, gone, creates, takers, overwrites, exposures },
    notes: [
      ...known.notes,
      ...[...failures].map((text) => `The console was not read: ${text}`),
      ...(unlooked > 0
        ? [`${countOf(unlooked, "new object")} not checked: a report looks for ${mostLooks}.`]
        : []),
    ],
  };
}

/** True for what is new, and for what Pulumi replaces in place and the console does not have in use: a create looks for it. */
function looksForItself(
  { urn, act, step, replacement, definition, id }: Subject,
  { gone, objects }: { readonly gone: ReadonlySet<string>; readonly objects: readonly ConsoleObject[] },
): boolean {
  if (replacement !== "in place") return act === "create" && step.oldState === undefined;
  const live = objects.find((one) => one.definition.name === definition.name && one.id === id);
  return gone.has(urn) || (live !== undefined && isArchived(definition, live.values));
}

/** What a create of a new object would find; undefined where its key is known only later. */
async function createFinding(
  { definition, step: { newState }, id, program = {}, ...subject }: Subject,
  consoles: Consoles,
): Promise<CreateFinding | undefined> {
  const { create } = definition.lifecycle;
  const called = programId(definition, program);
  if (create.how !== "send" || [called, expectedId(definition, program)].some(holdsUnknown)) return undefined;
  const { claim, evidence, refusal } = await consoles.createOf(
    definition,
    newState?.inputs ?? {},
    providerOf({ definition, step: { newState }, id, program, ...subject } as Subject),
  );
  const place = evidence.place === "empty" ? "nothing" : evidence.place === "live" ? "in use" : "archived";
  if (claim.act === "send") return { what: "creates", place };
  // What is secret in the preview, or known only later, cannot be compared with what is there.
  if (isHidden(newState?.inputs) || holdsUnknown(newState?.inputs))
    return {
      ...{ what: "not known", place },
      why: `${definition.title} ${nameIn(called)} ${place === "archived" ? "is archived" : "exists already"}`,
    };
  if (claim.act === "refuse")
    return { what: "fails", place, ...(refusal === undefined ? {} : { why: refusal }) };
  return { what: claim.act === "adopt" ? "adopts" : "revives", place };
}

/** Resources of the stack that the preview does not show. */
function unchangedIn({ resources }: Exported, subjects: readonly Subject[]): Subject[] {
  const shown = new Set(subjects.map(({ urn }) => urn));
  return resources.flatMap((one) => {
    if (shown.has(one.urn) || one.delete === true) return [];
    const step = { op: "same", urn: one.urn, oldState: one, newState: one, changedPaths: [] };
    return subjectOf(step) ?? [];
  });
}

function providerOf({ step }: Subject): string | undefined {
  const urn = providerUrn((step.newState ?? step.oldState)?.provider);
  // State holds the settings of others; these have none, and a state that is not read is a second saved.
  return urn === undefined || /::default(_\w+)?$/.test(urn) ? undefined : urn;
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
