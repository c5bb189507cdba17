import {
  type Answers,
  askedFrom,
  askersOf,
  called,
  doubtOf,
  environmentsOf,
  type Flag,
  type FlagUser,
  inDraw,
  type Kind,
  kinds,
  listOf,
  rebaseSpecs,
  SdkWorker,
  type Spec,
  type SpecDocument,
  segmentsInFiles,
  shareOf,
  specsOfKind,
  titleOf,
  withDraws,
} from "../../emulator/evaluation";
import { managed } from "../../provider/definitions";
import { equalJson } from "../../provider/schema/json";
import { countText, nameIn } from "../../provider/words";
import type { FlagUsers, Subject, UserCounts } from "../review";
import { rehearse } from "./rehearsal";
import { addMoves, type Move, movesOf, type Pairs, pairsInOrder, type Tally, tallyOf } from "./tally";

/** Whom a change is counted for. */
export interface Crowd {
  /** Number of users. */
  readonly of: number;
  /** They come one after another: nobody holds all of them. */
  readonly users: Iterable<FlagUser> | AsyncIterable<FlagUser>;
  /** The flags as they are now. */
  readonly live: SpecDocument;
  /** The environment of the SDK; left out: each that a rule names, and any other. */
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

/** Draws of which an expectation is the mean: many of few users, one of many. */
const mostDraws = 400;
const answersOfDraws = 20_000;

/** Users that are evaluated together. */
const usersTogether = 250;

/** Users between two lines of progress. */
const usersOfLine = 5000;

/**
 * Counts who gets something else by a previewed change: the vendor's SDK evaluates each user before and after it, in each environment
 * by which a rule decides.
 * @throws Error where the live flags are those of another project.
 */
export async function countUsers(subjects: readonly Subject[], crowd: Crowd): Promise<UserCounts> {
  const rehearsal = await rehearse(subjects);
  const { live, environment } = crowd;
  requireSameProject(live, rehearsal.before);
  const { before, after, labelOf } = rehearsal;
  const { document, changed, drawn, left } = rebaseSpecs(live, before, after, {
    title: (spec) => labelOf(spec.name) ?? titleOf(spec),
    knowsBeside: besideKnown(subjects, live, before),
  });
  const documents = [live, document];
  const touched = askersOf(documents, changed);
  const flags = kinds.flatMap((kind) => flagsOfKind(kind, documents, touched));
  // A flag whose own change is left out has no count, but a note.
  const leftPlaces = new Set(left.map(({ place }) => place));
  const doubts = new Map(flags.map((flag) => [flag, doubtOf(document, flag.kind, flag.name)]));
  const counted = flags.filter((flag) => doubts.get(flag) === undefined && !leftPlaces.has(placeOf(flag)));
  const drawsOf = (flag: Flag): string[] =>
    [...drawn].flatMap(([place, draws]) => (askersOf(documents, [place]).has(placeOf(flag)) ? draws : []));
  const open = new Map(counted.map((flag) => [flag, drawsOf(flag)]));
  const asked = new Set(documents.flatMap((one) => [...askedFrom(one, counted.map(placeOf))]));
  const named = documents.flatMap((one) => environmentsOf(one, asked));
  const environments = environment === undefined ? [...new Set(named), null] : [environment];
  const tallies = await tallyEach(counted, document, { ...crowd, environments, open });
  const talliesOf = (flag: Flag) => tallies.filter((tally) => tally.flag === flag);
  const uncounted = [
    ...rehearsal.problems,
    ...left.map(({ title, why }) => `${title}: ${why}`),
    ...[...doubts].flatMap(([{ kind, name }, doubt]) =>
      doubt === undefined ? [] : [`${called(kind)} ${nameIn(name)}: ${doubt}.`],
    ),
  ];
  return {
    of: crowd.of,
    ...(environment === undefined ? {} : { environment }),
    flags: counted.flatMap((flag) => flagUsers(talliesOf(flag), open.get(flag) ?? [], crowd.of)),
    isComplete: uncounted.length === 0,
    notes: [
      ...uncounted.map((text) => `Not counted: ${text}`),
      ...segmentsInFiles(live, asked).map(
        (segment) =>
          `The ids of segment ${nameIn(segment)} are in a file that is not read: no user counts as in it.`,
      ),
    ],
  };
}

const placeOf = ({ kind, name }: Flag): string => `${listOf(kind)}/${name}`;

/** Flags whose answers a change may touch. An experiment in a layer is none by itself: applications ask the layer. */
function flagsOfKind(kind: Kind, documents: readonly SpecDocument[], touched: ReadonlySet<string>): Flag[] {
  const specs = documents.flatMap((one) => specsOfKind(one, kind));
  const inLayers = new Set(specs.filter(({ hasSharedParams }) => hasSharedParams).map(({ name }) => name));
  return [...new Set(specs.map(({ name }) => name))]
    .map((name) => ({ kind, name }))
    .filter((flag) => touched.has(placeOf(flag)) && !inLayers.has(flag.name));
}

/**
 * Finds objects of which the stack has all overrides and holdouts. The live flags do not show those of an object that is off; of
 * gates alone are there any.
 */
function besideKnown(subjects: readonly Subject[], live: SpecDocument, before: SpecDocument) {
  const isHoldout = ({ entity }: Spec): boolean => entity === "holdout";
  const own = new Set(before.feature_gates.filter(isHoldout).map(({ name }) => name));
  const areOwn = live.feature_gates.filter(isHoldout).every(({ name }) => own.has(name));
  const { name: overrides } = managed.gateOverrides;
  const overridden = new Set(
    subjects.filter(({ definition }) => definition.name === overrides).map(({ program }) => program?.gate),
  );
  return ({ entity, name }: Spec): boolean => entity !== "feature_gate" || (areOwn && overridden.has(name));
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

interface Counting extends Crowd {
  /** Environments to count in; null: any that no rule names. */
  readonly environments: readonly (string | null)[];
  /** Draws of the update that decide about a flag. */
  readonly open: ReadonlyMap<Flag, readonly string[]>;
}

/** Counts each flag in each environment. */
async function tallyEach(flags: readonly Flag[], document: SpecDocument, crowd: Counting): Promise<Tally[]> {
  const { live, environments, open, by = [] } = crowd;
  const isLabelled = environments.some((one) => one !== null);
  const tallies = environments.map((one) =>
    flags.map((flag) => tallyOf(flag, by, isLabelled ? one : undefined)),
  );
  if (flags.length === 0) return [];
  const isOpen = (flag: Flag): boolean => open.get(flag)?.length !== 0;
  const places = new Set(flags.filter(isOpen).map(placeOf));
  const draws = Math.max(1, Math.min(mostDraws, Math.floor(answersOfDraws / (crowd.of * places.size))));
  const documents = withDraws([live, document], places, draws).map((one) => JSON.stringify(one));
  // The answers of all draws are counted together, each as a part of a user.
  const columns = flags.flatMap((flag, at) =>
    Array.from({ length: isOpen(flag) ? draws : 1 }, (_, draw) => ({ flag, at, draw })),
  );
  const asks = columns.map(({ flag, draw }) => ({ ...flag, name: inDraw(flag.name, draw) }));
  const inColumns = tallies.map((own) =>
    columns.map(({ at, flag }) => ({ ...(own[at] as Tally), weight: isOpen(flag) ? 1 / draws : 1 })),
  );
  const threads = [new SdkWorker(countingThread), new SdkWorker(countingThread)];
  const asked: { readonly users: FlagUser[]; readonly answers: Promise<readonly Answers[]> }[] = [];
  const tallyFirst = async (): Promise<void> => {
    const first = asked.shift();
    if (first === undefined) return;
    const moves = addMoves(inColumns, first.users, await first.answers);
    crowd.moved?.(moves.filter(({ flag }) => !isOpen(flag)));
  };
  let done = 0;
  try {
    for await (const users of batchesOf(crowd.users)) {
      if (done % usersOfLine === 0)
        crowd.progress(`Evaluating users: ${countText(done)} of ${countText(crowd.of)} ...`);
      // Threads take turns.
      const thread = threads.shift() as SdkWorker;
      threads.push(thread);
      const inEach = environments.flatMap((tier) => users.map((user) => inEnvironment(user, tier, crowd)));
      const answers = thread.answers(documents, { flags: asks, users: inEach });
      // A failure is reported when these users are counted.
      answers.catch(() => undefined);
      asked.push({ users: inEach, answers });
      done += users.length;
      // No thread waits while users are counted.
      if (asked.length > 2 * threads.length) await tallyFirst();
    }
    while (asked.length > 0) await tallyFirst();
  } finally {
    await Promise.all(threads.map((thread) => thread.close()));
  }
  return tallies.flat();
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

/** Environment of a user: the one that is asked for, else the user's own, else one of those that rules name. */
function inEnvironment(user: FlagUser, tier: string | null, { environment }: Crowd): FlagUser {
  if (tier === null || (environment === undefined && user.statsigEnvironment !== undefined)) return user;
  return { ...user, statsigEnvironment: { tier } };
}

/** Counts of one flag: together where they are the same in each environment. */
function flagUsers(tallies: readonly Tally[], draws: readonly string[], of: number): FlagUsers[] {
  const inEach = tallies.map((tally) => ({ tally, users: countsIn(tally, draws, of) }));
  const [first] = inEach;
  const isSame = inEach.every(({ users }) => equalJson(users, first?.users));
  if (first === undefined || (isSame && first.tally.pairs.size === 0 && draws.length === 0)) return [];
  if (isSame && inEach.length > 1) return [first.users];
  return inEach
    .filter(({ tally }) => inEach.length === 1 || tally.pairs.size > 0)
    .map(({ tally: { environment }, users }) =>
      environment === undefined ? users : { ...users, environment },
    );
}

/** Most pairs of values that a report names. */
const mostMoves = 3;

function countsIn({ flag, pairs, by }: Tally, draws: readonly string[], of: number): FlagUsers {
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
