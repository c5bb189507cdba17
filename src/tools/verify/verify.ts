import { managed } from "../../provider/definitions";
import type { EngineContext } from "../../provider/engine";
import { wholeList } from "../../provider/engine/listing";
import type { ResourceDefinition } from "../../provider/schema/define";
import { isConsoleError, messageOf } from "../../provider/schema/errors";
import { countOf, occurrences, pluralOf } from "../../provider/texts/count-text";
import { expressed } from "../import/objects";
import { argumentsCode } from "../import/program/argument-code";
import type { ProgramObject } from "../import/program/program-object";
import { type Found, type ReadProgress, readKind } from "../import/reading";
import { memberQuestions } from "./member-questions";
import { isLacking, type Made, mostWrites, namePrefix, ProbeSession } from "./probe-session";
import { type Answered, answered, type Question, undecided } from "./question";
import { readQuestions } from "./read-questions";
import { switchQuestions } from "./switch-questions";
import { writeQuestions } from "./write-questions";

/** Questions that need throw-away objects. */
const askedByWrites = [...switchQuestions.byWrites, ...writeQuestions, ...memberQuestions];

/** Every question, by reads alone first. */
export const questions: readonly Question[] = [...readQuestions, ...askedByWrites];

/** Choice of the questions, and leave to ask them. */
export interface VerifyOptions {
  /** With throw-away objects, too. */
  readonly write: boolean;
  /** Ids of the questions; left out: all. */
  readonly only?: readonly string[] | undefined;
  /** The id of the project that may be written to although applications ask it. */
  readonly project?: string | undefined;
}

/** Ports of a run. */
export interface VerifyPorts {
  readonly context: EngineContext;
  /** Mark of this run in the names of its objects: letters and digits. */
  readonly run: string;
  /** Reports progress in one line. */
  readonly report: (line: string) => void;
  readonly progress: ReadProgress;
  /** Asks the person who runs this, before the first write. */
  readonly confirm: (text: string) => Promise<boolean>;
  /** Ends the questions; what was made is removed all the same. */
  readonly signal: AbortSignal;
}

/** The answers of a console. Holds no key, no name and no value of an object, but for the throw-away ones. */
export type Verified = Awaited<ReturnType<typeof verify>>;

/**
 * Asks a console the questions that its reference leaves open. Sends no write without `write`.
 * @throws ConsoleError where the console does not answer, or refuses the key; Error where nothing may be written.
 */
export async function verify(options: VerifyOptions, ports: VerifyPorts) {
  const { context, signal, run } = ports;
  const session = new ProbeSession(context, run);
  const isAsked = ({ id }: Question) => options.only?.includes(id) ?? true;
  await requireConsole(context);
  const read = await readObjects(ports);
  const writing = options.write ? askedByWrites.filter(isAsked) : [];
  if (writing.length > 0 && !signal.aborted) await allowWrites(options, ports, read.found, writing.length);
  const asked = [...readQuestions.filter(isAsked), ...writing];
  const answers: Answered[] = [];
  let left: readonly Made[] = [];
  try {
    const leftovers = writing.length > 0 ? await session.leftovers() : [];
    if (leftovers.length > 0) {
      ports.report(`Removing ${countOf(leftovers.length, "object")} of an interrupted run.`);
      await session.clear(leftovers);
    }
    for (const question of asked) {
      if (signal.aborted) break;
      answers.push(await answerTo(question, session, read.found));
      if (writing.length > 0)
        ports.report(`${answers.length} of ${asked.length} questions, ${session.writes} writes`);
    }
  } finally {
    if (writing.length > 0) left = await removeAll(session, ports);
  }
  const { found, unknown, missing } = read;
  return {
    /** Digest of the console's address: the answers of another console count for nothing. */
    console: context.console ?? "",
    ...{ objects: found.length, unknown, missing, questions: answers, writes: session.writes },
    /** Throw-away objects that could not be deleted. */
    left,
    isInterrupted: signal.aborted,
  };
}

