import { expect, test } from "@jest/globals";
import { hasWayBack, rollbackReport } from "../../src/tools/past/rollback-report";
import { rendered } from "../../src/tools/render/report";
import { writeProgram } from "../../src/tools/rewrite/into-program";
import { settingsFile } from "../drift/desk";
import { api, deskForEachTest } from "../drift/each-test";
import { playHistory } from "./histories";
import { planned, rolledBack } from "./rollback-desk";

deskForEachTest();

const everyone = { name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] };
const gate = `new fc.Gate("flag", {
  description: "Old", // the shop's
  rules: [{ name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] }],
});
`;
const patched = (body: object, id = "flag") => {
  api.later();
  return api.edit(id, body);
};
const text = (plan: Parameters<typeof rollbackReport>[0]) => rendered(rollbackReport(plan), "text");
/** Writes the settings that the program reads, and applies it. */
const settled = (lines: string) => {
  api.writeSettings(lines);
  return api.up();
};
const live = async (id = "flag") => (await api.raw.gate.get({ id })) as Record<string, unknown>;

test("a flag is as it was after a rollback and an update: edits of people and of the program, and what the program left out", async () => {
  await api.apply(gate);
  await patched({ rules: [{ ...everyone, passPercentage: 25 }], tags: ["shop"] });
  await patched({ description: "Theirs", tags: [] });
  const before = api.program;
  const plan = await planned(api, "flag", "2");
  expect(text(plan)).toBe(`gate "flag" · back to version 2 (a key, 2026-11-22 10:04 UTC)
  description Theirs → Old
  tags shop

1 object, 1 of them wholly.
`);
  expect(api.program).toBe(before);
  await rolledBack(api, "flag", "2");
  expect(api.program).toContain('description: "Old", // the shop\'s');
  expect(api.program).toContain("passPercentage: 25");
  expect(await live()).toMatchObject({ description: "Old", tags: ["shop"], rules: [{ passPercentage: 25 }] });
  expect(await api.changes()).toEqual({});
});

test("defaults that the program does not set are written where they come back", async () => {
  const groups = `groups: [{ name: "a", size: 50, parameterValues: {} }, { name: "b", size: 50, parameterValues: {} }]`;
  await api.apply(
    `new fc.Experiment("colour", { hypothesis: "h", ${groups} });\nnew fc.DynamicConfig("limits", { rules: [] });\n`,
  );
  api.later();
  await api.raw.experiment.patch({ id: "colour", body: { allocation: 50, duration: 9 } });
  await api.raw.dynamicConfig.patch({ id: "limits", body: { defaultValue: { a: 1 } } });
  for (const name of ["colour", "limits"]) await rolledBack(api, name, "1");
  expect(api.program).toContain("allocation: 100");
  expect(api.program).toContain("defaultValue: {}");
  const experiment = await api.raw.experiment.get({ id: "colour" });
  expect(experiment).toMatchObject({ allocation: 100, duration: 14 });
  expect(await api.raw.dynamicConfig.get({ id: "limits" })).toMatchObject({ defaultValue: {} });
  expect(await api.changes()).toEqual({});
});

test("a flag comes back from the archive, and goes there again", async () => {
  await api.apply(gate);
  api.later();
  await api.raw.gate.archive({ id: "flag" });
  await patched({}).catch(() => undefined);
  const back = await rolledBack(api, "flag", "1");
  expect(text(back)).toContain("  comes back from the archive\n  nobody → 10 % of everyone\n");
  expect(await live()).toMatchObject({ status: "In Progress" });
  await rolledBack(api, "flag", "2");
  expect(api.program).toContain('status: "Archived"');
  expect(await live()).toMatchObject({ status: "Archived" });
});

test("what the program keeps archived stays as it is, and that is said", async () => {
  await api.apply(gate.replace("{", '{ status: "Archived",'));
  api.later();
  await api.raw.gate.unarchive({ id: "flag" });
  await patched({ description: "Theirs" });
  await api.raw.gate.archive({ id: "flag" });
  const plan = await planned(api, "flag", "2");
  expect(text(plan)).toContain("description: it is archived: leave its other arguments, or set status");
  expect(plan.acceptance.changes.size).toBe(0);
});

