import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createStack, FIRST_CLI_TIMEOUT_MS, type PulumiStack } from "../support/pulumi-cli";
import {
  type Bench,
  changesTo,
  lookupsOfNew,
  openBench,
  programOf,
  readsOf,
  settingsFor,
  toldInAll,
  writesTo,
} from "./bench";

// Whose an object is: of people who made it by hand, of another resource, stack, project or backend. Adopted, imported and
// read, replaced by command, moved in the program and in state.

jest.setTimeout(300_000);

let bench: Bench;
let otherProject: PackedProject;
let other: PulumiStack;

const everyone = `rules: [{ name: "All", passPercentage: 50, conditions: [{ type: "public" }] }]`;
const gate = (name: string, description = "Ours", more = "", options = "") =>
  `new fc.Gate("${name}", { description: "${description}", ${everyone}${more} } as fc.GateArgs${options});\n`;
const plain = (name: string) =>
  `urn:pulumi:test::packed::pulumi-nodejs:dynamic/feature-console:Gate::${name}`;
const inArea = `
class Area extends pulumi.ComponentResource {
  constructor(name: string) {
    super("acme:index:Area", name);
    ${gate("loop-2", "Ours", "", ", { parent: this }")}
  }
}
new Area("area");
`;
const wrapped = "urn:pulumi:test::packed::acme:index:Area$pulumi-nodejs:dynamic/feature-console:Gate::loop-2";
const reading = `const reader = fc.Gate.get("reader", "foreign");
export const read = [reader.description, reader.tags, reader.key];
`;
const ofTheProgram = `const mine: pulumi.dynamic.ResourceProvider = { create: async () => ({ id: "mine", outs: {} }) };
class Mine extends pulumi.dynamic.Resource {
  constructor(name: string) {
    super(mine, name, {});
  }
}
new Mine("of_the_program");
`;
const known = ["stays", "moving", "adopted", "shared", "swapped"].map((name) => gate(name)).join("");
const alsoTheirs = `new fc.Gate("other", { name: "The other one", description: "Ours" });\n`;
const ours = `new fc.Gate("ours", { key: "present", name: "The present one", description: "Theirs" });\n`;

const escaped = (text: string) => text.replace(/[[\]$.]/g, "\\$&");
const live = (id: string) => bench.raw.gate.get({ id, query: { includeArchiveMetadata: true } });
const names = async () => Object.keys(await bench.state()).sort();
const inPlace = (name: string) =>
  `gate "${name}" is changed in place: a key can have one object at a time. deleteBeforeReplace: true takes it out of use first.`;

const firstProgram = `${known}${gate("replaced", "First")}${gate("loop-2")}
new fc.Gate("ours", { key: "present", name: "The present one", description: "Theirs" }, { import: "present" });
new fc.Gate("other", { name: "The other one", description: "Ours", adopt: true });
${reading}${ofTheProgram}${lookupsOfNew}export { seen };
`;

beforeAll(async () => {
  bench = await openBench();
  await bench.write(firstProgram);
  otherProject = await createPackedProject({ name: "other", program: programOf("") });
  const { PULUMI_BACKEND_URL = "", PULUMI_HOME = "", PULUMI_CONFIG_PASSPHRASE = "" } = bench.stack.env;
  other = await createStack(otherProject, {
    env: { ...settingsFor(bench.emulator), PULUMI_BACKEND_URL, PULUMI_HOME, PULUMI_CONFIG_PASSPHRASE },
  });
  for (const id of ["present", "other", "foreign"])
    await bench.raw.gate.create({
      body: { id, name: `The ${id} one`, description: "Theirs", tags: ["theirs"] },
    });
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await other?.remove();
  await otherProject?.remove();
  await bench?.close();
});

test("a preview of what would be taken over looks once at each, says what would change, and knows no lookup of what is new", async () => {
  bench.emulator.clearRequests();
  const preview = await bench.stack.preview();
  expect(toldInAll(preview)).toMatch(/gate "other" exists: would change description/);
  expect(toldInAll(preview)).not.toMatch(/gate "present" exists: would change/);
  const asked = readsOf(bench.emulator);
  for (const id of ["other", "present"])
    expect([id, asked.filter((one) => one === `GET /gates/${id}`)]).toEqual([id, [`GET /gates/${id}`]]);
  expect(writesTo(bench.emulator)).toEqual([]);
});

