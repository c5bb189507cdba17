import type { Emulator } from "../../src/emulator";
import type { FlagUser } from "../../src/emulator/evaluation";
import { startOn } from "../../src/emulator/evaluation/sdk";
import { parametersOf, type SpecDocument } from "../../src/emulator/evaluation/specs";
import { readPreview, subjectsOf, type UserCounts } from "../../src/tools/review";
import { countUsers, type Move } from "../../src/tools/users";
import { startCoreSdk, type User } from "../emulator/sdk/server-sdks";
import { Dice } from "../model/random";
import { ReviewDesk } from "../review/desk";
import { serveHttp } from "../support/http-server";
import { drawChange, drawFlags, drawUsers, programOf } from "./draw";

/** Answers of each user by flag, as JSON. */
export type Truth = ReadonlyMap<string, readonly string[]>;

export const documentOf = (emulator: Emulator) => JSON.parse(emulator.sdkDocuments().v1) as SpecDocument;

/** What the vendor's SDK answers each user for each gate, config, experiment and layer of a console, as it is now. */
export const answersOf = (emulator: Emulator, users: readonly FlagUser[]): Promise<Truth> =>
  answersIn(documentOf(emulator), users);

/** Users that one client answers: it remembers something of each. */
const usersOfClient = 5000;

/** What it answers by a document. */
export async function answersIn(document: SpecDocument, users: readonly FlagUser[]): Promise<Truth> {
  const whole = new Map<string, string[]>();
  for (let at = 0; at < users.length; at += usersOfClient)
    for (const [name, list] of await answersOfOne(document, users.slice(at, at + usersOfClient)))
      whole.set(name, [...(whole.get(name) ?? []), ...list]);
  return whole;
}

async function answersOfOne(document: SpecDocument, users: readonly FlagUser[]): Promise<Truth> {
  const client = await startOn(document);
  const layers = document.layer_configs.map(({ name }): [string, string[]] => {
    const parameters = parametersOf(document, name);
    const valuesOf = (user: FlagUser) => {
      const layer = client.getLayer({ userID: "", ...user }, name);
      return Object.fromEntries(parameters.map((one) => [one, layer.getValue(one, null)]));
    };
    return [name, users.map((user) => kept(JSON.stringify(valuesOf(user))))];
  });
  const answers = asked(document, users, {
    gate: (name, user) => client.checkGate(user, name),
    config: (name, user) => client.getConfig(user, name).value,
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
    return asked(documentOf(emulator), users, {
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
  document: SpecDocument,
  users: readonly FlagUser[],
  ask: Readonly<Record<"gate" | "config", (name: string, user: Asked) => unknown>>,
): Truth {
  const whole = users.map((user): Asked => ({ userID: "", ...user }));
  const { gates, configs } = namesIn(document);
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

/** The gates of a document, and its configs with its experiments. */
export function namesIn({ feature_gates, dynamic_configs }: SpecDocument) {
  const gates = feature_gates.filter(({ entity }) => entity === "feature_gate");
  return { gates: gates.map(({ name }) => name), configs: dynamic_configs.map(({ name }) => name) };
}

/** How a prediction compares with the answers after the update. */
export interface Outcome {
  /** Users who move, for whom it was exact. */
  readonly moves: number;
  /** Flags and users that were foretold otherwise; with what was left out, none may be. */
  readonly wrong: readonly string[];
  /** Flags with an interval, and how many hold what came. */
  readonly drawn: number;
  readonly inside: number;
  readonly notes: readonly string[];
  /** Answers in which another SDK differs. */
  readonly disagreements: number;
}

/** What is played. `others`: further SDKs that answer. */
export interface CaseSize {
  readonly flags: number;
  readonly users: number;
  readonly others?: readonly ((document: SpecDocument, users: readonly FlagUser[]) => Promise<Truth>)[];
}

/** Draws a stack and a change of it, counts the users, carries it out and compares each user's answers. */
export async function playCase(seed: number, { others = [], ...size }: CaseSize): Promise<Outcome> {
  const dice = new Dice(seed);
  const users = drawUsers(size.users);
  const desk = new ReviewDesk();
  try {
    const flags = drawFlags(dice, size.flags);
    desk.write(programOf(flags));
    await desk.up();
    const before = await answersOf(desk.emulator, users);
    desk.write(programOf(drawChange(dice, flags)));
    const moves: Move[] = [];
    const found = await countUsers(subjectsOf(readPreview(await desk.previewText())), {
      ...{ of: users.length, users, live: documentOf(desk.emulator), progress: () => {} },
      moved: (some) => moves.push(...some),
    });
    await desk.up();
    const after = await answersOf(desk.emulator, users);
    const told = [await coreAnswersOf(desk.emulator, users)];
    for (const other of others) told.push(await other(documentOf(desk.emulator), users));
    const disagreements = told.reduce((sum, other) => sum + differences(after, other), 0);
    return { ...compared({ users, before, after, found, moves }), disagreements };
  } finally {
    await desk.close();
  }
}

function compared({ users, before, after, found, moves }: Played): Omit<Outcome, "disagreements"> {
  const drawn = new Map(
    found.flags.flatMap((flag) => (flag.drawn === undefined ? [] : [[flag.id, flag.drawn]])),
  );
  const told = new Set(moves.map(({ flag, user, ...answers }) => moveText(flag.name, user, answers)));
  const real = new Map<string, string[]>();
  for (const [id, were] of before)
    real.set(
      id,
      users.flatMap((user, at) => {
        const [was = "", will = ""] = [were[at], after.get(id)?.[at]];
        return was === will ? [] : [moveText(id, user, { before: JSON.parse(was), after: JSON.parse(will) })];
      }),
    );
  const exact = new Set([...real].flatMap(([id, list]) => (drawn.has(id) ? [] : list)));
  const inside = [...drawn].filter(([id, { gains, loses, otherValue }]) => {
    const count = (answer: string): number =>
      (real.get(id) ?? []).filter((one) => one.endsWith(answer)).length;
    const [won, lost] = [count("true"), count("false")];
    const other = (real.get(id)?.length ?? 0) - won - lost;
    return holds(gains, won) && holds(loses, lost) && holds(otherValue, other);
  });
  return {
    moves: exact.size,
    wrong: [...new Set([...told, ...exact])].filter((one) => !told.has(one) || !exact.has(one)),
    ...{ drawn: drawn.size, inside: inside.length, notes: found.notes },
  };
}

interface Played {
  readonly users: readonly FlagUser[];
  readonly before: Truth;
  readonly after: Truth;
  readonly found: UserCounts;
  readonly moves: readonly Move[];
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
