import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { objectsIn } from "../../src/provider/schema/json";
import { SIGNATURE } from "../../src/provider/schema/unknown";
import { promotionReport } from "../../src/tools/promote/promote-report";
import { rendered } from "../../src/tools/render/report";
import type { ExportedResource } from "../../src/tools/stack/preview";
import { Desk } from "../drift/desk";
import { compared, planned, promoted } from "./promote-desk";
import { playFleet } from "./promotions";

let dev: Desk;
let prod: Desk;
beforeEach(() => {
  [dev, prod] = [new Desk(), new Desk()];
});
afterEach(async () => {
  await dev.close();
  await prod.close();
});

const gate = (description: string, share: number | string, more = "") => `new fc.Gate("flag", {
  description: "${description}", // the shop's
  rules: [{ name: "Everyone", passPercentage: ${share}, conditions: [{ type: "public" }] }],${more}
});
`;
/** A gate with one rule of this share, which may be code. */
const sharing = (name: string, share: string) =>
  `new fc.Gate("${name}", { rules: [{ name: "All", passPercentage: ${share}, conditions: [{ type: "public" }] }] });\n`;
const printed = (plan: Parameters<typeof promotionReport>[0]) => rendered(promotionReport(plan), "text");
const live = (api: Desk, id = "flag") => api.raw.gate.get({ id });

async function applied(inDev: string, inProd: string): Promise<void> {
  await dev.apply(inDev);
  await prod.apply(inProd);
}

test("prod's program sets what dev's does: only literals change, and an update brings prod's console there", async () => {
  await applied(gate("New", 100, '\n  tags: ["shop"],'), gate("Old", 10, '\n  team: "Shop",'));
  const before = prod.program;
  const plan = await planned(dev, prod);
  expect(printed(plan)).toBe(`dev → prod

gate "flag"
  all environments: 10 % → 100 % of everyone
  description Old → New
  team: Shop → not set
  tags: not set → shop

1 object differs.
`);
  expect(prod.program).toBe(before);
  await promoted(dev, prod);
  expect(prod.program).toContain('description: "New", // the shop\'s');
  await prod.up();
  const rules = [{ passPercentage: 100 }];
  expect(await live(prod)).toMatchObject({ description: "New", tags: ["shop"], rules });
  expect(await compared(dev, prod)).toEqual({});
  const again = await planned(dev, prod);
  expect([again.promotions, again.acceptance.changes.size]).toEqual([[], 0]);
});

test("percentages are kept, and compare shows them alone", async () => {
  await applied(gate("New", 100), gate("Old", 10));
  const plan = await promoted(dev, prod, { keep: ["percentages"] });
  expect(printed(plan)).toContain('gate "flag"\n  description Old → New\n  kept: rules\n');
  await prod.up();
  expect(await live(prod)).toMatchObject({ description: "New", rules: [{ passPercentage: 10 }] });
  expect(await compared(dev, prod)).toEqual({ flag: expect.stringContaining("100 % → 10 % of everyone") });
});

test("ids of lists go along, and stay with --keep ids", async () => {
  const segment = (ids: string) => `new fc.Segment("people", { type: "id_list", ids: [${ids}] });\n`;
  await applied(segment('"a", "b"'), segment('"a"'));
  const kept = await promoted(dev, prod, { keep: ["ids"] });
  expect([kept.acceptance.changes.size, kept.promotions[0]?.kept]).toEqual([0, ["ids"]]);
  expect(printed(kept)).toContain("Nothing to promote but what stays as it is.");
  await promoted(dev, prod);
  await prod.up();
  expect(prod.program).toContain('["a", "b"]');
  expect(await compared(dev, prod)).toEqual({});
});

test("a list of ids that dev's program no longer sets is none of prod's program either", async () => {
  const segment = (rest: string) => `new fc.Segment("people", { type: "id_list"${rest} });\n`;
  await applied(segment(""), segment(', ids: ["a"]'));
  const plan = await promoted(dev, prod);
  expect(printed(plan)).toContain("ids: 1 id → not set");
  expect(prod.program).toContain(segment(""));
  await prod.up();
  expect(await compared(dev, prod)).toEqual({});
});

test("an id of dev's console becomes that of prod's: of the stacks' own objects, and by name of others", async () => {
  const body = { name: "Slow", releasePhases: [{ name: "All", rules: [] }] } as never;
  const made = ({ raw }: Desk) => raw.releasePipeline.create({ body });
  const ids = [String((await made(dev)).id), String((await made(prod)).id)] as const;
  const old = 'new fc.Gate("flag", { description: "Old" });\n';
  const fresh = `new fc.Gate("flag", { description: "New", releasePipelineID: "${ids[0]}" });\n`;
  await applied(fresh, old);
  expect(ids[0]).not.toBe(ids[1]);
  await promoted(dev, prod);
  expect(prod.program).toContain(`releasePipelineID: "${ids[1]}"`);
  prod.write(old);
  await prod.raw.releasePipeline.delete({ id: ids[1] });
  const lacking = await promoted(dev, prod);
  expect(printed(lacking)).toContain(
    `stays: releasePipelineID: it refers to release pipeline "${ids[0]}" of dev, and prod has no release pipeline of its name`,
  );
  expect(prod.program).toContain('"New"');
});

