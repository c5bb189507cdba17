import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { packageManagers, startLines } from "../../scripts/package/managers";
import { FIRST_CLI_TIMEOUT_MS, quickStartUntyped } from "../support/pulumi-cli";
import { emptyProject, installed, packedTarball, playStart } from "./play";
import { versionsToPlay } from "./versions";

// `npm run prove -- managers` does this with every package manager, and README.md itself with npm.

let tarball: Awaited<ReturnType<typeof packedTarball>>;
beforeAll(async () => {
  tarball = await packedTarball();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => tarball?.remove());

test("the start of README.md goes with pnpm, whose node_modules are links, and without a warning", async () => {
  const pnpm = packageManagers.find(({ name }) => name === "pnpm");
  if (pnpm === undefined) throw new Error("there is no pnpm");
  const manager = await installed(pnpm);
  // Types are checked where npm, which comes with Node, does the same.
  const project = await emptyProject({ first: [manager.bin], environment: quickStartUntyped });
  try {
    await playStart(project, startLines(pnpm, tarball.file));
    // Each of the lines is a command of its own: one that fails ends the start.
    expect(project.typed).toHaveLength(startLines(pnpm, tarball.file).length + 4);
  } finally {
    await project.remove();
    await manager.remove();
  }
}, 300_000);

test("the proof of versions plays the oldest, the newest, and an SDK and a CLI of different age", () => {
  const [oldest, newest, ...crossed] = versionsToPlay();
  expect(oldest).not.toEqual(newest);
  expect(crossed.map(({ pulumi, sdk }) => [pulumi, sdk])).toEqual([
    [oldest?.pulumi, newest?.sdk],
    [newest?.pulumi, oldest?.sdk],
  ]);
});
