import { describe, expect, test } from "@jest/globals";
import { whyGoIsUnfit } from "../../scripts/pulumi-cli/go";

describe("whyGoIsUnfit", () => {
  test.each([
    ["new enough", { version: "go version go1.26.6 linux/amd64", toolchain: "local\n" }],
    ["without a patch number", { version: "go version go1.27 linux/amd64", toolchain: "local\n" }],
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
