/** The start of the README with the oldest and the newest versions: `npm run prove -- versions`. Ends with 1 where one fails. */
import { withProgress } from "../../scripts/process/progress.ts";
import { proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import { packedTarball } from "./play.ts";
import { playVersions, versionsToPlay } from "./versions.ts";

const about = `Plays the start of the README, a program that reads an object by its id, and the end, with the oldest and the newest tested
versions of Node.js, the Pulumi CLI, its SDK and TypeScript, and with SDK and CLI crossed. Builds the oldest CLI at first.`;
const { only } = proofOptions("versions", about, {
  only: wholeNumber(-1, "Only this row, from 0; -1: all"),
});

const tarball = await packedTarball();
console.log("| Node.js | CLI | SDK | TypeScript | seconds |\n| --- | --- | --- | --- | --- |");
for (const [index, versions] of versionsToPlay().entries()) {
  if (only >= 0 && only !== index) continue;
  const { node, pulumi, sdk, typescript } = versions;
  const label = [node, pulumi, sdk, typescript];
  try {
    const seconds = await withProgress(label.join(", "), () => playVersions(versions, tarball.file));
    console.log(`| ${[...label, seconds.toFixed(0)].join(" | ")} |`);
  } catch (error) {
    console.log(`| ${[...label, "fails"].join(" | ")} |`);
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
await tarball.remove();
