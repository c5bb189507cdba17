import { describe, expect, test } from "@jest/globals";
import { cacheFolder } from "../../scripts/pulumi-cli/cached";
import { type Binaries, discover, PulumiCliMissing } from "../../scripts/pulumi-cli/discover";
import { whyGoIsUnfit } from "../../scripts/pulumi-cli/go";

describe("the Pulumi CLI is looked for", () => {
  const found: Binaries = { folders: ["/somewhere"], source: "a test" };
  const asked: string[] = [];
  const finder = (name: string, find: () => Binaries | { why: string }) => ({
    name,
    find: async () => {
      asked.push(name);
      return find();
    },
  });
  const missing = finder("PATH", () => ({ why: "not there" }));
  const broken = finder("download", () => {
    throw new Error("no network");
  });

  test("in order, also after a place that breaks, until one has it", async () => {
    const places = [missing, broken, finder("build", () => found), finder("never", () => found)];
    await expect(discover(places)).resolves.toBe(found);
    expect(asked).toEqual(["PATH", "download", "build"]);
  });

  test("and where none has it, the error tells what was tried and what to do", async () => {
    const outcome = discover([missing, broken]);
    await expect(outcome).rejects.toThrow(PulumiCliMissing);
    await expect(outcome).rejects.toThrow(/- PATH: not there\n.*- download: no network\nInstall Pulumi/s);
  });
});

test.each([
  [{ XDG_CACHE_HOME: "/caches" }, "/caches/pulumi-feature-console"],
  [{ XDG_CACHE_HOME: "relative" }, "/home/u/.cache/pulumi-feature-console"],
  [{}, "/home/u/.cache/pulumi-feature-console"],
])("with %j the cache is %s", (environment, folder) => {
  expect(cacheFolder(environment, "/home/u")).toBe(folder);
});

test.each<[string, string, string, string | undefined]>([
  ["new enough", "go version go1.26.6 linux/amd64", "local\n", undefined],
  ["without a patch number", "go version go1.27 linux/amd64", "local\n", undefined],
  ["that fetches a newer one by itself", "go version go1.22.1 darwin/arm64", "auto\n", undefined],
  ["old and forbidden to fetch", "go version go1.24.0 x/y", "local\n", "too old"],
  ["too old to fetch", "go version go1.20.3 x/y", "", "too old"],
  ["unreadable", "gibberish", "", "cannot tell"],
])("a Go that is %s", (_, version, toolchain, reason) => {
  const why = whyGoIsUnfit({ version, toolchain });
  if (reason === undefined) expect(why).toBeUndefined();
  else expect(why).toContain(reason);
});

test("no Go at all", () => expect(whyGoIsUnfit(undefined)).toContain("not installed"));
