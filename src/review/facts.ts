import { releasePipeline } from "../catalog/release-pipeline";
import { isObject, type JsonObject } from "../core/json";
import { stateNames } from "../core/plan";
import { referencesIn } from "../core/references";
import {
  countOf,
  isHidden,
  listText,
  percentText,
  type RuleRow,
  type RuleSide,
  timeText,
} from "../plain-words";
import { type Act, type Change, type Fact, type Level, levels } from "./review";
import type { Said } from "./statements";
import type { Subject } from "./subjects";

/** What facts are made from. */
export interface FactGround {
  readonly subject: Subject;
  readonly said: Said;
  readonly dependents: Change["dependents"];
  readonly checksPerHour: number | undefined;
  /** True for the name of an environment that counts as production. */
  readonly isProduction: (environment: string) => boolean;
  /** What the console has now; undefined where it was not asked. */
  readonly live: JsonObject | undefined;
  readonly lastChange: { readonly by?: string; readonly at?: number } | undefined;
}

/** So many points of a percentage in one step ask for attention, and for a second look. */
const bigMove = 50;
const move = 10;

/** Why a change is as risky as it is, worst first. */
export function factsOf(ground: FactGround): Fact[] {
  const facts = [
    ...endFacts(ground),
    ...stateFacts(ground),
    ...ruleFacts(ground),
    ...shareFacts(ground),
    ...valueFacts(ground),
    ...adoptionFacts(ground),
    ...consoleFacts(ground),
    ...warningFacts(ground),
    ...surroundings(ground),
  ];
  return facts.sort((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level));
}

/** The worst level of facts; "low" for a change of which nothing is to be said. */
export function riskOf(facts: readonly Fact[]): Level {
  const worst = facts[0]?.level ?? "low";
  return worst === "info" ? "low" : worst;
}

const inUse: ReadonlySet<Act> = new Set(["archive", "delete", "replace", "empty"]);

const endTexts: Readonly<Partial<Record<Act, string>>> = {
  archive: "it goes to the archive, from which the console can bring it back",
  delete: "it is deleted for good, with its history",
  replace: "it is deleted and made anew: its history and results are lost, and meanwhile nobody gets it",
  empty: "what it says of units is removed",
  release: "it stays in the console as it is, and no program manages it any more",
};

function endFacts({ subject, dependents, checksPerHour }: FactGround): Fact[] {
  const { act, definition } = subject;
  const text = act && endTexts[act];
  if (act === undefined || text === undefined) return [];
  const isFinal = act === "delete" || act === "replace";
  const comesBack = definition.lifecycle.archived?.undo !== undefined;
  const facts: Fact[] = [
    {
      about: act === "replace" ? "replacement" : "end",
      level:
        act === "replace" ? "high" : act === "release" ? "low" : isFinal || !comesBack ? "medium" : "low",
      text:
        act === "archive" && !comesBack
          ? "it goes to the archive, and the console cannot bring it back"
          : text,
    },
  ];
  if (inUse.has(act) && (checksPerHour ?? 0) > 0)
    facts.push({
      about: "traffic",
      level: "high",
      text: `code still asks for it: ${checksText(checksPerHour ?? 0)}`,
    });
  if (inUse.has(act) && dependents.length > 0)
    facts.push({ about: "dependents", level: "high", text: `${dependentsText(dependents)} on it` });
  return facts;
}

/** `48,000 checks an hour`. */
export function checksText(checksPerHour: number): string {
  return `${countOf(checksPerHour, "check")} an hour`;
}

/** `gate "pay_later" and config "prices" depend`, which wants "on it". */
export function dependentsText(dependents: Change["dependents"]): string {
  const names = dependents.map(({ object, where }) =>
    where === "console" ? `${object} (console only)` : object,
  );
  const [last] = names.slice(-1);
  const text =
    names.length === 2 || names.length === 3
      ? `${names.slice(0, -1).join(", ")} and ${last}`
      : listText(names, 3);
  return `${text} ${names.length === 1 ? "depends" : "depend"}`;
}

const stateLevels: Readonly<Record<string, readonly [Level, string]>> = {
  launch: ["high", "everyone gets it, whatever the rules say"],
  disable: ["high", "it is off for everyone who had it"],
  archive: ["medium", "it is taken out of use"],
  enable: ["medium", "its rules count from now on"],
  start: ["medium", "units are shared out to its groups from now on"],
  makeDecision: ["high", "an experiment ends and one group's values go to everyone"],
  abandon: ["high", "an experiment ends without a decision"],
  reset: ["high", "it begins anew"],
};

