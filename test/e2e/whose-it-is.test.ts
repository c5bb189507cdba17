import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createStack, FIRST_CLI_TIMEOUT_MS, type PulumiStack } from "../support/pulumi-cli";
import { type Bench, changesTo, openBench, programOf, settingsFor, told, toldInAll } from "./bench";

// Whose an object is, where Pulumi tells a provider little: replaced by command, moved in the program, moved to another stack.

jest.setTimeout(300_000);

let bench: Bench;
let otherProject: PackedProject;
let other: PulumiStack;
beforeAll(async () => {
  bench = await openBench();
  otherProject = await createPackedProject({ name: "other", program: programOf("") });
  const { PULUMI_BACKEND_URL = "", PULUMI_HOME = "", PULUMI_CONFIG_PASSPHRASE = "" } = bench.stack.env;
  other = await createStack(otherProject, {
    env: { ...settingsFor(bench.emulator), PULUMI_BACKEND_URL, PULUMI_HOME, PULUMI_CONFIG_PASSPHRASE },
  });
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await other?.remove();
  await otherProject?.remove();
  await bench?.close();
});

const everyone = `rules: [{ name: "All", passPercentage: 50, conditions: [{ type: "public" }] }]`;
const gate = (name: string, description = "Ours", options = "") =>
  `new fc.Gate("${name}", { description: "${description}", ${everyone} } as fc.GateArgs${options});\n`;
const inArea = (name: string, options = "") => `
class Area extends pulumi.ComponentResource {
  constructor(name: string) {
    super("acme:index:Area", name);
    ${gate(name, "Ours", `, { parent: this${options} }`)}
  }
}
new Area("area");
`;
const moved = (name: string) =>
  `urn:pulumi:test::packed::acme:index:Area$pulumi-nodejs:dynamic/feature-console:Gate::${name}`;
const plain = (name: string, project = "packed") =>
  `urn:pulumi:test::${project}::pulumi-nodejs:dynamic/feature-console:Gate::${name}`;

const live = (id: string) => bench.raw.gate.get({ id, query: { includeArchiveMetadata: true } });
const names = async () => Object.keys(await bench.state()).sort();
const inPlace = (name: string) =>
  `gate "${name}" is changed in place: a key can have one object at a time. deleteBeforeReplace: true takes it out of use first.`;

test("replaced by command or by taint, a gate that was updated since its creation stays this resource's own", async () => {
  await bench.write(gate("replaced", "First"));
  await bench.stack.up();
  await bench.write(gate("replaced"));
  await bench.stack.up();
  expect(toldInAll(await bench.stack.up({ args: ["--replace", plain("replaced")] }))).toBe(
    inPlace("replaced"),
  );
  await bench.raw.gate.patch({ id: "replaced", body: { description: "By hand" } });
  await bench.stack.refresh();
  await bench.stack.run(["state", "taint", plain("replaced"), "--yes"]);
  expect(toldInAll(await bench.stack.up())).toBe(inPlace("replaced"));
  expect(await live("replaced")).toMatchObject({ status: "In Progress", description: "Ours" });
  expect(toldInAll(await bench.stack.up())).toBe("");
});

test("wrapped in a component, a gate is asked for by its URN, and each way that is named works", async () => {
  await bench.write(gate("loop-2"));
  await bench.stack.up();
  await bench.write(inArea("loop-2"));
  const refused = told(await bench.stack.up({ mayFail: true }));
  expect(refused["loop-2"]).toEqual([
    `Cannot create gate "loop-2": gate "loop-2" exists already: this stack created it for the resource "${plain("loop-2")}". ` +
      `If this is the same resource, renamed or moved, set aliases: ["${plain("loop-2")}"]; ` +
      "if state does not have that one any more, set adopt: true, or FEATURE_CONSOLE_TAKE_OVER=1 for one run.",
  ]);
  const taken = await bench.stack.up({ env: { FEATURE_CONSOLE_TAKE_OVER: "1" } });
  expect(toldInAll(taken)).toContain("taken over, because FEATURE_CONSOLE_TAKE_OVER is set");
  expect(await names()).toEqual(["area", "loop-2"]);
  // Out of the component again, with the URN as alias, and replaced in the same run.
  await bench.stack.run(["state", "taint", moved("loop-2"), "--yes"]);
  await bench.write(gate("loop-2", "Ours", `, { aliases: ["${moved("loop-2")}"] }`));
  expect(toldInAll(await bench.stack.up())).toBe(inPlace("loop-2"));
  await bench.stack.run(["state", "delete", plain("loop-2"), "--yes"]);
  await bench.raw.gate.patch({ id: "loop-2", body: { description: "By hand" } });
  await bench.write(gate("loop-2").replace("{ description", "{ adopt: true, description"));
  await bench.stack.up();
  expect(await live("loop-2")).toMatchObject({ status: "In Progress", description: "Ours" });
});

