import { auditOf, lastChangeOf } from "../../provider/schema/audit";
import { inputNames, type ResourceDefinition } from "../../provider/schema/define";
import { isObject, type JsonObject, kept } from "../../provider/schema/json";
import { itemsOf, propertiesOf, treeOf } from "../../provider/schema/tree";
import { sameMeaning } from "../../provider/values/compare";
import { argumentChangeText, ruleRows, ruleRowText, timeText } from "../../provider/words";
import type { ShownKind } from "./kinds";
import type { ShownObject } from "./reading";

/** One change of an object. */
export interface HistoryEntry {
  /** Undefined where the console does not tell. */
  readonly when: string | undefined;
  readonly who: string;
  /** Changes, a sentence each; empty where the console keeps no former form. */
  readonly what: readonly string[];
}

/** The history of an object, newest first. `former`: its former forms, newest first. */
export function historyOf(object: ShownObject, former: readonly JsonObject[]): HistoryEntry[] {
  const { kind, values } = object;
  const forms = [values, ...former];
  const changes = former.map((before, at) => {
    const after = forms[at] ?? values;
    return { ...whoAndWhen(kind, after), what: changesBetween(kind, before, after) };
  });
  const oldest = forms.at(-1) ?? values;
  const { created, changed, version } = auditOf(kind.definition, oldest);
  // Without former forms, a later change is known by its time alone.
  const later = former.length === 0 && changed !== undefined && created !== undefined && changed > created;
  return inOneAct([
    ...changes,
    ...(later ? [{ ...whoAndWhen(kind, oldest), what: ["changed"] }] : []),
    ...(version === undefined || version <= 1 || former.length === 0 ? [birthOf(kind, oldest)] : []),
  ]);
}

/** Entries of one author in one minute as one: a single act of a program may take several requests. */
function inOneAct(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const acts = new Map<string, HistoryEntry>();
  for (const { when, who, what } of entries) {
    const before = acts.get(`${when}\n${who}`)?.what ?? [];
    acts.set(`${when}\n${who}`, { when, who, what: [...new Set([...before, ...what])] });
  }
  return [...acts.values()];
}

function changesBetween({ definition }: ShownKind, before: JsonObject, after: JsonObject): string[] {
  const texts = inputNames(definition).flatMap((name) => {
    const { traits } = definition.fields[name] ?? {};
    const [was, is] = [before[name], after[name]];
    if (traits?.aliasOf !== undefined || traits?.remembered === true) return [];
    if (sameMeaning(definition, name, is, was)) return [];
    if (traits?.namedList === true) return rulesChanged(definition, name, before, after);
    return [argumentChangeText(definition, name, was, is)];
  });
  return texts.length === 0 ? ["saved without a change that shows here"] : texts;
}

function rulesChanged(
  definition: ResourceDefinition,
  name: string,
  before: JsonObject,
  after: JsonObject,
): string[] {
  const [was, is] = [before, after].map((form) => saidIn(definition, name, form[name]));
  const rows = ruleRows(was, is, { before: { idType: before.idType }, after: { idType: after.idType } });
  return rows.flatMap((row) => ruleRowText(row) ?? []);
}

/** Elements without what the console adds to them: a rule that was written anew has another id, and that is no change. */
function saidIn(definition: ResourceDefinition, name: string, value: unknown): unknown {
  const node = treeOf(definition)[name]?.node;
  const members = node && propertiesOf(itemsOf(node) ?? {});
  if (members === undefined || !Array.isArray(value)) return value;
  return value.map((element: unknown) =>
    isObject(element) ? kept(element, (name) => members[name]?.serverSet === undefined) : element,
  );
}

function whoAndWhen({ definition }: ShownKind, form: JsonObject): Omit<HistoryEntry, "what"> {
  const { by, at } = lastChangeOf(definition, form);
  return { when: at === undefined ? undefined : timeText(at), who: nameOf(by) };
}

function birthOf({ definition }: ShownKind, form: JsonObject): HistoryEntry {
  const { created, madeBy } = auditOf(definition, form);
  const who = typeof madeBy === "string" && madeBy !== "" ? madeBy : null;
  return { when: created === undefined ? undefined : timeText(created), who: nameOf(who), what: ["made"] };
}

const nameOf = (who: string | null | undefined): string =>
  who === undefined ? "not told" : (who ?? "a key");
