import type { ResourceDefinition } from "../../../provider/schema/define";
import { machineOf } from "../../../provider/values/machine";
import { argumentLabel, noEffectText, type RuleRow, unreachableText } from "../../../provider/words";
import { type Level, levels as levelsInOrder, type Reason, type RuleTable } from "../review";
import { isFirst } from "../subjects";
import { reason } from "./end-reasons";
import { rulesThatLetIn } from "./passing";
import { effectsOf, levelOfMove, moveText, type RuleEffect, reachesOf } from "./reach-effects";
import type { ReasonGround } from "./reason-ground";

/** Reasons that follow from an object that comes into use or goes out of it. */
export function consequenceReasons(ground: ReasonGround): Reason[] {
  const { subject, said, isProduction, live, checksPerHour } = ground;
  const { consequence } = said;
  if (consequence === undefined) return [];
  const { text, environments } = consequence;
  const level = levelIn(environments === null || environments.some(isProduction))(consequence.level);
  // The console counts no checks of an archived object.
  const isCounted = live !== undefined && subject.act !== "restore";
  const isUnasked = level === "high" && isCounted && checksPerHour === 0;
  const whole = `${text.includes("→") ? "who is let in: " : ""}${text}${isUnasked ? "; no checks in the last hour" : ""}`;
  return [reason("reach", isUnasked ? "medium" : level, whole)];
}

type Weigh = (inProduction: Level) => Level;

function levelIn(inProduction: boolean): Weigh {
  return (level) => (inProduction ? level : level === "high" ? "medium" : "low");
}

/** Reasons that follow from one list of rules. */
export function tableReasons(ground: ReasonGround, { argument, rows }: RuleTable): Reason[] {
  const { subject, live, isProduction } = ground;
  // Nobody asks for what is not there yet, and of what is taken over offline nobody says what it was.
  if (isFirst(subject.before)) return rows.flatMap((row) => unreachableReasons(row, "low"));
  const [was, is] = reachesOf(subject, live);
  // The sentence about the state names its effect.
  if (was !== is) return [];
  if (was !== "rules") return [reason("reach", "low", standingText(subject.definition, was))];
  const unknown = rows
    .filter(({ what }) => what === "unknown")
    .map(({ name }) => reason("reach", "medium", `whom rule ${name} lets in is not known yet`));
  const effects = effectsOf(ground, argument);
  if (effects === undefined) return [...unknown, reason("reach", "medium", tooManyText)];
  const weigh = ({ where: { all, names } }: RuleEffect): Weigh => levelIn(names.some(isProduction) !== all);
  return [
    ...unknown,
    ...effects.map((effect) => reason(effect.about, weigh(effect)(effect.level), effect.text)),
    ...rows.flatMap((row) => rowReasons(row, effects, weigh)),
  ];
}

const tooManyText =
  "the rules distinguish too many groups of units: the report does not show who gains or loses";

function standingText(definition: ResourceDefinition, reaches: "nobody" | "everybody"): string {
  const off = rulesThatLetIn(definition)
    ? "nobody passes, before or after"
    : "every unit gets the default value before and after";
  const whom = reaches === "everybody" ? "everyone passes, before and after" : off;
  return `${noEffectText(reaches)}: ${whom}`;
}

function rowReasons(
  row: RuleRow,
  effects: readonly RuleEffect[],
  weigh: (effect: RuleEffect) => Weigh,
): Reason[] {
  const { name, before, after, what, moved, unreachable, unreachableBefore } = row;
  const ofBefore = effects.filter(
    (effect) => effect.before !== undefined && effect.before + 1 === before?.place,
  );
  const ofAfter = effects.filter((effect) => effect.after !== undefined && effect.after + 1 === after?.place);
  const own = [...ofBefore, ...ofAfter];
  if (unreachable !== undefined && unreachableBefore === true && what === "changed")
    return [reason("reach", "low", `${unreachableText(unreachable, `rule ${name}`)}; before as after`)];
  const levels = ofBefore.map((effect) => weigh(effect)(effect.isBigLoss ? "high" : "medium"));
  const unfelt: Level = before === undefined ? "medium" : "low";
  const facts = unreachableReasons(row, levelsInOrder.find((level) => levels.includes(level)) ?? unfelt);
  if (moved && own.length > 0) {
    const text = `rule ${name} changes its place: the first rule that fits decides`;
    const isMedium = own.some((effect) => weigh(effect)("medium") === "medium");
    facts.push(reason("order", isMedium ? "medium" : "low", text));
  }
  const isSame = what === "unchanged" || what === "touched" || what === "unknown";
  if (own.length > 0 || facts.length > 0 || isSame) return facts;
  const changes = moved ? "changes its place" : "changes";
  const did = before === undefined ? "is new" : after === undefined ? "is gone" : changes;
  const text = `rule ${name} ${did}, and no unit gains or loses by that`;
  return [reason(moved ? "order" : "audience", "low", text)];
}

function unreachableReasons({ unreachable, unreachableBefore, name }: RuleRow, level: Level): Reason[] {
  if (unreachable === undefined || unreachableBefore === true) return [];
  return [reason("unreachable", level, unreachableText(unreachable, `rule ${name}`))];
}

/** Reasons that follow from changed shares. */
export function shareReasons({ subject, said, overclaim, wasOverclaimed }: ReasonGround): Reason[] {
  const { definition, before, changes, program, act } = subject;
  return said.values.flatMap(({ argument }): Reason[] => {
    const is = changes[argument];
    if (definition.fields[argument]?.traits.share !== true || typeof is !== "number") return [];
    // Of what is taken over or comes back unseen, nobody says what it was.
    if (act === "create" || isFirst(before)) return [];
    const was = typeof before[argument] === "number" ? before[argument] : 0;
    const label = argumentLabel(definition, argument, program);
    const machine = machineOf(definition);
    const state = machine && { ...before, ...changes }[machine.field];
    if (machine !== undefined && (state === machine.initial || state === undefined))
      return [reason("reach", "low", `${label} ${moveText(was, is)}, without effect until it starts`)];
    const level = levelOfMove(Math.abs(is - was));
    const rest =
      overclaim !== undefined
        ? "gets only the rest if it starts last"
        : wasOverclaimed && "had only the rest if it started last";
    const text = moveText(was, is);
    return [reason("reach", level, rest ? `${label} it asks for ${text}, and ${rest}` : `${label} ${text}`)];
  });
}
