import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, jest, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import { readRollout } from "../../examples/multi-environment/rollout";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { exampleContent, exampleNames } from "../support/examples";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { openShelf } from "./shelf";

jest.setTimeout(FIRST_CLI_TIMEOUT_MS);

/** Examples that one stack applies together. */
const together = ["delivery", "getting-started", "metrics", "people-and-settings", "project"];
/**
 * What cannot stand beside the other programs, and what stands for it: a name that two of them use (the console makes a tag that an
 * object names), and the rule that every object of the project has a team.
 */
const changed = [
  ["getting-started.ts", '"exposures"', '"shown"'],
  ["project.ts", 'new fc.Tag("shop"', 'new fc.Tag("shop of the project"'],
  ["people-and-settings.ts", "requireTeamsOnConfigs: true", "requireTeamsOnConfigs: false"],
] as const;
/** Which test runs the others. */
const elsewhere: Readonly<Record<string, string>> = {
  app: "app.test.ts",
  automation: "automation.test.ts",
  experiments: "same-answers.test.ts",
  gitops: "gitops.test.ts",
  "multi-environment": "npm run prove -- cases, by the guide to promotions",
  "whole-project": "same-answers.test.ts",
};

test("every example is run somewhere", () => {
  expect([...together, ...Object.keys(elsewhere)].sort()).toEqual(exampleNames().sort());
});

test("the lockfile knows every example, or `npm ci` refuses to work", () => {
  const lock = JSON.parse(readFileSync(path.join(repositoryRoot, "package-lock.json"), "utf8"));
  expect(Object.keys(lock.packages)).toEqual(
    expect.arrayContaining(exampleNames().map((name) => `examples/${name}`)),
  );
});

test(`${together.join(", ")}: up, nothing left to do, nothing drifted, destroy, nothing left in use`, async () => {
  const programs = Object.fromEntries(
    together.map((name) => [`${name}.ts`, exampleContent(name).program] as const),
  );
  for (const [file, text, other] of changed) {
    expect(programs[file]).toContain(text);
    programs[file] = programs[file]?.replaceAll(text, other) ?? "";
  }
  const shelf = await openShelf(programs);
  try {
    await shelf.expectNothingLeft();
  } finally {
    await shelf.close();
  }
});

describe("multi-environment", () => {
  const settings = (stack: string) =>
    exampleContent("multi-environment").files?.[`Pulumi.${stack}.yaml`] ?? "";
  /** What the program reads of the settings of a stack. */
  const rolloutIn = (stack: string, text = settings(stack)) => {
    const { config } = parse(text) as { config: Record<string, unknown> };
    const name = "multi-environment:rollout";
    const newResource = () => ({ id: "none", state: {} });
    void pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "multi-environment", stack);
    pulumi.runtime.setAllConfig({ [name]: JSON.stringify(config[name]) });
    return readRollout();
  };

  test("each stack has its shares", () => {
    expect(rolloutIn("dev")).toEqual({ checkout_v2: 100, search_suggestions: 100 });
    expect(rolloutIn("staging")).toEqual({ checkout_v2: 50, search_suggestions: 100 });
    expect(rolloutIn("prod")).toEqual({ checkout_v2: 10, search_suggestions: 25 });
  });

  test("every slip in the shares is named at once, with the file and what to give", () => {
    const slips = settings("prod")
      .replace("checkout_v2: 10", "checkout_v2: fifty")
      .replace("search_suggestions: 25", "search_sugestions: 25");
    expect(() => rolloutIn("prod", slips)).toThrow(
      /^Pulumi\.prod\.yaml, multi-environment:rollout:\s+checkout_v2: "fifty"; give a number from 0 to 100\s+search_suggestions: missing; give a number from 0 to 100\s+search_sugestions: no flag of this program/,
    );
  });
});
