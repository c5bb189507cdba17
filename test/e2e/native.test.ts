import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { FIRST_CLI_TIMEOUT_MS, type StateResource } from "../support/pulumi-cli";
import { startRelay } from "../support/relay";
import { type Bench, lookupsOfNew, nameOf, openBench, programOf, testKey, writesTo } from "./bench";

// A stack of dynamic resources moves to the native plugin and goes on there. Now and then its key loses the permission to read
// gates: the console answers 404, and nobody has deleted anything.

jest.setTimeout(240_000);

let bench: Bench;
let relay: Awaited<ReturnType<typeof startRelay>>;
let isHidden = false;
let withoutPlugin = "";
beforeAll(async () => {
  bench = await openBench();
  const { url } = bench.emulator;
  relay = await startRelay(url, (request, ask) => {
    if (!isHidden || !/\/gates(\/|$)/.test(request.path)) return ask(request);
    const text = JSON.stringify({ status: 404, message: "Not found." });
    return Promise.resolve({ status: 404, headers: { "content-type": "application/json" }, text });
  });
  const { env } = bench.stack;
  env.FEATURE_CONSOLE_BASE_URL = new URL(new URL(url).pathname, relay.url).href.replace(/\/$/, "");
  // The plugin as npm installs it: a command of the package.
  const folders = (env.PATH ?? "").split(path.delimiter);
  // npm links the plugin in this checkout too, beside Node.js, where it is installed after a build.
  const others = folders.filter(
    (folder) => !existsSync(path.join(folder, "pulumi-resource-feature-console")),
  );
  withoutPlugin = [path.dirname(process.execPath), ...others].join(path.delimiter);
  env.PATH = [path.join(bench.project.folder, "node_modules", ".bin"), ...folders].join(path.delimiter);
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await relay?.close();
  await bench?.close();
});

const both = '"pulumi-feature-console/native";\nimport * as dynamic from "pulumi-feature-console"';
/** The same program over the native plugin. `dynamic`: the classes of dynamic resources, beside it. */
const native = (lines: string) =>
  bench.project.setProgram(programOf(lines).replace('"pulumi-feature-console"', both));
const resources = async (): Promise<StateResource[]> =>
  ((await bench.stack.exportStack()).deployment.resources ?? []).filter(({ type }) =>
    type.includes("feature-console:"),
  );
const said = ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr;

const lines = (description: string) => `
const staff = new fc.Segment("staff", {
  type: "rule_based",
  rules: [{ name: "Mail", passPercentage: 100, conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }] }],
});
const ids = new fc.Segment("ids", { type: "id_list", ids: ["a", "b"] });
const checkout = new fc.Gate("checkout", {
  description: "${description}",
  rules: [{ name: "Staff", passPercentage: 25, conditions: [{ type: "passes_segment", targetValue: staff }] }],
}, { protect: true });
const limits = new fc.DynamicConfig("limits", { defaultValue: { word: pulumi.secret("hush-word") } });
class Area extends pulumi.ComponentResource {
  constructor(name: string) {
    super("acme:index:Area", name);
    new fc.Gate("inner", { description: "Inside" }, { parent: this });
    this.registerOutputs({});
  }
}
new Area("area");
new fc.Tag("shop", { description: "Shop" });
for (let n = 0; n < 6; n += 1) new fc.Gate("gate_" + n, { description: "Ours" });
`;

const stops = (objects: number) =>
  new RegExp(
    `The console does not show ${objects} of ${objects} gates in the state\\. The refresh stops before any object leaves the state\\. .*lost its permission to read gates`,
    "s",
  );

test("as dynamic resources: a refresh that is shown no gate stops before any leaves the state", async () => {
  await bench.write(lines("New"));
  await bench.stack.up();
  const before = await bench.state();
  isHidden = true;
  const refused = await bench.stack.run(["up", "--yes", "--skip-preview", "--refresh", "--parallel", "1"]);
  isHidden = false;
  expect(refused.code).not.toBe(0);
  expect(said(refused)).toMatch(stops(8));
  expect(await bench.state()).toEqual(before);
});

test("the stack moves to the plugin by the change of one import, with an empty preview and without a request", async () => {
  await native(lines("New"));
  bench.emulator.clearRequests();
  const preview = await bench.stack.run(["preview", "--expect-no-changes"]);
  expect(preview).toMatchObject({ code: 0 });
  expect(bench.emulator.requests).toEqual([]);
});

test("the first update there writes what has changed alone; new objects and lookups of them, of dynamic resources too", async () => {
  // The packages for Python and Go ask for their own version with every resource: it is no setting.
  const more = `new fc.Gate("versioned", {}, { version: "0.2.0" });\nnew dynamic.Gate("apart");\nexport { seen };`;
  await native(`${lines("Newer")}${lookupsOfNew}${more}`);
  bench.emulator.clearRequests();
  const up = await bench.stack.run(["up", "--yes", "--skip-preview", "--diff"]);
  expect(said(up)).not.toContain("error");
  expect(up.code).toBe(0);
  expect(up.stdout).toMatch(/~ description: "New" +=> "Newer"/);
  expect(writesTo(bench.emulator).sort()).toEqual([
    ...["PATCH /gates/checkout", "POST /gates", "POST /gates", "POST /gates"],
  ]);
  const dynamicOnes = (await resources()).filter(({ type }) => type.includes("dynamic"));
  expect(dynamicOnes.map(({ urn }) => nameOf(urn))).toEqual(["apart"]);
  expect((await bench.stack.outputs()).seen).toEqual(Array(6).fill("Made by this update"));
});

