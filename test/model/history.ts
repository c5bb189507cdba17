import type { Adapter } from "../laws/subject";
import { Dice } from "../world/dice";
import type { Edit } from "../world/edits";
import { isAction, kinds } from "../world/kinds";
import type { Deed } from "../world/people";
import type { Disturbance } from "../world/stage";

export type StackName = "A" | "B";

export type Step =
  | { readonly do: "edit"; readonly stack: StackName; readonly how: Edit; readonly n: readonly number[] }
  | { readonly do: "hand"; readonly how: Deed; readonly n: readonly number[] }
  | {
      readonly do: "up";
      readonly stack: StackName;
      readonly refresh: boolean;
      /** Chooses a resource that is replaced whatever its diff says. */
      readonly replace: number | undefined;
      /** What happens between preview and update. */
      readonly between: Step | undefined;
      readonly disturbance: Disturbance | undefined;
      readonly checkpoints: boolean;
      /** Resources are worked on at the same time. */
      readonly parallel: boolean;
      /** What the user does when it was refused. */
      readonly ifRefused: "revert" | "follow advice" | "nothing";
      /** After a kill: the same command again, with or without what the killed one noted. */
      readonly recover: "again" | "without notes" | "later";
    }
  | {
      readonly do: "destroy";
      readonly stack: StackName;
      readonly disturbance: Disturbance | undefined;
      readonly checkpoints: boolean;
      readonly parallel: boolean;
    }
  | {
      readonly do: "refresh";
      readonly stack: StackName;
      /** Chooses a kind about which the console answers 404: the key has lost its permission. */
      readonly hides?: number | undefined;
    }
  /** The settings lead to another console for one command, whose program begins with a new object. */
  | {
      readonly do: "astray";
      readonly stack: StackName;
      readonly to: "another project" | "another address";
      readonly command: "up" | "destroy" | "refresh";
    }
  | { readonly do: "forget notes"; readonly stack: StackName };

export interface History {
  readonly seed: number;
  readonly kinds: readonly string[];
  /** Both stacks are of one project. */
  readonly sameFolder: boolean;
  /** Both stacks have one name, in two backends. */
  readonly sameName?: boolean;
  /** The step from which the program of a stack has the native classes; left out: it has the dynamic ones. */
  readonly nativeFrom?: Readonly<Record<StackName, number>>;
  readonly steps: readonly Step[];
}

const objects = Object.keys(kinds).filter((name) => !isAction(kinds[name] as never));
const actions = Object.keys(kinds).filter((name) => isAction(kinds[name] as never));

/** The history of a seed. `adapters`: each stack is native from the first step, from some step on, or never. */
export function drawHistory(seed: number, adapters: Adapter | "both" = "both"): History {
  const history = withAstray(withRefusals(drawPlain(seed)));
  if (adapters === "dynamic") return history;
  if (adapters === "native") return { ...history, nativeFrom: { A: 0, B: 0 } };
  // Dice of their own: a seed means the same steps by whichever adapter.
  const dice = new Dice(Math.imul(seed, 2_246_822_519));
  const never = history.steps.length;
  const draw = () => dice.one([0, dice.below(never), never]);
  return { ...history, nativeFrom: { A: draw(), B: draw() } };
}

/** Some updates that give an object another key are refused by the console from some write on, or killed there. */
function withRefusals(history: History): History {
  // Dice of their own, so that nothing else of a seed changes.
  const dice = new Dice(Math.imul(history.seed, 3_266_489_917));
  const disturbed = ({ request, how }: { request: number; how: "refuse" | "kill" }): Disturbance => ({
    ...{ how, request, write: true },
    when: dice.one(["before", "after"]),
  });
  const steps = history.steps.map((step, index): Step => {
    const before = history.steps[index - 1];
    const isRenamed = before?.do === "edit" && before.how === "change key";
    if (step.do !== "up" || !isRenamed || step.disturbance !== undefined || dice.roll() < 0.5) return step;
    const how = dice.roll() < 0.6 ? "refuse" : "kill";
    return { ...step, disturbance: disturbed({ how, request: dice.below(3) }) };
  });
  return { ...history, steps };
}

/** Dice of their own: whatever is refused changes nothing of the other steps. */
function withAstray(history: History): History {
  const dice = new Dice(Math.imul(history.seed, 2_246_822_519));
  const steps = [...history.steps];
  for (let count = dice.below(3); count > 0; count -= 1) {
    const step: Step = {
      ...{ do: "astray", stack: dice.one<StackName>(["A", "B"]) },
      to: dice.one(["another project", "another address"]),
      command: dice.one(["up", "up", "destroy", "refresh"]),
    };
    steps.splice(dice.below(steps.length) + 1, 0, step);
  }
  return { ...history, steps };
}

function drawPlain(seed: number): History {
  const dice = new Dice(Math.imul(seed, 2_654_435_761));
  const chosen = drawKinds(dice);
  const steps: Step[] = [];
  const adds = 2 + dice.below(3);
  for (const stack of ["A", "B"] as const) {
    for (let count = 0; count < adds; count += 1) steps.push(edit(dice, stack, "add"));
    if (dice.roll() < 0.3) steps.push(deed(dice));
    steps.push(up(dice, stack));
  }
  const more = 5 + dice.below(8);
  for (let count = 0; count < more; count += 1) steps.push(...drawSteps(dice));
  const sameFolder = dice.roll() < 0.7;
  return { seed, kinds: chosen, sameFolder, sameName: dice.roll() < 0.2, steps };
}

