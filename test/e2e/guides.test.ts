import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { languageHost } from "../../scripts/pulumi-cli/language-hosts";
import { startEmulator } from "../../src/emulator";
import type { Command } from "../../src/tools/cli/command";
import { compare } from "../../src/tools/cli/compare";
import { doctor } from "../../src/tools/cli/doctor";
import { drift } from "../../src/tools/cli/drift";
import { importCommand } from "../../src/tools/cli/import";
import { promote } from "../../src/tools/cli/promote";
import { report } from "../../src/tools/cli/report";
import { yamlSchema } from "../../src/tools/cli/yaml-schema";
import { runCommand } from "../cli/run-command";
import { packedNodeModules } from "../support/built-package";
import { exampleContent } from "../support/examples";
import { blocksOf, guidePages, missing, textOfGuide } from "../support/guide-pages";
import { secretsProvider } from "../support/key-service";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createPackStarter } from "../support/policy-pack";
import { gatherProgram } from "../support/program-types";
import { createPulumiPlace, FIRST_CLI_TIMEOUT_MS, type PulumiPlace } from "../support/pulumi-cli";
import { pythonWithSdk } from "../support/python-sdk";
import { playsAll } from "../support/sample";
import { settingsFor, testKey } from "./bench";

/**
 * Follows guides from their beginning to their end: a block of `yaml`, `ts` or `python` whose first line names a file is written, one of `sh` is
 * run with the `export` lines of earlier ones, and what stands in the next one of `text` must be among what it printed. What cannot be
 * run says so in its first line.
 */
jest.setTimeout(600_000);

/**
 * Pages whose commands other tests run with the real CLI, and what they print tests of those commands. Here their commands and
 * programs are checked and not run.
 */
const runElsewhere: Readonly<Record<string, string>> = {
  "adopt.md": "test/import/round-trip.test.ts",
  "emergency.md": "month.test.ts and test/drift/emergency-page.test.ts",
  "ramp.md": "month.test.ts and the page about YAML",
  "terraform.md": "test/import/round-trip.test.ts",
  "upgrade.md": "the page to start with and test/doctor/doctor.test.ts",
};
/**
 * Pages that only `npm run prove -- cases` follows: one promotes between two stacks, which test/promote does in this process, one begins
 * with packages of another language, one goes the way of README.md, one moves objects between stacks as whose-it-is.test.ts does, and one
 * applies YAML as yaml.test.ts and policies.test.ts do.
 */
const whenAllIsPlayed = ["promote.md", "python.md", "start.md", "teams.md", "yaml.md"];
const notRun = /^# Not run by the tests: (.+)\.$/;

/** What the console of a page holds from the start. */
const seed = {
  segments: [{ name: "staff", type: "rule_based" }],
  gates: [{ name: "checkout_v2", description: "New checkout" }],
};

/** Pages that have anything to run. */
const withCommands = guidePages.filter((page) =>
  blocksOf(page).some(({ kind, text }) => kind === "sh" && whyNot(text) === undefined),
);
const pages = withCommands.filter(
  (page) => !(page in runElsewhere) && (playsAll || !whenAllIsPlayed.includes(page)),
);

function whyNot(text: string): string | undefined {
  return notRun.exec(text.split("\n")[0] ?? "")?.[1];
}

/** The example in a copy of which a page works. */
const exampleOf = (page: string): string | undefined =>
  /in a copy of\s+\[examples\/([\w-]+)\]/.exec(textOfGuide(page))?.[1];

/** Whether a page begins in an empty folder: then npm is the first to work there. Otherwise there is a project already. */
const beginsEmpty = (page: string): boolean =>
  exampleOf(page) === undefined &&
  blocksOf(page)
    .find(({ kind }) => kind === "sh")
    ?.text.startsWith("npm install") === true;

/** What is in a folder after `npm install` of the package. */
const manifest = JSON.stringify({ dependencies: { "pulumi-feature-console": "*" } });

