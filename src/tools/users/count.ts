import {
  type Answers,
  askersOf,
  called,
  doubtOf,
  type Flag,
  type FlagUser,
  type Kind,
  kinds,
  listOf,
  type RebasedSpecs,
  rebaseSpecs,
  SdkWorker,
  type Spec,
  type SpecDocument,
  segmentsInFiles,
  shareOf,
  specsOfKind,
  titleOf,
} from "../../emulator/evaluation";
import { countText, nameIn } from "../../provider/words";
import type { FlagUsers, Subject, UserCounts } from "../review";
import { type Rehearsal, rehearse } from "./rehearsal";
import { addMoves, type Move, movesOf, type Pairs, pairsInOrder, type Tally, tallyOf } from "./tally";

/** Whom a change is counted for. */
export interface Crowd {
  /** Number of users. */
  readonly of: number;
  /** They come one after another: nobody holds all of them. */
  readonly users: Iterable<FlagUser> | AsyncIterable<FlagUser>;
  /** The flags as they are now. */
  readonly live: SpecDocument;
  /** The environment of the SDK; left out: none. */
  readonly environment?: string;
  /** Columns by which counts are split, such as `plan`. */
  readonly by?: readonly string[];
  /** Tells how far it is. */
  readonly progress: (line: string) => void;
  /** Takes who moves; users of rules that only the update draws are not among them. */
  readonly moved?: (moves: readonly Move[]) => void;
}

/** Each answer of the SDK leaves objects behind. With the usual room for them, the threads take twice the memory. */
const countingThread = { youngMb: 4 };

/** Users that are evaluated together. */
const usersTogether = 250;

/** Users between two lines of progress. */
const usersOfLine = 5000;

/**
 * Counts who gets something else by a previewed change: the vendor's SDK evaluates each user before and after it.
 * @throws Error where the live flags are those of another project.
 */
export async function countUsers(subjects: readonly Subject[], crowd: Crowd): Promise<UserCounts> {
  const rehearsal = await rehearse(subjects);
  const { live } = crowd;
  requireSameProject(live, rehearsal.before);
  const { before, after, labelOf } = rehearsal;
  const title = (spec: Spec): string => labelOf(spec.name) ?? titleOf(spec);
  const { document, changed, drawn, left } = rebaseSpecs(live, before, after, title);
  const touched = askersOf([live, document], changed);
  const flags = kinds.flatMap((kind) => flagsOfKind(kind, [live, document], touched));
  // A flag whose own change is left out has no count, but a note.
  const leftPlaces = new Set(left.map(({ place }) => place));
  const isKnown = (flag: Flag) =>
    doubtIn(live, flag.kind, flag.name) === undefined && !leftPlaces.has(placeOf(flag));
  const drawsOf = (flag: Flag): string[] =>
    [...drawn].flatMap(([place, draws]) =>
      askersOf([live, document], [place]).has(placeOf(flag)) ? draws : [],
    );
  const open = new Map(flags.map((flag) => [placeOf(flag), drawsOf(flag)]));
  const isDrawn = (flag: Flag): boolean => open.get(placeOf(flag))?.length !== 0;
  const tallies = await tallyEach(flags.filter(isKnown), document, {
    ...crowd,
    moved: (moves) => crowd.moved?.(moves.filter(({ flag }) => !isDrawn(flag))),
  });
  return {
    of: crowd.of,
    flags: tallies
      .filter(({ flag, pairs }) => pairs.size > 0 || isDrawn(flag))
      .map((tally) => flagUsers(tally, open.get(placeOf(tally.flag)) ?? [], crowd.of)),
    notes: notesOf(rehearsal.problems, left, live, flags),
  };
}

const placeOf = ({ kind, name }: Flag): string => `${listOf(kind)}/${name}`;

const doubtIn = (document: SpecDocument, kind: Kind, name: string) => doubtOf(document, kind, name);

function flagsOfKind(kind: Kind, documents: readonly SpecDocument[], touched: ReadonlySet<string>): Flag[] {
  const names = documents.flatMap((one) => specsOfKind(one, kind).map(({ name }) => name));
  return [...new Set(names)].map((name) => ({ kind, name })).filter((flag) => touched.has(placeOf(flag)));
}

/** Flags without any of the objects that the stack has come from somewhere else. */
function requireSameProject(live: SpecDocument, stack: SpecDocument): void {
  const names = (document: SpecDocument) =>
    kinds.flatMap((kind) => specsOfKind(document, kind).map(({ name }) => `${kind}/${name}`));
  const [there, here] = [new Set(names(live)), names(stack)];
  if (here.length > 0 && !here.some((name) => there.has(name)))
    throw new Error(
      `the flags for --users hold none of the ${countText(here.length)} that the stack has: they come from another project; ` +
        "check the server key, or the console that is read",
    );
}

