import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { ownVersion } from "../../scripts/package/version";
import { run } from "../../scripts/process/run";
import { folderOnPath } from "../../scripts/pulumi-cli/on-path";
import { writeJavaSdk } from "../../scripts/sdks/java";
import { sdkProgram } from "../../scripts/sdks/program";
import { folderOfFile } from "../support/folders";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";

const schemaFile = path.join(__dirname, "..", "..", "src", "generated", "package-schema.json");
const hasGo = folderOnPath("go", process.env.PATH ?? "") !== undefined;
const withGo = hasGo ? describe : describe.skip;

withGo(`Pulumi's own code${hasGo ? "" : " (skipped: no go on PATH)"}`, () => {
  const folder = folderOfFile();
  let program = "";
  beforeAll(async () => {
    program = await sdkProgram();
  }, FIRST_CLI_TIMEOUT_MS);

  test("binds the package schema without a finding, and writes an SDK for each language", async () => {
    const languages = ["go", "nodejs", "python"];
    const { code, stderr } = await run(program, [schemaFile, folder, ...languages]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(existsSync(path.join(folder, "go", "featureconsole", "gate.go"))).toBe(true);
    expect(existsSync(path.join(folder, "nodejs", "gate.ts"))).toBe(true);
    expect(existsSync(path.join(folder, "python", "pulumi_feature_console", "gate.py"))).toBe(true);
  });

  test("writes a Java package with the version of this one, in the place of the last", async () => {
    const java = path.join(folder, "java");
    mkdirSync(java);
    writeFileSync(path.join(java, "left-over"), "");
    await writeJavaSdk(schemaFile, java);
    expect(existsSync(path.join(java, "left-over"))).toBe(false);
    const sources = path.join(java, "src", "main", "java", "com", "pulumi", "featureconsole");
    expect(readFileSync(path.join(sources, "GateArgs.java"), "utf8")).toContain(
      "Builder rules(GateRuleArgs... rules)",
    );
    expect(readFileSync(`${java}/pom.xml`, "utf8")).toContain(`<version>${await ownVersion()}</version>`);
  });

  test("finds a reference that leads nowhere", async () => {
    const file = path.join(folder, "broken.json");
    const text = readFileSync(schemaFile, "utf8");
    writeFileSync(
      file,
      text.replaceAll('#/types/feature-console:index:GateRule"', '#/types/feature-console:index:NoRule"'),
    );
    const { code, stderr } = await run(program, [file]);
    expect(code).toBe(1);
    expect(stderr).toContain("index:NoRule");
  });
});