function stateFacts({ said, subject }: FactGround): Fact[] {
  const isNew = subject.act === "create";
  return said.moves.flatMap(({ action, loses }): Fact[] => {
    const [level, text] = (action === undefined ? undefined : stateLevels[action]) ?? [
      "medium",
      "its state changes",
    ];
    const result: Fact = { about: "state", level: isNew && level !== "high" ? "low" : level, text };
    return [
      result,
      ...(loses === undefined ? [] : [{ about: "results" as const, level: "high" as const, text: loses }]),
    ];
  });
}

function ruleFacts({ said, isProduction, subject }: FactGround): Fact[] {
  // Nobody asks for what is not there yet.
  const isNew = subject.act === "create";
  return said.tables.flatMap(({ rows }) =>
    rows.flatMap((row) => {
      const touched = row.what !== "unchanged";
      return [
        ...(touched ? reachFacts(row, isProduction, isNew) : []),
        ...(row.unreachable && touched
          ? [
              fact(
                "unreachable",
                "medium",
                `nobody reaches rule ${row.name}: a rule before it takes everyone`,
              ),
            ]
          : []),
      ];
    }),
  );
}

function reachFacts(row: RuleRow, isProduction: FactGround["isProduction"], isNew: boolean): Fact[] {
  const { before, after, name } = row;
  const where = placeText(row, isProduction);
  const level = (inProduction: Level): Level =>
    isNew ? "low" : where.inProduction ? inProduction : lower(inProduction);
  if (row.what === "unknown")
    return [fact("reach", level("medium"), `who rule ${name} is about is not known yet`)];
  const [was, is] = [before?.share ?? 0, after?.share ?? 0];
  if (before !== undefined && after !== undefined && before.audience === after.audience && where.same) {
    const points = Math.abs(is - was);
    const facts: Fact[] = [];
    if (points > 0)
      facts.push(
        fact(
          "reach",
          level(points >= bigMove ? "high" : points >= move ? "medium" : "low"),
          moveText(was, is, after, where.text),
        ),
      );
    if (row.moved)
      facts.push(
        fact("order", level("medium"), `rule ${name} changes its place: the first rule that fits decides`),
      );
    if (row.gives !== undefined)
      facts.push(
        fact(
          "value",
          level("medium"),
          `${after.audience} ${after.audience === "everyone" ? "gets" : "get"} another value ${where.text}`,
        ),
      );
    return facts;
  }
  if (before === undefined && after !== undefined)
    return [
      fact(
        "audience",
        level(is === 0 ? "low" : after.audience === "everyone" && is >= bigMove ? "high" : "medium"),
        `${after.audience} ${is === 0 ? "may get it later" : `gets it by a new rule, ${percentText(is)}`} ${where.text}`,
      ),
    ];
  if (after === undefined && before !== undefined)
    return [
      fact(
        "audience",
        level(was >= bigMove ? "high" : was === 0 ? "low" : "medium"),
        `${before.audience} ${was === 0 ? "got nothing by it" : "lose it, unless another rule fits"} ${where.text}`,
      ),
    ];
  return [fact("audience", level("medium"), `rule ${name} is about other units or environments than before`)];
}

function moveText(was: number, is: number, { audience }: RuleSide, where: string): string {
  const points = percentText(Math.abs(is - was)).replace(" %", "");
  const how = is > was ? "more" : "fewer";
  if (was === 0 && is === 100) return `from nobody to all in one step: ${audience} ${where}`;
  if (is === 0) return `${audience} ${where}: nobody of them gets it any more`;
  return `${points} points ${how} of ${audience} ${where}`;
}

interface Where {
  readonly text: string;
  readonly inProduction: boolean;
  readonly same: boolean;
}

function placeText({ before, after }: RuleRow, isProduction: FactGround["isProduction"]): Where {
  const side = after ?? before;
  const names = [before, after].flatMap((one) => (one === undefined ? [] : [one.environmentNames]));
  const inProduction = names.some((list) => list === null || list.some(isProduction));
  const text = side === undefined ? "" : `in ${side.environments}`;
  return { text, inProduction, same: before?.environments === after?.environments };
}