async function tallyEach(flags: readonly Flag[], document: SpecDocument, crowd: Crowd): Promise<Tally[]> {
  const { live, environment, by = [] } = crowd;
  const tallies = flags.map((flag) => tallyOf(flag, by));
  if (flags.length === 0) return tallies;
  const documents = [JSON.stringify(live), JSON.stringify(document)];
  const task = { flags, ...(environment === undefined ? {} : { environment }) };
  const threads = [new SdkWorker(countingThread), new SdkWorker(countingThread)];
  const asked: { readonly users: FlagUser[]; readonly answers: Promise<readonly Answers[]> }[] = [];
  const tallyFirst = async (): Promise<void> => {
    const first = asked.shift();
    if (first === undefined) return;
    const moves = addMoves(tallies, first.users, await first.answers);
    crowd.moved?.(moves);
  };
  let done = 0;
  try {
    for await (const users of batchesOf(crowd.users)) {
      if (done % usersOfLine === 0)
        crowd.progress(`Evaluating users: ${countText(done)} of ${countText(crowd.of)} ...`);
      // Threads take turns.
      const thread = threads.shift() as SdkWorker;
      threads.push(thread);
      const answers = thread.answers(documents, { ...task, users });
      // A failure is reported when these users are counted.
      answers.catch(() => undefined);
      asked.push({ users, answers });
      done += users.length;
      // No thread waits while users are counted.
      if (asked.length > 2 * threads.length) await tallyFirst();
    }
    while (asked.length > 0) await tallyFirst();
  } finally {
    await Promise.all(threads.map((thread) => thread.close()));
  }
  return tallies;
}

async function* batchesOf(users: Crowd["users"]): AsyncGenerator<FlagUser[]> {
  let batch: FlagUser[] = [];
  for await (const user of users) {
    batch.push(user);
    if (batch.length < usersTogether) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Most pairs of values that a report names. */
const mostMoves = 3;

function flagUsers({ flag, pairs, by }: Tally, draws: readonly string[], of: number): FlagUsers {
  const moves = movesOf(pairs);
  const head = { kind: called(flag.kind), id: flag.name, ...moves };
  if (draws.length > 0) {
    const { gains, loses, otherValue } = moves;
    const drawn = {
      draws: [...new Set(draws)],
      gains: intervalOf(gains, of),
      loses: intervalOf(loses, of),
      otherValue: intervalOf(otherValue, of),
    };
    // Which users a new rule draws is not known, and with them neither is what they have, nor between which values they move.
    return { ...head, drawn };
  }
  const values = pairsInOrder(pairs).filter(({ pair }) => typeof pair[1] !== "boolean");
  const told = values
    .slice(0, mostMoves)
    .map(({ pair: [before, after], users }) => ({ before, after, users }));
  const groups = [...by].map(([column, values]) => [column, movesByValue(values)] as const);
  return {
    ...head,
    ...(told.length === 0 ? {} : { values: told }),
    ...(groups.length === 0 ? {} : { by: Object.fromEntries(groups) }),
  };
}

const movesByValue = (values: ReadonlyMap<string, Pairs>) =>
  Object.fromEntries([...values].map(([value, pairs]) => [value, movesOf(pairs)]));

/**
 * The users that the draw of an update may give in the place of those that this draw gave. The interval holds the real share 999 times
 * in 1,000; the difference of two draws is wider by the root of two, so that it holds another draw 98 times in 100.
 */
function intervalOf(users: number, of: number): readonly [least: number, most: number] {
  const { low, high } = shareOf(users, of);
  return [Math.floor((low / 100) * of), Math.ceil((high / 100) * of)];
}

function notesOf(
  problems: Rehearsal["problems"],
  left: RebasedSpecs["left"],
  live: SpecDocument,
  flags: readonly Flag[],
): string[] {
  const doubts = flags.flatMap(({ kind, name }) => {
    const doubt = doubtIn(live, kind, name);
    return doubt === undefined ? [] : [`Users of ${called(kind)} ${nameIn(name)} are not counted: ${doubt}.`];
  });
  return [
    ...problems.map((text) => `Users are counted without a change: ${text}`),
    ...left.map(({ title, why }) => `Users are counted without a change: ${title}: ${why}`),
    ...doubts,
    ...segmentsInFiles(live).map(
      (segment) =>
        `The ids of segment ${nameIn(segment)} are in a file that is not read: no user counts as in it.`,
    ),
  ];
}