test("moved with `pulumi state move`, a gate is the other project's: nothing is sent, and neither preview removes it", async () => {
  await bench.write(gate("stays") + gate("moving"));
  await bench.stack.up();
  const [from, to] = ["organization/packed/test", "organization/other/test"];
  const move = await bench.stack.run([
    ...["state", "move", "--source", from, "--dest", to, "--yes", plain("moving")],
  ]);
  expect(move).toMatchObject({ code: 0 });
  await bench.write(gate("stays"));
  await otherProject.setProgram(programOf(gate("moving")));
  bench.emulator.clearRequests();
  for (const stack of [bench.stack, other]) {
    const preview = await stack.preview({ args: ["--expect-no-changes"] });
    expect([preview.code, toldInAll(preview)]).toEqual([0, ""]);
    await stack.up();
  }
  expect(changesTo(bench.emulator)).toEqual([]);
  await otherProject.setProgram(programOf(gate("moving", "Changed there")));
  await other.up();
  expect(await live("moving")).toMatchObject({ status: "In Progress", description: "Changed there" });
});

test("adopted elsewhere and then removed: the preview says what it cannot know, and `state delete` leaves it", async () => {
  await bench.write(gate("stays") + gate("adopted"));
  await bench.stack.up();
  const adopting = gate("adopted").replace("{ description", "{ adopt: true, description");
  await otherProject.setProgram(programOf(gate("moving", "Changed there") + adopting));
  await other.up();
  await bench.write(gate("stays"));
  const warning =
    'gate "adopted" is no longer in the program, and this preview cannot know whether another stack has adopted it. ' +
    'If it is to stay, run "pulumi state move" or "pulumi state delete" before "pulumi up"; onDelete: "retain" counts ' +
    'once an "up" has put it into state.';
  expect((await bench.stack.preview()).warnings.map((text) => text.trim())).toEqual([warning]);
  expect(await bench.stack.run(["state", "delete", plain("adopted"), "--yes"])).toMatchObject({ code: 0 });
  await bench.stack.up();
  expect(await live("adopted")).toMatchObject({ status: "In Progress" });
});

test("a second stack of the folder adopts: preview and up of the first leave the gate, and say so", async () => {
  await bench.write(gate("stays") + gate("shared"));
  await bench.stack.up();
  await bench.stack.run(["stack", "init", "second", "--no-select"]);
  await bench.write(gate("shared").replace("{ description", "{ adopt: true, description"));
  await bench.stack.up({ args: ["--stack", "second"] });
  await bench.write(gate("stays"));
  expect(
    (await bench.stack.preview({ args: ["--stack", "test"] })).warnings.map((text) => text.trim()),
  ).toEqual([
    expect.stringMatching(
      /^gate "shared" is no longer in the program\. The journal shows that another stack took it over on \d{4}-\d\d-\d\d: "pulumi up" leaves it as it is\.$/,
    ),
  ]);
  const up = await bench.stack.up({ args: ["--stack", "test"] });
  expect(toldInAll(up)).toMatch(
    /^gate "shared" stays as it is, and this stack forgets it: the journal shows/,
  );
  expect(await live("shared")).toMatchObject({ status: "In Progress" });
  await bench.stack.destroy({ args: ["--stack", "second"] });
  expect(await live("shared")).toMatchObject({ status: "Archived" });
});

test("another backend with the same project and stack name, in the same folder, is another stack", async () => {
  await bench.write(gate("stays"));
  await bench.stack.up();
  const elsewhere = await createStack(bench.project, { env: settingsFor(bench.emulator) });
  try {
    const { stays: refused = [] } = told(await elsewhere.up({ mayFail: true }));
    expect(refused).toEqual([
      expect.stringContaining('gate "stays" exists already. It matches the program.'),
    ]);
    await elsewhere.destroy();
    expect(await live("stays")).toMatchObject({ status: "In Progress" });
    await bench.write("");
    await bench.stack.up();
    await bench.write(gate("stays", "Theirs"));
    const { stays: archived = [] } = told(await elsewhere.up({ mayFail: true }));
    expect(archived).toEqual([
      expect.stringMatching(
        /exists already and is archived, with the reason "Archived by the Pulumi stack packed\/test \(backend [\w-]{12}\)\."/,
      ),
    ]);
    expect(JSON.stringify(await live("stays"))).not.toContain("file:");
  } finally {
    await elsewhere.remove();
  }
});
