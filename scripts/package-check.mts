import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pack } from "./package/pack.ts";
import { removeTree } from "./process/atomic-folder.ts";
import { npmCommand, run, runInherited } from "./process/run.ts";
import { runSteps, type Step } from "./process/steps.ts";
import { repositoryRoot } from "./pulumi-cli/environment.ts";

const modules = path.join(repositoryRoot, "node_modules");
const node = path.join(modules, ".bin", "node");
const manifest = JSON.parse(readFileSync(path.join(repositoryRoot, "package.json"), "utf8")) as {
  name: string;
  exports: Record<string, unknown>;
};

function tool(name: string, args: string[]): Promise<number> {
  return runInherited(path.join(modules, ".bin", name), args, { cwd: repositoryRoot });
}

/** Installs the tarball as a user would. The peer is this checkout's: it is large, and it is not what is checked. */
async function install(tarball: string, project: string): Promise<number> {
  mkdirSync(project);
  writeFileSync(path.join(project, "package.json"), '{ "private": true }\n');
  const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--legacy-peer-deps"];
  const installed = await run(npmCommand, ["install", ...quiet, tarball], {
    cwd: project,
    timeoutMs: 120_000,
  });
  if (installed.code !== 0) {
    console.error(installed.problem ?? installed.stderr.trim());
    return 1;
  }
  mkdirSync(path.join(project, "node_modules", "@pulumi"));
  symlinkSync(
    path.join(modules, "@pulumi", "pulumi"),
    path.join(project, "node_modules", "@pulumi", "pulumi"),
  );
  return 0;
}

/** Loads every entry point by `require` and by `import`; one without any export is a mistake. */
async function load(project: string): Promise<number> {
  const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith(".json"));
  const names = entries.map((entry) => path.posix.join(manifest.name, entry));
  const program = `
    const names = ${JSON.stringify(names)};
    const check = (how, name, loaded) => {
      const exported = Object.keys(loaded).filter((key) => !["default", "module.exports", "__esModule"].includes(key));
      if (exported.length === 0) throw new Error(how + " " + name + ": it exports nothing");
      console.log(how.padEnd(8) + name + ": " + exported.length + " exports");
    };
    (async () => {
      for (const name of names) check("require", name, require(name));
      for (const name of names) check("import", name, await import(name));
    })().catch((error) => { console.error(error.message); process.exitCode = 1; });`;
  return runInherited(node, ["--eval", program], { cwd: project });
}

/** What the policy pack holds: Pulumi needs its project file, its code, and the package that names both. */
async function lookIntoPolicyPack(folder: string): Promise<number> {
  const { filename, files } = await pack(path.join(repositoryRoot, "policy"), folder);
  const names = new Set(files.map((file) => file.path));
  const needed = ["PulumiPolicy.yaml", "README.md", "package.json", "dist/index.js", "dist/rules/index.js"];
  const missing = needed.filter((file) => !names.has(file));
  console.log(`${filename}: ${names.size} files`);
  for (const file of missing) console.error(`it lacks ${file}`);
  return missing.length === 0 ? 0 : 1;
}

function packageSteps(folder: string): Step[] {
  let tarball = "";
  const project = path.join(folder, "project");
  const packWhole = async () => {
    const { filename } = await pack(repositoryRoot, folder);
    tarball = path.join(folder, filename);
    console.log(filename);
    return 0;
  };
  return [
    { headline: "npm pack", work: packWhole },
    { headline: "publint", work: () => tool("publint", ["run", tarball, "--strict"]) },
    // Only resolutions that know "exports" are supported: the engines field asks for Node.js 22.
    { headline: "are the types wrong", work: () => tool("attw", [tarball, "--profile", "node16"]) },
    { headline: "install the tarball", work: () => install(tarball, project) },
    { headline: "load every entry point", work: () => load(project) },
    { headline: "npm pack of the policy pack", work: () => lookIntoPolicyPack(folder) },
  ];
}

const folder = mkdtempSync(path.join(tmpdir(), "feature-console-package-"));
const steps = packageSteps(folder);
const results = await runSteps(steps, { keepGoing: false });
await removeTree(folder);
process.exitCode = results.length === steps.length && results.every(({ passed }) => passed) ? 0 : 1;
