import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { Change } from "../../src/tools/review";
import { ReviewDesk } from "./desk";

let api: ReviewDesk;
beforeEach(() => {
  api = new ReviewDesk();
});
afterEach(() => api.close());

const rules = (...shares: number[]) =>
  shares.map((passPercentage, n) => ({ name: `R${n}`, passPercentage, conditions: [{ type: "public" }] }));
const owned = { rollout: "console", status: "console" };
/** A gate with rules of these shares; `more`: its other arguments. */
const gate = (shares: number[], more: object = {}) =>
  `new fc.Gate("ramped", ${JSON.stringify({ owns: owned, ...more, rules: rules(...shares) })});`;

/** The change of the one gate that a preview has; undefined where there is none. */
const reviewed = async ({ asks = false, change = (text: string) => text } = {}) =>
  (await api.report({ isOffline: !asks, change })).changes[0];

const aboutReach = ({ facts }: Change) => facts.filter(({ about }) => about === "reach" || about === "state");

test.each([true, false])(
  "no percentage and no state changes that the console owns (console asked: %s)",
  async (asks) => {
    await api.apply(gate([10], { isEnabled: true }));
    api.write(gate([90], { isEnabled: false }));
    expect(await reviewed({ asks })).toBeUndefined();
    api.write(gate([90], { isEnabled: false, description: "New words" }));
    const change = (await reviewed({ asks })) as Change;
    expect(change.headline).toMatch(/description/);
    expect(change.headline).not.toMatch(/%|off/);
    expect(aboutReach(change)).toEqual([]);
  },
);

test("the percentage of a new rule is said, and of the others none", async () => {
  await api.apply(gate([10]));
  api.write(gate([90, 25]));
  const { headline } = (await reviewed()) as Change;
  expect(headline).toContain('new rule "R1": 25 % of everyone');
  expect(headline).not.toMatch(/90 %|10 % →/);
});

const ramping = { owns: { rollout: "console" }, isEnabled: true };
const off = gate([0], { ...ramping, isEnabled: false });
const onTop = gate([0], ramping).replace(
  '[{"name"',
  '[{"name":"Top","passPercentage":100,"conditions":[{"type":"public"}]},{"name"',
);
const more = "medium: +20 percentage points for everyone in all environments";
const toNobody = "medium: who is let in: 80 % of everyone → nobody; no checks in the last hour";

test.each<[what: string, after: string, live: number, headline: RegExp, facts: string[]]>([
  [
    "is switched off",
    off,
    80,
    /^is switched off: 80 % of everyone → nobody$/,
    ["high: it is switched off", toNobody],
  ],
  ["that nobody passes is switched off", off, 0, /^is switched off: nobody passes$/, []],
  [
    "gets a rule on top",
    onTop,
    80,
    /new rule "Top": everyone/,
    [`${more}: rule "Top" decides for them, and no longer rule "R0"`],
  ],
])(
  "a gate with percentages of the console %s: they count as the console has them, and not asked as unknown",
  async (_, after, live, headline, told) => {
    await api.apply(gate([0], ramping));
    await api.edit("ramped", { rules: rules(live) });
    api.write(after);
    const { headline: found, facts } = (await reviewed({ asks: true })) as Change;
    expect(found).toMatch(headline);
    expect(facts.map(({ level, text }) => `${level}: ${text}`)).toEqual(expect.arrayContaining(told));
    expect(JSON.stringify(await reviewed())).not.toMatch(/nobody passes|[^\d]0 %/);
  },
);

test("a ramp by hand that was refreshed, and then left to the console, is not said to go back", async () => {
  await api.apply(gate([90], { owns: undefined }));
  await api.edit("ramped", { rules: rules(10) });
  await api.refresh();
  expect(((await reviewed()) as Change).headline).toMatch(/10 % → 90 %/);
  api.write(gate([90], { owns: { rollout: "console" } }));
  expect((await reviewed())?.headline ?? "").not.toMatch(/%/);
});

test("an object that is taken over keeps the percentages that it has", async () => {
  await api.raw.gate.create({ body: { id: "ramped", name: "ramped", rules: rules(30) } as never });
  api.write(gate([90], { adopt: true }));
  const change = (await reviewed({ asks: true })) as Change;
  expect(change.act).toBe("adopt");
  expect(change.headline).not.toMatch(/%/);
  expect(aboutReach(change)).toEqual([]);
  const unread = (await reviewed()) as Change;
  expect(unread.headline).toContain("everyone (share not known yet)");
  expect(JSON.stringify(unread)).not.toMatch(/90/);
});

/** Whether a report that asks the console advises a refresh. */
const isAdvised = async (change?: (text: string) => string) =>
  (await reviewed({ asks: true, ...(change && { change }) }))?.facts.some(({ text }) =>
    text.includes("refresh first"),
  );

test.each<[who: string, more: object, body: object, helps: boolean]>([
  ["ramps a rule that is left to the console", {}, { rules: rules(60) }, false],
  ["switches off what is left to the console", { isEnabled: true }, { isEnabled: false }, false],
  ["edits what the program owns", {}, { name: "Another name" }, true],
])("after somebody %s, a refresh is advised only where it helps", async (_who, more, body, helps) => {
  await api.apply(gate([10], { description: "Old words", ...more }));
  api.now += 3_600_000;
  await api.edit("ramped", body);
  api.sign("gate", "ramped", "ana@example.com");
  api.write(gate([10], { description: "New words", ...more }));
  expect(await isAdvised()).toBe(helps);
  await api.refresh();
  expect(await isAdvised()).toBe(false);
});

test("a secret alone is no reason to advise a refresh, and what changes beside it is one", async () => {
  await api.apply(gate([10], { description: "Hush", tags: ["a"] }));
  api.now += 3_600_000;
  await api.edit("ramped", { isEnabled: false });
  api.write(gate([10], { description: "Hush", tags: ["b"] }));
  const hidden = (text: string) => text.replaceAll('"Hush"', '"[secret]"');
  expect(await isAdvised(hidden)).toBe(false);
  await api.edit("ramped", { name: "Another name" });
  expect(await isAdvised(hidden)).toBe(true);
});
