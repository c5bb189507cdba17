import { describe, expect, test } from "@jest/globals";
import { nodeProblem } from "../src/node-version";

describe("the version of Node", () => {
  test.each([
    "22.19.0",
    "22.19.1",
    "22.20.0",
    "23.0.0",
    "24.9.0",
    "100.0.0",
    "22.19.0-nightly2025",
    "25.0.0-rc.1",
  ])("%s runs", (version) => expect(nodeProblem(version)).toBeUndefined());

  test.each(["22.18.9", "22.2.0", "22.0.0", "20.20.2", "18.0.0", "9.22.0", "0.10.48", ""])(
    "%j is told to be too old, with what is needed and what to do",
    (version) =>
      expect(nodeProblem(version)).toBe(
        `pulumi-feature-console needs Node 22.19 or newer; this is ${version}. Install a newer Node, or put one first on PATH.`,
      ),
  );
});