function lower(level: Level): Level {
  return level === "high" ? "medium" : "low";
}

function shareFacts({ subject, said }: FactGround): Fact[] {
  const { definition, before, changes, act } = subject;
  return said.values.flatMap(({ argument }): Fact[] => {
    if (definition.fields[argument]?.facts.share !== true) return [];
    const [was, is] = [before[argument], changes[argument]];
    if (typeof is !== "number" || act === "create") return [];
    const points = Math.abs(is - (typeof was === "number" ? was : 0));
    const level = points >= bigMove ? "high" : points >= move ? "medium" : "low";
    return [
      fact(
        "reach",
        level,
        `${percentText(points).replace(" %", "")} points ${is > Number(was ?? 0) ? "more" : "fewer"} take part`,
      ),
    ];
  });
}

/** Values of which the definition says nothing more. */
function valueFacts({ subject, said }: FactGround): Fact[] {
  const { definition, changes, before, act } = subject;
  if (act === "create") return [];
  const states = stateNames(definition);
  const facts = said.values.flatMap(({ argument }): Fact[] => {
    const facts = definition.fields[argument]?.facts;
    if (isHidden(changes[argument]) || isHidden(before[argument]))
      return [fact("secret", "medium", `a secret changes: ${argument}`)];
    if (states.includes(argument) || facts?.share === true) return [];
    if (facts?.typedByProgram === "whole")
      return [fact("value", "medium", "whoever gets no other value gets another one")];
    if (facts?.valueType !== undefined) return [fact("audience", "medium", "other units belong to it")];
    if (isGroups(changes[argument])) return [fact("results", "medium", "its groups change")];
    return [];
  });
  return facts;
}

function isGroups(value: unknown): boolean {
  return Array.isArray(value) && value.some((one) => isObject(one) && typeof one.size === "number");
}

function adoptionFacts({ subject: { act } }: FactGround): Fact[] {
  if (act === "adopt")
    return [
      fact(
        "adoption",
        "medium",
        "an object that exists comes under the program, which overwrites what differs",
      ),
    ];
  return act === "restore" ? [fact("end", "medium", "it comes back from the archive")] : [];
}

function consoleFacts({ subject, said, live, lastChange }: FactGround): Fact[] {
  const { definition, outputs } = subject;
  const facts: Fact[] = [];
  if (live !== undefined && lastChange?.at !== undefined) {
    const seen = Object.entries(definition.fields).find(([, field]) => field.facts.audit === "changed")?.[0];
    const known = seen === undefined ? undefined : outputs[seen];
    if (typeof known === "number" && lastChange.at > known)
      facts.push(
        fact(
          "console",
          "medium",
          `changed in the console since this stack last read it${lastChange.by === undefined ? "" : `, by ${lastChange.by}`}, ${timeText(lastChange.at)}: refresh first`,
        ),
      );
  }
  const reviews = Object.entries(definition.fields).filter(([, field]) => field.facts.openReview === true);
  if (reviews.some(([name]) => isObject((live ?? outputs)[name])))
    facts.push(fact("review", "medium", "a review of another change is open in the console"));
  const staged = referencesIn(definition, subject.wants ?? {}).some(
    ({ kind }) => kind === releasePipeline.name,
  );
  if (staged && subject.act === "update" && said.tables.length > 0)
    facts.push(fact("stages", "info", "a release pipeline brings the rules out in stages"));
  return facts;
}

/** What the definition itself warns of. */
function warningFacts({ subject: { definition, outputs, wants, act } }: FactGround): Fact[] {
  if (wants === undefined || act === undefined || definition.warnings === undefined) return [];
  const known = new Set(definition.warnings(outputs, outputs).map(({ message }) => message));
  return definition
    .warnings(outputs, wants)
    .filter(({ message }) => !known.has(message))
    .map(({ message }) => fact("warning", "medium", message));
}

function surroundings({ subject: { act }, dependents, checksPerHour }: FactGround): Fact[] {
  if (act === undefined || inUse.has(act)) return [];
  return [
    ...(checksPerHour === undefined || checksPerHour === 0
      ? []
      : [fact("traffic", "info", checksText(checksPerHour))]),
    ...(dependents.length === 0 ? [] : [fact("dependents", "info", `${dependentsText(dependents)} on it`)]),
  ];
}

function fact(about: Fact["about"], level: Level, text: string): Fact {
  return { about, level, text };
}
