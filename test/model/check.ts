import type { Episode, Rule, Violation } from "./episode";

/** Looks at a command for what breaks one rule. */
export type Check = (episode: Episode) => Violation[];

/** Something that should not have happened. */
export function violation(rule: Rule, object: string, text: string): Violation {
  return { rule, object, text };
}