test("import of what is equal sends nothing, adopt of what differs sends the difference, get changes nothing", async () => {
  bench.emulator.clearRequests();
  await bench.stack.up();
  expect(changesTo(bench.emulator).filter((change) => change !== "POST /gates")).toEqual([
    "PATCH /gates/other",
  ]);
  expect(await bench.stack.outputs()).toMatchObject({
    read: ["Theirs", ["theirs"], "foreign"],
    seen: Array(6).fill("Made by this update"),
  });
  expect(await live("other")).toMatchObject({ description: "Ours", tags: ["theirs"] });
  expect(await live("present")).toMatchObject({ name: "The present one", version: 1 });
  expect(await live("foreign")).toMatchObject({ description: "Theirs", version: 1 });
});

test("replaced by command, a gate stays this resource's own; options that took objects over may go", async () => {
  await bench.write(known + gate("replaced") + gate("loop-2") + ours + alsoTheirs);
  bench.emulator.clearRequests();
  expect(toldInAll(await bench.stack.up({ args: ["--replace", plain("replaced")] }))).toBe(
    inPlace("replaced"),
  );
  expect(await live("replaced")).toMatchObject({ status: "In Progress", description: "Ours" });
  expect(changesTo(bench.emulator).filter((change) => /present|other|foreign/.test(change))).toEqual([]);
});

test("what is not this resource's is refused, each with the way out, as its preview says, and nothing is written", async () => {
  const before = await bench.state();
  await bench.write(
    known.replace('"stays", {', '"renamed", { key: "stays", name: "stays",') +
      gate("replaced") +
      gate("foreign", "Ours", ', tags: ["ours"]') +
      ours +
      alsoTheirs +
      inArea,
  );
  bench.emulator.clearRequests();
  const refusals = [
    /gate "foreign" exists already\. It differs in (?=[^.]*description)(?=[^.]*name)(?=[^.]*rules)(?=[^.]*tags).*\. Set adopt: true to take it over and bring it in line, or choose another key\. If its resource was renamed, set aliases: /,
    /gate "stays".*aliases.*"stays"/,
    new RegExp(`gate "loop-2".*${escaped(`set aliases: ["${plain("loop-2")}"]`)}`),
  ];
  const foretold = toldInAll(await bench.stack.preview());
  for (const refusal of refusals) expect(foretold).toMatch(refusal);
  const refused = await bench.stack.up({ mayFail: true });
  expect(refused.code).not.toBe(0);
  // The first of them ends the update.
  const said = refused.errors.filter((text) => text.includes("exists already"));
  expect(said.length).toBeGreaterThan(0);
  for (const text of said) expect(refusals.some((refusal) => refusal.test(text))).toBe(true);
  expect(changesTo(bench.emulator)).toEqual([]);
  const { area: _, ...after } = await bench.state();
  expect(after).toEqual(before);
});

test("wrapped in a component, a gate goes there by each way that is named, and comes out by its alias", async () => {
  await bench.write(known + ours + alsoTheirs + inArea);
  const taken = await bench.stack.up({ env: { FEATURE_CONSOLE_TAKE_OVER: "1" } });
  expect(toldInAll(taken)).toContain("taken over, because FEATURE_CONSOLE_TAKE_OVER is set");
  expect(await names()).toEqual([
    ...["adopted", "area", "loop-2", "moving", "other", "ours", "shared", "stays", "swapped"],
  ]);
  expect(await live("replaced")).toMatchObject({ status: "Archived" });
  // Out of the component again, with the URN as alias, and replaced in the same run.
  await bench.stack.run(["state", "taint", wrapped, "--yes"]);
  const out = gate("loop-2", "Ours", "", `, { aliases: ["${wrapped}"] }`);
  await bench.write(known + ours + alsoTheirs + out);
  expect(toldInAll(await bench.stack.up())).toBe(inPlace("loop-2"));
  expect(await live("loop-2")).toMatchObject({ status: "In Progress", description: "Ours" });
});

