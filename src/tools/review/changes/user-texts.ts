import { countOf, countText, listText, nameIn, valueChangesText } from "../../../provider/words";
import type { FlagUsers, UserCounts, UserMoves } from "../review";

/** `production: 3 of 900 users lose gate "checkout_v2", 20 gain it`; a sentence for each flag that a user feels. */
export function userTexts({ of, environment, flags, isComplete }: UserCounts): string[] {
  const where = environment === undefined ? "" : ` in ${environment}`;
  // Notes say what was not counted: "none" would be about the rest alone.
  if (flags.length === 0)
    return isComplete ? [`None of ${countOf(of, "user")} gets another answer${where}.`] : [];
  return flags.map((flag) => {
    const text = flag.drawn === undefined ? countedText(flag, of) : drawnText(flag, flag.drawn, of);
    return flag.environment === undefined
      ? `${text.charAt(0).toUpperCase()}${text.slice(1)}`
      : `${flag.environment ?? "other environments"}: ${text}`;
  });
}

const nameOf = ({ kind, id }: FlagUsers): string => `${kind} ${nameIn(id)}`;

function countedText(flag: FlagUsers, of: number): string {
  const { gains, loses, otherValue, values = [] } = flag;
  const moves: [count: number, which: keyof UserMoves, one: string, many: string][] = [
    [loses, "loses", "loses", "lose"],
    [gains, "gains", "gains", "gain"],
  ];
  const moved = moves
    .filter(([count]) => count > 0)
    .map(([count, which, one, many], at) => {
      const who = at === 0 ? `${countText(count)} of ${countOf(of, "user")}` : countText(count);
      const what = `${who} ${count === 1 ? one : many} ${at === 0 ? nameOf(flag) : "it"}`;
      return `${what}${inBrackets(groupTexts(flag, which))}`;
    });
  if (otherValue === 0) return `${moved.join(", ")}.`;
  const told = values.map(({ before, after, users }) => {
    const change = valueChangesText(before, after) ?? "";
    return users === otherValue ? change : `${countText(users)}: ${change}`;
  });
  const others = otherValue - values.reduce((sum, { users }) => sum + users, 0);
  if (others > 0 && told.length > 0) told.push(`${countText(others)}: other changes`);
  const get = otherValue === 1 ? "gets" : "get";
  const rest = inBrackets([...told, ...groupTexts(flag, "otherValue")]);
  return `${countText(otherValue)} of ${countOf(of, "user")} ${get} another value of ${nameOf(flag)}${rest}.`;
}

const inBrackets = (texts: readonly string[]): string => (texts.length === 0 ? "" : ` (${texts.join("; ")})`);

/** Most values of a column that a sentence names. */
const mostGroups = 5;

/** `9 with plan "enterprise", 303 with plan "free"`; a text for each column. */
function groupTexts(flag: FlagUsers, which: keyof UserMoves): string[] {
  const { by = {} } = flag;
  return Object.entries(by).flatMap(([column, values]) => {
    const groups = Object.entries(values)
      .map(([value, moves]) => ({ value, count: moves[which] }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count);
    if (groups.length === 0) return [];
    const texts = groups.map(({ value, count }) => `${countText(count)} with ${column} ${nameIn(value)}`);
    const others = flag[which] - groups.reduce((sum, { count }) => sum + count, 0);
    return [`${listText(texts, mostGroups)}${others > 0 ? `, ${countText(others)} without ${column}` : ""}`];
  });
}

const drawnVerbs = { loses: "lose", gains: "gain", otherValue: "get another value of" } as const;

function drawnText(flag: FlagUsers, drawn: NonNullable<FlagUsers["drawn"]>, of: number): string {
  const told = (["loses", "gains", "otherValue"] as const).flatMap((which) => {
    const [least, most] = drawn[which].map(countText);
    const about = `about ${countText(flag[which])} (${least} to ${most}) of ${countOf(of, "user")}`;
    return flag[which] === 0 ? [] : [`${about} ${drawnVerbs[which]} ${nameOf(flag)}`];
  });
  const why = `only the update shows the users of ${drawn.draws.join(", ")}`;
  const text =
    told.length === 0 ? `no user is expected to get another answer of ${nameOf(flag)}` : told.join(", ");
  return `${text}: ${why}.`;
}
