import * as pulumi from "@pulumi/pulumi";
import { isArchived } from "../../decisions/plan";
import {
  type EngineContext,
  type JournalEntry,
  laterAdopter,
  type PossibleUser,
  possibleUsers,
  readLive,
} from "../../engine";
import { outputNames } from "../../schema/audit";
import { messageOf } from "../../schema/errors";
import { consoleMember, projectMember, selfMember, stackMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { expectedId, idArguments } from "../../schema/object-id";
import { visibleLines } from "../../texts/issue-text";
import { knownValue, type SdkResource } from "../output-parts";
import { late, within } from "../patience";
import { keyUntriedText, ProviderProcess } from "../process";
import { collectSettings, settingNames } from "../provider-settings";
import { pulumiCommand } from "../runs/cli";
import { exportedObjects } from "../runs/exported-state";
import { fileJournal } from "../runs/journal";
import { kindOfType } from "../runs/kind-of-type";
import { ownStackName, type StackState, stackConfig } from "../runs/stack-state";
import {
  type DeclaredResource,
  type GoneResource,
  goneResources,
  isGuarded,
  type PreviewFacts,
} from "./gone-resources";
import { consolesOf, hasLookedUp, knownConsoles } from "./known-consoles";
import { isRenamed, most, noticesOf, unknownUsersText } from "./preview-notice";
import { type Constructed, explicitConfigs } from "./stored-kinds";

/**
 * Reports the end of what state has and the program does not declare any more. No provider is asked about it before the update.
 * @public Loaded where something is gone.
 */
export async function reportRemovals(
  constructed: readonly Constructed[],
  state: StackState,
  stack: object,
): Promise<void> {
  const usedBy = [...state.values()].flatMap(
    ({ type }) => kindOfType(type)?.lifecycle.delete.keptWhileUsed?.kinds ?? [],
  );
  const users = new Set(usedBy);
  // Of the components that run in processes of their own.
  const remote = new Set(
    resourcesBelow(stack).flatMap((one) => (one.__remote === true ? (one.__pulumiType ?? []) : [])),
  );
  const known: PreviewFacts = {
    declared: await Promise.all(constructed.map((one) => described(one, users))),
    ...{ state, remote, consoles: consolesOf(state) },
  };
  if (goneResources(known).length === 0) return;
  const facts: PreviewFacts = { ...known, ...(await endsOf(stack)) };
  const gone = goneResources(facts);
  const [{ live, problem }, absent] = await Promise.all([liveUsers(gone, state), absentOf(gone, state)]);
  const takers = await takersOf(gone).catch(() => undefined);
  const notices = [
    ...noticesOf({ ...facts, live, absent, takers }),
    ...(problem === undefined ? [] : [problem]),
  ];
  for (const notice of notices) await pulumi.log.warn(visibleLines(notice));
  const hasAsked = live !== undefined || problem !== undefined || hasLookedUp(undefined);
  if (!hasAsked && (await asksNobody(constructed, gone, state))) await pulumi.log.info(keyUntriedText);
}

/** True for a preview that only removes: no provider is asked about that, which would report that the key is untried. */
async function asksNobody(
  constructed: readonly Constructed[],
  gone: readonly GoneResource[],
  state: StackState,
): Promise<boolean> {
  const goes = gone.some(({ how, successors }) => how !== "retain" && successors.length === 0);
  if (!goes || explicitConfigs(state).length > 0) return false;
  if (collectSettings(stackConfig, process.env).profile === "embedded") return false;
  const same = await Promise.all(
    constructed.map(async ({ resource, type, isRead }) => {
      const stored = state.get(String(await knownValue(resource.urn)));
      if (stored === undefined || isRead) return false;
      const definition = kindOfType(type);
      const outputs = (definition === undefined ? [] : outputNames(definition)).filter(
        (name) => stored.outputs[name] !== undefined,
      );
      // The values that the console fills in are not known beforehand of a resource that changes.
      return !Object.values(await knownOutputs(resource, outputs)).includes(undefined);
    }),
  );
  return !same.includes(false);
}

async function knownOutputs(resource: object, names: readonly string[]): Promise<JsonObject> {
  const members = resource as JsonObject;
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await knownValue(members[name])])),
  );
}

/** A resource as this preview knows it: of kinds that may use what is gone, with all outputs. */
async function described(
  { resource, type, isRead, imports }: Constructed,
  users: ReadonlySet<string>,
): Promise<DeclaredResource> {
  const definition = kindOfType(type);
  const own = definition === undefined ? [] : [...idArguments(definition), "adopt"];
  const more = definition !== undefined && users.has(definition.name) ? outputNames(definition) : [];
  const outputs = await knownOutputs(resource, [...own, ...more]);
  const [urn, ...aliases] = await urnsOf(resource);
  return {
    ...{ urn: String(urn), aliases, type, isRead, outputs },
    isStored: (await knownValue(resource.id)) !== undefined,
    takesOver: imports || outputs.adopt === true,
  };
}

/** Lists of the console that show who uses what goes, or the reason why they were not read. */
interface LiveUsers {
  readonly live?: readonly PossibleUser[];
  readonly problem?: string;
}

