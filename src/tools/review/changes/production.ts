import { isObject } from "../../../provider/schema/json";
import type { Subject } from "../subjects";

const usualProduction: ReadonlySet<string> = new Set(["production", "prod", "live"]);

/** What counts as production: as the program's own list of environments says, else by its name. */
export function productionTest(subjects: readonly Subject[]): (environment: string) => boolean {
  const said = subjects.flatMap(({ program }) => productionIn(program?.environments) ?? []);
  const names = new Set(said);
  return (name) => (names.size > 0 ? names.has(name) : usualProduction.has(name.toLowerCase()));
}

/** Names of the environments in a list of them that count as production. */
function productionIn(environments: unknown): string[] | undefined {
  if (!Array.isArray(environments)) return undefined;
  return environments.flatMap((one) =>
    isObject(one) && one.isProduction === true && typeof one.name === "string" ? [one.name] : [],
  );
}
