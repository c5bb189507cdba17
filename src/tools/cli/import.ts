import { existsSync } from "node:fs";
import path from "node:path";
import { commandSettings, consoleOf, requireEmbeddedConsole } from "../import/console";
import { importProject } from "../import/import-project";
import { type LanguageName, languages } from "../import/program-language";
import { progressLines } from "../import/reading";
import { importReport } from "../import/report";
import { kindsNamed } from "../import/selection";
import { consolesIn } from "../import/target-stack";
import { pulumiIn, stackOf } from "../stack/stack";
import { defineCommand, formatOptions, oneOf, printReport, report, UsageError, versions } from "./command";

export const importCommand = defineCommand({
  name: "import",
  about:
    "Reads a project of the console and writes a Pulumi program for its objects. Brings the objects into the state of a stack, and runs a preview, which shows no change. Sends no write to the console. The environment names the console (FEATURE_CONSOLE_PROFILE, FEATURE_CONSOLE_API_KEY, FEATURE_CONSOLE_BASE_URL), or the settings of the stack do. Run it again after any interruption.",
  examples: ["feature-console import --dry-run", "feature-console import --out flags --stack dev --by team"],
  parameters: {
    "--out DIR": "Folder of the program; created if missing. Default: the current one",
    "--stack NAME": "Stack to bring the objects into; created if missing. Default: the selected one",
    "--no-run":
      'Write the program and the file for "pulumi import --file", and print the commands that are left',
    "--kinds A,B": "Only objects of these kinds, such as gates,segments",
    "--tags A,B": "Only objects that have one of these tags",
    "--team NAME": "Only objects that this team owns",
    "--match GLOB": 'Only objects whose id or name fits, such as "checkout_*"',
    "--archived": "Archived objects too",
    "--only-new": "Only objects that the stack does not have yet, added to the program that is there",
    "--language NAME":
      "Language of the program: typescript; or yaml, python, go, which need the plugin. Default: typescript",
    "--by kind|team|tag|single":
      "In TypeScript: a file for each kind, team, tag, or a single one. Default: kind",
    "--owners": "Include authors and owners, with their e-mail addresses",
    "--force": "Overwrite files that this command did not write",
    "--dry-run": "Write nothing",
    ...formatOptions,
  },
  exit: { 1: "it failed, or the preview shows a change" },
  async run({ out = ".", stack, by, ...given }) {
    const language = languageNamed(given.language);
    if (language !== "typescript" && (by ?? "kind") !== "kind")
      throw new UsageError("--by is for programs in TypeScript only");
    kindsNamed(given.kinds);
    const folder = path.resolve(out);
    // Nothing is created here, so a checkpoint after each resource protects nothing, and costs most of the time.
    const environment = { ...process.env, PULUMI_SKIP_CHECKPOINTS: "true" };
    const pulumi = pulumiIn(folder, { environment, missing });
    const settings = await commandSettings(process.env, folder, stackOf(pulumi, stack));
    requireEmbeddedConsole(settings, folder, process.cwd());
    const { own, sdk } = versions();
    const run = !given["no-run"];
    // A state of two consoles would stop every later command.
    const known = async () =>
      run && existsSync(path.join(folder, "Pulumi.yaml")) ? consolesIn(pulumi, stack) : [];
    const imported = await importProject(
      {
        ...{ ...given, folder, language, run, stack, by: by ?? "kind" },
        ...{ dryRun: given["dry-run"], onlyNew: given["only-new"] },
      },
      {
        console: consoleOf(settings, folder, report, known),
        pulumi,
        progress: progressLines(report, Date.now),
        report,
        versions: { own: `^${own}`, sdk },
      },
    );
    printReport(importReport(imported, out), given);
    // A preview that shows a change breaks the promise of this command.
    return (imported.state?.changes.length ?? 0) === 0 ? 0 : 1;
  },
});

const missing = "there is no pulumi on the PATH: install it, or give --no-run and import later";

/** Pulumi converts a program in YAML to these. */
const converted = ["csharp", "java"];

function languageNamed(name = "typescript"): LanguageName {
  const known = Object.keys(languages) as LanguageName[];
  if (!converted.includes(name)) return oneOf("language", name, known);
  throw new UsageError(
    `--language takes ${known.join(", ")}. For ${name}, import into YAML, then run ` +
      `"pulumi convert --from yaml --language ${name} --out DIR", which needs the converters of Pulumi's own installation`,
  );
}
