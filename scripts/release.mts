import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { firstUpdates, languages } from "../test/languages/first-updates.ts";
import { platforms } from "./package/plugin.ts";
import { releaseSteps } from "./package/release.ts";
import { removeTree } from "./process/atomic-folder.ts";
import { runScript } from "./process/run.ts";
import { runSteps, stepTable } from "./process/steps.ts";
import { scriptOptions, someOf, text } from "./prove-options.ts";
import { repositoryRoot } from "./pulumi-cli/environment.ts";

const about = `Builds everything that a release publishes into a folder, then installs each of it from there in a clean place and
runs the first update of each language. Publishes nothing.`;
const named = platforms.map((one) => ({ ...one, name: `${one.system}-${one.processor}` }));
const options = scriptOptions("release:dry --", about, {
  out: text("DIR", "Folder of the release; one of an earlier release is replaced. Default: release"),
  repository: text("OWNER/NAME", "Repository on GitHub from which the release is made"),
  platform: someOf(
    "PLATFORM",
    named.map(({ name }) => name),
    "Plugins of this platform",
  ),
  language: someOf("LANGUAGE", languages, "First update in this language"),
});

const out = path.resolve(process.env.INIT_CWD ?? ".", options.out ?? "release");
const sums = path.join(out, "SHA256SUMS");
const released = existsSync(sums) ? readFileSync(sums, "utf8").split(/\s+/) : [];
const others = (existsSync(out) ? readdirSync(out) : []).filter(
  (one) => ![...released, "SHA256SUMS"].includes(one),
);
if (others.length > 0) {
  console.error(`${out} holds something else than a release: ${others.join(", ")}.`);
  process.exit(2);
}
await removeTree(out);
const work = mkdtempSync(path.join(tmpdir(), "feature-console-release-"));
await mkdir(out, { recursive: true });
const asked = named.filter(({ name }) => options.platform.includes(name));
const steps = [
  { headline: "build", work: () => runScript("build", repositoryRoot) },
  ...releaseSteps({ out, work, repository: options.repository, platforms: asked }),
  ...firstUpdates(out, work, options.language),
];
const results = await runSteps(steps, { keepGoing: true });
await removeTree(work);
console.log(`\n${stepTable(results)}\n\n${out}`);
console.log("Not run here: the plugins for other systems and processors, and Pulumi's own language hosts.");
process.exitCode = results.length === steps.length && results.every(({ passed }) => passed) ? 0 : 1;
