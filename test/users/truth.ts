import type { Emulator } from "../../src/emulator";
import type { FlagUser } from "../../src/emulator/evaluation";
import { startOn } from "../../src/emulator/evaluation/sdk";
import { parametersOf, type SpecDocument } from "../../src/emulator/evaluation/specs";
import { readPreview, subjectsOf, type UserCounts } from "../../src/tools/review";
import { countUsers } from "../../src/tools/users/count";
import { startCoreSdk, type User } from "../emulator/sdk/server-sdks";
import { ReviewDesk } from "../review/desk";
import { serveHttp } from "../support/http-server";
import { Dice } from "../world/dice";
import { crowd } from "../world/draw";
import { touchedIn } from "../world/flags";
import { programText } from "../world/programs";
import { drawChange, drawProgram } from "./draw";

/** Answers of each user by flag, as JSON. */
export type Truth = ReadonlyMap<string, readonly string[]>;

export const documentOf = (emulator: Emulator) => JSON.parse(emulator.sdkDocuments().v1) as SpecDocument;

/** What the vendor's SDK answers each user for each gate, config, experiment and layer of a console, as it is now. */
export const answersOf = (emulator: Emulator, users: readonly FlagUser[]): Promise<Truth> =>
  answersIn(documentOf(emulator), users);

/** What it answers by a document. A client remembers something of each user: thousands of them want one of their own. */
export async function answersIn(
  document: SpecDocument,
  users: readonly FlagUser[],
  names?: ReadonlySet<string>,
): Promise<Truth> {
  const client = await startOn(document);
  const layers = document.layer_configs.filter(isAmong(names)).map(({ name }): [string, string[]] => {
    const parameters = parametersOf(document, name);
    const valuesOf = (user: FlagUser) => {
      const layer = client.getLayer({ userID: "", ...user }, name, { disableExposureLogging: true });
      return Object.fromEntries(parameters.map((one) => [one, layer.getValue(one, null)]));
    };
    return [name, users.map((user) => kept(JSON.stringify(valuesOf(user))))];
  });
  const answers = asked(namesIn(document, names), users, {
    gate: (name, user) => client.checkGateWithExposureLoggingDisabledSync(user, name),
    config: (name, user) => client.getConfigWithExposureLoggingDisabledSync(user, name).value,
  });
  return new Map([...answers, ...layers]);
}

/** The same by the SDK with the core that other languages share. */
async function coreAnswersOf(emulator: Emulator, users: readonly FlagUser[]): Promise<Truth> {
  const { v2 } = emulator.sdkDocuments();
  const server = await serveHttp((request, response) => {
    response.end(request.url?.includes("download_config_specs") ? v2 : '{"success":true}');
  });
  const sdk = await startCoreSdk(server.url);
  try {
    return asked(namesIn(documentOf(emulator)), users, {
      gate: (name, user) => sdk.quietGate(name, user as User),
      config: (name, user) => sdk.config(name, user as User).value,
    });
  } finally {
    await sdk.stop();
    await server.close();
  }
}

type Asked = FlagUser & { userID: string };

function asked(
  { gates, configs }: ReturnType<typeof namesIn>,
  users: readonly FlagUser[],
  ask: Readonly<Record<"gate" | "config", (name: string, user: Asked) => unknown>>,
): Truth {
  const whole = users.map((user): Asked => ({ userID: "", ...user }));
  const all = (kind: "gate" | "config", name: string): [string, string[]] => [
    name,
    whole.map((user) => kept(JSON.stringify(ask[kind](name, user)))),
  ];
  return new Map([...gates.map((name) => all("gate", name)), ...configs.map((name) => all("config", name))]);
}

const texts = new Map<string, string>();

/** The same text once: millions of answers are few different ones. */
function kept(text: string): string {
  const known = texts.get(text) ?? text;
  texts.set(text, known);
  return known;
}

/** The gates of a document, and its configs with its experiments: those of these names. */
export function namesIn({ feature_gates, dynamic_configs }: SpecDocument, names?: ReadonlySet<string>) {
  const gates = feature_gates.filter(({ entity }) => entity === "feature_gate");
  const [asked, configs] = [gates.filter(isAmong(names)), dynamic_configs.filter(isAmong(names))];
  return { gates: asked.map(({ name }) => name), configs: configs.map(({ name }) => name) };
}

const isAmong =
  (names: ReadonlySet<string> | undefined) =>
  ({ name }: { readonly name: string }): boolean =>
    names?.has(name) ?? true;

/** How a prediction compares with the answers after the update. */
export type Outcome = Awaited<ReturnType<typeof playCase>>;

