import type { ConsoleSetting } from "../laws/consoles";
import { inTurn } from "../support/sample";
import { type Case, nameOf } from "./cases";
import { deviationOf } from "./exceptions";
import { experimentCases } from "./experiment-cases";
import { flagCases } from "./flag-cases";
import { measureCases } from "./measure-cases";
import { overrideCases } from "./override-cases";
import { projectCases } from "./project-cases";

export const allCases: readonly Case[] = [
  ...flagCases,
  ...experimentCases,
  ...measureCases,
  ...projectCases,
  ...overrideCases,
];

/** Cases that a console plays: each is played over one of the consoles that take it, in turn. */
export function casesOver(setting: ConsoleSetting, settings: readonly ConsoleSetting[]): readonly Case[] {
  return allCases.filter((one, at) => {
    const taking = settings.filter(
      ({ behaviour }) => deviationOf(nameOf(one), behaviour)?.refusal === undefined,
    );
    return inTurn(taking, at).includes(setting);
  });
}
