import { catalog } from "../../src/provider/definitions";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import type { Change } from "../../src/tools/review";
import { kinds, type Played } from "./play";
import {
  type Answers,
  answersOf,
  type Environment,
  environments,
  type Group,
  type TwoAnswers,
  users,
} from "./users";

/** What sentences about one object are held against. */
export interface Ground {
  readonly played: Played;
  readonly change: Change;
  /** The object in the console before and after; undefined where it is not there. */
  readonly before: Item;
  readonly after: Item;
  /** Users of whom a sentence says that they gain or lose, by environment: of the others none may. */
  readonly named: Map<Environment, Set<number>>;
}

/** Why a sentence is not so; undefined where it is. */
export type Verdict = string | undefined;

/** What a sentence is like, and what must be so where it is said; its parts are the groups of the pattern. */
export type SentenceOf<G> = readonly [RegExp, (parts: readonly string[], ground: G) => Verdict];
export type Sentence = SentenceOf<Ground>;

/** The verdict of the first sentence that a text is like; `otherwise`: where it is like none. */
export function verdictBy<G>(
  table: readonly SentenceOf<G>[],
  text: string,
  ground: G,
  otherwise: Verdict,
): Verdict {
  for (const [pattern, check] of table) {
    const found = pattern.exec(text);
    if (found !== null) return check([...found].slice(1), ground);
  }
  return otherwise;
}

/** The kind that a report or a preview calls so: by its class, or as in a sentence. */
export function kindCalled(text: string): string | undefined {
  return kinds.find((name) => catalog[name].kind === text || catalog[name].title === text);
}

/** True where the report knows of an object no more than an old state shows. */
export function seesOldState({ played: { drawn } }: Ground): boolean {
  return drawn.offline && drawn.oldState;
}

/** An object of the console; undefined where there is none. */
export type Item = JsonObject | undefined;
export type Side = "before" | "after";

export function rulesOf(item: Item): readonly JsonObject[] {
  return Array.isArray(item?.rules) ? item.rules.filter(isObject) : [];
}

export function ruleIn(item: Item, name: unknown): Item {
  return rulesOf(item).find((rule) => rule.name === name);
}

export function isOn(item: Item): boolean {
  return item?.isEnabled === true && item.status !== "Archived";
}

export function around(ground: Ground, environment: Environment): TwoAnswers {
  const [before, after] = [ground.played.before, ground.played.after].map(({ evaluation }) =>
    answersOf(evaluation, String(ground.change.called), environment),
  ) as [Answers, Answers];
  return { before, after };
}

export function everywhere(ground: Ground, holds: (answers: TwoAnswers) => boolean): boolean {
  return environments.every((environment) => holds(around(ground, environment)));
}

/** True where the report says that it does not know what the console has. */
export function saysOwn({ change }: Ground): boolean {
  return change.inConsole === "not known";
}

export function namesIn(text: string): string[] {
  return [...text.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
}

export function nameAll({ named }: Ground, environment: Environment, group: Group): void {
  const known = named.get(environment) ?? new Set<number>();
  for (const at of group) known.add(at);
  named.set(environment, known);
}

export function nameEverybody(ground: Ground): Verdict {
  for (const environment of environments)
    nameAll(
      ground,
      environment,
      users.map((_, at) => at),
    );
  return undefined;
}