test("all flags of a time, and those without a way back are named", async () => {
  await api.apply(`${gate}new fc.Gate("other", {});\nnew fc.Segment("people", { type: "rule_based" });\n`);
  const then = new Date(api.now + 30_000).toISOString();
  await patched({ description: "New" });
  await patched({ tags: ["a"] }, "other");
  await api.apply(`${api.program.split("\n").slice(1).join("\n")}new fc.Gate("young", {});\n`);
  const plan = await rolledBack(api, undefined, then);
  expect(plan.left).toEqual(['gate "young" did not exist then']);
  expect([await live(), await live("other")]).toMatchObject([{ description: "Old" }, { tags: [] }]);
  const again = await planned(api, undefined, then);
  expect([again.rollbacks, again.acceptance.changes.size]).toEqual([[], 0]);
  expect(text(again)).toContain("Nothing to bring back beside these.");
  api.emulator.addFaults([{ times: 9, path: "/segments", status: 403 }]);
  expect((await planned(api, undefined, then)).left).toContain(
    'segment "people": the console keeps no versions of a segment',
  );
  api.emulator.clearFaults();
  api.later();
  const conditions = [{ type: "country", operator: "any", targetValue: ["NZ"] }];
  const rules = [{ name: "NZ", passPercentage: 100, conditions }];
  await api.raw.segment.setRules({ id: "people", body: { rules } as never });
  expect((await planned(api, undefined, then)).left).toEqual([
    'segment "people": the console keeps no versions of a segment',
    'gate "young" did not exist then',
  ]);
});

test("what is killed before all files are written is carried on by the same command", async () => {
  await api.apply(gate);
  await patched({ description: "New" });
  const plan = await planned(api, "flag", "1");
  writeProgram(api.folder, api.programPorts, plan.acceptance);
  const again = await planned(api, "flag", "1");
  expect(again.acceptance.changes.size).toBe(0);
  expect(text(again)).toContain("description New → Old");
  expect(hasWayBack(again)).toBe(true);
  await api.upWithRefresh();
  expect(await live()).toMatchObject({ description: "Old" });
});

test("an experiment does not run again, and the plan names that beforehand", async () => {
  await api.apply(`new fc.Experiment("trial", {
  status: "active",
  hypothesis: "Old",
  groups: [{ name: "a", size: 50, parameterValues: {} }, { name: "b", size: 50, parameterValues: {} }],
});
`);
  const { version } = (await api.raw.experiment.get({ id: "trial" })) as { version: number };
  api.later();
  await api.raw.experiment.abandon({ id: "trial", body: { decisionReason: "Enough" } as never });
  const plan = await planned(api, "trial", String(version));
  expect(text(plan)).toMatch(/does not come back: status: cannot change from "abandoned" to "active"/);
  expect(text(plan)).toContain("allowReset: true (its results are lost)");
});

test("of an experiment of which nothing comes back, no line has the console's values or an update as the way", async () => {
  const trial = (status: string) => `new fc.Experiment("trial", {
  ${status},
  groups: [{ name: "a", size: 50, parameterValues: {} }, { name: "b", size: 50, parameterValues: {} }],
});
`;
  await api.apply(trial('status: "active"'));
  api.later();
  await api.apply(trial('status: "decision_made", launchedGroup: "b", decisionReason: "More orders"'));
  const plan = await planned(api, "trial", "1");
  expect(text(plan)).toMatch(/does not come back: status: cannot change from "decision_made"/);
  expect(text(plan)).not.toContain("the console has these values already");
  expect(hasWayBack(plan)).toBe(false);
});

test("a share whose rule was removed is drawn anew, and the plan names that beforehand", async () => {
  const partly = gate.replace(/passPercentage: \d+/, "passPercentage: 10");
  await api.apply(partly);
  api.later();
  await api.apply(partly.replace(/rules: \[.*\]/, "rules: []"));
  const plan = await planned(api, "flag", "1");
  expect(text(plan)).toContain(
    `does not come back: rules: the console draws the users of "${everyone.name}" anew, so that others are in it than then`,
  );
  expect(text(plan)).toContain("1 object, 0 of them wholly.");
  await rolledBack(api, "flag", "1");
  await api.up();
  expect(await live()).toMatchObject({ rules: [{ name: everyone.name, passPercentage: 10 }] });
});