/** An experiment, and overrides by the id that the console gave to one of its groups. */
async function appliesOverrides(api: Desk, names: readonly string[], overridden: string): Promise<string> {
  const groups = JSON.stringify(names.map((name) => ({ name, size: 50, parameterValues: {} })));
  const trial = `const trial = new fc.Experiment("trial", { groups: ${groups} });\n`;
  await api.apply(trial);
  const id = String(
    objectsIn((await api.raw.experiment.get({ id: "trial" })).groups).find(({ name }) => name === overridden)
      ?.id,
  );
  await api.apply(`${trial}new fc.ExperimentOverrides("testers", { experiment: trial, userIDOverrides: [
    { ids: ["qa"], groupID: "${id}" },
  ] });\n`);
  return id;
}

test("a group of dev's experiment is that of its name in prod, whose console gave it another id", async () => {
  const names = ["control", "test"];
  const ids = [await appliesOverrides(dev, names, "test"), await appliesOverrides(prod, names, "test")];
  expect(ids[0]).not.toBe(ids[1]);
  expect((await planned(dev, prod)).promotions).toEqual([]);
  expect(await compared(dev, prod)).toEqual({});
  await appliesOverrides(prod, names, "control");
  expect(await compared(dev, prod)).toEqual({ testers: expect.stringContaining(String(ids[1])) });
  await promoted(dev, prod);
  expect(prod.program).toContain(`groupID: "${ids[1]}"`);
});

test("a group that prod's experiment lacks is named, and the overrides of it stay", async () => {
  await appliesOverrides(dev, ["control", "test"], "test");
  const id = await appliesOverrides(prod, ["control", "blue"], "control");
  expect(printed(await planned(dev, prod, { names: ["testers"] }))).toContain(
    'stays: userIDOverrides: it refers to "test" of experiment "trial", and prod has none of its name there',
  );
  expect(prod.program).toContain(id);
});

test("a name that neither program sets is none to promote", async () => {
  const plain = 'new fc.Gate("flag", { description: "A" });\n';
  await dev.raw.gate.create({ body: { id: "flag", name: "Made by hand" } });
  await dev.apply(plain.replace(" }", ", adopt: true }"));
  await applied(plain, plain);
  expect((await planned(dev, prod)).promotions.map(({ changes }) => changes)).toEqual([]);
});

test("a name that follows from a key stays with the key, and one that a program sets goes", async () => {
  const keyed = (more: string) => `new fc.Gate("flag", { description: "A"${more} });\n`;
  await applied(keyed(""), keyed(', key: "maps"'));
  const [promotion] = (await planned(dev, prod)).promotions;
  expect([promotion?.changes, promotion?.stays.map(({ name }) => name)]).toEqual([[], ["key"]]);
  await prod.apply(keyed(', key: "maps", name: "Maps"'));
  expect(printed(await planned(dev, prod))).toContain("name Maps → flag");
});

test("a value that the program reads of its stack's settings changes there", async () => {
  const settings = (share: number) =>
    `config:\n  feature-console:profile: embedded\n  desk:rollout: # in percent\n    flag: ${share} # carefully\n    other: ${share}\n`;
  const program = (text: string) =>
    gate(text, 'config["desk:rollout"].flag') + sharing("other", 'config["desk:rollout"].other');
  dev.writeSettings(settings(100));
  prod.writeSettings(settings(10));
  await applied(program("New"), program("Old"));
  await promoted(dev, prod, { names: ["flag"] });
  expect(prod.settings).toBe(settings(10).replace("flag: 10", "flag: 100"));
  expect(prod.program).toContain('passPercentage: config["desk:rollout"].flag');
  await prod.up();
  expect(await live(prod)).toMatchObject({ description: "New", rules: [{ passPercentage: 100 }] });
  expect(Object.keys(await compared(dev, prod))).toEqual(["other"]);
  await promoted(dev, prod);
  const nothing = "Nothing to promote: the programs of dev and prod set the same.";
  expect(printed(await planned(dev, prod))).toContain(
    `${nothing} prod has not applied its own program yet: "pulumi up --stack prod" does.`,
  );
  await prod.up();
  expect([prod.settings, await compared(dev, prod)]).toEqual([settings(100), {}]);
  expect(printed(await planned(dev, prod))).toContain(`${nothing} "npx feature-console compare dev prod"`);
});

