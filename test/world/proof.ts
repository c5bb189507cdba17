import { seconds } from "../../scripts/process/progress";

/** Cases that seeds decide, played one after the other. */
export interface Cases<Outcome> {
  /** What they are, such as "histories". */
  readonly what: string;
  readonly n: number;
  /** Of the first; the others follow. */
  readonly seed: number;
  /** Plays one; undefined: it cannot be played. */
  play(seed: number): Promise<Outcome | undefined>;
  isWrong(outcome: Outcome): boolean;
  /** One that is wrong, for people; a shorter one where it can be. */
  text(outcome: Outcome): string | Promise<string>;
  onOutcome?(outcome: Outcome): void;
}

/** Most cases that are shown: those that follow mostly have the same reason. */
const mostShown = 8;

/** Plays all, tells how far it is, and shows the first that are wrong. @returns how many are. */
export async function playCases<Outcome>(cases: Cases<Outcome>): Promise<number> {
  const started = Date.now();
  let told = started;
  let wrong = 0;
  for (let done = 0; done < cases.n; done += 1) {
    const outcome = await cases.play(cases.seed + done);
    if (outcome !== undefined) {
      cases.onOutcome?.(outcome);
      if (cases.isWrong(outcome)) wrong += 1;
      if (cases.isWrong(outcome) && wrong <= mostShown) tell(`\n${await cases.text(outcome)}`);
    }
    if (Date.now() - told < 10_000) continue;
    told = Date.now();
    tell(`${done + 1} of ${cases.n} ${cases.what}, ${wrong} not right, ${seconds(told - started)}`);
  }
  return wrong;
}

/** A line for who waits; what was found goes to standard output. */
export function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Ends a proof: its figures on standard output, and 1 where anything was wrong. */
export function conclude(text: string, wrong: number): void {
  process.stdout.write(`${text}\n`);
  process.exitCode = wrong > 0 ? 1 : 0;
}

/** Looks for planted mistakes: each has to be found. */
export async function findAll<Planted extends { readonly name: string }>(
  all: readonly Planted[],
  find: (one: Planted) => Promise<string | undefined>,
): Promise<void> {
  let missed = 0;
  for (const one of all) {
    const text = await find(one);
    if (text === undefined) missed += 1;
    process.stdout.write(text === undefined ? `not found: ${one.name}\n` : `found: ${one.name}\n${text}\n`);
  }
  conclude(`${all.length - missed} of ${all.length} planted mistakes found`, missed);
}

/** A smaller case that is wrong in the same way: parts of it go as long as it is. */
export async function shrink<Case>(
  whole: Case,
  smaller: (from: Case) => Iterable<Case>,
  isWrong: (one: Case) => Promise<boolean>,
): Promise<Case> {
  for (const next of smaller(whole)) if (await isWrong(next)) return shrink(next, smaller, isWrong);
  return whole;
}
