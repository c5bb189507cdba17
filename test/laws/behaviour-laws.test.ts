import { expect, test } from "@jest/globals";
import { switches } from "../../src/emulator/console/rules/switches";
import { behaviourLaws, runBehaviourLaws } from "./behaviour-laws";
import { harsh, isPolicy, mild, mixture } from "./consoles";
import { kinds } from "./subject";

// 20 mixtures are run by `npm run prove -- laws`.

test.each([harsh, mixture(1)])(
  "every law holds of every kind: $name",
  async (setting) => {
    const failures: string[] = [];
    let cases = 0;
    for await (const { kind, law, failure } of runBehaviourLaws([setting])) {
      cases += 1;
      if (failure !== undefined) failures.push(`${kind}: ${law}: ${failure}`);
    }
    expect(failures).toEqual([]);
    expect(cases).toBe(kinds.length * behaviourLaws.length);
  },
  180_000,
);

test("mild is the default, harsh differs from it in every answer but policies, and mixtures give every answer", () => {
  const mixtures = Array.from({ length: 20 }, (_, index) => mixture(index + 1));
  for (const [question, choices] of Object.entries(switches) as [
    keyof typeof switches,
    readonly string[],
  ][]) {
    expect(mild.behaviour[question]).toBe(choices[0]);
    if (isPolicy(question)) continue;
    expect(harsh.behaviour[question]).toBe(choices.at(-1));
    const given = new Set<string>(mixtures.map(({ behaviour }) => behaviour[question]));
    expect([question, given]).toEqual([question, new Set(choices)]);
  }
  expect(mixture(3)).toEqual(mixture(3));
});
