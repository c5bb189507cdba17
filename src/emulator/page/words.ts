import { auditOf, lastChangeOf } from "../../provider/schema/audit";
import { equalJson, type JsonObject } from "../../provider/schema/json";
import { nameField } from "../../provider/schema/object-id";
import { isNothing } from "../../provider/values/compare";
import {
  argumentText,
  argumentValueText,
  countOf,
  type RuleRow,
  ruleRows,
  shareText,
  timeText,
} from "../../provider/words";
import type { ShownKind } from "./kinds";
import type { ShownObject } from "./reading";

/** A state in a word or two, and how it is coloured. */
export interface StateWords {
  readonly text: string;
  readonly tone: "on" | "off" | "ended";
}

const states: Readonly<Record<string, StateWords>> = {
  "In Progress": { text: "on", tone: "on" },
  Enabled: { text: "on", tone: "on" },
  Launched: { text: "launched", tone: "on" },
  Disabled: { text: "off", tone: "off" },
  Archived: { text: "archived", tone: "ended" },
  setup: { text: "not started", tone: "off" },
  active: { text: "running", tone: "on" },
  decision_made: { text: "decided", tone: "ended" },
  abandoned: { text: "abandoned", tone: "ended" },
  archived: { text: "archived", tone: "ended" },
};

/** The state of an object; undefined for one that is simply there. */
export function stateWords({ values }: ShownObject): StateWords | undefined {
  const { status, isEnabled } = values;
  if (typeof status === "string")
    return Object.hasOwn(states, status) ? states[status] : { text: status, tone: "off" };
  if (typeof isEnabled !== "boolean") return undefined;
  return isEnabled ? { text: "on", tone: "on" } : { text: "off", tone: "off" };
}

/** The rules of an object as they are. */
export function rulesOf({ values }: ShownObject): RuleRow[] {
  const wording = { idType: values.idType };
  return ruleRows(values.rules, values.rules, { before: wording, after: wording });
}

/** Summary of an object in a list: its first rules, or what it has instead. */
export function summaryText(object: ShownObject): string {
  const { kind, values } = object;
  if (values.status === "Launched") return "everyone passes, regardless of the rules";
  const otherwise = otherwiseText(kind, values) ?? "";
  if (!Array.isArray(values.rules) || values.rules.length === 0) {
    // The values of a config are the summary of what applications ask for.
    const texts = [otherwise, argumentsText(object)];
    return (kind.asked === undefined ? texts.reverse() : texts).find((text) => text !== "") ?? "";
  }
  if (isOff(object)) return otherwise;
  // The rest is counted, and need not be put into words for each of thousands.
  const first = rulesOf({ ...object, values: { ...values, rules: values.rules.slice(0, 2) } });
  const texts = first.flatMap(({ after }) =>
    after === undefined ? [] : [`${shareText(after)}${after.gives === undefined ? "" : `: ${after.gives}`}`],
  );
  const more = values.rules.length - first.length;
  return [...texts, ...(more > 0 ? [countOf(more, "more rule")] : [])].join("; ");
}

/** True while no rule of an object counts. */
export function isOff({ values }: ShownObject): boolean {
  return values.isEnabled === false && values.status !== "Launched";
}

function argumentsText(object: ShownObject): string {
  return argumentsOf(object)
    .slice(0, 3)
    .map(({ name, text }) => `${name} ${text}`)
    .join("; ");
}

/** The answer for users whom no rule fits. */
export function otherwiseText({ otherwise, definition }: ShownKind, values: JsonObject): string | undefined {
  if (otherwise === undefined || typeof otherwise === "string") return otherwise;
  return `everyone gets ${argumentValueText(definition, otherwise.field, values[otherwise.field])}`;
}

/** An argument in words. */
export interface ArgumentWords {
  readonly name: string;
  readonly text: string;
}

/** Fields that the page shows in places of their own. */
const elsewhere: ReadonlySet<string> = new Set([
  ...["rules", "description", "status", "isEnabled", "idType", "creatorID", "creatorEmail", "owner"],
]);

/** Arguments of an object beside its rules, without those that the console fills in. */
export function argumentsOf({ kind, values, called }: ShownObject): ArgumentWords[] {
  const { definition, figures = [] } = kind;
  return Object.entries(definition.fields).flatMap(([name, { mode, traits }]) => {
    const value = values[name];
    if (mode === "output" ? !figures.includes(name) : elsewhere.has(name)) return [];
    if (typeof kind.otherwise === "object" && kind.otherwise.field === name) return [];
    if (traits.aliasOf !== undefined || value === called || (name === nameField && value === values.key))
      return [];
    if (isEmpty(value) || (mode !== "output" && equalJson(value, traits.serverDefault))) return [];
    const text = argumentValueText(definition, name, value);
    return text === undefined ? [] : [{ name: argumentText(name), text }];
  });
}

/** Units that are forced to an answer, in words. */
export function overrideWords({ definition }: ShownKind, overrides: JsonObject): ArgumentWords[] {
  return Object.entries(overrides).flatMap(([name, value]) => {
    const text = isEmpty(value) ? undefined : argumentValueText(definition, name, value);
    return text === undefined ? [] : [{ name: argumentText(name), text }];
  });
}

function isEmpty(value: unknown): boolean {
  return isNothing(value) || (Array.isArray(value) && value.length === 0);
}

/** When an object last changed, and who did: `2026-11-22 10:03 UTC by ana@example.com`. */
export function changedText({ kind, values }: ShownObject): string | undefined {
  const { created } = auditOf(kind.definition, values);
  const { at = created, by } = lastChangeOf(kind.definition, values);
  if (at === undefined) return undefined;
  return by === undefined ? timeText(at) : `${timeText(at)} by ${by ?? "a key"}`;
}