test("what is computed is refused with its place, and an unknown version lists those that there are", async () => {
  await api.apply(
    'const text = "Old";\nnew fc.Gate("flag", { description: text });\nnew fc.Segment("people", { type: "rule_based" });\n',
  );
  await patched({ description: "New" });
  api.write(
    'const text = "New";\nnew fc.Gate("flag", { description: text });\nnew fc.Segment("people", { type: "rule_based" });\n',
  );
  const plan = await planned(api, "flag", "1");
  expect(text(plan)).toContain("1 object, 0 of them wholly.");
  const { acceptance } = plan;
  const refused = { how: "refused", why: "the argument is computed", type: '"Old"' };
  expect(acceptance.outcomes).toMatchObject([{ ...refused, place: { file: "index.ts", line: 3 } }]);
  await expect(planned(api, "flag", "9")).rejects.toThrow(
    'gate "flag": there is no version 9; there are version 2 (a key, 2026-11-22 10:04 UTC), version 1 (a key,',
  );
  await expect(planned(api, "flag", "2020-01-01")).rejects.toThrow('gate "flag" did not exist then');
  await expect(planned(api, "people", "1")).rejects.toThrow("the console keeps no versions of a segment");
  await api.raw.gate.delete({ id: "flag" });
  await expect(planned(api, "flag", "1")).rejects.toThrow(
    'gate "flag" does not exist, and its versions are gone with it',
  );
});

const shared = (name: string, share: string) =>
  `new fc.Gate("${name}", { rules: [{ name: "Everyone", passPercentage: ${share}, conditions: [{ type: "public" }] }] });\n`;
const settings = (lines: string) => `config:\n  feature-console:profile: embedded\n${lines}`;
const shareOf = async (id: string) =>
  ((await live(id)).rules as { passPercentage: number }[])[0]?.passPercentage;

test("what the program reads of its stack's settings comes back there, in its quotes and beside its comment", async () => {
  const lines = (share: number, owner: string) =>
    settings(
      `  desk:rollout: # in percent\n    flag: ${share} # carefully\n    other: 25\n  desk:owner: '${owner}'\n`,
    );
  api.write(
    `${shared("flag", 'config["desk:rollout"].flag')}new fc.Gate("owned", { description: config["desk:owner"] });\n`,
  );
  await settled(lines(10, "Ana: shop"));
  api.later();
  await settled(lines(25, "12"));
  const { program } = api;
  const plan = await rolledBack(api, undefined, "2026-11-22 10:03:30");
  expect(text(plan)).toContain("2 objects, 2 of them wholly.");
  expect(api.settings).toBe(lines(10, "Ana: shop"));
  expect(api.program).toBe(program);
  expect([await shareOf("flag"), (await live("owned")).description]).toEqual([10, "Ana: shop"]);
  expect(await api.changes()).toEqual({});
});

test("beside a setting that comes back, the program names a list that a person filled and it never set", async () => {
  const lines = (share: number) => settings(`  desk:share: ${share}\n`);
  api.write(shared("flag", 'config["desk:share"]'));
  await settled(lines(10));
  api.later();
  await settled(lines(25));
  await patched({ tags: ["night"] });
  await rolledBack(api, "flag", "1");
  expect([api.settings, await shareOf("flag")]).toEqual([lines(10), 10]);
  expect(api.program).toContain("tags: []");
  expect(await live()).toMatchObject({ tags: [] });
});

test("a setting that another flag reads too stays, unless both come back to one value", async () => {
  const lines = (share: number) => settings(`  desk:share: ${share}\n`);
  api.write(`${shared("flag", 'config["desk:share"]')}${shared("other", 'config["desk:share"]')}`);
  await settled(lines(10));
  await patched({ rules: [{ ...everyone, passPercentage: 40 }] }, "other");
  api.later();
  api.writeSettings(lines(25));
  await api.upWithRefresh();
  const one = await planned(api, "flag", "1");
  const torn = await planned(api, undefined, "2026-11-22 10:04:30");
  expect(torn.rollbacks).toHaveLength(2);
  expect([one.acceptance.changes.size, torn.acceptance.changes.size]).toEqual([0, 0]);
  expect(text(one)).toContain("1 object, 0 of them wholly.");
  await rolledBack(api, undefined, "2026-11-22 10:03:30");
  expect([api.settings, await shareOf("flag"), await shareOf("other")]).toEqual([lines(10), 10, 10]);
});

test("of two settings with the value neither changes, but for the one with the flag's name", async () => {
  const lines = (share: number, own = "share") => settings(`  desk:${own}: ${share}\n  desk:replicas: 25\n`);
  api.write(shared("flag", 'config["desk:share"]'));
  await settled(lines(10));
  api.later();
  await settled(lines(25));
  const unclear = await planned(api, "flag", "1");
  expect(unclear.acceptance.changes.size).toBe(0);
  expect(text(unclear)).toContain(`${settingsFile} has this value in desk:share, desk:replicas; type 10\n`);
  api.write(shared("flag", 'config["desk:flag"]'));
  api.writeSettings(lines(25, "flag"));
  await rolledBack(api, "flag", "1");
  expect([api.settings, await shareOf("flag")]).toEqual([lines(10, "flag"), 10]);
});

