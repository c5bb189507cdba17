import type { Permissions } from "../engine";
import { type Environment, switchNames } from "./provider-settings";

/** Permissions of the environment: a variable that is `1` or `true`. */
export function permissionsOf(environment: Environment): Permissions {
  const says = (name: string) => ["1", "true"].includes(environment[name]?.trim().toLowerCase() ?? "");
  return {
    takeOver: says(switchNames.takeOver),
    leaveInOtherConsole: says(switchNames.move),
    acceptGone: says(switchNames.acceptGone),
  };
}
