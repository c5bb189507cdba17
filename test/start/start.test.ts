import { expect, test } from "@jest/globals";
import { versionsToPlay } from "./versions";

// `npm run prove -- managers` plays the start of README.md with every package manager, and test/e2e/readme.test.ts with npm.

test("the proof of versions plays the oldest, the newest, and an SDK and a CLI of different age", () => {
  const [oldest, newest, ...crossed] = versionsToPlay();
  expect(oldest).not.toEqual(newest);
  expect(crossed.map(({ pulumi, sdk }) => [pulumi, sdk])).toEqual([
    [oldest?.pulumi, newest?.sdk],
    [newest?.pulumi, oldest?.sdk],
  ]);
});
