/**
 * Imports a small messy console by `pulumi import`, and converts the YAML that it prints by `pulumi convert`. YAML comes from the real
 * host; Python, TypeScript and Go come from Pulumi's generators as Go modules at the version of the CLI, because their hosts of that
 * version are in no registry. TypeScript and Go are compiled, and a preview of YAML and Python is empty. Then the same commands with
 * each host on PATH. `npm run prove -- hosts`. Ends with 1 on any fault.
 */
import { match, ok } from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { packageSchemaFile } from "../../scripts/generate/package-schema.ts";
import { must } from "../../scripts/package/release.ts";
import { removeTree } from "../../scripts/process/atomic-folder.ts";
import { proofOptions } from "../../scripts/prove-options.ts";
import { cacheFolder } from "../../scripts/pulumi-cli/cached.ts";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment.ts";
import { goCommand } from "../../scripts/pulumi-cli/go.ts";
import { languageHost, yamlConverter } from "../../scripts/pulumi-cli/language-hosts.ts";
import { folderOnPath } from "../../scripts/pulumi-cli/on-path.ts";
import { CLI_VERSION } from "../../scripts/pulumi-cli/versions.ts";
import { sdkProgram } from "../../scripts/sdks/program.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import { createClient } from "../../src/provider/client/index.ts";
import { testKey } from "../emulator/desk.ts";
import { settingsFor } from "../import/proof.ts";
import { packedNodeModules } from "../support/built-package.ts";
import type { PulumiStack } from "../support/pulumi-cli.ts";
import { pythonWithSdk } from "../support/python-sdk.ts";
import { opened } from "./consoles.ts";

proofOptions("hosts", "The programs that `pulumi import` and `pulumi convert` write, in each language.", {});

const searchPath = process.env.PATH ?? "";
const folder = mkdtempSync(path.join(tmpdir(), "feature-console-hosts-"));
const emulator = await startEmulator({ key: testKey });
const settings = settingsFor(emulator.url, testKey);
const objects = { Segment: ["staff", "testers"], Gate: ["checkout"], DynamicConfig: ["theme", "plain"] };
const specs = Object.entries(objects).flatMap(([kind, ids]) =>
  ids.map((id) => ({ type: `feature-console:index:${kind}`, name: id, id })),
);

async function fillConsole(): Promise<void> {
  const raw = createClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey });
  const create = (kind: "segment" | "gate" | "dynamicConfig", body: object) =>
    raw[kind].create({ body } as never);
  const rule = (...conditions: object[]) => [{ name: "Some", passPercentage: 12.34, conditions }];
  const mail = { type: "email", operator: "str_contains_any", targetValue: ["@example.com"] };
  await create("segment", { id: "staff", name: "Our staff", type: "rule_based", rules: rule(mail) });
  await create("segment", { name: "testers", type: "id_list" });
  const ids = Array.from({ length: 3000 }, (_, index) => `user-${index}`);
  await raw.segment.addIds({ id: "testers", body: { ids } } as never);
  const isStaff = { type: "passes_segment", targetValue: ["staff"] };
  const after = { type: "time", operator: "after", targetValue: 1700000000123 };
  const description = 'a "quoted" $' + "{text} %{text}\nin two lines";
  await create("gate", { name: "checkout", description, rules: rule(isStaff, after) });
  await create("dynamicConfig", { name: "theme", defaultValueJson5: "{ big: 12345678901234567890 }" });
  await create("dynamicConfig", { name: "plain", defaultValue: { none: null, list: ["a", null] } });
}

/** Opens a project in a folder of its own. */
async function project(runtime: string, commands: readonly string[]) {
  const place = mkdtempSync(path.join(folder, `${runtime}-`));
  const plugin = path.join(await packedNodeModules(), "pulumi-feature-console", "plugin");
  const text = `name: flags\nruntime: ${runtime}\nplugins:\n  providers:\n    - name: feature-console\n      path: ${plugin}\n`;
  writeFileSync(path.join(place, "Pulumi.yaml"), text);
  writeFileSync(path.join(place, "import.json"), JSON.stringify({ resources: specs }));
  return { place, text, ...(await opened(place, settings, commands, async () => {})) };
}

