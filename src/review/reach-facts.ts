import { argumentLabel, percentText, type RuleRow, shareText, unreachableText } from "../plain-words";
import type { FactGround } from "./facts";
import type { Fact, Level } from "./review";
import { isFirst } from "./statements";

/** So many points of a percentage in one step ask for attention, and for a second look. */
const bigMove = 50;
const move = 10;

/** What changes of who is let in, by rules and by shares of the whole. */
export function reachFacts(ground: FactGround): Fact[] {
  // Nobody asks for what is not there yet, and of what is taken over offline nobody says what it was.
  const isNew = isFirst(ground.subject.before);
  const rows = ground.said.tables.flatMap((table) => table.rows).filter(({ what }) => what !== "unchanged");
  return [...rows.flatMap((row) => rowFacts(row, placeOf(row, ground, isNew))), ...shareFacts(ground)];
}

/** What it means for units that an object comes into use, or goes out of it. */
export function consequenceFacts({ said, isProduction, live, checksPerHour }: FactGround): Fact[] {
  const { consequence } = said;
  if (consequence === undefined) return [];
  const { text, environments } = consequence;
  const level = levelIn(environments === null || environments.some(isProduction))(consequence.level);
  const isUnasked = level === "high" && live !== undefined && checksPerHour === 0;
  return [
    {
      about: "reach",
      level: isUnasked ? "medium" : level,
      text: `${text.includes("→") ? "who is let in: " : ""}${text}${isUnasked ? "; no checks in the last hour" : ""}`,
    },
  ];
}

function levelIn(inProduction: boolean): Place["level"] {
  return (level) => (inProduction ? level : level === "high" ? "medium" : "low");
}

/** Where a rule holds, and how much that matters. */
interface Place {
  /** The object is new, or nobody says what it was. */
  readonly isNew: boolean;
  /** `in production`. */
  readonly text: string;
  /** The level of what would be so in production. */
  readonly level: (inProduction: Level) => Level;
}

function placeOf({ before, after }: RuleRow, { isProduction }: FactGround, isNew: boolean): Place {
  const sides = [before, after].flatMap((side) => side ?? []);
  const inProduction = sides.some(
    ({ environmentNames: names }) => names === null || names.some(isProduction),
  );
  return {
    isNew,
    text: `in ${(after ?? before)?.environments ?? ""}`,
    level: isNew ? () => "low" : levelIn(inProduction),
  };
}

function rowFacts(row: RuleRow, { text: where, level, isNew }: Place): Fact[] {
  const { before, after, name, what } = row;
  if (what === "unknown")
    return [{ about: "reach", level: level("medium"), text: `whom rule ${name} lets in is not known yet` }];
  if (after === undefined) {
    const was = before?.share ?? 0;
    const whom = before === undefined ? "nobody" : shareText(before);
    const text = `rule ${name} is gone, which let in ${whom} ${where}; another rule may still do so`;
    return [{ about: "audience", level: level(was >= bigMove ? "high" : was > 0 ? "medium" : "low"), text }];
  }
  if (before === undefined) {
    const is = after.share ?? 0;
    const isWide = after.isForAll && is >= bigMove;
    const text = `a new rule lets in ${shareText(after)} ${where}`;
    // Every rule of a new object is new.
    if (isNew) return unreachableFacts(row, level);
    return [
      { about: "audience", level: level(isWide ? "high" : is > 0 ? "medium" : "low"), text },
      ...unreachableFacts(row, level),
    ];
  }
  return [...sameRuleFacts(row, { text: where, level, isNew }), ...unreachableFacts(row, level)];
}

function sameRuleFacts(row: RuleRow, { text: where, level }: Place): Fact[] {
  const { before, after, name, moved, gives } = row;
  if (before === undefined || after === undefined) return [];
  const facts: Fact[] = [];
  const [was, is] = [before.share ?? 0, after.share ?? 0];
  const points = Math.abs(is - was);
  if (before.environments !== after.environments) {
    const isWide = after.isForAll && is >= bigMove;
    const text = `rule ${name} lets in ${percentText(is)} of ${after.audience} ${where}; before: in ${before.environments}`;
    facts.push({ about: "audience", level: level(isWide ? "high" : "medium"), text });
  }
  if (points > 0) {
    const text = `${moveText(was, is)} of ${after.audience} ${where}`;
    facts.push({
      about: "reach",
      level: level(points >= bigMove ? "high" : points >= move ? "medium" : "low"),
      text,
    });
  }
  if (before.audience !== after.audience || row.condition !== undefined)
    facts.push({
      about: "audience",
      level: level("medium"),
      text: `rule ${name} is about others than before ${where}`,
    });
  if (moved)
    facts.push({
      about: "order",
      level: level("medium"),
      text: `rule ${name} changes its place: the first rule that fits decides`,
    });
  if (gives !== undefined)
    facts.push({
      about: "value",
      level: level("medium"),
      text: `what ${after.audience} ${after.audience === "everyone" ? "gets" : "get"} changes ${where}`,
    });
  return facts;
}

/** A rule that let in many and that nobody gets to any more has the effect of its removal. */
function unreachableFacts(
  { unreachable, unreachableBefore, name, before }: RuleRow,
  level: Place["level"],
): Fact[] {
  if (unreachable === undefined || unreachableBefore === true) return [];
  const text = unreachableText(unreachable, `rule ${name}`);
  return [{ about: "unreachable", level: level((before?.share ?? 0) >= bigMove ? "high" : "medium"), text }];
}

function moveText(was: number, is: number): string {
  if (was === 0 && is === 100) return "from nobody to all in one step: 100 points more";
  const points = percentText(Math.abs(is - was)).replace(" %", "");
  const text = `${points} ${points === "1" ? "point" : "points"} ${is > was ? "more" : "fewer"}`;
  return is === 0 ? `down to nobody: ${text}` : text;
}

function shareFacts({ subject: { definition, before, changes, act }, said }: FactGround): Fact[] {
  return said.values.flatMap(({ argument }): Fact[] => {
    const is = changes[argument];
    if (definition.fields[argument]?.facts.share !== true || typeof is !== "number" || act === "create")
      return [];
    const was = typeof before[argument] === "number" ? before[argument] : 0;
    const points = Math.abs(is - was);
    const level = points >= bigMove ? "high" : points >= move ? "medium" : "low";
    return [{ about: "reach", level, text: `${argumentLabel(definition, argument)} ${moveText(was, is)}` }];
  });
}
