import * as pulumi from "@pulumi/pulumi";
import { consoleMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { visibleLines } from "../../texts/issue-text";
import { knownValue } from "../output-parts";
import { permissionsOf } from "../permissions";
import { collectSettings } from "../provider-settings";
import { codeUncheckedText, foreignCode, foreignCodeAdvice, foreignCodeText } from "../runs/foreign-code";
import { noteAsInPreview, ownStackName, type StackState, storedState, whyUnread } from "../runs/stack-state";
import { stackConfig } from "../stack-config";
import {
  type DeclaredResource,
  goneResources,
  isGuarded,
  type LiveObject,
  type PreviewFacts,
} from "./gone-resources";
import { otherCodeNotice } from "./other-code";
import { elsewhereNotice, keyUntriedText, noticesOf, unknownUsersText } from "./preview-notice";
import { explicitConfigs, kinds, type PreviewKind } from "./stored-kinds";

/** A resource that the program has constructed. */
interface Constructed {
  readonly resource: pulumi.CustomResource;
  readonly type: string;
  readonly isRead: boolean;
  readonly imports: boolean;
}

/** What one run of a program has constructed, by whichever copy of this package. */
interface ProgramRun {
  readonly resources: Constructed[];
  isOver: boolean;
}

/** What registrations wait for, by program. */
const beginnings = new WeakMap<object, Promise<void>>();

/** Makes a kind known. Its program says at the end of a preview what no provider is asked about. */
export function watchKind(type: string, kind: PreviewKind): void {
  if (kinds.size === 0) process.once("beforeExit", reportAtExit);
  kinds.set(type, kind);
}

/**
 * What registrations of a preview wait for: that it is said which objects are in another console, because the first
 * resource with such an object ends the run. Undefined in an update.
 */
export function beforeRegistering(): Promise<void> | undefined {
  const stack = pulumi.runtime.isDryRun() ? pulumi.runtime.getStackResource() : undefined;
  if (stack === undefined) return undefined;
  // Where this fails, nothing is reported: the provider reports it for each resource.
  const beginning = beginnings.get(stack) ?? begin();
  beginnings.set(stack, beginning);
  return beginning;
}

/** @throws RunError where the state holds code of somebody else, before any provider is asked. */
async function begin(): Promise<void> {
  const state = await storedState().catch(() => undefined);
  const unread = whyUnread();
  if (state === undefined && unread !== undefined) await pulumi.log.warn(codeUncheckedText(unread));
  const urns = foreignCode([...(state ?? [])].map(([urn, stored]) => ({ urn, ...stored })));
  if (urns.length > 0) throw new pulumi.RunError(`${foreignCodeText(urns)} ${foreignCodeAdvice}`);
  await sayElsewhere().catch(() => undefined);
}

/** Notes that the program has constructed a resource. */
export function noteConstructed(constructed: Constructed): void {
  if (pulumi.runtime.isDryRun()) runOf(pulumi.runtime.getStackResource())?.resources.push(constructed);
  else noteUpdate();
}

/** To a plan an update is to be as its preview was, also one whose program has no resources left. */
function noteUpdate(): void {
  const stack = pulumi.runtime.getStackResource();
  if (stack !== undefined) void noteAsInPreview(knownValue(stack.urn));
}

/** Kept at the stack, where another copy of this package finds it too: its resources are not gone. */
function runOf(stack: object | undefined): ProgramRun | undefined {
  const member = Symbol.for("pulumi-feature-console.preview");
  const holder = stack as { [member]?: ProgramRun } | undefined;
  if (holder === undefined) return undefined;
  holder[member] ??= { resources: [], isOver: false };
  return holder[member];
}

async function sayElsewhere(): Promise<void> {
  const state = await storedState();
  if (state === undefined || permissionsOf(process.env).leaveInOtherConsole === true) return;
  const consoles = consolesOf(state);
  if (consoles === undefined) return;
  const notice = elsewhereNotice({ state, kinds }, consoles, (object) => {
    const { elsewhereText } = require("../../engine/context") as typeof import("../../engine/context");
    return elsewhereText(object);
  });
  if (notice !== undefined) await pulumi.log.warn(visibleLines(notice));
}

/** The event comes again after what is done here: this listens once. What fails here is no failure of the program. */
function reportAtExit(exitCode: number): void {
  if (exitCode !== 0) return;
  if (pulumi.runtime.isDryRun()) void sayNotices().catch(() => undefined);
  else noteUpdate();
}

async function sayNotices(): Promise<void> {
  const stack = pulumi.runtime.isDryRun() ? pulumi.runtime.getStackResource() : undefined;
  const run = runOf(stack);
  // A program that failed has not declared all of its resources.
  if (stack === undefined || run === undefined || run.isOver || pulumi.log.hasErrors()) return;
  run.isOver = true;
  const state = await storedState();
  if (state === undefined) return;
  const otherCode = await otherCodeNotice(stack, state).catch(() => undefined);
  if (otherCode !== undefined) await pulumi.log.warn(otherCode);
  const urns = await Promise.all(run.resources.map(({ resource }) => knownValue(resource.urn)));
  if (urns.includes(undefined)) return;
  const declared = new Set(urns);
  const missing = new Set(
    [...state].flatMap(([urn, { type }]) => (kinds.has(type) && !declared.has(urn) ? [type] : [])),
  );
  if (missing.size === 0) return;
  const known: PreviewFacts = {
    declared: await Promise.all(run.resources.map((one) => described(one, missing))),
    state,
    kinds,
    remote: remoteTypes(stack),
    consoles: consolesOf(state),
  };
  const facts: PreviewFacts = { ...known, ...(await endsOf(known, stack)) };
  const { live, problem } = await liveUsers(facts);
  const takers = await takersIn(facts);
  for (const notice of noticesOf({ ...facts, live, takers })) await pulumi.log.warn(visibleLines(notice));
  if (problem !== undefined) await pulumi.log.warn(visibleLines(problem));
  if (live === undefined && problem === undefined && (await asksNobody(run, facts)))
    await pulumi.log.info(keyUntriedText);
}

/** True for a preview that only removes: no provider is asked about that, which would report that the key is untried. */
async function asksNobody({ resources }: ProgramRun, facts: PreviewFacts): Promise<boolean> {
  const goes = goneResources(facts).some(
    ({ how, successors }) => how !== "retain" && successors.length === 0,
  );
  if (!goes || explicitConfigs(facts.state).length > 0) return false;
  if (collectSettings(stackConfig, process.env).profile === "embedded") return false;
  const same = await Promise.all(
    resources.map(async ({ resource, type, isRead }) => {
      const stored = facts.state.get(String(await knownValue(resource.urn)));
      if (stored === undefined || isRead) return false;
      const outputs = (kinds.get(type)?.outputs ?? []).filter((name) => stored.outputs[name] !== undefined);
      const values = outputs.map((name) => knownValue((resource as unknown as JsonObject)[name]));
      // What the console fills in is not known beforehand of a resource that changes.
      return !(await Promise.all(values)).includes(undefined);
    }),
  );
  return !same.includes(false);
}

/** A resource as this preview knows it, with the outputs that matter where resources of these types are missing. */
async function described(
  { resource, type, isRead, imports }: Constructed,
  missing: ReadonlySet<string>,
): Promise<DeclaredResource> {
  const kind = kinds.get(type);
  const mayAsk = [...missing].some((gone) => kinds.get(gone)?.usedBy?.kinds.includes(kind?.name ?? ""));
  const names = mayAsk ? (kind?.outputs ?? []) : [...(kind?.identity ?? []), "adopt"];
  const outputs: JsonObject = {};
  for (const name of names) {
    const value = await knownValue((resource as unknown as JsonObject)[name]);
    if (value !== undefined) outputs[name] = value;
  }
  const { __aliases: aliases = [] } = resource as unknown as { __aliases?: pulumi.Input<string>[] };
  const urns = await Promise.all(aliases.map((alias) => knownValue(pulumi.output(alias))));
  return {
    urn: String(await knownValue(resource.urn)),
    type,
    isStored: (await knownValue(resource.id)) !== undefined,
    isRead,
    takesOver: imports || outputs.adopt === true,
    aliases: urns.map(String),
    outputs,
  };
}

/** Digests of the consoles that the settings of this run and of the explicit providers in state lead to. */
function consolesOf(state: StackState): ReadonlySet<string> | undefined {
  if (![...state.values()].some(({ outputs }) => outputs[consoleMember] !== undefined)) return undefined;
  const { consoleDigest } = require("../runs/console-digest") as typeof import("../runs/console-digest");
  const digests = [stackConfig, ...explicitConfigs(state)].flatMap((config) => {
    try {
      return [consoleDigest(collectSettings(config, process.env))];
    } catch {
      return [];
    }
  });
  return digests.length === 0 ? undefined : new Set(digests);
}

/** What the console has of kinds that may use what goes, and in the place of it why that is not known. */
interface LiveUsers {
  readonly live?: LiveObject[];
  readonly problem?: string;
}

/** Which console an explicit provider's was, state does not say. */
async function liveUsers(facts: PreviewFacts): Promise<LiveUsers> {
  const guarded = goneResources(facts).filter(isGuarded);
  if (guarded.length === 0) return {};
  if (explicitConfigs(facts.state).length > 0)
    return { problem: unknownUsersText(guarded, "This stack has several consoles.") };
  const names = new Set(guarded.flatMap(({ facts: kind }) => kind.usedBy?.kinds ?? []));
  // Loads what speaks to a console.
  const { objectsOf } = require("./live-objects") as typeof import("./live-objects");
  try {
    const { knownConsoles } = require("./known-consoles") as typeof import("./known-consoles");
    return { live: await objectsOf([...names], stackConfig, (await knownConsoles()) ?? []) };
  } catch (error) {
    return { problem: unknownUsersText(guarded, (error as Error).message) };
  }
}

/** Which stacks have taken over what is gone. Which backend keeps the state, the process of a program may not be told. */
async function takersIn(facts: PreviewFacts): Promise<PreviewFacts["takers"]> {
  const gone = goneResources(facts);
  if (gone.length === 0) return undefined;
  const { takersOf } = require("./takers") as typeof import("./takers");
  return takersOf(gone).catch(() => undefined);
}

/** A preview must not wait for the CLI for longer than for the console, milliseconds. */
const exportTimeoutMs = 10_000;

/** By which options of Pulumi what is gone ends. The engine tells them to no program, and the CLI exports them. */
async function endsOf(
  facts: PreviewFacts,
  stack: object,
): Promise<Pick<PreviewFacts, "endOptions" | "present">> {
  const name = ownStackName();
  if (goneResources(facts).length === 0 || name === undefined) return {};
  const { exportedEndOptions } = require("../runs/exported-state") as typeof import("../runs/exported-state");
  const { pulumiCommand } = require("../runs/cli") as typeof import("../runs/cli");
  const options = { folder: process.cwd(), environment: process.env, missing: "no pulumi on the PATH" };
  const endOptions = await exportedEndOptions(
    pulumiCommand({ ...options, timeoutMs: exportTimeoutMs }),
    name,
  );
  return endOptions.size === 0 ? {} : { endOptions, present: new Set(await urnsBelow(stack)) };
}

/** URNs of all that the program has made in this process, and those that it may have had. */
async function urnsBelow(resource: object): Promise<string[]> {
  const { __childResources, __aliases, urn } = resource as {
    __childResources?: Iterable<object>;
    __aliases?: pulumi.Input<string>[];
    urn?: pulumi.Output<string>;
  };
  const below = await Promise.all([...(__childResources ?? [])].map(urnsBelow));
  const own = await Promise.all([urn, ...(__aliases ?? [])].map((one) => knownValue(pulumi.output(one))));
  return [...own.map(String), ...below.flat()];
}

/** Types of the components that run in processes of their own. */
function remoteTypes(resource: object): Set<string> {
  const { __childResources, __remote, __pulumiType } = resource as {
    __childResources?: Iterable<object>;
    __remote?: boolean;
    __pulumiType?: string;
  };
  const below = [...(__childResources ?? [])].flatMap((child) => [...remoteTypes(child)]);
  return new Set([...(__remote === true && __pulumiType !== undefined ? [__pulumiType] : []), ...below]);
}
