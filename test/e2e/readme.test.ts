import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { npmCommand, run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import pictures from "../../spec/pictures.json";
import { ensureBuilt } from "../support/built-package";
import { secretsProvider } from "../support/key-service";
import { createPulumiPlace, FIRST_CLI_TIMEOUT_MS, type PulumiPlace } from "../support/pulumi-cli";
import { lines, type Readme, readReadme } from "../support/readme";

let folder: string;
let place: PulumiPlace;
/** As a reader has it: Pulumi checks the types of the program. */
let env: NodeJS.ProcessEnv;
let projectFolder: string;
let readme: Readme;

/**
 * Runs a line as a user would type it, and gives what it printed. A folder of its own stands for the home folder. Everything
 * is really installed: a link into this checkout would find the checkout's TypeScript.
 */
async function type(line: string, cwd = projectFolder): Promise<string> {
  const [program = "", ...words] = line.split(" ");
  const said = words.map((word) => word.replace(/^~/, folder));
  const quiet = program === "npm" ? ["--no-audit", "--no-fund"] : ["--non-interactive", "--color", "never"];
  const command = program === "npm" ? npmCommand : place.command;
  const args = [...said, ...(answers[line] ?? []), ...quiet];
  const { code, stdout, stderr, problem } = await run(command, args, { cwd, env, timeoutMs: 180_000 });
  if (code !== 0) throw new Error(`${line} failed: ${problem ?? ""}\n${stdout}\n${stderr}`);
  return stdout;
}
const answers: Record<string, string[]> = {
  // A passphrase is asked for in the place of this.
  "pulumi stack init dev": ["--secrets-provider", secretsProvider],
  "pulumi up": ["--yes", "--skip-preview"],
  "pulumi config set --secret feature-console:apiKey": [["no", "key"].join("-")],
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "feature-console-readme-"));
  projectFolder = path.join(folder, "project");
  await mkdir(projectFolder);
  readme = await readReadme();
  place = await createPulumiPlace();
  env = { ...place.env, NODE_OPTIONS: "" };
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await place?.remove();
  await removeTree(folder);
});

const limit = 5 * 60 * 1000;

describe("README.md, followed to the letter from an empty folder", () => {
  test(
    "makes a project whose program is applied",
    async () => {
      expect(await readdir(projectFolder)).toEqual([]);
      // The first two of these lines are how these tests come to run: what they leave is there.
      await ensureBuilt();
      const [install, build, pack = ""] = readme.packing;
      expect([install, build]).toEqual(["npm ci", "npm run build"]);
      await type(pack, repositoryRoot);
      await writeFile(path.join(projectFolder, "Pulumi.yaml"), readme.project);
      await writeFile(path.join(projectFolder, "index.ts"), readme.program);
      const printed: string[] = [];
      for (const line of readme.commands) printed.push(await type(line));
      expect(readme.commands.at(-1)).toBe("pulumi up");
      expect(printed.at(-1)).toMatch(/gateId: "checkout_v2"[\s\S]*\+ 3 created/);
      // From here on the types are checked.
      env = { ...place.env, PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    },
    limit,
  );

  test("every entry point of the installed package loads, by require and by import, and exports something", async () => {
    const { name, exports } = JSON.parse(
      await readFile(path.join(projectFolder, "node_modules/pulumi-feature-console/package.json"), "utf8"),
    ) as { name: string; exports: Record<string, unknown> };
    const entries = Object.keys(exports).filter((entry) => !entry.endsWith(".json"));
    expect(entries.length).toBeGreaterThan(5);
    const names = JSON.stringify(entries.map((entry) => path.posix.join(name, entry)));
    const program = `(async () => {
      const count = (loaded) => Object.keys(loaded).filter((key) => !/^(default|module.exports|__esModule)$/.test(key)).length;
      const found = ${names}.map((name) => [name, count(require(name))]);
      for (const name of ${names}) found.push([name, count(await import(name))]);
      console.log(JSON.stringify(found));
    })();`;
    const loaded = await run(process.execPath, ["--eval", program], { cwd: projectFolder, env });
    expect(loaded).toMatchObject({ code: 0, stderr: "" });
    const found = JSON.parse(loaded.stdout) as [name: string, count: number][];
    expect(found).toHaveLength(2 * entries.length);
    expect(found.filter(([, count]) => count === 0)).toEqual([]);
  });

  test(
    "the preview of the change shows what the pictures of README.md show",
    async () => {
      await writeFile(path.join(projectFolder, "index.ts"), readme.changed);
      // Pulumi may say more, and its lines come in any order.
      const shown = pictures.preview.filter((line) => line !== "");
      expect(shown).toContain(
        '    gate "checkout_v2": rules: 10 % → 50 % of users in segment "staff" (rule "Staff")',
      );
      expect(lines(await type("pulumi preview"))).toEqual(expect.arrayContaining(shown));
    },
    limit,
  );

  test(
    "another stack with the account's own console can be previewed without a request",
    async () => {
      for (const line of readme.another) await type(line);
      expect(readme.another.join("\n")).toContain("feature-console:profile statsig");
      expect(await type("pulumi preview")).toMatch(/\+ 4 to create/);
    },
    limit,
  );
});

test(
  "what docs/managing.md says of the command `pulumi import` is so: it does not work, and state stays as it was",
  async () => {
    await type("pulumi stack select dev");
    const before = await type("pulumi stack export");
    const gate = "pulumi-nodejs:dynamic/feature-console:Gate";
    await expect(type(`pulumi import ${gate} another checkout_v2 --yes --protect=false`)).rejects.toThrow(
      /code must be a string, not undefined/,
    );
    expect(await type("pulumi stack export")).toBe(before);
  },
  limit,
);

test("README.md names one version of Node, the one that package.json asks for", async () => {
  const text = await readFile(path.join(repositoryRoot, "README.md"), "utf8");
  const { engines } = JSON.parse(await readFile(path.join(repositoryRoot, "package.json"), "utf8")) as {
    engines: { node: string };
  };
  const versions = [...text.matchAll(/Node(?:\.js)? (?:≥ |>= )?(\d[\d.]*)( or newer)?/g)].map(
    ([, version, newer]) => [version, newer],
  );
  const needed = [engines.node.replace(">=", ""), " or newer"];
  expect(versions).not.toEqual([]);
  expect(versions).toEqual(versions.map(() => needed));
});
