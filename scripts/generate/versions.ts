import { readFileSync } from "node:fs";
import path from "node:path";
import { testedVersions } from "../../src/tested-versions";
import { packageManagers, startLines } from "../package/managers";
import { table, withPart } from "./markdown";

/** The page of tested versions and package managers, among what people write. */
export const versionsFile = "docs/versions.md";

const names: Readonly<Record<keyof typeof testedVersions, string>> = {
  node: "Node.js",
  pulumi: "Pulumi CLI",
  sdk: "`@pulumi/pulumi`",
  typescript: "TypeScript",
};

/** That page as it has to be. */
export function versionsText(root: string): string {
  const file = path.join(root, versionsFile);
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    version: string;
  };
  const versions = Object.entries(testedVersions).map(([name, { oldest, newest }]) => [
    ...[names[name as keyof typeof names], oldest, newest],
  ]);
  const managers = packageManagers.map((one) => [
    one.name,
    startLines(one, `~/pulumi-feature-console-${version}.tgz`)
      .map((line) => `\`${line}\``)
      .join("<br>"),
  ]);
  const page = withPart(
    readFileSync(file, "utf8"),
    { file: versionsFile, part: "tested" },
    table(["", "oldest", "newest"], versions),
  );
  return withPart(page, { file: versionsFile, part: "managers" }, table(["with", "type"], managers));
}
