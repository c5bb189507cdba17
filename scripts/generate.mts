import path from "node:path";
import { comparisonFile, comparisonText, readmeText } from "./generate/comparison.ts";
import { assumptionsFile, assumptionsText } from "./generate/corrections.ts";
import { findings, writeAll } from "./generate/disk.ts";
import { generatedFiles, surroundings } from "./generate/files.ts";
import { policiesFile, policiesText } from "./generate/policies.ts";
import { slipsIn } from "./generate/slips.ts";
import { pagesOfTarballs } from "./generate/tarballs.ts";
import { versionsFile, versionsText } from "./generate/versions.ts";

const root = path.join(import.meta.dirname, "..");
const checking = process.argv.includes("--check");

try {
  const slips = slipsIn(surroundings);
  if (slips.length > 0) throw new Error(`The definitions do not agree with themselves:\n${slips.join("\n")}`);
  const parts = [
    [assumptionsFile, assumptionsText(root)],
    [comparisonFile, comparisonText(root)],
    [policiesFile, policiesText(root)],
    ["README.md", readmeText(root)],
    [versionsFile, versionsText(root)],
  ] as const;
  const written = new Map([...generatedFiles(root), ...parts]);
  const files = new Map([...written, ...pagesOfTarballs(root, written)]);
  const wrong = checking ? findings(root, files) : writeAll(root, files);
  for (const { file, is } of wrong)
    console.log(`${checking ? is : is === "superfluous" ? "removed" : "written"}: ${file}`);
  if (checking && wrong.length > 0) {
    console.error("Generated files are not current. Run `npm run generate` and commit what it writes.");
    process.exitCode = 1;
  } else console.log(`${files.size} generated files are current.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
