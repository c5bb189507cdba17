import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { allOf } from "../support/raw-client";
import { startRelease } from "../support/release";
import { type Bench, changesTo, openBench, told, toldInAll, writesTo } from "./bench";

// Rows 7, 13, 14, 19 and 21 of the table of faults: what a preview has to say, and what must not go while it is asked.

jest.setTimeout(120_000);

let bench: Bench;

const rule = (name: string, passPercentage = 100) =>
  `{ name: "${name}", passPercentage: ${passPercentage}, conditions: [{ type: "public" }] }`;
const rules = (...texts: string[]) => `{ rules: [${texts.join(", ")}] }`;
const groups = (...sizes: number[]) =>
  sizes
    .map((size, index) => `{ name: "Group ${index}", size: ${size}, parameterValues: { colour: "blue" } }`)
    .join(", ");
const parameter = (name: string) => `{ name: "${name}", type: "string", defaultValue: "blue" }`;

/** The program, with other lines for some of its resources. */
function program(changes: Record<string, string> = {}): string {
  const lines: Record<string, string> = {
    staff: `new fc.Segment("staff", { type: "rule_based" });`,
    people: `new fc.Segment("people", { type: "id_list", ids: ["u1"] });`,
    inserted: `new fc.Gate("inserted", ${rules(rule("Staff"), rule("Testers"), rule("Everyone", 10))});`,
    widened: `new fc.Gate("widened", ${rules(rule("Staff"), rule("Everyone", 10))});`,
    moved: `new fc.Gate("moved", ${rules(rule("One"), rule("Two"), rule("Three"))});`,
    picky: `new fc.Gate("picky", { description: "Old" }, { replaceOnChanges: ["description"] });`,
    area: `const area = new fc.Layer("area", { idType: "userID", parameters: [${parameter("colour")}, ${parameter("size")}] });`,
    trial: `new fc.Experiment("trial", { layerID: area.id, status: "active", groups: [${groups(50, 50)}] });`,
  };
  return Object.values({ ...lines, ...changes }).join("\n");
}