test("the tools read it, and an edit of a person is what they and a refresh find", async () => {
  await bench.raw.gate.patch({ id: "checkout", body: { description: "By hand" } } as never);
  const drift = await bench.command("drift", "--json");
  expect(JSON.parse(drift.stdout)).toMatchObject({
    objects: [{ name: "checkout", differences: [{ path: "description", console: "By hand" }] }],
  });
  const refreshed = await bench.stack.refresh();
  expect(refreshed.changeSummary).toMatchObject({ update: 1 });
  expect(said(refreshed)).not.toContain("hush-word");
});

test("also after a refresh, its state is of the object and one hidden member, with secrets as secrets and no key", async () => {
  const whole = await resources();
  const checkout = whole.find(({ urn }) => nameOf(urn) === "checkout");
  const { inputs, outputs } = checkout as Required<StateResource>;
  expect(inputs).toMatchObject({ description: "By hand" });
  expect(Object.keys(outputs).filter((name) => name.startsWith("__"))).toEqual(["__featureConsole"]);
  expect(outputs.status).toBe("In Progress");
  const text = JSON.stringify(whole);
  expect(text).not.toContain("hush-word");
  expect(text).not.toContain(testKey);
});

test("the way back to dynamic resources is refused with advice, and nothing is written", async () => {
  const before = await bench.state();
  bench.emulator.clearRequests();
  await bench.write(lines("Newer"));
  const command = ["up", "--yes", "--skip-preview", "--continue-on-error"];
  const result = await bench.stack.run(command);
  expect(result.code).not.toBe(0);
  expect(said(result)).toMatch(
    /The native plugin manages urn:pulumi:\S+, and this program declares it as a dynamic resource/,
  );
  expect(said(result)).toContain('Import the classes from "pulumi-feature-console/native" again.');
  expect(writesTo(bench.emulator)).toEqual([]);
  expect(await bench.state()).toEqual(before);
});

test.each([
  [
    "the native one second",
    'new dynamic.Gate("one", { key: "both" });\nnew fc.Gate("two", { key: "both" });',
    'the dynamic resource "one" and the resource "two"',
  ],
  [
    "the dynamic one second, of the same name",
    'new fc.Gate("both");\nnew dynamic.Gate("both");',
    'the native resource "both" and the resource "both"',
  ],
])("a preview refuses a dynamic and a native resource for one key, %s", async (_, lines, names) => {
  await native(lines);
  const result = await bench.stack.run(["preview"]);
  expect(result.code).not.toBe(0);
  expect(said(result)).toContain(
    `gate "both" is named by ${names} of this program; give one of the two another key, or remove it`,
  );
});

test("a refresh that is shown no gate stops here too; what it had read is printed and kept; the switch lets them go", async () => {
  // Of so few gates as these have providers of their own, all may leave the state at once.
  const apart = ["apart", "versioned"];
  const inState = async () => {
    const kept = (await resources()).filter(({ urn }) => !apart.includes(nameOf(urn)));
    return new Map(kept.map(({ urn, inputs }) => [nameOf(urn), inputs]));
  };
  const before = [...(await inState()).keys()];
  await bench.raw.tag.patch({ id: "shop", body: { description: "By hand" } });
  isHidden = true;
  bench.emulator.clearRequests();
  const refresh = ["refresh", "--yes", "--skip-preview", "--diff", "--parallel", "1"];
  const refused = await bench.stack.run(refresh);
  expect(refused.code).not.toBe(0);
  expect(said(refused)).toMatch(/The refresh stops before any object leaves the state\./);
  expect(refused.stdout).toMatch(/description: "Shop" => "By hand"/);
  const after = await inState();
  expect([...after.keys()]).toEqual(before);
  expect(after.get("shop")).toMatchObject({ description: "By hand" });
  const accepted = await bench.stack.run(refresh, { env: { FEATURE_CONSOLE_ACCEPT_GONE: "1" } });
  expect(accepted.code).toBe(0);
  expect([...(await inState()).keys()].sort()).toEqual(["ids", "limits", "shop", "staff"]);
  expect(bench.emulator.requests.filter(({ method }) => ["PUT", "DELETE"].includes(method))).toEqual([]);
});

const guide = readFileSync(path.join(repositoryRoot, "docs", "languages.md"), "utf8");

test("without the plugin Pulumi shows a line that docs/languages.md explains, and its lines in Pulumi.yaml lead to it", async () => {
  const embedded = { FEATURE_CONSOLE_PROFILE: "embedded", PATH: withoutPlugin };
  await native('new fc.Gate("another", {}, { version: "0.2.0" });');
  // Pulumi looks for a plugin to download, where nobody answers.
  const downloads = { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "", HTTPS_PROXY: "http://127.0.0.1:9" };
  const missing = await bench.stack.run(["preview"], { env: { ...downloads, ...embedded } });
  expect(missing.code).not.toBe(0);
  const line = (version: string) =>
    `Could not automatically download and install resource plugin 'pulumi-resource-feature-console' at version v${version}`;
  expect(said(missing)).toContain(line("0.2.0"));
  expect(guide).toContain(line("…"));

  const [, plugins = ""] = /```yaml\n(plugins:\n.*?)```/s.exec(guide) ?? [];
  await bench.project.write("Pulumi.yaml", `name: packed\nruntime: nodejs\n${plugins}`);
  await bench.stack.run(["stack", "init", "fresh"]);
  await native('new fc.Gate("another");');
  const found = await bench.stack.run(["preview", "--stack", "fresh"], { env: embedded });
  expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining("feature-console:index:Gate") });
});