async function succeeds(stack: PulumiStack, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await stack.run(args, { timeoutMs: 300_000 });
  if (code !== 0) throw new Error(`pulumi ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout + stderr;
}

const importing = ["import", "--file", "import.json", "--protect=false", "--yes", "--out", "printed.txt"];
const emptyPreview = ["preview", "--expect-no-changes"];

/** A person can edit a printed program, and nothing of the console is lost in it. */
function mustBeSound(label: string, text: string): void {
  ok(!/__hashes|user-1/.test(text), `${label}: it holds ids`);
  match(text, /12345678901234567890/, `${label}: a number lost digits`);
  match(text, /none.{0,4}: ?null.*\[.{0,3}a.{0,3}, ?null\]/, `${label}: a null is gone`);
  match(text, /staff\.(id|ID\(\))/, `${label}: a segment is no reference`);
  console.log(`${label}: ${text.split("\n").length} lines`);
}

/** What is done with the program of a language: `place` holds it, `sdk` the package of the language. */
const uses: Readonly<Record<string, (place: string, sdk: string, state: string) => Promise<void>>> = {
  async nodejs(place, sdk) {
    const text = readFileSync(path.join(place, "index.ts"), "utf8");
    writeFileSync(path.join(sdk, "printed.ts"), text.replace("pulumi-feature-console-sdk", "./index"));
    await must(path.join(repositoryRoot, "node_modules/.bin/tsc"), ["-p", "printed.json", "--noEmit"], sdk);
  },
  async go(place, sdk) {
    cpSync(place, path.join(sdk, "printed"), { recursive: true });
    const go = await goCommand(cacheFolder());
    await must(go, ["mod", "edit", "-require", `github.com/pulumi/pulumi/sdk/v3@v${CLI_VERSION}`], sdk);
    await must(go, ["vet", "-mod=mod", "./printed"], sdk);
  },
  async python(place, _sdk, state) {
    const commands = [path.join(await pythonWithSdk(), "bin"), await languageHost("python", searchPath)];
    const { place: opened, stack, close } = await project("python", commands);
    try {
      cpSync(place, opened, { recursive: true });
      await succeeds(stack, "stack", "import", "--file", state);
      await succeeds(stack, ...emptyPreview);
    } finally {
      await close();
    }
  },
};

async function proveGenerated(state: string, converted: string): Promise<void> {
  const program = await sdkProgram();
  const schema = path.join(repositoryRoot, packageSchemaFile);
  const sdks = path.join(folder, "sdk");
  await must(program, [schema, sdks, "nodejs", "go"], folder);
  symlinkSync(path.join(repositoryRoot, "node_modules"), path.join(sdks, "nodejs", "node_modules"));
  const config = { extends: "./tsconfig.json", files: [], include: ["**/*.ts"] };
  writeFileSync(path.join(sdks, "nodejs", "printed.json"), JSON.stringify(config));
  for (const [command, source] of Object.entries({ import: state, convert: converted })) {
    const programs = path.join(folder, command);
    for (const [language, use] of Object.entries(uses)) {
      await must(program, ["programs", schema, source, programs, language], folder);
      const place = path.join(programs, language);
      const [file = ""] = readdirSync(place);
      const text = readFileSync(path.join(place, file), "utf8");
      mustBeSound(`${command}, ${language}`, text);
      // The page tells to write structs in its place.
      if (text.includes("pulumi.Any{")) ok(command === "convert" && language === "go", "it does not compile");
      else await use(place, path.join(sdks, language), state);
    }
  }
}

/** The commands with a host that the user has: the CLI asks it for the program, and for the package. */
async function proveHost(language: string, source: string): Promise<void> {
  if (folderOnPath(`pulumi-language-${language}`, searchPath) === undefined) {
    console.log(`${language}: no host on PATH, so import, convert and package add did not run with one`);
    return;
  }
  const { place, stack, close } = await project(language, [await yamlConverter(searchPath)]);
  try {
    await succeeds(stack, ...importing);
    mustBeSound(`import, host of ${language}`, readFileSync(path.join(place, "printed.txt"), "utf8"));
    await succeeds(stack, "package", "add", path.join(repositoryRoot, packageSchemaFile));
    const out = path.join(folder, "converted", language);
    await succeeds(
      stack,
      "convert",
      "--cwd",
      source,
      "--language",
      language,
      "--out",
      out,
      "--generate-only",
    );
    console.log(`${language}: the host on PATH imports, converts and adds the package`);
  } finally {
    await close();
  }
}

try {
  await fillConsole();
  const commands = [await languageHost("yaml", searchPath), await yamlConverter(searchPath)];
  const { place, text, stack, close } = await project("yaml", commands);
  try {
    const said = await succeeds(stack, ...importing);
    match(said, /segment "testers": pulumi import prints no ids\. .* leaves the 3,000 ids/);
    const printed = readFileSync(path.join(place, "printed.txt"), "utf8");
    mustBeSound("import, yaml", printed);
    const { deployment, version } = await stack.exportStack();
    const state = path.join(folder, "state.json");
    writeFileSync(state, JSON.stringify({ version, deployment: { ...deployment, secrets_providers: null } }));
    writeFileSync(path.join(place, "Pulumi.yaml"), text + printed);
    await succeeds(stack, "refresh", "--preview-only", "--expect-no-changes");
    await succeeds(stack, ...emptyPreview);
    const converted = path.join(folder, "pcl");
    await succeeds(stack, "convert", "--from", "yaml", "--language", "pcl", "--out", converted);
    await proveGenerated(state, converted);
    for (const language of ["python", "nodejs", "go", "java"]) await proveHost(language, place);
  } finally {
    await close();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await emulator.close();
  await removeTree(folder);
}
