import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { switchAnswers, switches } from "../../src/emulator/console/rules/switches";
import { table, withPart } from "./markdown";

/** The page that holds the generated tables, among what people write. */
export const assumptionsFile = "docs/assumptions.md";

/** A correction of the API's reference, in a sentence. */
interface Correction {
  /** What titles of tests say in brackets: `[W1]`. */
  readonly id: string;
  readonly about: string;
  readonly says: string;
}

/** The page with its tables as they have to be. @throws Error that names corrections without a test. */
export function assumptionsText(root: string): string {
  const corrections = JSON.parse(
    readFileSync(path.join(root, "spec/corrections.json"), "utf8"),
  ) as Correction[];
  const page = readFileSync(path.join(root, assumptionsFile), "utf8");
  const place = (part: string) => ({ file: assumptionsFile, part });
  const withSwitches = withPart(page, place("switches"), switchesTable());
  return withPart(withSwitches, place("corrections"), correctionsTable(corrections, testTexts(root)));
}

/** One row for each switch of the emulator. */
function switchesTable(): string {
  return table(
    ["switch", "values", "what happens"],
    switchAnswers.map(([name, answers]) => [
      `\`${name}\``,
      answers.map((answer) => `\`${answer}\``).join(", "),
      switches[name].does,
    ]),
  );
}

/** One row for each correction. `tests`: file below the repository -> its text. */
export function correctionsTable(
  corrections: readonly Correction[],
  tests: ReadonlyMap<string, string>,
): string {
  const held = corrections.map((one) => ({ ...one, by: filesThatName(one.id, tests) }));
  const without = held.filter(({ by }) => by.length === 0).map(({ id, says }) => `${id} (${says})`);
  if (without.length > 0)
    throw new Error(`No test names these corrections of spec/corrections.json: ${without.join("; ")}`);
  return table(
    ["line", "about", "what is so", "held by"],
    held.map(({ id, about, says, by }) => [id, about, says, by.map((file) => `\`${file}\``).join(", ")]),
  );
}

function filesThatName(id: string, tests: ReadonlyMap<string, string>): string[] {
  return [...tests].filter(([, text]) => text.includes(`[${id}]`)).map(([file]) => file);
}

function testTexts(root: string): Map<string, string> {
  const names = readdirSync(path.join(root, "test"), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".test.ts")).map((name) => `test/${name}`);
  return new Map(files.sort().map((file) => [file, readFileSync(path.join(root, file), "utf8")]));
}