test.each([
  ["[SE, US]", "[NO]", ""],
  ["\n    - 'SE'", "\n    - 'NO'\n    - FI", ""],
  [`'["SE","US"]'`, `'["NO"]'`, ".slice(1, -1).split(',').map((one) => one.slice(1, -1))"],
  ["SE,US", "NO", ".split(',')"],
])("a list of the settings comes back: %j", async (then, now, read) => {
  const lines = (countries: string) => settings(`  desk:countries: ${countries}\n`);
  const conditions = `[{ type: "country", operator: "any", targetValue: config["desk:countries"]${read} }]`;
  api.write(
    `new fc.Gate("flag", { rules: [{ name: "R", passPercentage: 9, conditions: ${conditions} }] });\n`,
  );
  await settled(lines(then));
  api.later();
  await settled(lines(now));
  await rolledBack(api, "flag", "1");
  expect(api.settings).toBe(lines(then));
});

test("a setting that brings another value than the version had is left, where a rule stands elsewhere in its list", async () => {
  const flag = (names: readonly string[], share: string) =>
    `new fc.Gate("flag", { rules: [${names.map((name) => `{ name: "${name}", passPercentage: ${name === "A" ? share : 5}, conditions: [{ type: "public" }] }`).join(", ")}] });\n`;
  const lines = (share: number) => settings(`  desk:flag: ${share}\n`);
  api.write(flag(["First", "A"], 'config["desk:flag"]'));
  await settled(lines(10));
  api.later();
  api.write(flag(["A"], 'Math.max(config["desk:flag"], 20)'));
  await settled(lines(30));
  const plan = await planned(api, "flag", "1");
  expect([...plan.acceptance.changes.keys()]).toEqual([]);
  api.write(flag(["A"], 'config["desk:flag"]'));
  await rolledBack(api, "flag", "1");
  expect([api.settings, api.program.includes('"First"')]).toEqual([lines(10), true]);
});

test("a setting that only happens to have the value is left", async () => {
  await api.apply(`const share = 25;\n${shared("flag", "share")}`.replace("25", "10"));
  api.later();
  api.write(`const share = 25;\n${shared("flag", "share")}`);
  await settled(settings("  desk:replicas: 25\n"));
  const plan = await planned(api, "flag", "1");
  expect([plan.acceptance.changes.size, plan.acceptance.outcomes[0]?.how]).toEqual([0, "refused"]);
});

test("a flag that the program computes of a setting comes back with it, and one that does not come back leaves the other settings", async () => {
  const lines = (share: number, other: number) => settings(`  desk:flag: ${share}\n  desk:other: ${other}\n`);
  const program = (halved: string) =>
    `${shared("flag", 'config["desk:flag"]')}${shared("half", halved)}${shared("other", 'config["desk:other"]')}`;
  api.write(program('config["desk:flag"] / 2'));
  await settled(lines(10, 30));
  api.later();
  await settled(lines(20, 44));
  const alone = await planned(api, "flag", "1");
  expect(alone.acceptance.changes.size).toBe(0);
  const plan = await rolledBack(api, undefined, "2026-11-22 10:03:30");
  expect(text(plan)).toContain("3 objects, 3 of them wholly.");
  expect(api.settings).toBe(lines(10, 30));
  expect([await shareOf("flag"), await shareOf("half"), await shareOf("other")]).toEqual([10, 5, 30]);
  api.later();
  api.writeSettings(lines(20, 44));
  api.write(program('Math.min(config["desk:flag"] / 2, 9)'));
  await api.up();
  api.later();
  await api.apply(program('config["desk:flag"] * 2'));
  const partly = await planned(api, undefined, "2026-11-22 10:04:59");
  expect([...partly.acceptance.changes.values()].map(({ after }) => after)).toEqual([lines(20, 30)]);
});

/** The long run is `npm run prove -- rollback`. */
test("after a rollback and an update, 10 random objects are as they were, but for what was named", async () => {
  let settings = 0;
  for (let seed = 1; seed <= 10; seed += 1) {
    const { faults, wroteSettings } = await playHistory(seed);
    expect([seed, faults]).toEqual([seed, []]);
    if (wroteSettings) settings += 1;
  }
  expect(settings).toBeGreaterThan(0);
}, 120_000);
