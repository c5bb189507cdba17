import path from "node:path";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import type { JsonObject } from "../../src/provider/schema/json";
import { FIRST_CLI_TIMEOUT_MS, type StateResource } from "../support/pulumi-cli";
import {
  type Bench,
  lookupsOfNew,
  nameOf,
  openBench,
  programOf,
  testKey,
  toldInAll,
  writesTo,
} from "./bench";

jest.setTimeout(240_000);

let bench: Bench;
/** The plugin as npm installs it: a command of the package. */
let onPath: { readonly PATH: string };
beforeAll(async () => {
  bench = await openBench();
  const commands = path.join(bench.project.folder, "node_modules", ".bin");
  onPath = { PATH: [commands, bench.stack.env.PATH].join(path.delimiter) };
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

/** The same program over the native plugin. */
const native = (lines: string) =>
  bench.project.setProgram(
    programOf(lines).replace('"pulumi-feature-console"', '"pulumi-feature-console/native"'),
  );
const resources = async (): Promise<StateResource[]> =>
  ((await bench.stack.exportStack()).deployment.resources ?? []).filter(({ type }) =>
    type.includes("feature-console:"),
  );
const stored = async (name: string) =>
  (await resources()).find(({ urn }) => nameOf(urn) === name) as StateResource & { outputs: JsonObject };

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
`;

describe("a stack of dynamic resources", () => {
  test("moves to the plugin by the change of one import, with an empty preview and no write", async () => {
    await bench.write(lines("New"));
    await bench.stack.up();
    bench.emulator.clearRequests();
    await native(lines("New"));
    const preview = await bench.stack.run(["preview", "--expect-no-changes"], { env: onPath });
    expect(preview).toMatchObject({ code: 0 });
    await bench.stack.up({ env: onPath });
    expect(writesTo(bench.emulator)).toEqual([]);
    expect((await resources()).map(({ type }) => type).filter((type) => type.includes("dynamic"))).toEqual(
      [],
    );
  });

  test("changes, refreshes and shows a person's edit as before", async () => {
    await native(lines("Newer"));
    const preview = await bench.stack.run(["preview", "--diff"], { env: onPath });
    expect(preview.stdout).toMatch(/~ description: "New" +=> "Newer"/);
    await bench.stack.up({ env: onPath });
    expect(await bench.raw.gate.get({ id: "checkout" })).toMatchObject({ description: "Newer" });
    await bench.raw.gate.patch({ id: "checkout", body: { description: "By hand" } } as never);
    const refreshed = await bench.stack.refresh({ env: onPath });
    expect(refreshed.changeSummary).toMatchObject({ update: 1 });
    expect((await stored("checkout")).inputs).toMatchObject({ description: "By hand" });
    const back = toldInAll(await bench.stack.up({ env: onPath }));
    expect(back).not.toContain("error");
    expect(await bench.raw.gate.get({ id: "checkout" })).toMatchObject({ description: "Newer" });
  });

  test("has a state of the object and one hidden member, with secrets as secrets and no key", async () => {
    const { outputs } = await stored("checkout");
    expect(Object.keys(outputs).filter((name) => name.startsWith("__"))).toEqual(["__featureConsole"]);
    expect(outputs.status).toBe("In Progress");
    const whole = JSON.stringify(await resources());
    expect(whole).not.toContain("hush-word");
    expect(whole).not.toContain(testKey);
  });

  test("is read by the tools", async () => {
    await bench.raw.gate.patch({ id: "checkout", body: { description: "Edited" } } as never);
    const main = path.join(
      bench.project.folder,
      "node_modules/pulumi-feature-console/dist/tools/cli/main.js",
    );
    const drift = await run(process.execPath, [main, "drift", "--json"], {
      cwd: bench.project.folder,
      env: { ...bench.stack.env, ...onPath },
      timeoutMs: 120_000,
    });
    expect(JSON.parse(drift.stdout)).toMatchObject({
      objects: [{ name: "checkout", differences: [{ path: "description", console: "Edited" }] }],
    });
  });
});

describe("the way back to dynamic resources", () => {
  test.each([
    ["a preview", ["preview"]],
    ["an update without a preview", ["up", "--yes", "--skip-preview", "--continue-on-error"]],
  ])("is refused by %s with advice, and nothing is written", async (_, command) => {
    const before = await bench.state();
    bench.emulator.clearRequests();
    await bench.write(lines("Newer"));
    const result = await bench.stack.run(command, { env: onPath });
    expect(result.code).not.toBe(0);
    const said = result.stdout + result.stderr;
    expect(said).toMatch(
      /The native plugin manages urn:pulumi:\S+, and this program declares it as a dynamic resource/,
    );
    expect(said).toContain('Import the classes from "pulumi-feature-console/native" again.');
    expect(writesTo(bench.emulator)).toEqual([]);
    expect(await bench.state()).toEqual(before);
  });
});

test.each([
  [
    "the native one second",
    'new fc.Gate("one", { key: "both" });',
    'new native.Gate("two", { key: "both" });',
    "two",
    "dynamic",
    "one",
  ],
  [
    "the dynamic one second",
    'new native.Gate("one", { key: "both" });',
    'new fc.Gate("two", { key: "both" });',
    "two",
    "native",
    "one",
  ],
  ["both of one name", 'new native.Gate("both");', 'new fc.Gate("both");', "both", "native", "both"],
])(
  "a preview refuses a dynamic and a native resource for one key, %s",
  async (_, first, second, own, adapter, other) => {
    await native(lines("Newer"));
    const program = (added: string) =>
      bench.project.setProgram(
        programOf(`${lines("Newer").replaceAll("new fc.", "new native.")}\n${added}`).replace(
          "\nexport",
          '\nimport * as native from "pulumi-feature-console/native";\nexport',
        ),
      );
    await program(`${first}\n${second}`);
    const result = await bench.stack.run(["preview"], { env: onPath });
    expect(result.code).not.toBe(0);
    expect(result.stdout + result.stderr).toContain(
      `gate "both" is named by the ${adapter} resource "${other}" and the resource "${own}" of this program; give one of the two another key, or remove it`,
    );
    await program(
      `${first}\n${second.replace(/key: "both"/, 'key: "other"').replace('("both")', '("other")')}`,
    );
    const apart = await bench.stack.run(["preview"], { env: onPath });
    expect(apart).toMatchObject({ code: 0 });
  },
);

test("pulumi import adopts an object with the least arguments, and the next preview is empty", async () => {
  const rules = [{ name: "All", passPercentage: 10, conditions: [{ type: "public" }] }];
  await bench.raw.gate.create({ body: { name: "found", description: "Made by hand", rules } } as never);
  const imported = await bench.stack.run(
    [
      "import",
      "feature-console:index:Gate",
      "found",
      "found",
      "--generate-code=false",
      "--protect=false",
      "--yes",
    ],
    { env: onPath },
  );
  expect(imported).toMatchObject({ code: 0 });
  expect((await stored("found")).inputs).toEqual({
    ...{ key: "found", name: "found", description: "Made by hand", rules },
  });
  const missing = await bench.stack.run(
    ["import", "feature-console:index:Gate", "nobody", "nobody", "--generate-code=false", "--yes"],
    { env: onPath },
  );
  expect(missing.code).not.toBe(0);
  expect(missing.stdout + missing.stderr).toContain('There is no gate "nobody" in the console.');
});

test("the settings are judged once, before any resource", async () => {
  const env = { ...onPath, FEATURE_CONSOLE_PROFILE: "statsgi" };
  const preview = await bench.stack.run(["preview"], { env });
  const said = preview.stdout + preview.stderr;
  expect(said.match(/statsgi/g)).toHaveLength(2);
  expect(said).toContain("pulumi:providers:feature-console");
});

test("a preview knows nothing of what a program looks up of an object that does not exist yet", async () => {
  const program = (more: string) => native(`${lines("Newer")}${lookupsOfNew}${more}export { seen };`);
  await program("");
  const { code, stdout } = await bench.stack.run(["preview"], { env: onPath });
  expect(stdout).not.toContain("error");
  expect(code).toBe(0);
  await bench.stack.up({ env: onPath });
  expect((await bench.stack.outputs()).seen).toEqual(Array(6).fill("Made by this update"));
  await program('fc.getGateOutput({ id: pulumi.output("no_such_gate") });');
  const absent = await bench.stack.run(["preview"], { env: onPath });
  expect(absent.code).not.toBe(0);
  expect(absent.stdout + absent.stderr).toContain("GET /gates/no_such_gate answered 404: Gate not found");
});
