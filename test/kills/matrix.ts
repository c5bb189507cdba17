import { removeTree } from "../../scripts/process/atomic-folder";
import type { Adapter } from "../laws/subject";
import { Dice } from "../world/dice";
import { pictureOf } from "../world/picture";
import type { Declared } from "../world/programs";
import { declare } from "./program";
import {
  commandOf,
  type Outcome,
  type Plan,
  playRound,
  programOf,
  type References,
  type Scenario,
  type Undisturbed,
  writesTo,
} from "./round";
import { openWorkshop, type Place, type Workshop } from "./workshop";

/** What of the matrix is to be run. */
export interface MatrixOptions {
  /** Rounds in all. */
  readonly rounds: number;
  readonly seed: number;
  /** With checkpoints, without, or every other round. */
  readonly checkpoints: "on" | "off" | "both";
  readonly resources: number;
  /** Where the program has its classes from. Default: dynamic. */
  readonly adapter?: Adapter;
  /** Added to the environment of each command. */
  readonly env?: Readonly<Record<string, string>>;
  /** The round to begin with, to go on with a matrix that was stopped. */
  readonly first?: number;
  /** Only this round of it, to look at a failure again. */
  readonly only?: number;
  /** Rounds at the same time. */
  readonly atOnce: number;
  /** Once it is aborted, no further round is begun. */
  readonly signal?: AbortSignal;
  /** Told of each round when it is over. */
  readonly onRound?: (outcome: Outcome, folder: string) => void;
  /** Told what is being done before the rounds begin. */
  readonly onStep?: (text: string) => void;
}

/** Everything that a seed decides about a round. Changes and destroys are a tenth of the rounds each. */
function planOf(round: number, { seed, checkpoints }: MatrixOptions): Plan {
  const dice = new Dice(seed * 100_003 + round);
  const scenario = ({ 4: "change", 9: "destroy" } as const)[(round % 10) as 4 | 9] ?? "create";
  // Each kind of round comes as often with checkpoints as without.
  const even = (Math.floor(round / 10) + round) % 2 === 0;
  const moment = dice.roll();
  const again = dice.roll();
  return {
    round,
    scenario,
    checkpoints: checkpoints === "both" ? even : checkpoints === "on",
    victim: round % 3 === 2 ? dice.one(["cli", "provider"]) : "everything",
    moment,
    ...(dice.roll() < 0.15 ? { again } : {}),
    destroys: dice.roll() < 0.15,
    by: dice.roll() < 0.2 ? "time" : "writes",
    later: dice.below(80),
  };
}

/** Runs the matrix. Folders of rounds that failed stay; everything else is removed at the end. */
export async function runMatrix(options: MatrixOptions): Promise<Outcome[]> {
  options.onStep?.("packing the package and getting the Pulumi CLI");
  const workshop = await openWorkshop(options.adapter ?? "dynamic", options.env);
  options.onStep?.("running undisturbed, to see how long it takes and what it leaves");
  const queue = Array.from({ length: options.rounds }, (_, round) => planOf(round, options)).filter(
    ({ round }) => round >= (options.first ?? 0) && round === (options.only ?? round),
  );
  const references = await undisturbedRuns(workshop, queue, options);
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let plan = queue.shift(); plan !== undefined; plan = queue.shift()) {
      if (options.signal?.aborted) return;
      const outcome = await playRound(workshop, references, plan);
      const folder = `${workshop.folder}/round-${plan.round}`;
      outcomes.push(outcome);
      options.onRound?.(outcome, folder);
      if (outcome.failures.length === 0) await removeTree(folder);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, work));
  if (outcomes.every(({ failures }) => failures.length === 0)) await workshop.remove();
  return outcomes.sort((a, b) => a.round - b.round);
}

/** The undisturbed runs that rounds are compared with: one chain with checkpoints, one without. */
async function undisturbedRuns(
  workshop: Workshop,
  plans: readonly Plan[],
  options: MatrixOptions,
): Promise<References> {
  const declared = declare(options.resources);
  const modes = [...new Set(plans.map(({ checkpoints }) => checkpoints))];
  const needs = (wanted: Scenario) =>
    plans.some(({ scenario, destroys }) => scenario === wanted || (wanted === "destroy" && destroys));
  const found = new Map<string, Undisturbed>();
  const nameOf = (scenario: Scenario, checkpoints: boolean) => `${scenario}, checkpoints ${checkpoints}`;
  const chain = async (checkpoints: boolean) => {
    const play = async (scenario: Scenario, name: string, from?: string) => {
      const place = await workshop.open(`${name}-${checkpoints}`, from, checkpoints);
      try {
        const run = await playUndisturbed(place, scenario, declared);
        found.set(nameOf(scenario, checkpoints), run);
        const took = `${(run.ms / 1000).toFixed(1)} s, ${run.writes} writes`;
        options.onStep?.(`undisturbed ${nameOf(scenario, checkpoints)}: ${took}`);
      } finally {
        await place.close();
      }
      return place.folder;
    };
    const made = await play("create", "made");
    if (needs("change")) await play("change", "changed", made);
    if (needs("destroy")) await play("destroy", "destroyed", made);
    return made;
  };
  const [made = ""] = await Promise.all(modes.map(chain));
  return {
    declared,
    made,
    undisturbed(scenario, checkpoints) {
      const one = found.get(nameOf(scenario, checkpoints));
      if (one === undefined) throw new Error(`no undisturbed ${nameOf(scenario, checkpoints)}`);
      return one;
    },
  };
}

/** Runs a scenario from beginning to end. */
async function playUndisturbed(
  place: Place,
  scenario: Scenario,
  declared: readonly Declared[],
): Promise<Undisturbed> {
  await place.write(programOf(scenario, declared));
  place.emulator.clearRequests();
  const started = Date.now();
  const { code, stdout, stderr, problem = "" } = await place.type(...commandOf(scenario));
  if (code !== 0) throw new Error(`The undisturbed ${scenario} failed: ${problem}\n${stdout}\n${stderr}`);
  const ms = Date.now() - started;
  return { ms, writes: writesTo(place), left: pictureOf(await place.contents()) };
}
