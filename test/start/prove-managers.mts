/** The start of the README with each package manager: `npm run prove -- managers`, `--only pnpm`. Ends with 1 where one fails. */
import { packageManagers, startLines } from "../../scripts/package/managers.ts";
import { withProgress } from "../../scripts/process/progress.ts";
import { proofOptions, texts } from "../../scripts/prove-options.ts";
import { emptyProject, installed, packedTarball, playStart } from "./play.ts";

const about = `Types the start of the README in an empty folder with the newest version of each package manager, and applies the program.`;
const { only } = proofOptions("managers", about, { only: texts("NAME", "Only this package manager") });

const tarball = await packedTarball();
console.log("| with | typed | seconds |\n| --- | --- | --- |");
for (const manager of packageManagers) {
  if (only !== undefined && !only.includes(manager.name)) continue;
  const { bin, version, remove } = await installed(manager);
  const project = await emptyProject({ first: [bin] });
  const label = `${manager.name} ${version}`;
  try {
    await withProgress(label, () => playStart(project, startLines(manager, tarball.file)));
  } catch (error) {
    console.error(`${label}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
  for (const { line, seconds } of project.typed)
    console.log(`| ${label} | \`${line.replace(tarball.file, "TARBALL")}\` | ${seconds.toFixed(1)} |`);
  await project.remove();
  await remove();
}
await tarball.remove();
