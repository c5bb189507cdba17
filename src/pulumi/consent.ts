import type { Consent } from "../engine";

/** Environment variables by which a person permits for one run what a program does not say. */
export const consentNames = {
  takeOver: "FEATURE_CONSOLE_TAKE_OVER",
  letGo: "FEATURE_CONSOLE_MOVE",
} as const satisfies Record<keyof Consent, string>;

/** What the environment permits: a variable that is `1` or `true`. */
export function consentOf(environment: Readonly<Record<string, string | undefined>>): Consent {
  const says = (name: string) => ["1", "true"].includes(environment[name]?.trim().toLowerCase() ?? "");
  return { takeOver: says(consentNames.takeOver), letGo: says(consentNames.letGo) };
}