/** Removes what was made, and finds by name what a lost answer may have hidden. */
async function removeAll(session: ProbeSession, { report }: VerifyPorts): Promise<readonly Made[]> {
  report("Removing the objects of this run.");
  const left = await session.clear();
  const hidden = (await session.leftovers()).filter(
    ({ kind, id }) => !left.some((one) => one.kind === kind && one.id === id),
  );
  return [...left, ...(await session.clear(hidden))];
}

async function answerTo(question: Question, session: ProbeSession, found: readonly Found[]) {
  if (session.isForbidden) return undecided(question, "this key may not write (403)");
  try {
    return answered(question, await question.ask(session, found));
  } catch (error) {
    if (isConsoleError(error, "unauthorized")) throw error;
    // Not the console's own text: the answers are fit for a bug report.
    if (isConsoleError(error))
      return undecided(question, `${error.category} (${error.status ?? "no answer"})`);
    return undecided(question, messageOf(error));
  }
}

/** @throws Error where another service answers, or a console of another version. */
async function requireConsole({ client }: EngineContext): Promise<void> {
  const [route, input] = wholeList(managed.gate, "list");
  try {
    for await (const gate of client.items(route, { ...input, query: { ...input.query, limit: 1 } })) {
      if ((gate.id ?? gate.name) !== undefined) return;
      throw new Error(`GET /gates succeeded, but the answer is no list of gates. ${otherService}`);
    }
  } catch (error) {
    // A key that may not read gates may read other kinds.
    if (isConsoleError(error, "forbidden")) return;
    if (!isLacking(error)) throw error;
    throw new Error(`${error.message} ${otherService}`);
  }
}

const otherService =
  "Another service answers, or a console of another version: check feature-console:baseUrl and feature-console:profile.";

/** Reads every object, and has the definitions check whether a program could declare it. */
async function readObjects({ context, progress, signal }: VerifyPorts) {
  const found: Found[] = [];
  const missing: { readonly kind: string; readonly status: number | undefined }[] = [];
  for (const definition of Object.values<ResourceDefinition>(managed)) {
    if (signal.aborted) break;
    try {
      found.push(...(await readKind(context, definition, () => true, progress)));
    } catch (error) {
      const cause = isConsoleError(error) ? error : (error as Error).cause;
      if (!isLacking(cause)) throw error;
      missing.push({ kind: pluralOf(definition.title), status: cause.status });
    }
  }
  const unknown = expressed(found, true)
    .objects.filter((one) => one.notExpressible.length > 0 || holdsUnknownValue(one))
    .map(({ definition }) => pluralOf(definition.title));
  return {
    found,
    /** Kinds that could not be read, in the plural, with the status of the answer. */
    missing,
    /** Objects of which this version does not know everything, by kind, in the plural: "gates". */
    unknown: [...occurrences(unknown)].map(([kind, objects]) => ({ kind, objects })),
  };
}

/** True where a value is none that the types of this version offer. */
function holdsUnknownValue({ definition, args }: ProgramObject): boolean {
  const unusual: string[] = [];
  const note = (path: string) => unusual.push(path);
  argumentsCode(definition, args, { reference: () => undefined, ids: () => "", unusual: note });
  return unusual.length > 0;
}

/** @throws Error where nothing may be written. */
async function allowWrites(
  { project }: VerifyOptions,
  { context, confirm }: VerifyPorts,
  found: readonly Found[],
  count: number,
): Promise<void> {
  const id = await context.client.project();
  const isAsked = found.some(({ live }) => typeof live.checksPerHour === "number" && live.checksPerHour > 0);
  const name = id === undefined ? "" : ` (${id})`;
  const looksLive = isAsked || /prod|live/i.test(id ?? "");
  if (looksLive && (project === undefined || project !== id))
    throw new Error(
      `${isAsked ? `applications ask this project${name}` : `the id of this project${name} reads like production`}. ` +
        `Nothing was written. Use a project for trials${id === undefined ? "" : `, or give --project ${id}`}`,
    );
  const text = `Asks ${count} questions of throw-away objects named ${namePrefix}…, and removes them: at most ${mostWrites} writes.`;
  if (!(await confirm(text))) throw new Error("Nothing was written.");
}
