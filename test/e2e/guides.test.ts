import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { packageSchemaFile } from "../../scripts/generate/package-schema";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { languageHost } from "../../scripts/pulumi-cli/language-hosts";
import { sdkProgram } from "../../scripts/sdks/program";
import { startEmulator } from "../../src/emulator";
import { exampleContent } from "../support/examples";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createPackStarter } from "../support/policy-pack";
import { createPulumiPlace, FIRST_CLI_TIMEOUT_MS, type PulumiPlace } from "../support/pulumi-cli";
import { settingsFor, testKey } from "./bench";

/**
 * Follows each guide from its beginning to its end: a block of `yaml`, `ts` or `python` whose first line names a file is written, one of `sh` is
 * run with the `export` lines of earlier ones, and what stands in the next one of `text` must be among what it printed. What cannot be
 * run says so in its first line.
 */
jest.setTimeout(600_000);

const guides = path.join(repositoryRoot, "docs", "guides");
/** Where `pulumi up` previews first, as a reader's does. On the other pages it does not: the preview is Pulumi's own work. */
const previewsFirst = "start.md";
const notRun = /^# Not run by the tests: (.+)\.$/;

/** What the console of a page holds from the start. */
const seed = {
  segments: [{ name: "staff", type: "rule_based" }],
  gates: [{ name: "checkout_v2", description: "New checkout" }],
};

interface Block {
  readonly kind: string;
  readonly text: string;
}

/** The code blocks of a page, in their order. */
function blocksOf(page: string): Block[] {
  const text = readFileSync(path.join(guides, page), "utf8");
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, kind = "", block = ""]) => ({
    ...{ kind, text: block },
  }));
}

/** Pages that have anything to run. */
const pages = readdirSync(guides).filter((page) =>
  blocksOf(page).some(({ kind, text }) => kind === "sh" && whyNot(text) === undefined),
);

function whyNot(text: string): string | undefined {
  return notRun.exec(text.split("\n")[0] ?? "")?.[1];
}

/** The example in a copy of which a page works. */
const exampleOf = (page: string): string | undefined =>
  /in a copy of\s+\[examples\/([\w-]+)\]/.exec(readFileSync(path.join(guides, page), "utf8"))?.[1];

/** Whether a page begins in an empty folder: then npm is the first to work there. Otherwise there is a project already. */
const beginsEmpty = (page: string): boolean =>
  exampleOf(page) === undefined &&
  blocksOf(page)
    .find(({ kind }) => kind === "sh")
    ?.text.startsWith("npm install") === true;

/** Blanks say nothing. */
const bare = (line: string): string => line.replaceAll(/\s+/g, " ").trim();

/** The shown lines that were not printed, in this order; they may be parts of lines, and … stands for anything. */
function missing(shown: string, printed: string): string[] {
  const lines = printed.split("\n").map(bare);
  let at = 0;
  return shown
    .split("\n")
    .map(bare)
    .filter((line) => {
      if (line === "") return false;
      const found = lines.findIndex((one, index) => index >= at && matches(one, line));
      if (found >= 0) at = found + 1;
      return found < 0;
    });
}

function matches(printed: string, shown: string): boolean {
  let at = 0;
  return shown.split("…").every((part) => {
    const found = printed.indexOf(part.trim(), at);
    at = found + part.trim().length;
    return found >= 0;
  });
}

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
  const HOME = commands.home ?? place.env.HOME ?? "";
  const env = { ...(choosesProfile ? {} : settingsFor(emulator)), PATH, HOME };
  return { project, place, emulator, env, commands, previewsFirst: page === previewsFirst };
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
  const home = uses("~/sdk/python") ? await homeWithSdk() : undefined;
  return {
    folders,
    home,
    async remove() {
      await starter?.remove();
      if (home !== undefined) await removeTree(home);
    },
  };
}

/** A home folder in which a reader has made the Python package. */
async function homeWithSdk(): Promise<string> {
  const home = mkdtempSync(path.join(tmpdir(), "feature-console-home-"));
  const schema = path.join(repositoryRoot, packageSchemaFile);
  const { code, stderr } = await run(await sdkProgram(), [schema, path.join(home, "sdk"), "python"]);
  if (code !== 0) throw new Error(stderr);
  return home;
}

describe.each(pages)("docs/guides/%s, followed to the letter", (page) => {
  let desk: Awaited<ReturnType<typeof openDesk>>;
  beforeAll(async () => {
    desk = await openDesk(page);
  }, FIRST_CLI_TIMEOUT_MS);
  afterAll(async () => {
    await desk?.emulator.close();
    await desk?.commands.remove();
    await desk?.place.remove();
    await desk?.project.remove();
  });

  test("does and shows what it says", async () => {
    let printed: string | undefined;
    const exported: string[] = [];
    for (const { kind, text } of blocksOf(page)) {
      const [, file] = /^(?:#|\/\/) ([\w./]+)\n/.exec(text) ?? [];
      if (kind === "text") {
        expect(missing(text, printed ?? "")).toEqual([]);
      } else if (kind !== "sh") {
        if (file?.endsWith("index.ts")) await desk.project.setProgram(text, file);
        else if (file !== undefined) await desk.project.write(file, text);
      } else if (whyNot(text) === undefined) {
        printed = await typed(desk, [...exported, text].join("\n"));
        exported.push(...text.split("\n").filter((line) => line.startsWith("export ")));
      }
    }
    expect(printed).toBeDefined();
  });
});

const curl = path.join(__dirname, "..", "support", "curl.cjs");

/** Runs the lines of a block in one shell, which stops at the first that fails. @returns what they printed. */
async function typed({ project, place, env, previewsFirst }: Desk, lines: string): Promise<string> {
  const bin = JSON.stringify(path.join(project.folder, "node_modules", ".bin"));
  // The package is in no registry; what npm would install is there, and npx has nothing to look for.
  const script = [
    `npm() { test -e package.json || echo '${manifest}' > package.json; }`,
    `command -v curl > /dev/null || curl() { node ${JSON.stringify(curl)} "$@"; }`,
    `npx() { local command="$1"; shift; ${bin}/"$command" "$@"; }`,
    ...(previewsFirst ? [] : [skipPreviews]),
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
  previewsFirst: boolean;
};
const skipPreviews = `pulumi() {
  case " $* " in *" up --yes "*) set -- "$@" --skip-preview ;; esac
  command pulumi "$@"
}`;

test("every block of the guides is one that is checked, or says why it is not run", () => {
  const others = readdirSync(guides).flatMap((page) =>
    blocksOf(page).flatMap(({ kind, text }) => {
      if (kind === "sh" && text.startsWith("# Not run") && whyNot(text) === undefined)
        return [`${page}: ${text}`];
      return ["sh", "text", "ts", "yaml", "python"].includes(kind) ? [] : [`${page}: ${kind}`];
    }),
  );
  expect(others).toEqual([]);
  expect(existsSync(path.join(guides, "README.md"))).toBe(true);
});

test("what is shown and was not printed is found", () => {
  expect(missing("+ 3 created\nand more", "Resources:\n    + 3   created\n")).toEqual(["and more"]);
  expect(missing("b\na", "a\nb\n")).toEqual(["a"]);
  expect(missing("… files written\n… files gone", "13 files written\n2 files")).toEqual(["… files gone"]);
});
