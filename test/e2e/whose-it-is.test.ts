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

const atFirst = known.replace('"swapped", { description: "Ours"', '"swapped", { description: "First"');

const firstProgram = `${atFirst}${gate("loop-2")}
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

test("a preview refuses what is not this resource's, each with the way out", async () => {
  await bench.write(
    known.replace('"stays", {', '"renamed", { key: "stays", name: "stays",') +
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
  expect(writesTo(bench.emulator)).toEqual([]);
});

test("wrapped in a component, a gate goes there by each way that is named, and comes out by its alias; replaced by command, gates stay their resources' own", async () => {
  await bench.write(atFirst + ours + alsoTheirs + inArea);
  bench.emulator.clearRequests();
  const taken = await bench.stack.up({ env: { FEATURE_CONSOLE_TAKE_OVER: "1" } });
  expect(toldInAll(taken)).toContain("taken over, because FEATURE_CONSOLE_TAKE_OVER is set");
  expect(await names()).toEqual([
    ...["adopted", "area", "loop-2", "moving", "other", "ours", "shared", "stays", "swapped"],
  ]);
  // Options that took objects over may go.
  expect(changesTo(bench.emulator).filter((change) => /present|other|foreign/.test(change))).toEqual([]);
  // Out of the component again, with the URN as alias, and replaced in the same run.
  await bench.stack.run(["state", "taint", wrapped, "--yes"]);
  const out = gate("loop-2", "Ours", "", `, { aliases: ["${wrapped}"] }`);
  await bench.write(known + ours + alsoTheirs + out);
  const replaced = toldInAll(await bench.stack.up({ args: ["--replace", plain("swapped")] }));
  expect(replaced.split("\n").sort()).toEqual([inPlace("loop-2"), inPlace("swapped")]);
  for (const id of ["loop-2", "swapped"])
    expect(await live(id)).toMatchObject({ status: "In Progress", description: "Ours" });
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
