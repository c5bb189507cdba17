import * as pulumi from "@pulumi/pulumi";
import { keptIn } from "../../schema/memoized";
import { visibleLines } from "../../texts/issue-text";
import { knownValue, type SdkResource } from "../output-parts";
import { permissionsOf } from "../provider-settings";
import {
  codeOf,
  codeUncheckedText,
  foreignCode,
  foreignCodeAdvice,
  foreignCodeText,
  otherCode,
  otherCodeNotice,
} from "../runs/foreign-code";
import { noteAsInPreview, type StackState, storedState, whyUnread } from "../runs/stack-state";
import { kindInType } from "../stored-names";
import { providerMember } from "../wire";
import { consolesOf, elsewhereNotice } from "./known-consoles";
import { type ClassTraits, type Constructed, kinds } from "./stored-kinds";

/** Resources that one run of a program has constructed, by whichever copy of this package. */
interface ProgramRun {
  readonly resources: Constructed[];
  isOver: boolean;
}

/** Work that registrations wait for, by program. */
const beginnings = new WeakMap<object, Promise<void>>();

/** Makes a kind known. Its program says at the end of a preview what no provider is asked about. */
export function watchKind(type: string, kind: ClassTraits): void {
  if (kinds.size === 0) process.once("beforeExit", reportAtExit);
  kinds.set(type, kind);
}

/**
 * Work that registrations of a preview wait for: a notice of the objects in another console, because the first
 * resource with such an object ends the run. Undefined in an update.
 */
export function beforeRegistering(): Promise<void> | undefined {
  const stack = pulumi.runtime.isDryRun() ? pulumi.runtime.getStackResource() : undefined;
  if (stack === undefined) return undefined;
  // A failure of this is not reported: the provider reports it for each resource.
  return keptIn(beginnings, stack, begin);
}

/** @throws RunError where the state holds foreign code, before any provider is asked. */
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
  const notice = consoles === undefined ? undefined : elsewhereNotice(state, consoles);
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
  const notice = await noticeOfOtherCode(stack, state).catch(() => undefined);
  if (notice !== undefined) await pulumi.log.warn(notice);
  const urns = await Promise.all(run.resources.map(({ resource }) => knownValue(resource.urn)));
  if (urns.includes(undefined)) return;
  const declared = new Set(urns);
  const isGone = ([urn, { type }]: [string, { type: string }]) =>
    kindInType(type) !== undefined && !declared.has(urn);
  if (![...state].some(isGone)) return;
  // Loads the definitions.
  const { reportRemovals } = require("./removals") as typeof import("./removals");
  await reportRemovals(run.resources, state, stack);
}

/** Notice of a preview about code in the state that neither this package nor the program brings; undefined where there is none. */
async function noticeOfOtherCode(stack: object, state: StackState): Promise<string | undefined> {
  const stored = [...state].map(([urn, one]) => ({ urn, ...one }));
  if (otherCode(stored).length === 0) return undefined;
  const urns = otherCode(stored, new Set(await codesOfProgram(stack)));
  return urns.length === 0 ? undefined : otherCodeNotice(urns);
}

/** The code that the program itself brings, by type: it registers each of its dynamic resources with it. */
async function codesOfProgram(resource: SdkResource): Promise<string[]> {
  const { __childResources: below = [], __pulumiType: type = "", [providerMember]: provider } = resource;
  const text = pulumi.CustomResource.isInstance(resource) ? await knownValue(provider) : undefined;
  const own = typeof text === "string" ? [codeOf(type, text)] : [];
  return [own, ...(await Promise.all([...below].map(codesOfProgram)))].flat();
}
