import { describe, expect, test } from "@jest/globals";
import { whyGoIsUnfit } from "../../scripts/pulumi-cli/go";
import { isAtLeast, parseVersion, type Version } from "../../scripts/pulumi-cli/version";

describe("parseVersion", () => {
  test.each<[string, Version | undefined]>([
    ["v3.259.0", [3, 259, 0]],
    ["go version go1.26 linux/amd64", [1, 26, 0]],
    ["3.300.1-alpha.2+dirty\n", [3, 300, 1]],
    ["no number here", undefined],
  ])("%s", (text, version) => {
    expect(parseVersion(text)).toEqual(version);
  });
});

describe("isAtLeast", () => {
  test.each<[Version, Version, boolean]>([
    [[3, 216, 0], [3, 216, 0], true],
    [[3, 1000, 0], [3, 216, 9], true],
    [[4, 0, 0], [3, 216, 0], true],
    [[3, 215, 99], [3, 216, 0], false],
    [[2, 999, 0], [3, 0, 0], false],
  ])("%j is at least %j: %s", (version, wanted, answer) => {
    expect(isAtLeast(version, wanted)).toBe(answer);
  });
});

describe("whyGoIsUnfit", () => {
  test.each([
    ["new enough", { version: "go version go1.25.11 linux/amd64", toolchain: "local\n" }],
    ["fetches a newer one by itself", { version: "go version go1.22.1 darwin/arm64", toolchain: "auto\n" }],
  ])("%s", (_, go) => {
    expect(whyGoIsUnfit(go)).toBeUndefined();
  });

  test.each([
    ["missing", undefined, "not installed"],
    ["old and forbidden to fetch", { version: "go version go1.24.0 x/y", toolchain: "local\n" }, "too old"],
    ["too old to fetch", { version: "go version go1.20.3 x/y", toolchain: "" }, "too old"],
    ["unreadable", { version: "gibberish", toolchain: "" }, "cannot tell"],
  ])("%s", (_, go, reason) => {
    expect(whyGoIsUnfit(go)).toContain(reason);
  });
});
