import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";

/** Each line: a file, and what it must not import. */
const forbidden: [file: string, imported: string][] = [
  ["src/core/plan.ts", "@pulumi/pulumi"],
  ["src/core/plan.ts", "undici"],
  ["src/core/plan.ts", "deep-diff"],
  ["src/core/plan.ts", "node:fs"],
  ["src/core/plan.ts", "../catalog/gate"],
  ["src/core/compare.ts", "undici"],
  ["src/core/text-digest.ts", "node:fs"],
  ["src/core/compare.ts", "../id-lists/value-type"],
  ["src/id-lists/changes.ts", "node:fs"],
  ["src/id-lists/sources.ts", "../engine"],
  ["src/catalog/segment.ts", "../id-lists/sources"],
  ["src/catalog/gate.ts", "../client"],
  ["src/catalog/gate.ts", "../client/transport"],
  ["src/catalog/gate.ts", "node:fs"],
  ["src/catalog/parts/rule.ts", "../../engine/create"],
  ["src/client/retry.ts", "undici"],
  ["src/client/limiter.ts", "ioredis"],
  ["src/client/client.ts", "../engine/create"],
  ["src/client/transport.ts", "@pulumi/pulumi"],
  ["src/engine/create.ts", "undici"],
  ["src/engine/create.ts", "../pulumi/wire"],
  ["src/engine/create.ts", "@pulumi/pulumi"],
  ["src/engine/create.ts", "deep-diff"],
  ["src/pulumi/wire.ts", "../cli/main"],
  ["src/pulumi/wire.ts", "undici"],
  ["src/emulator/console.ts", "../pulumi/wire"],
  ["src/emulator/console.ts", "../engine/create"],
  ["src/emulator/console.ts", "../client/retry"],
  ["src/emulator/console.ts", "@pulumi/pulumi"],
  ["src/emulator/kinds/gate.ts", "../../engine/create"],
  ["src/emulator/kinds/gate.ts", "../../pulumi"],
  ["src/emulator/sdk/specs.ts", "../kinds/index"],
  ["src/emulator/sdk/specs.ts", "../../client/transport"],
  ["src/emulator/sdk/specs.ts", "node:fs"],
  ["src/cli/main.ts", "../pulumi/wire"],
  ["src/doctor/context.ts", "../pulumi/provider"],
  ["src/doctor/context.ts", "@pulumi/pulumi"],
  ["src/cli/main.ts", "@pulumi/pulumi"],
  ["src/plain-words/rules.ts", "../review"],
  ["src/plain-words/rules.ts", "../engine"],
  ["src/plain-words/rules.ts", "node:fs"],
  ["src/console-page/requests.ts", "../emulator"],
  ["src/console-page/requests.ts", "../client/transport"],
  ["src/console-page/requests.ts", "node:fs"],
  ["src/web-page/page.ts", "../core/json"],
  ["src/web-page/page.ts", "node:fs"],
  ["src/review/facts.ts", "../cli/main"],
  ["src/review/facts.ts", "../pulumi/provider"],
  ["src/review/facts.ts", "node:fs"],
  ["src/evaluation/flags.ts", "../client/transport"],
  ["src/evaluation/flags.ts", "@pulumi/pulumi"],
  ["src/testing/index.ts", "../client/transport"],
  ["src/testing/index.ts", "../cli/main"],
  ["src/testing/index.ts", "node:fs"],
  ["src/pulumi/wire.ts", "../testing"],
  ["src/generated/classes.ts", "../engine/create"],
  ["src/generated/classes.ts", "undici"],
  ["src/index.ts", "./core/plan"],
  ["src/facts/index.ts", "../engine"],
  ["src/facts/index.ts", "@pulumi/pulumi"],
  ["policy/src/pack.ts", "../../src/core/rule-reach"],
  ["policy/src/pack.ts", "pulumi-feature-console"],
  ["src/node-guard.ts", "./client"],
  ["src/node-guard.ts", "undici"],
];