/** A folder as a reader has it: nothing of a project in it, and npm's work already done. */
async function openDesk(page: string) {
  const example = exampleOf(page);
  const project = await createPackedProject(
    example === undefined ? { program: "" } : exampleContent(example),
  );
  const place = await createPulumiPlace();
  await project.write("package.json", manifest);
  if (beginsEmpty(page))
    for (const file of ["package.json", "Pulumi.yaml", "tsconfig.json", "index.ts"])
      rmSync(path.join(project.folder, file));
  const commands = await commandsOf(page, place.env.PATH ?? "");
  // A page that chooses a profile has no settings but its own, and so has an example.
  const choosesProfile =
    example !== undefined ||
    blocksOf(page).some(({ text }) => text.includes("config set feature-console:profile"));
  const emulator = await startEmulator({ key: testKey, ...(beginsEmpty(page) ? { seed } : {}) });
  const PATH = [...commands.folders, place.env.PATH].join(path.delimiter);
  const env = { ...(choosesProfile ? {} : settingsFor(emulator)), PATH };
  return { project, place, emulator, env, commands };
}

/** Programs that come with Pulumi's own download, as far as a page uses them and a build of the CLI lacks them. */
async function commandsOf(page: string, searchPath: string) {
  const uses = (text: string) => blocksOf(page).some((block) => block.text.includes(text));
  const starter = uses("--policy-pack") ? await createPackStarter() : undefined;
  const folders = [
    ...(starter === undefined ? [] : [starter.bin]),
    ...(uses("runtime: yaml") ? [await languageHost("yaml", searchPath)] : []),
    ...(uses("runtime: python") ? [await languageHost("python", searchPath)] : []),
  ];
  const python = uses("python3 -m venv") ? await pythonWithSdk() : undefined;
  return { folders, python, remove: async () => starter?.remove() };
}