/** What is played. `others`: further SDKs that answer. */
export interface CaseSize {
  readonly flags: number;
  readonly users: number;
  readonly others?: readonly ((document: SpecDocument, users: readonly FlagUser[]) => Promise<Truth>)[];
}

/** Users who are asked for each flag, by each SDK. All others are asked by statsig-node for those that the change touches. */
const askedForAll = 2000;

/** Of those others, how many are asked together. */
const askedTogether = 5000;

/** Draws a stack and a change of it, counts the users, carries it out and compares each user's answers. */
export async function playCase(seed: number, { others = [], ...size }: CaseSize) {
  const dice = new Dice(seed);
  const users = crowd(size.users);
  const api = new ReviewDesk();
  try {
    const program = drawProgram(dice, size.flags);
    api.write(programText(program));
    await api.up();
    const before = documentOf(api.emulator);
    api.write(programText(drawChange(dice, program)));
    const told = new Set<string>();
    const found = await countUsers(subjectsOf(readPreview(await api.previewText())), {
      ...{ of: users.length, users, live: before, progress: () => {} },
      moved(moves) {
        for (const { flag, user, ...answers } of moves) told.add(moveText(flag.name, user, answers));
      },
    });
    await api.up();
    const after = documentOf(api.emulator);
    const { real, disagreements } = await carriedOut(before, after, users, [
      (some) => coreAnswersOf(api.emulator, some),
      ...others.map((other) => (some: readonly FlagUser[]) => other(after, some)),
    ]);
    return { ...compared({ real, found, told }), disagreements };
  } finally {
    await api.close();
  }
}

/** Who moved, by flag, and how often other SDKs answer otherwise. */
async function carriedOut(
  before: SpecDocument,
  after: SpecDocument,
  users: readonly FlagUser[],
  otherAnswers: readonly ((users: readonly FlagUser[]) => Promise<Truth>)[],
) {
  const real = new Map<string, string[]>();
  const compare = async (some: readonly FlagUser[], names?: ReadonlySet<string>): Promise<Truth> => {
    const [were, are] = [await answersIn(before, some, names), await answersIn(after, some, names)];
    for (const [id, list] of were)
      real.set(id, [...(real.get(id) ?? []), ...movesOf(id, some, [list, are.get(id) ?? []])]);
    return are;
  };
  const [first, rest] = [users.slice(0, askedForAll), users.slice(askedForAll)];
  const answers = await compare(first);
  let disagreements = 0;
  for (const other of otherAnswers) disagreements += differences(answers, await other(first));
  const touched = touchedIn(before, after);
  for (let at = 0; at < rest.length; at += askedTogether)
    await compare(rest.slice(at, at + askedTogether), touched);
  return { real, disagreements };
}

const movesOf = (
  id: string,
  users: readonly FlagUser[],
  [were, are]: readonly [readonly string[], readonly string[]],
): string[] =>
  users.flatMap((user, at) => {
    const [was = "", will = ""] = [were[at], are[at]];
    return was === will ? [] : [moveText(id, user, { before: JSON.parse(was), after: JSON.parse(will) })];
  });

function compared({ real, found, told }: Played) {
  const drawn = new Map(found.flags.flatMap((one) => (one.drawn === undefined ? [] : [[one.id, one.drawn]])));
  const exact = new Set([...real].flatMap(([id, list]) => (drawn.has(id) ? [] : list)));
  const inside = [...drawn].filter(([id, { gains, loses, otherValue }]) => {
    const count = (answer: string): number =>
      (real.get(id) ?? []).filter((one) => one.endsWith(answer)).length;
    const [won, lost] = [count("true"), count("false")];
    const other = (real.get(id)?.length ?? 0) - won - lost;
    return holds(gains, won) && holds(loses, lost) && holds(otherValue, other);
  });
  return {
    /** Users who move, for whom it was exact. */
    moves: exact.size,
    /** Flags and users that were foretold otherwise; with what was left out, none may be. */
    wrong: [...exact].filter((one) => !told.has(one)).concat([...told].filter((one) => !exact.has(one))),
    /** Flags with an interval, and how many hold what came. */
    ...{ drawn: drawn.size, inside: inside.length, notes: found.notes },
  };
}

interface Played {
  readonly real: ReadonlyMap<string, readonly string[]>;
  readonly found: UserCounts;
  readonly told: ReadonlySet<string>;
}

const moveText = (
  id: string,
  { userID }: FlagUser,
  { before, after }: { before: unknown; after: unknown },
): string => `${id} ${userID}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`;

const holds = ([least, most]: readonly [number, number], count: number): boolean =>
  least <= count && count <= most;

const differences = (one: Truth, other: Truth): number =>
  [...one].reduce(
    (sum, [id, list]) => sum + list.filter((answer, at) => answer !== other.get(id)?.[at]).length,
    0,
  );