test("a preview refuses an import, and a get, of what is not there", async () => {
  await bench.write(
    `new fc.Gate("absent", {}, { import: "no_such_gate" });\nfc.Gate.get("reader", "no_such_gate");`,
  );
  bench.emulator.clearRequests();
  const refused = await bench.stack.preview({ mayFail: true });
  expect(refused.code).toBe(1);
  const absent = 'There is no gate "no_such_gate"';
  expect(toldInAll(refused)).toContain(
    `${absent} to import. Correct the id, or remove the import option to create a new one.`,
  );
  expect(toldInAll(refused)).toContain(
    `Cannot read gate "no_such_gate": ${absent} in the console. Correct the id, or create the object.`,
  );
  expect(writesTo(bench.emulator)).toEqual([]);
});

test("moved with `pulumi state move` it is the other project's, and adopted by another stack it is that one's", async () => {
  const move = ["--source", "organization/packed/test", "--dest", "organization/other/test"];
  expect(await other.run(["state", "move", ...move, "--yes", plain("moving")])).toMatchObject({ code: 0 });
  const adopting = (name: string) => gate(name, "Ours", ", adopt: true");
  await otherProject.setProgram(programOf(gate("moving", "Changed there") + adopting("adopted")));
  await other.up();
  expect(await live("moving")).toMatchObject({ status: "In Progress", description: "Changed there" });

  await bench.stack.run(["stack", "init", "second", "--no-select"]);
  await bench.write(adopting("shared"));
  await bench.stack.up({ args: ["--stack", "second"] });
});

const foreignUrn = "urn:pulumi:test::packed::pulumi-nodejs:dynamic/other:Thing::planted";

test("what the state says no more is in no preview; of what another stack adopted it says what it knows, and names foreign code", async () => {
  await plantForeignCode();
  await bench.write(gate("stays") + gate("swapped") + ours + alsoTheirs + gate("loop-2") + ofTheProgram);
  const { stdout, warnings } = await bench.stack.preview();
  const said = warnings.map((text) => text.trim());
  expect(said).toContain(
    'gate "adopted" is no longer in the program, and this preview cannot know whether another stack has adopted it. ' +
      'If it is to stay, run "pulumi state move" or "pulumi state delete" before "pulumi up"; onDelete: "retain" counts ' +
      'once an "up" has put it into state.',
  );
  expect(said).toContainEqual(
    expect.stringMatching(
      /^gate "shared" is no longer in the program\. The journal shows that another stack took it over on \d{4}-\d\d-\d\d: "pulumi up" leaves it as it is\.$/,
    ),
  );
  expect(said.filter((text) => text.includes('"moving"'))).toEqual([]);
  expect(stdout).toContain(
    `The state holds code that is neither this package's nor this program's, as the provider of ${foreignUrn}: `,
  );
  expect(stdout).not.toContain("::of_the_program, ");
});

test("the update leaves what is another's, and so does one after `pulumi state delete`", async () => {
  expect(await bench.stack.run(["state", "delete", plain("adopted"), "--yes"])).toMatchObject({ code: 0 });
  bench.emulator.clearRequests();
  expect(toldInAll(await bench.stack.up({ args: ["--stack", "test"] }))).toMatch(
    /^gate "shared" stays as it is, and this stack forgets it: the journal shows/,
  );
  expect(writesTo(bench.emulator)).toEqual([]);
  for (const id of ["adopted", "shared", "moving"])
    expect(await live(id)).toMatchObject({ status: "In Progress" });
});

/** Puts a resource of a provider into the state whose code no program here has. */
async function plantForeignCode(): Promise<void> {
  const exported = await bench.stack.exportStack();
  const { resources = [] } = exported.deployment;
  const like = resources.find(({ urn }) => urn.endsWith("::stays"));
  const inputs = { __provider: "exports.handler = () => ({ read: async (id, props) => ({ id, props }) });" };
  const type = "pulumi-nodejs:dynamic/other:Thing";
  const planted = { ...like, urn: foreignUrn, type, id: "x", inputs, outputs: inputs };
  const state = { ...exported, deployment: { ...exported.deployment, resources: [...resources, planted] } };
  await bench.project.write("state.json", JSON.stringify(state));
  const file = path.join(bench.project.folder, "state.json");
  expect(await bench.stack.run(["stack", "import", "--file", file])).toMatchObject({ code: 0 });
}