describe.each(pages)("docs/guides/%s, followed to the letter", (page) => {
  let api: Awaited<ReturnType<typeof openDesk>>;
  beforeAll(async () => {
    api = await openDesk(page);
  }, FIRST_CLI_TIMEOUT_MS);
  afterAll(async () => {
    await api?.emulator.close();
    await api?.commands.remove();
    await api?.place.remove();
    await api?.project.remove();
  });

  test("does and shows what it says", async () => {
    let printed: string | undefined;
    const exported: string[] = [];
    for (const { kind, text } of blocksOf(page)) {
      const [, file] = /^(?:#|\/\/) ([\w./]+)\n/.exec(text) ?? [];
      if (kind === "text") {
        expect(missing(text, printed ?? "")).toEqual([]);
      } else if (kind !== "sh") {
        if (file?.endsWith("index.ts")) await api.project.setProgram(text, file);
        else if (file !== undefined) await api.project.write(file, text);
      } else if (whyNot(text) === undefined) {
        printed = await typed(api, [...exported, text].join("\n"));
        exported.push(...text.split("\n").filter((line) => line.startsWith("export ")));
      }
    }
    expect(printed).toBeDefined();
  });
});

const curl = path.join(__dirname, "..", "support", "curl.cjs");

/** Runs the lines of a block in one shell, which stops at the first that fails. @returns what they printed. */
async function typed({ project, place, env, commands }: Desk, lines: string): Promise<string> {
  const bin = JSON.stringify(path.join(project.folder, "node_modules", ".bin"));
  // The package is in no registry; what npm and pip would install is there, and npx has nothing to look for.
  const script = [
    `npm() { test -e package.json || echo '${manifest}' > package.json; }`,
    `command -v curl > /dev/null || curl() { node ${JSON.stringify(curl)} "$@"; }`,
    `npx() { local command="$1"; shift; ${bin}/"$command" "$@"; }`,
    ...(commands.python === undefined
      ? []
      : [`python3() { ln -s ${JSON.stringify(commands.python)} venv; }`]),
    skipPreviews,
    lines,
  ].join("\n");
  const { code, stdout, stderr } = await run("bash", ["-e", "-c", script], {
    cwd: project.folder,
    // The types of the programs are checked together, with those of all other tests.
    env: { ...place.env, ...env, NO_COLOR: "1", PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
    timeoutMs: 300_000,
  });
  if (code !== 0) throw new Error(`exit code ${code} of:\n${lines}\n${stdout}\n${stderr}`);
  return stdout;
}

type Desk = {
  project: PackedProject;
  place: PulumiPlace;
  env: Record<string, string>;
  commands: Awaited<ReturnType<typeof commandsOf>>;
};
/** A preview before each update is Pulumi's own work, and so is the key of a passphrase: neither is a page's question. */
const skipPreviews = `pulumi() {
  case " $* " in
    *" up --yes "*) set -- "$@" --skip-preview ;;
    *" stack init "*) set -- "$@" --secrets-provider ${secretsProvider} ;;
  esac
  command pulumi "$@"
}`;

const ours: Readonly<Record<string, Command>> = {
  ...{ compare, doctor, drift, import: importCommand, promote, report, "yaml-schema": yamlSchema },
};

/** Lines of a page that call a program, each as its words. */
const typedLines = (page: string, program: string) =>
  blocksOf(page)
    .filter(({ kind, text }) => kind === "sh" && whyNot(text) === undefined)
    .flatMap(({ text }) => text.match(new RegExp(`(?<=(?<![\\w/-])${program} )[^#|>\n]+`, "g")) ?? [])
    .map((line) => line.trim().split(/ +/));

const notFollowed = withCommands.filter((page) => !pages.includes(page));

test("commands of Pulumi on pages that are not followed have these options", async () => {
  const { command, env, remove } = await createPulumiPlace();
  const lines = new Set(
    notFollowed.flatMap((page) => typedLines(page, "pulumi").map((line) => line.join(" "))),
  );
  expect(lines.size).toBeGreaterThan(4);
  for (const line of lines) {
    // It refuses an option that it does not know; of a command that it does not know it explains the group.
    const { code, stdout, stderr } = await run(command, [...line.split(" "), "--help"], { env });
    const group = /^ {2}pulumi .*\[command\]$/m.exec(stdout)?.[0];
    expect({ line, code, stderr, group }).toEqual({ line, code: 0, stderr: "", group: undefined });
  }
  await remove();
});

describe.each(notFollowed)("docs/guides/%s, which is not followed", (page) => {
  test("has commands of ours with these options, and programs", async () => {
    const empty = mkdtempSync(path.join(tmpdir(), "feature-console-guide-"));
    writeFileSync(path.join(empty, "preview.json"), "{}");
    writeFileSync(path.join(empty, "Pulumi.yaml"), "name: flags\nruntime: nodejs\n");
    for (const [name = "", ...args] of typedLines(page, "feature-console")) {
      // Without a Pulumi CLI each ends at once: with 2 where it does not know an option.
      const { status, errors } = await runCommand(ours[name] as Command, args, {
        cwd: empty,
        env: { PATH: "" },
      });
      expect([name, args, status === 2 ? errors : ""]).toEqual([name, args, ""]);
    }
    for (const { kind, text } of blocksOf(page))
      if (kind === "ts" && /^\/\/ \S*index\.ts\n/.test(text))
        await gatherProgram(text, {}, await packedNodeModules());
    await removeTree(empty);
  });
});

test("every block of the guides is one that is checked, or says why it is not run", () => {
  const others = guidePages.flatMap((page) =>
    blocksOf(page).flatMap(({ kind, text }) => {
      if (kind === "sh" && text.startsWith("# Not run") && whyNot(text) === undefined)
        return [`${page}: ${text}`];
      return ["sh", "text", "ts", "yaml", "python"].includes(kind) ? [] : [`${page}: ${kind}`];
    }),
  );
  expect(others).toEqual([]);
  expect(guidePages).toContain("README.md");
});

test("what is shown and was not printed is found", () => {
  expect(missing("+ 3 created\nand more", "Resources:\n    + 3   created\n")).toEqual(["and more"]);
  expect(missing("b\na", "a\nb\n")).toEqual(["a"]);
  expect(missing("… files written\n… files gone", "13 files written\n2 files")).toEqual(["… files gone"]);
});
