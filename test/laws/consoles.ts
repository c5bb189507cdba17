import {
  completeSwitches,
  type Switches,
  type SwitchName,
  switchAnswers,
  switches,
} from "../../src/emulator/console/rules/switches";
import { Dice } from "../world/dice";

/** A console that answers the open questions in one way. */
export interface ConsoleSetting {
  readonly name: string;
  readonly behaviour: Switches;
}

function settingOf(name: string, choose: (choices: readonly string[]) => string | undefined): ConsoleSetting {
  const answers = switchAnswers.map(([question, choices]) => [
    question,
    isPolicy(question) ? choices[0] : choose(choices),
  ]);
  return { name, behaviour: Object.fromEntries(answers) as Switches };
}

/** Under a policy some samples are refused, whatever the client does: these have tests of their own. */
export function isPolicy(question: SwitchName): boolean {
  return "isPolicy" in switches[question];
}

/** The console as it is by default. */
export const mild = settingOf("mild", (choices) => choices[0]);

/** The console that is hardest to get along with. */
export const harsh = settingOf("harsh", (choices) => choices.at(-1));

/** A console that answers each question by chance, the same for the same seed. */
export function mixture(seed: number): ConsoleSetting {
  const dice = new Dice(seed);
  return settingOf(`mixture ${seed}`, (choices) => dice.one(choices));
}

/** A console of given answers and the mildest others; policies as in `mild`. */
export function observed(
  name: string,
  answers: Readonly<Record<string, string | undefined>>,
): ConsoleSetting {
  const given = Object.entries(answers).filter(([question]) => !isPolicy(question as SwitchName));
  return { name, behaviour: completeSwitches(Object.fromEntries(given)) };
}
