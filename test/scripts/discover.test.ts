import { describe, expect, test } from "@jest/globals";
import { cacheFolder } from "../../scripts/pulumi-cli/cached";
import { type Binaries, discover, type Finder, PulumiCliMissing } from "../../scripts/pulumi-cli/discover";

const found: Binaries = { folders: ["/somewhere"], source: "a test" };

function finder(name: string, asked: string[], outcome: () => Binaries | { why: string }): Finder {
  return {
    name,
    async find() {
      asked.push(name);
      return outcome();
    },
  };
}

function failing(): never {
  throw new Error("no network");
}

describe("discover", () => {
  test("asks in order and stops at the first that has the binaries", async () => {
    const asked: string[] = [];
    const first = finder("first", asked, () => ({ why: "not there" }));
    const second = finder("second", asked, () => found);
    const third = finder("third", asked, () => found);
    await expect(discover([first, second, third])).resolves.toBe(found);
    expect(asked).toEqual(["first", "second"]);
  });

  test("goes on after a finder that breaks", async () => {
    const asked: string[] = [];
    const outcome = discover([finder("broken", asked, failing), finder("good", asked, () => found)]);
    await expect(outcome).resolves.toBe(found);
  });

  test("says what was tried and what to do when nothing is found", async () => {
    const outcome = discover([
      finder("PATH", [], () => ({ why: "not there" })),
      finder("download", [], failing),
    ]);
    await expect(outcome).rejects.toThrow(PulumiCliMissing);
    await expect(outcome).rejects.toThrow(/- PATH: not there\n.*- download: no network\nInstall Pulumi/s);
  });
});

describe("cacheFolder", () => {
  test.each([
    [{ XDG_CACHE_HOME: "/caches" }, "/caches/pulumi-feature-console"],
    [{ XDG_CACHE_HOME: "relative" }, "/home/u/.cache/pulumi-feature-console"],
    [{}, "/home/u/.cache/pulumi-feature-console"],
  ])("%j", (environment, folder) => {
    expect(cacheFolder(environment, "/home/u")).toBe(folder);
  });
});
