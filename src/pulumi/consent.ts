import type { Consent } from "../engine";
import { type Environment, switchNames } from "./settings";

/** What the environment permits: a variable that is `1` or `true`. */
export function consentOf(environment: Environment): Consent {
  const says = (name: string) => ["1", "true"].includes(environment[name]?.trim().toLowerCase() ?? "");
  return { takeOver: says(switchNames.takeOver), letGo: says(switchNames.move) };
}
