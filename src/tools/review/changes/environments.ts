import { isObject } from "../../../provider/schema/json";
import { type RuleRow, type RuleSide, whereText } from "../../../provider/words";
import type { Where } from "../../../provider/words/reach-changes";
import type { Subject } from "../subjects";
import type { Description } from "./statements";

/** Where a rule holds, or somebody comes to it; undefined where that changes, which its own sentence says. */
export function sharedEnvironments(row: RuleRow): string | undefined {
  const { before, after, kept, what } = row;
  // Whom other rules take from it, and where, its own sentence says.
  if (what === "unchanged") return undefined;
  const [was, is] = [before?.environments, after?.environments];
  if (was !== undefined && is !== undefined && was !== is) return undefined;
  const reached = before !== undefined && after !== undefined ? kept?.where : (after ?? before)?.where;
  return reachedText(after ?? before, reached) ?? is ?? was;
}

/** Where somebody comes to a rule, if other rules take some of its environments: `outside production`. */
function reachedText(side: RuleSide | undefined, reached: Where | undefined): string | undefined {
  if (side === undefined || reached === undefined) return undefined;
  const { environmentNames: names, audience } = side;
  const declared: Where = { all: names === null, names: names ?? [] };
  const isSame =
    declared.all === reached.all &&
    new Set([...declared.names, ...reached.names]).size === declared.names.length &&
    declared.names.length === reached.names.length;
  return isSame || audience.includes("environment") ? undefined : whereText(reached).replace(/^in /, "");
}

/** Names of environments in which statements of lists of rules make a difference; null: all, or it cannot be told. */
export function environmentsOf({ tables, statements }: Description): readonly string[] | null {
  const outside = statements.some(
    ({ about, environments }) => about !== "rest" && environments === undefined,
  );
  if (outside || tables.length === 0) return null;
  const names = new Set<string>();
  for (const row of tables.flatMap(({ rows }) => rows)) {
    if (row.what === "unchanged") continue;
    for (const side of [row.before, row.after]) {
      if (side === undefined) continue;
      if (side.environmentNames === null) return null;
      for (const name of side.environmentNames) names.add(name);
    }
  }
  return [...names].sort();
}

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