/** A preview says less rather than wait long for a console that does not answer: for one answer, and for all, milliseconds. */
const requestTimeoutMs = 3000;
const patienceMs = 10_000;

/** Which console an explicit provider's was, state does not say. */
async function liveUsers(gone: readonly GoneResource[], state: StackState): Promise<LiveUsers> {
  const guarded = gone.filter(isGuarded);
  if (guarded.length === 0) return {};
  if (explicitConfigs(state).length > 0)
    return { problem: unknownUsersText(guarded, "This stack has several consoles.") };
  const kinds = new Set(
    guarded.flatMap(({ definition }) => definition.lifecycle.delete.keptWhileUsed?.kinds ?? []),
  );
  try {
    const listed = await within(patienceMs, possibleUsers(await impatientContext(), kinds));
    if (listed === late) throw new Error(`The console did not answer within ${patienceMs / 1000} s.`);
    return { live: listed.filter(({ definition, values }) => !isArchived(definition, values)) };
  } catch (error) {
    return { problem: unknownUsersText(guarded, messageOf(error)) };
  }
}

/** The resources whose object another one means by now, and the console has in use no more: then nothing is in the way of the other. */
async function absentOf(gone: readonly GoneResource[], state: StackState): Promise<ReadonlySet<string>> {
  const renamed = gone.filter(({ successors }) => successors.some((one) => isRenamed(one, { state })));
  if (renamed.length === 0 || explicitConfigs(state).length > 0) return new Set();
  const look = async () => {
    const context = await impatientContext();
    return Promise.all(
      renamed.slice(0, most).map(async ({ urn, definition, outputs }) => {
        const id = expectedId(definition, outputs);
        if (id === undefined) return [];
        const live = await readLive({ context, definition, id });
        return live === undefined || isArchived(definition, live) ? [urn] : [];
      }),
    );
  };
  // Without an answer, state is what is known.
  const found = await within(patienceMs, look()).catch((): typeof late => late);
  return new Set(found === late ? [] : found.flat());
}

/** A context that asks each question for a short time only. */
async function impatientContext(): Promise<EngineContext> {
  const hurry = { [settingNames.requestTimeoutMs.environment]: String(requestTimeoutMs) };
  const impatient = new ProviderProcess({ environment: () => ({ ...process.env, ...hurry }) });
  impatient.configure(stackConfig);
  impatient.session().guard.know((await knownConsoles()) ?? []);
  return impatient.context();
}

/**
 * Journal entries of other stacks that have taken over objects of these resources, by URN, as far as the journals in the project's
 * folder show it; `home`: another folder than the one that the program runs in. `now`: another clock than this machine's.
 */
export async function takersOf(
  gone: readonly GoneResource[],
  { home = "", now = Date.now }: { readonly home?: string; readonly now?: () => number } = {},
): Promise<ReadonlyMap<string, JournalEntry>> {
  const takers = new Map<string, JournalEntry>();
  // The stack is the one that each state names.
  const unknown = () => undefined;
  for (const { urn, definition, outputs } of gone) {
    const id = expectedId(definition, outputs);
    const { [consoleMember]: console, [stackMember]: stack, [projectMember]: stored } = outputs;
    if (id === undefined || [console, stack, outputs[selfMember]].some((one) => typeof one !== "string"))
      continue;
    const project = typeof stored === "string" ? stored : undefined;
    const ofState = Object.assign(() => Promise.resolve(project), { known: () => project });
    const ports = { home, stack: () => String(stack), now, project: ofState };
    const taker = await laterAdopter({
      context: { journal: fileJournal(String(console), ports), stack: unknown, backend: unknown },
      definition,
      id,
      state: outputs,
    });
    if (taker !== undefined) takers.set(urn, taker);
  }
  return takers;
}

/** A preview must not wait for the CLI for longer than for the console, milliseconds. */
const exportTimeoutMs = 10_000;

/** Options of Pulumi by which what is gone ends. The engine tells them to no program, and the CLI exports them. */
async function endsOf(stack: object): Promise<Pick<PreviewFacts, "endOptions" | "present">> {
  const name = ownStackName();
  if (name === undefined) return {};
  const options = { folder: process.cwd(), environment: process.env, missing: "no pulumi on the PATH" };
  const exported = await exportedObjects(pulumiCommand({ ...options, timeoutMs: exportTimeoutMs }), name);
  const ended = (exported ?? []).filter(
    ({ isHeld, ...one }) => isHeld && (one.isRetained ?? one.deletedWith) !== undefined,
  );
  if (ended.length === 0) return {};
  const urns = await Promise.all(resourcesBelow(stack).map(urnsOf));
  return { endOptions: new Map(ended.map((one) => [one.urn, one])), present: new Set(urns.flat()) };
}

/** The URN of a resource, and those that it may have had. */
async function urnsOf({ urn, __aliases = [] }: SdkResource): Promise<string[]> {
  const urns = await Promise.all([urn, ...__aliases].map((one) => knownValue(pulumi.output(one))));
  return urns.map(String);
}

/** A resource, and all that the program has made in it. */
function resourcesBelow(resource: SdkResource): SdkResource[] {
  return [resource, ...[...(resource.__childResources ?? [])].flatMap(resourcesBelow)];
}
