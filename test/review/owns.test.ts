import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { Change } from "../../src/tools/review";
import { ReviewDesk } from "./desk";

let desk: ReviewDesk;
beforeEach(() => {
  desk = new ReviewDesk();
});
afterEach(() => desk.close());

const gate = (shares: number[], more = "") =>
  `new fc.Gate("ramped", { owns: { rollout: "console", status: "console" }, ${more} rules: [${shares
    .map((share, at) => `{ name: "R${at}", passPercentage: ${share}, conditions: [{ type: "public" }] }`)
    .join(", ")}] });`;

/** The change of the one gate that a preview has; undefined where there is none. */
const reviewed = async ({ asks = false, change = (text: string) => text } = {}) =>
  (await desk.report({ isOffline: !asks, change })).changes[0];

const aboutReach = ({ facts }: Change) => facts.filter(({ about }) => about === "reach" || about === "state");

test.each([true, false])(
  "no percentage and no state changes that the console owns (console asked: %s)",
  async (asks) => {
    desk.write(gate([10], "isEnabled: true,"));
    await desk.up();
    desk.write(gate([90], "isEnabled: false,"));
    expect(await reviewed({ asks })).toBeUndefined();
    desk.write(gate([90], 'isEnabled: false, description: "New words",'));
    const change = (await reviewed({ asks })) as Change;
    expect(change.headline).toMatch(/description/);
    expect(change.headline).not.toMatch(/%|off/);
    expect(aboutReach(change)).toEqual([]);
  },
);

test("the percentage of a new rule is said, and of the others none", async () => {
  desk.write(gate([10]));
  await desk.up();
  desk.write(gate([90, 25]));
  const { headline } = (await reviewed()) as Change;
  expect(headline).toContain('new rule "R1": 25 % of everyone');
  expect(headline).not.toMatch(/90 %|10 % →/);
});

test("a ramp by hand that was refreshed, and then left to the console, is not said to go back", async () => {
  const declared = (more: string) =>
    `new fc.Gate("ramped", { ${more} rules: [{ name: "R0", passPercentage: 90, conditions: [{ type: "public" }] }] });`;
  desk.write(declared(""));
  await desk.up();
  const rules = [{ name: "R0", passPercentage: 10, conditions: [{ type: "public" }] }];
  await desk.raw.gate.patch({ id: "ramped", body: { rules } as never });
  await desk.stack.refresh((await desk.stack.exported()).resources.map(({ urn }) => urn));
  expect(((await reviewed()) as Change).headline).toMatch(/10 % → 90 %/);
  desk.write(declared('owns: { rollout: "console" },'));
  expect((await reviewed())?.headline ?? "").not.toMatch(/%/);
});

test("an object that is taken over keeps the percentages that it has", async () => {
  const rules = [{ name: "R0", passPercentage: 30, conditions: [{ type: "public" }] }];
  await desk.raw.gate.create({ body: { id: "ramped", name: "ramped", rules } as never });
  desk.write(gate([90], "adopt: true,"));
  const change = (await reviewed({ asks: true })) as Change;
  expect(change.act).toBe("adopt");
  expect(change.headline).not.toMatch(/%/);
  expect(aboutReach(change)).toEqual([]);
  const unread = (await reviewed()) as Change;
  expect(unread.headline).toContain("everyone (share not known yet)");
  expect(JSON.stringify(unread)).not.toMatch(/90/);
});

test.each<[who: string, more: string, body: object, isAdvised: boolean]>([
  [
    "ramps a rule that is left to the console",
    "",
    { rules: [{ name: "R0", passPercentage: 60, conditions: [{ type: "public" }] }] },
    false,
  ],
  ["switches off what is left to the console", "isEnabled: true,", { isEnabled: false }, false],
  ["edits what the program owns", "", { name: "Another name" }, true],
])("after somebody %s, a refresh is advised only where it helps", async (_who, more, body, isAdvised) => {
  desk.write(gate([10], `description: "Old words", ${more}`));
  await desk.up();
  desk.now += 3_600_000;
  await desk.raw.gate.patch({ id: "ramped", body: body as never });
  desk.sign("gate", "ramped", "ana@example.com");
  desk.write(gate([10], `description: "New words", ${more}`));
  const isSent = async () =>
    ((await reviewed({ asks: true })) as Change).facts.some(({ text }) => text.includes("refresh first"));
  expect(await isSent()).toBe(isAdvised);
  await desk.stack.refresh((await desk.stack.exported()).resources.map(({ urn }) => urn));
  expect(await isSent()).toBe(false);
});

test("a secret alone is no reason to advise a refresh, and what changes beside it is one", async () => {
  desk.write(gate([10], 'description: "Hush", tags: ["a"],'));
  await desk.up();
  desk.now += 3_600_000;
  await desk.raw.gate.patch({ id: "ramped", body: { isEnabled: false } });
  desk.write(gate([10], 'description: "Hush", tags: ["b"],'));
  const advised = async () => {
    const change = (text: string) => text.replaceAll('"Hush"', '"[secret]"');
    const told = await reviewed({ asks: true, change });
    return told?.facts.some(({ text: said }) => said.includes("refresh first"));
  };
  expect(await advised()).toBe(false);
  await desk.raw.gate.patch({ id: "ramped", body: { name: "Another name" } });
  expect(await advised()).toBe(true);
});
