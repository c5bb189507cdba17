import { readFileSync } from "node:fs";
import path from "node:path";
import { messageOf, unusableSettings } from "../../schema/errors";
import { inForce, observationsIn, type RunAnswers } from "../../schema/observations";

/** Answers of the console to `verify`: the file, and those of its answers that count in a run. */
export interface Observed {
  readonly file: string;
  readonly answers: RunAnswers;
}

/**
 * Reads the file of `verify --out`. `file`: from the folder of the Pulumi project. `console`: digest of the address of the
 * console of this run.
 * @throws ConsoleError "settings" for a file that is missing, of another form, or of another console.
 */
export function readObserved(file: string, folder: string | undefined, console: string): Observed {
  const place = `feature-console:observations: ${JSON.stringify(file)}`;
  const found = observationsIn(textOf(path.resolve(folder ?? "", file), place));
  if (found === undefined)
    throw unusableSettings(`${place} is no file of "npx feature-console verify --write --out FILE".`);
  if (found.console !== undefined && found.console !== "" && found.console !== console)
    throw unusableSettings(
      `${place} holds the answers of another console. Ask this one: npx feature-console verify --write --out ${file}`,
    );
  return { file, answers: inForce(found.answers) };
}

function textOf(file: string, place: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw unusableSettings(`${place} cannot be read (${messageOf(error)}).`);
  }
}

/** The answers that count in a run, in one line. */
export function observedLine({ file, answers }: Observed): string {
  const counted = Object.entries(answers).map((answer) => answer.join(" "));
  return counted.length === 0
    ? `Answers of ${file}: none of them changes a preview.`
    : `Answers of ${file} in force: ${counted.join(", ")}.`;
}
