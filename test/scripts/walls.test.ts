import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";

/** Each line: a file, and what it must not import. */
const forbidden: [file: string, imported: string][] = [
  ["src/provider/decisions/plan.ts", "@pulumi/pulumi"],
  ["src/provider/decisions/plan.ts", "undici"],
  ["src/provider/decisions/plan.ts", "deep-diff"],
  ["src/provider/decisions/plan.ts", "node:fs"],
  ["src/provider/decisions/plan.ts", "src/provider/definitions/flags/gate.ts"],
  ["src/provider/values/compare.ts", "undici"],
  ["src/provider/texts/text-digest.ts", "node:fs"],
  ["src/provider/values/compare.ts", "src/provider/id-lists/value-type.ts"],
  ["src/provider/id-lists/changes.ts", "node:fs"],
  ["src/provider/id-lists/sources.ts", "src/provider/engine/index.ts"],
  ["src/provider/definitions/flags/segment.ts", "src/provider/id-lists/sources.ts"],
  ["src/provider/definitions/flags/gate.ts", "src/provider/client/index.ts"],
  ["src/provider/definitions/flags/gate.ts", "src/provider/client/transport.ts"],
  ["src/provider/definitions/flags/gate.ts", "node:fs"],
  ["src/provider/definitions/parts/rule.ts", "src/provider/engine/create.ts"],
  ["src/provider/client/retry.ts", "undici"],
  ["src/provider/client/limits/limiter.ts", "ioredis"],
  ["src/provider/client/client.ts", "src/provider/engine/create.ts"],
  ["src/provider/client/transport.ts", "@pulumi/pulumi"],
  ["src/provider/engine/create.ts", "undici"],
  ["src/provider/engine/create.ts", "src/provider/pulumi/wire.ts"],
  ["src/provider/engine/create.ts", "@pulumi/pulumi"],
  ["src/provider/engine/create.ts", "deep-diff"],
  ["src/provider/pulumi/wire.ts", "src/tools/cli/main.ts"],
  ["src/provider/pulumi/wire.ts", "undici"],
  ["src/emulator/console/console.ts", "src/provider/pulumi/wire.ts"],
  ["src/emulator/console/console.ts", "src/provider/engine/create.ts"],
  ["src/emulator/console/console.ts", "src/provider/client/retry.ts"],
  ["src/emulator/console/console.ts", "@pulumi/pulumi"],
  ["src/emulator/kinds/flags/gate.ts", "src/provider/engine/create.ts"],
  ["src/emulator/kinds/flags/gate.ts", "src/provider/pulumi/process.ts"],
  ["src/emulator/sdk/spec/specs.ts", "src/emulator/kinds/index.ts"],
  ["src/emulator/sdk/spec/specs.ts", "src/provider/client/transport.ts"],
  ["src/emulator/sdk/spec/specs.ts", "node:fs"],
  ["src/tools/cli/main.ts", "src/provider/pulumi/wire.ts"],
  ["src/tools/doctor/context.ts", "src/provider/pulumi/provider.ts"],
  ["src/tools/doctor/context.ts", "@pulumi/pulumi"],
  ["src/tools/cli/main.ts", "@pulumi/pulumi"],
  ["src/provider/words/rules.ts", "src/tools/review/index.ts"],
  ["src/provider/words/rules.ts", "src/provider/engine/index.ts"],
  ["src/provider/words/rules.ts", "node:fs"],
  ["src/emulator/page/requests.ts", "src/emulator/index.ts"],
  ["src/emulator/page/requests.ts", "src/provider/client/transport.ts"],
  ["src/emulator/page/requests.ts", "node:fs"],
  ["src/emulator/web-page/page.ts", "src/provider/schema/json.ts"],
  ["src/emulator/web-page/page.ts", "node:fs"],
  ["src/tools/review/changes/reasons.ts", "src/tools/cli/main.ts"],
  ["src/tools/review/changes/reasons.ts", "src/provider/pulumi/provider.ts"],
  ["src/tools/review/changes/reasons.ts", "node:fs"],
  ["src/emulator/evaluation/flags.ts", "src/provider/client/transport.ts"],
  ["src/emulator/evaluation/flags.ts", "@pulumi/pulumi"],
  ["src/tools/testing/index.ts", "src/provider/client/transport.ts"],
  ["src/tools/testing/index.ts", "src/tools/cli/main.ts"],
  ["src/tools/testing/index.ts", "node:fs"],
  ["src/provider/pulumi/wire.ts", "src/tools/testing/index.ts"],
  ["src/generated/classes.ts", "src/provider/engine/create.ts"],
  ["src/generated/classes.ts", "undici"],
  ["src/index.ts", "src/provider/decisions/plan.ts"],
  ["src/tools/facts/index.ts", "src/provider/engine/index.ts"],
  ["src/tools/facts/index.ts", "@pulumi/pulumi"],
  ["policy/src/pack.ts", "src/provider/words/rule-reach.ts"],
  ["policy/src/pack.ts", "pulumi-feature-console"],
  ["src/node-guard.ts", "src/provider/client/index.ts"],
  ["src/node-guard.ts", "undici"],
];