/** Kinds in turn, so that each comes often; gates and segments more often, because people ask for them. */
function drawKinds(dice: Dice): string[] {
  const found = new Set<string>([dice.one(objects)]);
  if (dice.roll() < 0.6) found.add("gate");
  if (dice.roll() < 0.3) found.add("segment");
  if (dice.roll() < 0.3) found.add(dice.one(objects));
  if (dice.roll() < 0.12) found.add(dice.one(actions));
  return [...found].sort();
}

function drawSteps(dice: Dice): Step[] {
  const stack = dice.one<StackName>(["A", "A", "B"]);
  const kind = dice.weighted([
    ["edit", 60],
    ["hand", 20],
    ["up", 10],
    ["destroy", 10],
    ["comeback", 6],
    ["collision", 8],
    ["refresh", 6],
    ["forget notes", 2],
    ["adopted away", 5],
    ["rollback", 5],
  ] as const);
  if (kind === "adopted away") return adoptedAway(dice, stack);
  if (kind === "rollback") return rollback(dice, stack);
  if (kind === "hand") return dice.roll() < 0.6 ? [deed(dice), up(dice, stack)] : [deed(dice)];
  if (kind === "up") return [up(dice, stack)];
  if (kind === "destroy") return [destroy(dice, stack)];
  if (kind === "collision") {
    const same: Step = { do: "hand", how: "change the same", n: numbers(dice) };
    return [up(dice, stack), edit(dice, stack, "change"), same, up(dice, stack)];
  }
  if (kind === "comeback") {
    const silent = dice.roll() < 0.5 ? [edit(dice, stack, "say no state")] : [];
    return [...(dice.roll() < 0.3 ? [deed(dice)] : []), destroy(dice, stack), ...silent, up(dice, stack)];
  }
  if (kind === "refresh")
    return [{ do: "refresh", stack, hides: dice.roll() < 0.4 ? dice.below(100) : undefined }];
  if (kind === "forget notes") return [{ do: "forget notes", stack }];
  const edits = [edit(dice, stack, drawEdit(dice))];
  if (dice.roll() < 0.3) edits.push(edit(dice, stack, drawEdit(dice)));
  return [...edits, up(dice, stack)];
}

/** A flag moves to another project, which adopts it before the first one removes it. */
function adoptedAway(dice: Dice, stack: StackName): Step[] {
  const n = [...numbers(dice).slice(0, 2), 0];
  const move = { do: "edit", stack, how: "move to the other stack", n } as const;
  return [move, up(dice, stack === "A" ? "B" : "A"), up(dice, stack)];
}

/** What a stack has archived is wanted again, otherwise than it was, by a run with a fresh checkout. */
function rollback(dice: Dice, stack: StackName): Step[] {
  const forget = { do: "forget notes", stack } as const;
  return [destroy(dice, stack), forget, edit(dice, stack, "change"), up(dice, stack)];
}

function drawEdit(dice: Dice): Edit {
  return dice.weighted([
    ["add", 11],
    ["drop", 12],
    ["change", 22],
    ["rename with alias", 6],
    ["rename", 8],
    ["change key", 14],
    ["swap keys", 6],
    ["take a sibling's key", 5],
    ["adopt", 8],
    ["adopt no more", 2],
    ["import", 4],
    ["copy", 3],
    ["ask another", 8],
    ["say no state", 4],
    ["replace on changes", 3],
    ["move to the other stack", 3],
  ]);
}

function edit(dice: Dice, stack: StackName, how: Edit): Step {
  return { do: "edit", stack, how, n: numbers(dice) };
}

function deed(dice: Dice): Step {
  const how = dice.weighted<Deed>([
    ["make", 4],
    ["make as declared", 4],
    ["change", 9],
    ["remove", 2],
    ["make anew", 2],
    ["ask another", 3],
  ]);
  return { do: "hand", how, n: numbers(dice) };
}

function up(dice: Dice, stack: StackName): Step {
  const between = dice.roll() < 0.12 ? betweenStep(dice, stack) : undefined;
  return {
    ...{ do: "up", stack, refresh: dice.roll() < 0.1 },
    replace: dice.roll() < 0.05 ? dice.below(100) : undefined,
    between,
    disturbance: dice.roll() < 0.2 ? disturbance(dice) : undefined,
    checkpoints: dice.roll() < 0.5,
    parallel: dice.roll() < 0.6,
    ifRefused: dice.weighted([
      ["revert", 5],
      ["follow advice", 3],
      ["nothing", 2],
    ]),
    recover: dice.weighted([
      ["again", 7],
      ["without notes", 1],
      ["later", 2],
    ]),
  };
}

function betweenStep(dice: Dice, stack: StackName): Step {
  if (dice.roll() < 0.7) return deed(dice);
  const other = stack === "A" ? "B" : "A";
  return { ...up(dice, other), between: undefined, disturbance: undefined } as Step;
}

function destroy(dice: Dice, stack: StackName): Step {
  const disturbed = dice.roll() < 0.15 ? disturbance(dice) : undefined;
  return {
    ...{ do: "destroy", stack, disturbance: disturbed },
    ...{ checkpoints: dice.roll() < 0.5, parallel: dice.roll() < 0.6 },
  };
}

function disturbance(dice: Dice): Disturbance {
  const how = dice.weighted([
    ["cut", 3],
    ["kill", 5],
    ["lose", 2],
  ] as const);
  if (how === "cut")
    return { how, call: dice.below(5), when: dice.one(["before", "unrecorded", "recorded"]) };
  return { how, request: dice.below(5), when: dice.one(["before", "after"]), write: dice.roll() < 0.7 };
}

function numbers(dice: Dice): number[] {
  return Array.from({ length: 8 }, () => dice.below(1 << 20));
}
