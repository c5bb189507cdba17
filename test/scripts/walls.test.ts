import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { freshFolder } from "../support/folders";

/** Files of `src`, or of the policy pack, and what each must not import. */
const forbidden: Readonly<Record<string, string>> = {
  "provider/decisions/plan.ts": "@pulumi/pulumi undici ioredis node:fs provider/definitions/flags/gate.ts",
  "provider/values/compare.ts": "undici provider/id-lists/value-type.ts",
  "provider/texts/text-digest.ts": "node:fs",
  "provider/id-lists/changes.ts": "node:fs",
  "provider/id-lists/sources.ts": "provider/engine/index.ts",
  "provider/definitions/flags/segment.ts": "provider/id-lists/sources.ts",
  "provider/definitions/flags/gate.ts": "provider/client/index.ts provider/client/transport.ts node:fs",
  "provider/definitions/parts/rule.ts": "provider/engine/create.ts",
  "provider/client/retry.ts": "undici",
  "provider/client/limits/limiter.ts": "ioredis",
  "provider/client/client.ts": "provider/engine/create.ts",
  "provider/client/transport.ts": "@pulumi/pulumi",
  "provider/engine/create.ts": "undici provider/pulumi/wire.ts @pulumi/pulumi ioredis",
  "provider/pulumi/wire.ts": "tools/cli/main.ts undici tools/testing/index.ts emulator/index.ts",
  "emulator/console/console.ts":
    "provider/pulumi/wire.ts provider/engine/create.ts provider/client/retry.ts @pulumi/pulumi",
  "emulator/kinds/flags/gate.ts": "provider/engine/create.ts provider/pulumi/process.ts",
  "emulator/sdk/spec/specs.ts": "emulator/kinds/index.ts provider/client/transport.ts node:fs",
  "tools/cli/main.ts": "provider/pulumi/wire.ts @pulumi/pulumi",
  "tools/doctor/context.ts": "provider/pulumi/provider.ts @pulumi/pulumi",
  "provider/words/rules.ts": "tools/review/index.ts provider/engine/index.ts node:fs",
  "emulator/page/requests.ts": "emulator/index.ts provider/client/transport.ts node:fs",
  "emulator/web-page/index.ts": "provider/schema/json.ts node:fs",
  "tools/review/changes/reasons.ts": "tools/cli/main.ts provider/pulumi/provider.ts node:fs",
  "emulator/evaluation/flags.ts": "provider/client/transport.ts @pulumi/pulumi",
  "tools/testing/index.ts": "provider/client/transport.ts tools/cli/main.ts node:fs",
  "generated/classes.ts": "provider/engine/create.ts undici",
  "index.ts": "provider/decisions/plan.ts",
  "tools/facts/index.ts": "provider/engine/index.ts @pulumi/pulumi",
  "policy/src/pack.ts": "provider/words/rule-reach.ts pulumi-feature-console",
  "node-guard.ts": "provider/client/index.ts undici",
};

/** What the source itself does: without these, a wall that lets nothing through would pass. */
const allowed: Readonly<Record<string, string>> = {
  "provider/values/compare.ts": "json5",
  "provider/definitions/flags/segment.ts": "provider/id-lists/value-type.ts",
  "provider/pulumi/wire.ts": "@pulumi/pulumi",
  "policy/src/rules/owner.ts": "policy/src/parameters.ts pulumi-feature-console/facts",
};

interface Report {
  readonly summary: { readonly violations: readonly { readonly from: string; readonly to: string }[] };
}

const placeOf = (name: string) => (/^(policy|@|node:)|^[^.]*$/.test(name) ? name : `src/${name}`);

/** Each file with one import of the table. */
const pairsOf = (table: typeof forbidden): [file: string, imported: string][] =>
  Object.entries(table).flatMap(([file, names]) =>
    names.split(" ").map((name): [string, string] => [placeOf(file), placeOf(name)]),
  );

/** Judges files that import all that the tables name for them. @returns the refused imports. */
function refusedImports(folder: string): string[] {
  const pairs = [...pairsOf(forbidden), ...pairsOf(allowed)];
  for (const [, imported] of pairs) if (imported.endsWith(".ts")) write(folder, imported, "export {};\n");
  for (const file of new Set(pairs.map(([one]) => one))) {
    const own = pairs.filter(([one]) => one === file);
    const lines = own.map(
      ([, name]) => `export * from "${name.endsWith(".ts") ? relative(file, name) : name}";\n`,
    );
    write(folder, file, lines.join(""));
  }
  for (const name of [".dependency-cruiser.cjs", "rooms.cjs", "tsconfig.json"])
    copyFileSync(path.join(repositoryRoot, name), path.join(folder, name));
  symlinkSync(path.join(repositoryRoot, "node_modules"), path.join(folder, "node_modules"), "junction");
  const cruiser = path.join(repositoryRoot, "node_modules", ".bin", "depcruise");
  const judged = spawnSync(cruiser, ["src", "policy/src", "--output-type", "json"], {
    ...{ cwd: folder, encoding: "utf8", maxBuffer: 1e9 },
  });
  const { summary } = JSON.parse(judged.stdout) as Report;
  return summary.violations.map(({ from, to }) => `${from} ${named(to)}`);
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

test("the walls between the rooms refuse what the table forbids, and nothing else", () => {
  const refused = new Set(refusedImports(freshFolder()));
  expect([...refused].sort()).toEqual(
    pairsOf(forbidden)
      .map((pair) => pair.join(" "))
      .sort(),
  );
});
