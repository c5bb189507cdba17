import type { JsonObject } from "../../src/provider/schema/json";
import type { Declared } from "../world/programs";
import { changeText } from "../world/programs";
import { type Case, fixtures } from "./draw";

/** The same for sentences that differ in names and numbers alone. */
export function sortOf(sentence: string): string {
  return sentence.replaceAll(/"[^"]*"|\d+/g, "…").slice(0, 60);
}

/** The case with one part less, the largest parts first. */
export function* smaller(drawn: Case): Generator<Case> {
  const { history, deeds, program } = drawn;
  for (const [at] of history.entries())
    if (history.length > 1) yield { ...drawn, history: history.toSpliced(at, 1) };
  const all = [...history, program].flat();
  for (const name of new Set(all.map((one) => one.name)))
    if (!all.some(({ args }) => JSON.stringify(args).includes(`.${name}"`)))
      yield inPrograms(drawn, (some) => some.filter((one) => one.name !== name));
  for (const [at] of deeds.entries()) yield { ...drawn, deeds: deeds.toSpliced(at, 1) };
  const plain: Partial<Case> = {
    ...{ adoptedElsewhere: undefined, refreshes: false, freshCheckout: false },
    ...{ oldState: false, replace: undefined, offline: false },
  };
  for (const [member, value] of Object.entries(plain))
    if (drawn[member as keyof Case] !== value) yield { ...drawn, [member]: value };
  // Who is in them the judge knows by heart.
  for (const { name, args } of all)
    if (!fixtures.some((one) => one.name === name)) yield* withoutArguments(drawn, name, args);
}

/** Without one argument of a resource, or one of its rules, in all programs. */
function* withoutArguments(drawn: Case, name: string, args: JsonObject): Generator<Case> {
  const edit = (change: (args: JsonObject) => JsonObject) =>
    inPrograms(drawn, (some) =>
      some.map((one) => (one.name === name ? { ...one, args: change(one.args) } : one)),
    );
  for (const argument of Object.keys(args)) {
    const isOptional = argument === "description" || argument === "isEnabled";
    if (isOptional) yield edit(({ [argument]: _, ...others }) => others);
  }
  for (const rule of rulesOf(args))
    yield edit((one) => ({ ...one, rules: rulesOf(one).filter((other) => other.name !== rule.name) }));
}

function rulesOf({ rules }: JsonObject): readonly JsonObject[] {
  return Array.isArray(rules) ? (rules as JsonObject[]) : [];
}

function inPrograms(drawn: Case, change: (program: readonly Declared[]) => readonly Declared[]): Case {
  return { ...drawn, history: drawn.history.map(change), program: change(drawn.program) };
}

/** The programs of a case, each as it differs from the one before. */
export function programsText({ history, program }: Case): string {
  const programs = [...history, program];
  return programs
    .map((one, at) => {
      const text = changeText(programs[at - 1] ?? [], one);
      const when = at === programs.length - 1 ? "reported" : `applied ${at + 1}`;
      return `  ${when}:\n    ${text === "" ? "(nothing changes)" : text}`;
    })
    .join("\n");
}
