import { objectsIn } from "../../../provider/schema/json";
import type { Subject } from "../subjects";
import { eachOf } from "./passing";
import type { Description } from "./reason-ground";

/** Names of environments in which statements of lists of rules make a difference; null: all, or it cannot be told. */
export function environmentsOf({ tables, statements }: Description): readonly string[] | null {
  const outside = statements.some(
    ({ about, environments }) => about !== "rest" && environments === undefined,
  );
  if (outside || tables.length === 0) return null;
  // A rule that others touch differs where those do.
  const rows = tables
    .flatMap((table) => table.rows)
    .filter(({ what }) => what !== "unchanged" && what !== "touched");
  return eachOf(rows.flatMap(({ before, after }) => [before, after]).map((side) => side?.environmentNames));
}

const usualProduction: ReadonlySet<string> = new Set(["production", "prod", "live"]);

/** Test for production: by the program's own list of environments, else by the usual names. */
export function productionTest(subjects: readonly Subject[]): (environment: string) => boolean {
  const listed = subjects.flatMap(({ program }) => objectsIn(program?.environments));
  const names = new Set(listed.filter(({ isProduction }) => isProduction === true).map(({ name }) => name));
  return (name) => (names.size > 0 ? names.has(name) : usualProduction.has(name.toLowerCase()));
}
