import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pack } from "./package/pack.ts";
import { removeTree } from "./process/atomic-folder.ts";
import { runInherited } from "./process/run.ts";
import { runSteps, type Step } from "./process/steps.ts";
import { repositoryRoot } from "./pulumi-cli/environment.ts";

const modules = path.join(repositoryRoot, "node_modules");

function tool(name: string, args: string[]): Promise<number> {
  return runInherited(path.join(modules, ".bin", name), args, { cwd: repositoryRoot });
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
    { headline: "npm pack of the policy pack", work: () => lookIntoPolicyPack(folder) },
  ];
}

const folder = mkdtempSync(path.join(tmpdir(), "feature-console-package-"));
const steps = packageSteps(folder);
const results = await runSteps(steps, { keepGoing: false });
await removeTree(folder);
process.exitCode = results.length === steps.length && results.every(({ passed }) => passed) ? 0 : 1;
