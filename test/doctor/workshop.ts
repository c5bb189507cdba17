import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { isolatedState, pulumiEnvironment, repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { type CheckResult, checks, type DoctorPorts, examine, pulumiIn } from "../../src/tools/doctor";

/** What every project of these tests uses as the version of the package. */
export const versions = { own: "1.2.3", sdk: ">=3.268.0 <4" };

/** What of an examination is not as usual. `env`: the settings. */
export type Examined = Partial<DoctorPorts> & { env?: Record<string, string>; only?: string };

/** A project in a temporary folder, with a state of its own. */
export type Workshop = Awaited<ReturnType<typeof openWorkshop>>;

/** What the doctor asks the CLI. */
const questions = [
  ["version"],
  ["plugin", "ls", "--json"],
  ["whoami", "--verbose", "--json"],
  ["stack", "--show-name"],
  ["config", "--json", "--show-secrets", "--stack", "dev"],
  ["stack", "export", "--stack", "dev"],
];
const questionIn = (args: readonly string[]) => args.slice(0, 2).join(" ");

/** Makes a project in which all is well, but that it has no settings. */
export async function openWorkshop() {
  const room = mkdtempSync(path.join(tmpdir(), "doctor-"));
  const [home, atFirst] = [path.join(room, "home"), path.join(room, "at-first")];
  const copy = (from: string, to: string) => cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  const folder = path.join(home, "project");
  const { env: found } = await pulumiEnvironment(cleanEnvironment());
  const env = { ...found, ...(await isolatedState(path.join(home, "pulumi"))) };
  /** Writes a file of the project; an object as JSON. */
  const write = (file: string, content: unknown) => {
    const place = path.join(folder, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, typeof content === "string" ? content : JSON.stringify(content));
  };
  /** Puts a package of that version into a `node_modules` of the project. */
  const install = (version: string, below = ".") => {
    const place = path.join(below, "node_modules", "pulumi-feature-console");
    const exports = { "./dynamic/v1": "./v1.js", "./package.json": "./package.json" };
    write(path.join(place, "package.json"), { name: "pulumi-feature-console", version, exports });
    write(path.join(place, "v1.js"), "");
  };
  write("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
  write("package.json", { main: "index.ts", dependencies: { "pulumi-feature-console": "*" } });
  write("index.ts", "");
  install(versions.own);
  mkdirSync(path.join(folder, "node_modules", "@pulumi"));
  for (const name of ["typescript", "@pulumi/pulumi"])
    symlinkSync(path.join(repositoryRoot, "node_modules", name), path.join(folder, "node_modules", name));
  const pulumi = pulumiIn(folder, env);
  await pulumi(["stack", "init", "dev"]);
  copy(home, atFirst);
  const answers = new Map<string, Awaited<ReturnType<typeof pulumi>>>();
  for (const question of questions) answers.set(questionIn(question), await pulumi(question));
  /** The CLI as it answers in the project as it was at first, but for these questions. */
  const answering =
    (others: Readonly<Record<string, unknown>>): DoctorPorts["pulumi"] =>
    async (args) => {
      const question = questionIn(args);
      const other = question in others && { status: 0, stdout: JSON.stringify(others[question]), stderr: "" };
      return other || (answers.get(question) ?? pulumi(args));
    };
  /** For the PATH: here `pulumi` answers as in the project as it was at first. */
  const commands = path.join(room, "commands");
  mkdirSync(commands);
  for (const [question, { stdout }] of answers)
    writeFileSync(path.join(commands, questionIn([...question.split(" "), "--non-interactive"])), stdout);
  writeFileSync(path.join(commands, "pulumi"), `#!/bin/sh\ncat "${commands}/$1 $2"\n`);
  chmodSync(path.join(commands, "pulumi"), 0o755);
  return {
    ...{ folder, env, write, install, pulumi, answering, commands },
    /** Results of the doctor by name. `only`: one check, and those that it needs. */
    async examine({
      env: settings = {},
      only,
      ...more
    }: Examined = {}): Promise<Record<string, CheckResult>> {
      const ports: DoctorPorts = {
        ...{ folder, versions, stack: undefined, node: process.versions.node, now: Date.now },
        ...{ environment: settings, isAlive: () => true, pulumi: answering({}), purpose: "preview" },
        ...more,
      };
      const results = await examine(ports, () => undefined, only === undefined ? checks : chosenFor(only));
      return Object.fromEntries(results.map((result) => [result.name, result]));
    },
    /** Makes everything as it was at first, without a run of the CLI. */
    reset() {
      rmSync(home, { recursive: true });
      copy(atFirst, home);
    },
    close: () => rmSync(room, { recursive: true }),
  };
}

function chosenFor(name: string): typeof checks {
  const needed = new Set<string>();
  const need = (one: string) => {
    needed.add(one);
    for (const next of checks.find((check) => check.name === one)?.needs ?? []) need(next);
  };
  need(name);
  return checks.filter((check) => needed.has(check.name));
}