/** Each line: a file, and what it may import. */
const allowed: [file: string, imported: string][] = [
  ["src/core/compare.ts", "deep-diff"],
  ["src/core/text-digest.ts", "node:crypto"],
  ["src/id-lists/digest.ts", "node:crypto"],
  ["src/id-lists/sources.ts", "node:fs"],
  ["src/catalog/segment.ts", "../id-lists/value-type"],
  ["src/core/field.ts", "zod"],
  ["src/core/field.ts", "./verbs"],
  ["src/catalog/parts/rule.ts", "../../core/field"],
  ["src/catalog/parts/rule.ts", "../gate"],
  ["src/client/transport.ts", "undici"],
  ["src/client/client.ts", "../catalog"],
  ["src/engine/create.ts", "../client/client"],
  ["src/pulumi/wire.ts", "@pulumi/pulumi"],
  ["src/pulumi/wire.ts", "../emulator"],
  ["src/emulator/console.ts", "../client/transport"],
  ["src/emulator/sqlite-store.ts", "node:sqlite"],
  ["src/emulator/kinds/gate.ts", "../store"],
  ["src/emulator/kinds/gate.ts", "../../catalog/gate"],
  ["src/cli/main.ts", "../emulator/serve"],
  ["src/plain-words/rules.ts", "../core/rule-changes"],
  ["src/plain-words/conditions.ts", "../catalog/parts/condition-types"],
  ["src/console-page/object-page.ts", "../plain-words"],
  ["src/emulator/page.ts", "../console-page"],
  ["src/review/facts.ts", "../plain-words"],
  ["src/doctor/context.ts", "../pulumi/provider-settings"],
  ["src/testing/index.ts", "../pulumi/mocks"],
  ["src/testing/index.ts", "../emulator"],
  ["src/testing/index.ts", "../node-guard"],
  ["src/generated/classes.ts", "../pulumi/resource"],
  ["src/index.ts", "./client"],
  ["src/index.ts", "./node-guard"],
  ["src/client/index.ts", "../node-guard"],
  ["src/facts/kind-facts.ts", "../catalog"],
  ["policy/src/pack.ts", "@pulumi/policy"],
  ["policy/src/rules/owner.ts", "../parameters"],
  ["policy/src/rules/owner.ts", "pulumi-feature-console/facts"],
  ["src/emulator/index.ts", "../node-guard"],
  ["src/generated/dynamic-v1.ts", "../node-guard"],
  ["src/cli/node-guard.ts", "../node-version"],
  ["src/node-guard.ts", "./node-version"],
];

interface BiomeReport {
  diagnostics: { category: string; location: { path: string; start: { line: number } } }[];
}

/** Lints one file per name, each importing everything the tables name for it; returns the refused imports. */
function refusedImports(folder: string): Set<string> {
  const imports = new Map<string, string[]>();
  for (const [file, imported] of [...forbidden, ...allowed]) {
    imports.set(file, [...(imports.get(file) ?? []), imported]);
  }
  for (const [file, names] of imports) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, names.map((name) => `export * from "${name}";\n`).join(""));
  }
  copyFileSync(path.join(repositoryRoot, "biome.json"), path.join(folder, "biome.json"));
  const biome = path.join(repositoryRoot, "node_modules", ".bin", "biome");
  const only = [
    "lint",
    "--only=style/noRestrictedImports",
    "--vcs-enabled=false",
    "--reporter=json",
    "--max-diagnostics=none",
  ];
  const linted = spawnSync(biome, only, { cwd: folder, encoding: "utf8" });
  const report = JSON.parse(linted.stdout) as BiomeReport;
  const places = report.diagnostics.filter(({ category }) => category === "lint/style/noRestrictedImports");
  return new Set(
    places.map(({ location }) => {
      const file = location.path.replaceAll("\\", "/");
      return `${file} ${imports.get(file)?.[location.start.line - 1]}`;
    }),
  );
}

describe("the walls between the rooms", () => {
  let folder: string;
  let refused: Set<string>;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "walls-"));
    refused = refusedImports(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(forbidden)("%s must not import %s", (file, imported) => {
    expect(refused).toContain(`${file} ${imported}`);
  });

  test.each(allowed)("%s may import %s", (file, imported) => {
    expect(refused).not.toContain(`${file} ${imported}`);
  });
});
