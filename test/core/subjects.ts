import { check } from "../../src/provider/decisions/check";
import { catalog, type KindName } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { pathText } from "../../src/provider/schema/path";

/** Arguments of the kinds that the tables are about, right but for what a test adds. */
export const valid: Readonly<Partial<Record<KindName, JsonObject>>> = {
  gate: { key: "checkout" },
  dynamicConfig: { key: "checkout" },
  segment: { key: "staff", type: "rule_based" },
  layer: { name: "search layer", idType: "userID" },
  assignmentSource: {
    name: "exposures",
    sql: "select 1",
    timestampColumn: "ts",
    experimentIDColumn: "experiment",
    groupIDColumn: "grp",
    idTypeMapping: [{ serviceUnitID: "userID", column: "user_id" }],
  },
};

/** A definition, seen as any other. */
export function kind(name: KindName): ResourceDefinition {
  return catalog[name];
}

/** Arguments with one rule that has these members and conditions. */
export function withRule(conditions: unknown, members: JsonObject = {}): JsonObject {
  return { rules: [{ name: "Staff", passPercentage: 100, conditions, ...members }] };
}

/** What check says about arguments at creation, one line a problem: path, then message. */
export function problemsOf(name: KindName, args: JsonObject, olds: JsonObject = {}): string[] {
  const { problems } = check(kind(name), olds, {
    __program: { name: "resource_name" },
    ...valid[name],
    ...args,
  });
  return problems.map(({ path, message }) => `${pathText(path)}: ${message}`);
}

/** Rows of a table that stand below their kinds, as `test.each` takes them: each row begins with its kind. */
export function rowsByKind<Row extends readonly unknown[]>(
  table: Partial<Record<KindName, readonly Row[]>>,
): [kind: KindName, ...Row][] {
  return (Object.keys(table) as KindName[]).flatMap((name) =>
    (table[name] ?? []).map((row): [KindName, ...Row] => [name, ...row]),
  );
}

/** What a preview would warn of, one line a warning: path, then message. */
export function warningsOf(name: KindName, olds: JsonObject, news: JsonObject): string[] {
  const found = kind(name).warnings?.(olds, news) ?? [];
  return found.map(({ path, message }) => `${pathText(path)}: ${message}`);
}