beforeAll(async () => {
  bench = await openBench();
  await bench.write(program());
  await bench.stack.up();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

/** Previews what must be refused, and returns what is said about it. */
async function refusedPreview(line: string): Promise<string> {
  await bench.write(program({ wrong: line }));
  bench.emulator.clearRequests();
  const result = await bench.stack.preview({ mayFail: true });
  expect(result.code).not.toBe(0);
  expect(writesTo(bench.emulator)).toEqual([]);
  return result.errors.join("\n");
}

test("a gate where a segment is meant is refused in the preview, with its place", async () => {
  const text = await refusedPreview(`
const gate = new fc.Gate("no_segment");
const conditions = [{ type: "passes_segment", targetValue: gate }];
new fc.Gate("asking", { rules: [{ name: "In", passPercentage: 100, conditions }] } as never);`);
  expect(text).toMatch(/asking(?=.*rules\[0\]\.conditions\[0\]\.targetValue)(?=.*gate)(?=.*segment)/s);
});

test("a name that the program could have declared and did not is a warning", async () => {
  await bench.write(
    program({
      more: `
new fc.Segment("testers", { type: "rule_based" });
new fc.TargetApp("web", { description: "" });
new fc.Gate("asking", { targetApps: ["wbe"], rules: [{ name: "In", passPercentage: 100, environments: ["prodction"],
  conditions: [{ type: "passes_segment", targetValue: "tseters" }] }] });
new fc.Environments("all", { environments: [{ name: "production", isProduction: true, requiresReview: false, requiresReleasePipeline: false }] });`,
    }),
  );
  const result = await bench.stack.preview();
  const text = toldInAll(result);
  for (const name of ["wbe", "prodction", "tseters"]) expect(text).toContain(`"${name}"`);
});

test("a number that is none is named by its path", async () => {
  const text = await refusedPreview(
    `new fc.DynamicConfig("odd", { defaultValue: { limits: { most: Number.NaN } } });`,
  );
  expect(text).toMatch(/odd(?=.*defaultValue\.limits\.most)(?=.*NaN)/s);
  expect(text).not.toMatch(/\bbug\b/i);
});

test("a mistake inside an argument is told with its path, and nothing stands where its value should", async () => {
  const text = await refusedPreview(`new fc.Gate("nested", ${rules(rule("All", 101))});`);
  expect(text).toMatch(/nested.*rules\[0\]\.passPercentage/s);
  expect(text).not.toContain("<nil>");
});

test("a preview tells a change of rules in one line a gate", async () => {
  await bench.write(
    program({
      inserted: `new fc.Gate("inserted", ${rules(rule("Zero"), rule("Staff"), rule("Testers"), rule("Everyone", 10))});`,
      widened: `new fc.Gate("widened", ${rules(rule("Staff"), rule("Everyone", 25))});`,
      moved: `new fc.Gate("moved", ${rules(rule("Three"), rule("One"), rule("Two"))});`,
    }),
  );
  bench.emulator.clearRequests();
  const result = await bench.stack.preview();
  const lines = toldInAll(result).split("\n");
  const of = (name: string) => lines.filter((line) => line.includes(`"${name}"`) && line.includes("rules:"));
  expect(of("inserted")).toEqual([expect.stringMatching(/rules: \+ "Zero" at 1; 3 unchanged/)]);
  expect(of("widened")).toEqual([expect.stringMatching(/rules: "Everyone" 10 → 25 %; 1 unchanged/)]);
  expect(of("moved")).toEqual([expect.stringMatching(/rules: .*moved: "Three" 3 → 1/)]);
  expect(bench.emulator.requests).toEqual([]);
});

test("resized groups of an active experiment and a dropped layer parameter are warnings in the preview", async () => {
  await bench.write(
    program({
      area: `const area = new fc.Layer("area", { idType: "userID", parameters: [${parameter("size")}] });`,
      trial: `new fc.Experiment("trial", { layerID: area.id, status: "active", groups: [${groups(80, 20)}] });`,
    }),
  );
  const text = toldInAll(await bench.stack.preview());
  expect(text).toMatch(/experiment "trial".*\b(groups|size)/);
  expect(text).toMatch(/layer "area".*"colour"/);
});

test("replaceOnChanges alone changes the gate in place, and says so", async () => {
  await bench.write(
    program({
      picky: `new fc.Gate("picky", { description: "New" }, { replaceOnChanges: ["description"] });`,
    }),
  );
  const before = await bench.raw.gate.get({ id: "picky" });
  bench.emulator.clearRequests();
  const result = await bench.stack.up();
  expect(changesTo(bench.emulator)).toEqual(["PATCH /gates/picky"]);
  expect(await bench.raw.gate.get({ id: "picky" })).toMatchObject({
    ...{ description: "New", status: "In Progress", version: Number(before.version) + 1 },
  });
  expect(toldInAll(result)).toMatch(/gate "picky".*(in place|replaceOnChanges)/);
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});

test("a phase that the release is not in is refused with the phases that there are", async () => {
  const { trigger } = await startRelease(bench.raw, true, ["Staff first", "Then everyone"]);
  await bench.write(
    program({
      approval: `new fc.ReleaseApproval("approval", { trigger: "${trigger}", phaseID: "another" });`,
    }),
  );
  const result = await bench.stack.up({ mayFail: true });
  expect(result.code).not.toBe(0);
  expect((told(result).approval ?? []).join("\n")).toMatch(
    /^(?=.*not another)(?=.*Staff first)(?=.*Then everyone)/s,
  );
});

const inUse = (name: string) => ({
  name: `Asks ${name}`,
  passPercentage: 100,
  conditions: [{ type: "passes_segment", targetValue: name }],
});

test("segments that a gate still asks are not deleted: the gate is named, and they stay", async () => {
  const asked = [inUse("staff"), inUse("people")];
  await bench.raw.gate.create({ body: { id: "asker", name: "asker", rules: asked } });
  await bench.write(program({ staff: "", people: "" }));
  bench.emulator.clearRequests();
  const result = await bench.stack.up({ mayFail: true, args: ["--continue-on-error"] });
  expect(changesTo(bench.emulator)).toEqual([]);
  expect(result.code).not.toBe(0);
  for (const name of ["staff", "people"])
    expect((told(result)[name] ?? []).join("\n")).toMatch(/gate "?asker"?(?=.*forceDelete: true)/s);
  expect((await bench.raw.segment.getIdList({ id: "people" })).ids).toEqual(["u1"]);
});

test("with forceDelete they go, and an unused one goes without it", async () => {
  await bench.write(
    program({
      staff: `new fc.Segment("staff", { type: "rule_based", forceDelete: true });`,
      people: `new fc.Segment("people", { type: "id_list", ids: ["u1"], forceDelete: true });`,
      unused: `new fc.Segment("unused", { type: "rule_based" });`,
    }),
  );
  await bench.stack.up();
  await bench.write(program({ staff: "", people: "" }));
  await bench.stack.up();
  expect(await allOf(bench.raw.segment.list())).toEqual([]);
});

test("a gate that was made between the preview and the up is refused untouched; the next up adopts it", async () => {
  const line = `new fc.Gate("late", { description: "Ours", ${rules(rule("Everyone", 10)).slice(1, -1)}, adopt: true });`;
  await bench.write(program({ late: line }));
  await bench.stack.preview();
  await bench.raw.gate.create({ body: { id: "late", name: "late", description: "Theirs" } });
  bench.emulator.clearRequests();
  const refused = await bench.stack.up({ mayFail: true });
  expect(refused.code).not.toBe(0);
  expect((told(refused).late ?? []).join("\n")).toContain(
    'gate "late" is there now, and the preview found nothing there. Nothing was changed.',
  );
  expect(changesTo(bench.emulator).filter((change) => change.includes("/gates"))).toEqual([]);
  expect(await bench.raw.gate.get({ id: "late" })).toMatchObject({ description: "Theirs", version: 1 });
  await bench.stack.up();
  expect(await bench.raw.gate.get({ id: "late" })).toMatchObject({ description: "Ours" });
});