/** Each line: a file, and what it may import. */
const allowed: [file: string, imported: string][] = [
  ["src/provider/values/compare.ts", "deep-diff"],
  ["src/provider/texts/text-digest.ts", "node:crypto"],
  ["src/provider/id-lists/digest.ts", "node:crypto"],
  ["src/provider/id-lists/sources.ts", "node:fs"],
  ["src/provider/definitions/flags/segment.ts", "src/provider/id-lists/value-type.ts"],
  ["src/provider/schema/field.ts", "zod"],
  ["src/provider/schema/field.ts", "src/provider/schema/verbs.ts"],
  ["src/provider/definitions/parts/rule.ts", "src/provider/schema/field.ts"],
  ["src/provider/definitions/parts/rule.ts", "src/provider/definitions/flags/gate.ts"],
  ["src/provider/client/transport.ts", "undici"],
  ["src/provider/client/client.ts", "src/provider/definitions/index.ts"],
  ["src/provider/engine/create.ts", "src/provider/client/client.ts"],
  ["src/provider/pulumi/wire.ts", "@pulumi/pulumi"],
  ["src/provider/pulumi/wire.ts", "src/emulator/index.ts"],
  ["src/emulator/console/console.ts", "src/provider/client/transport.ts"],
  ["src/emulator/store/sqlite-store.ts", "node:sqlite"],
  ["src/emulator/kinds/flags/gate.ts", "src/emulator/store/store.ts"],
  ["src/emulator/kinds/flags/gate.ts", "src/provider/definitions/flags/gate.ts"],
  ["src/tools/cli/main.ts", "src/emulator/http/serve.ts"],
  ["src/provider/words/rules.ts", "src/provider/words/rule-changes.ts"],
  ["src/provider/words/conditions.ts", "src/provider/definitions/parts/condition-types.ts"],
  ["src/emulator/page/object-page.ts", "src/provider/words/index.ts"],
  ["src/emulator/console/page.ts", "src/emulator/page/index.ts"],
  ["src/tools/review/changes/reasons.ts", "src/provider/words/index.ts"],
  ["src/tools/doctor/context.ts", "src/provider/pulumi/provider-settings.ts"],
  ["src/tools/testing/index.ts", "src/provider/pulumi/mocks.ts"],
  ["src/tools/testing/index.ts", "src/emulator/index.ts"],
  ["src/tools/testing/index.ts", "src/node-guard.ts"],
  ["src/generated/classes.ts", "src/provider/pulumi/resource.ts"],
  ["src/index.ts", "src/provider/client/index.ts"],
  ["src/index.ts", "src/node-guard.ts"],
  ["src/provider/client/index.ts", "src/node-guard.ts"],
  ["src/tools/facts/kind-facts.ts", "src/provider/definitions/index.ts"],
  ["policy/src/pack.ts", "@pulumi/policy"],
  ["policy/src/rules/owner.ts", "policy/src/parameters.ts"],
  ["policy/src/rules/owner.ts", "pulumi-feature-console/facts"],
  ["src/emulator/index.ts", "src/node-guard.ts"],
  ["src/generated/dynamic-v1.ts", "src/node-guard.ts"],
  ["src/tools/cli/node-guard.ts", "src/node-version.ts"],
  ["src/node-guard.ts", "src/node-version.ts"],
];

interface Report {
  readonly summary: { readonly violations: readonly { readonly from: string; readonly to: string }[] };
}

/** Judges one file per name, each importing everything the tables name for it; returns the refused imports. */
function refusedImports(folder: string): Set<string> {
  const imports = new Map<string, string[]>();
  for (const [file, imported] of [...forbidden, ...allowed])
    imports.set(file, [...(imports.get(file) ?? []), imported]);
  for (const imported of [...imports.values()].flat())
    if (imported.endsWith(".ts")) write(folder, imported, "export {};\n");
  for (const [file, names] of imports) {
    const lines = names.map(
      (name) => `export * from "${name.endsWith(".ts") ? relative(file, name) : name}";\n`,
    );
    write(folder, file, lines.join(""));
  }
  for (const name of [".dependency-cruiser.cjs", "rooms.cjs", "tsconfig.json"])
    copyFileSync(path.join(repositoryRoot, name), path.join(folder, name));
  symlinkSync(path.join(repositoryRoot, "node_modules"), path.join(folder, "node_modules"), "junction");
  const cruiser = path.join(repositoryRoot, "node_modules", ".bin", "depcruise");
  const judged = spawnSync(cruiser, ["src", "policy/src", "--output-type", "json"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  const { summary } = JSON.parse(judged.stdout) as Report;
  return new Set(summary.violations.map(({ from, to }) => `${from} ${named(to)}`));
}

function write(folder: string, file: string, text: string): void {
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function relative(file: string, imported: string): string {
  const found = path.posix.relative(path.posix.dirname(file), imported).replace(/\.ts$/, "");
  return found.startsWith(".") ? found : `./${found}`;
}

/** A place as the tables have it: a file of this package, a package by its name, or a module of Node. */
function named(place: string): string {
  const [, , inner] = /^(.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(place) ?? [];
  if (inner !== undefined) return inner;
  // This package is found by its link; where it is built, what is found is its entry point.
  if (/^\.\..*\/dist\//.test(place)) return "pulumi-feature-console";
  return builtinModules.includes(place) ? `node:${place}` : place;
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