/** A gate whose countries and share stand in the settings. `read`: from the configured countries to the list. */
const byCountry = (read: string) => `new fc.Gate("flag", { rules: [{
  name: "Countries", passPercentage: config["desk:share"],
  conditions: [{ type: "country", operator: "any", targetValue: ${read} }],
}] });
`;
const countrySettings = (share: number, countries: string) =>
  `config:\n  desk:share: ${share}\n  desk:countries: ${countries}\n  desk:other: x # kept\n`;
const whole = 'config["desk:countries"]';

test.each([
  ["in lines", whole, "\n    - SE\n    - US", "\n    - SE", "\n    - SE\n    - US"],
  ["in lines of another indent, quoted", whole, '\n  - "NO"', "\n      - SE\n      - US", '\n      - "NO"'],
  ["in brackets", whole, "[SE, US]", '["NO"]', "[SE, US]"],
  ["in lines there, in brackets here", whole, "\n    - SE\n    - US", "[NO]", "[SE, US]"],
  ["as JSON", `JSON.parse(${whole})`, '\'["SE","US"]\'', "'[]'", '\'["SE","US"]\''],
  ["between commas", `${whole}.split(",")`, "SE,US", "NO", "SE,US"],
])("a list of the settings goes along with the share beside it: %s", async (_, read, there, here, after) => {
  dev.writeSettings(countrySettings(100, there));
  prod.writeSettings(countrySettings(10, here));
  await applied(byCountry(read), byCountry(read));
  const plan = await promoted(dev, prod);
  expect(prod.settings).toBe(countrySettings(100, after));
  expect(plan.acceptance.outcomes.filter(({ how }) => how === "refused")).toEqual([]);
  await prod.up();
  expect(await compared(dev, prod)).toEqual({});
});

test("a flag of which a part cannot be written stays wholly: a share alone would let others in", async () => {
  const read = (isIn: string) =>
    byCountry(`${whole}.map((one) => one.${isIn}())`) + sharing("other", '10 + config["desk:other"].length');
  const settings = (share: number, country: string) => countrySettings(share, `[${country}]`);
  dev.writeSettings(settings(100, "SE"));
  prod.writeSettings(settings(10, "us"));
  await applied(read("toUpperCase") + sharing("third", "50"), read("toLowerCase") + sharing("third", "5"));
  const plan = await promoted(dev, prod);
  expect(prod.settings).toBe(settings(10, "us"));
  expect(prod.program).toContain("passPercentage: 50");
  const text = printed(plan);
  const stays = "a part of it cannot be written. Change that part by hand, and run the command again";
  expect(text).toContain(`all users in SE (rule "Countries")\n  stays: all of it: ${stays}\n`);
  expect(text).toMatch(/refused {2}index.ts.* gate "flag" rules\[0\].conditions\[0\].targetValue: /);
  expect(text).not.toMatch(/refused .*passPercentage/);
});

const half = 'config["desk:half"]';

test.each([
  ["change together", half, [50, 50, 30], []],
  ["stay together", `${half} / 2`, [10, 10, 40], ["defaultValue.max", "rules[1].passPercentage"]],
] as const)(
  "settings with the same two values %s, and what they feed is not listed as unwritten",
  async (_, read, after, left) => {
    const settings = (values: readonly number[]) =>
      `config:\n  desk:flag: ${values[0]}\n  desk:max: ${values[1]}\n  desk:half: ${values[2]}\n`;
    const program = (last: string) => `new fc.Gate("gate", {
  rules: [
    { name: "Some", passPercentage: config["desk:flag"], conditions: [{ type: "user_id", operator: "any", targetValue: ["a"] }] },
    { name: "Rest", passPercentage: ${last}, conditions: [{ type: "public" }] },
  ],
});
new fc.DynamicConfig("limits", { defaultValue: { max: config["desk:max"] } });\n`;
    dev.writeSettings(settings([50, 50, 30]));
    prod.writeSettings(settings([10, 10, 40]));
    await applied(program(half), program(read));
    const plan = await promoted(dev, prod);
    const refused = plan.acceptance.outcomes.filter(({ how }) => how === "refused");
    expect(prod.settings).toBe(settings(after));
    expect(refused.map(({ label }) => label)).toEqual(left);
  },
);

