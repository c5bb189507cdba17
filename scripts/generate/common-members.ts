import type { MemberText } from "./typescript";

type Named = Pick<MemberText, "name">;

/** Fewer interfaces than this keep a member that they share. */
const least = 3;

/** Members that several interfaces have, or lines of several pages, each once and with its most frequent text. */
export function commonMembers<T extends Named>(interfaces: readonly (readonly T[])[]): T[] {
  const counts = new Map<string, number>();
  for (const text of interfaces.flat().map(textOf)) counts.set(text, (counts.get(text) ?? 0) + 1);
  const common = new Map<string, [text: string, count: number]>();
  for (const [text, count] of counts) {
    const { name } = JSON.parse(text) as T;
    const most = common.get(name)?.[1] ?? least - 1;
    if (count > most) common.set(name, [text, count]);
  }
  return [...common.values()].map(([text]) => JSON.parse(text) as T);
}

/** The members that an interface has by itself, and the base that has those in common with others. */
export function apart(
  members: readonly MemberText[],
  common: readonly MemberText[],
  commonName: string,
): { own: MemberText[]; bases: string[] } {
  const known = new Set(common.map(textOf));
  const own = members.filter((member) => !known.has(textOf(member)));
  const names = members.filter((member) => !own.includes(member)).map(({ name }) => `"${name}"`);
  return { own, bases: names.length === 0 ? [] : [`Pick<${commonName}, ${names.join(" | ")}>`] };
}

const textOf = (member: Named): string => JSON.stringify(member);
