/**
 * Builds everything that a release publishes into a folder, then installs each of it from there in a clean place and runs the first
 * update of each language. `npm run release:dry -- --out DIR --repository OWNER/NAME`. Publishes nothing.
 */
import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { firstUpdates } from "../test/languages/first-updates.ts";
import { platforms } from "./package/plugin.ts";
import { releaseSteps } from "./package/release.ts";
import { removeTree } from "./process/atomic-folder.ts";
import { runScript } from "./process/run.ts";
import { runSteps, stepTable } from "./process/steps.ts";
import { repositoryRoot } from "./pulumi-cli/environment.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: "release" },
    repository: { type: "string" },
    platform: { type: "string", multiple: true },
    language: { type: "string", multiple: true },
  },
});

const out = path.resolve(process.env.INIT_CWD ?? ".", values.out);
const work = mkdtempSync(path.join(tmpdir(), "feature-console-release-"));
if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(path.join(out, "SHA256SUMS")))
  throw new Error(`${out} holds something else than a release.`);
await removeTree(out);
await mkdir(out, { recursive: true });
const asked = platforms.filter(
  ({ system, processor }) => values.platform?.includes(`${system}-${processor}`) ?? true,
);
const steps = [
  { headline: "build", work: () => runScript("build", repositoryRoot) },
  ...releaseSteps({ out, work, repository: values.repository, platforms: asked }),
  ...firstUpdates(out, work, values.language),
];
const results = await runSteps(steps, { keepGoing: true });
await removeTree(work);
console.log(`\n${stepTable(results)}\n\n${out}`);
console.log("Not run here: the plugins for other systems and processors, and Pulumi's own language hosts.");
process.exitCode = results.length === steps.length && results.every(({ passed }) => passed) ? 0 : 1;