test("a setting that another flag reads too stays, and what is computed is refused with its place", async () => {
  const settings = (share: number) => `config:\n  desk:share: ${share}\n`;
  dev.writeSettings(settings(100));
  prod.writeSettings(settings(10));
  const reads = 'config["desk:share"]';
  await applied(gate("Old", reads) + sharing("other", "10"), gate("Old", reads) + sharing("other", reads));
  const plan = await promoted(dev, prod);
  expect([prod.settings, plan.acceptance.changes.size]).toEqual([settings(10), 0]);
  expect(printed(plan)).toContain(
    'Not written into the program:\n  refused  index.ts:4:47  gate "flag" rules[0].passPercentage: the argument is computed; type 100\n',
  );
  expect(printed(plan)).toContain("change what it reads for prod instead");
});

test("what dev has not applied, and what one stack alone has, is named and stays", async () => {
  const [brandNew, legacy] = ["brand_new", "legacy"].map((name) => `new fc.Gate("${name}", {});\n`);
  await applied(gate("Old", 10) + brandNew, gate("Old", 10) + legacy);
  dev.write(gate("Untried", 10) + brandNew);
  const plan = await planned(dev, prod);
  expect(plan.left).toEqual([
    'gate "brand_new" is only in dev: add it to the program of prod',
    'gate "legacy" is only in prod',
    'gate "flag": dev has not applied its own program: run "pulumi up --stack dev" first',
  ]);
  await expect(planned(dev, prod, { names: ["flg"] })).rejects.toThrow(
    'the stack has no resource "flg"; did you mean "flag"?',
  );
});

test("what would replace an object stays, and a reference to an object that prod has not created yet waits", async () => {
  const asks = (id: string) =>
    `new fc.Gate("flag", { rules: [{ name: "R", passPercentage: 5, conditions: [{ type: "passes_gate", targetValue: "${id}" }] }] });\n`;
  await applied(
    `new fc.Gate("asked", { idType: "userID" });\n${asks("asked")}`,
    `new fc.Gate("asked", { idType: "stableID" });\n${asks("other")}`,
  );
  expect(printed(await planned(dev, prod, { names: ["asked"] }))).toContain(
    "  stays: idType: a change would replace the gate",
  );
  await promoted(dev, prod, { names: ["flag"] });
  expect(prod.program).toContain('targetValue: "asked"');
  const pipeline = (more: string) => `new fc.ReleasePipeline("slow");\nnew fc.Gate("flag", {${more}});\n`;
  await dev.apply('new fc.ReleasePipeline("slow");\n');
  const made = (await dev.stack.exported()).resources.find(({ urn }) => urn.endsWith("::slow"))?.id;
  await dev.apply(pipeline(` releasePipelineID: "${made}" `));
  prod.write(pipeline(""));
  expect(printed(await planned(dev, prod, { names: ["flag"] }))).toContain(
    '  stays: releasePipelineID: it refers to an object that prod has not created yet: run "pulumi up --stack prod" first',
  );
});

test("an experiment starts in prod as it did in dev, and one that has ended does not run again", async () => {
  const groups = ["control", "test"].map((name) => ({ name, size: 50, parameterValues: {} }));
  const trial = (status: string, more = "") =>
    `new fc.Experiment("trial", { status: "${status}"${more}, groups: ${JSON.stringify(groups)} });\n`;
  await applied(trial("active"), trial("setup"));
  await promoted(dev, prod);
  await prod.up();
  expect(await prod.raw.experiment.get({ id: "trial" })).toMatchObject({ status: "active" });
  await prod.apply(trial("abandoned", ', decisionReason: "Enough"'));
  const text = printed(await planned(dev, prod));
  expect(text).toMatch(/ {2}stays: status: cannot change from "abandoned" to "active"/);
});

test("a secret is not written, and no output shows it", async () => {
  await applied(gate("Hush now", 10), gate("Hush", 10));
  const [flag] = (await prod.stack.exported()).resources;
  const secret = { [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", plaintext: '"Hush"' };
  prod.keep({ ...flag, inputs: { ...flag?.inputs, description: secret } } as ExportedResource);
  const before = prod.program;
  const plan = await promoted(dev, prod);
  expect(prod.program).toBe(before);
  expect(printed(plan)).toContain("it holds a secret, which is not written into a program");
  expect(printed(plan)).not.toContain("Hush");
});

test("options of a program go along where literals hold them", async () => {
  const options = (onDelete: string) => `new fc.Gate("flag", { onDelete: "${onDelete}" });\n`;
  await applied(options("retain"), options("delete"));
  await promoted(dev, prod);
  expect(prod.program).toContain(options("retain"));
});

/** The long run is `npm run prove -- promote`. */
test("26 flags go from dev to staging and prod, and compare shows only what was kept or listed", async () => {
  const { faults, interrupted, refused } = await playFleet({ flags: 26, rounds: 2, seed: 2 });
  expect(faults).toEqual([]);
  expect(interrupted).toBeGreaterThanOrEqual(2);
  expect(refused).toBeGreaterThan(0);
}, 120_000);
