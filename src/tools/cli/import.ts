import { existsSync } from "node:fs";
import path from "node:path";
import type { ParseArgsConfig } from "node:util";
import { visibleLines } from "../../provider/texts/issue-text";
import {
  consoleOf,
  consolesIn,
  groupings,
  type Imported,
  type ImportOptions,
  importProject,
  kindsNamed,
  type LanguageName,
  languages,
  progressLines,
  reportJson,
  reportLines,
  requireEmbeddedConsole,
} from "../import";
import { pulumiIn } from "../stack/stack";
import { type Command, oneOf, parseArguments, report, UsageError } from "./command";
import { versions } from "./versions";

const options = {
  out: { type: "string", default: "." },
  stack: { type: "string" },
  "no-run": { type: "boolean", default: false },
  kinds: { type: "string" },
  tags: { type: "string" },
  team: { type: "string" },
  match: { type: "string" },
  archived: { type: "boolean", default: false },
  "only-new": { type: "boolean", default: false },
  language: { type: "string", default: "typescript" },
  by: { type: "string", default: "kind" },
  owners: { type: "boolean", default: false },
  force: { type: "boolean", default: false },
  "dry-run": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];

const help = `Usage: feature-console import [options]

Reads a project of the console and writes a Pulumi program for its objects. Brings the objects into the state of a stack, and runs a
preview, which shows no change. Sends no write to the console. The environment names the console
(FEATURE_CONSOLE_PROFILE, FEATURE_CONSOLE_API_KEY, FEATURE_CONSOLE_BASE_URL). Run it again after any interruption.

  --out DIR             Folder of the program; made where it is not there. Default: the current one
  --stack NAME          Stack to bring the objects into; made where it is not there. Default: the selected one
  --no-run              Write the program and the file for "pulumi import --file", and print the commands that are left
  --kinds A,B           Only objects of these kinds, such as gates,segments
  --tags A,B            Only objects that have one of these tags
  --team NAME           Only objects that this team owns
  --match GLOB          Only objects whose id or name fits, such as "checkout_*"
  --archived            Archived objects too
  --only-new            Only objects that the stack does not have yet, at the end of the files that this command wrote
  --language NAME       Language of the program: typescript or yaml, which needs the plugin. Default: typescript
  --by WHAT             In TypeScript: a file for each kind, team, tag, or a single one. Default: kind
  --owners              Include authors and owners, with their e-mail addresses
  --force               Overwrite files that this command did not write
  --dry-run             Write nothing
  --json                Print what was done as JSON
  --help                This text
`;

/** Writes a program for what the console holds. */
export const importCommand: Command = {
  summary: "Write a program for what the console holds, and bring it into state.",
  help,
  async run(args) {
    const values = parse(args);
    const by = oneOf("by", values.by, groupings);
    const language = languageOf(values);
    const selected = selectionOf(values);
    try {
      kindsNamed(selected.kinds);
    } catch (error) {
      throw new UsageError(`--kinds: ${error instanceof Error ? error.message : String(error)}`);
    }
    const folder = path.resolve(values.out);
    requireEmbeddedConsole(process.env, folder, process.cwd());
    const { own, sdk } = versions();
    const pulumi = pulumiIn(folder, importing);
    // A state of two consoles would stop every later command.
    const known = async () =>
      selected.run && existsSync(path.join(folder, "Pulumi.yaml")) ? consolesIn(pulumi, values.stack) : [];
    const imported = await importProject(
      { ...selected, folder, by, language },
      {
        console: consoleOf(process.env, folder, report, known),
        pulumi,
        progress: progressLines(report, Date.now),
        report,
        versions: { own: `^${own}`, sdk },
      },
    );
    process.stdout.write(
      visibleLines(values.json ? reportJson(imported) : `${reportLines(imported, values.out).join("\n")}\n`),
    );
    return statusOf(imported);
  },
};

const importing = {
  // Nothing is created here, so a checkpoint after each resource protects nothing, and costs most of the time.
  environment: { ...process.env, PULUMI_SKIP_CHECKPOINTS: "true" },
  missing: "there is no pulumi on the PATH: install it, or give --no-run and import later",
};

/** What the preview shows as a change is a promise that was not kept. */
function statusOf({ state }: Imported): number {
  return state === undefined || state.changes.length === 0 ? 0 : 1;
}

function parse(args: readonly string[]) {
  return parseArguments({ args: [...args], options, allowPositionals: false }).values;
}

/** Pulumi converts a program in YAML to these. */
const converted = ["csharp", "go", "java", "python"];

function languageOf(values: ReturnType<typeof parse>): LanguageName {
  const { language: name } = values;
  if (converted.includes(name))
    throw new UsageError(
      `--language takes ${Object.keys(languages).join(" or ")}. For ${name}, import into YAML, then run ` +
        `"pulumi convert --from yaml --language ${name} --out DIR", which needs the converters of Pulumi's own installation`,
    );
  const language = oneOf("language", name, Object.keys(languages) as LanguageName[]);
  if (language !== "typescript" && (values["only-new"] || values.by !== "kind"))
    throw new UsageError("--only-new and --by are for programs in TypeScript only");
  return language;
}

function selectionOf(values: ReturnType<typeof parse>): Omit<ImportOptions, "folder" | "by" | "language"> {
  return {
    kinds: listed("kinds", values.kinds),
    tags: listed("tags", values.tags),
    team: values.team,
    match: values.match,
    archived: values.archived,
    onlyNew: values["only-new"],
    owners: values.owners,
    force: values.force,
    dryRun: values["dry-run"],
    run: !values["no-run"],
    stack: values.stack,
  };
}

function listed(option: string, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw new UsageError(`--${option} takes a list such as a,b`);
  return names;
}
