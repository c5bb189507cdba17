import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { ownVersion } from "../package/version";
import { run } from "../process/run";
import { javaBuild } from "../pulumi-cli/build";
import { builtProgram } from "../pulumi-cli/cached-program";
import { executable } from "../pulumi-cli/on-path";
import { JAVA_VERSION } from "../pulumi-cli/versions";

const generator = javaBuild("Building Pulumi's generator for Java from Go modules (once)", "pulumi-java-gen");

/**
 * Writes the Java package of a schema into a folder, which is made anew: its sources, and a `pom.xml` by which Maven installs it.
 * @throws Error with what the generator prints, where it fails, and where there is no Go.
 */
export async function writeJavaSdk(schema: string, folder: string): Promise<void> {
  const program = path.join(await builtProgram(generator), executable(generator.program));
  const version = await ownVersion();
  // The generator takes its output folder from the one in which it runs.
  const parent = path.dirname(folder);
  await mkdir(parent, { recursive: true });
  const output = ["--out", path.basename(folder), "--build", "none", "--version", version];
  const { code, stderr } = await run(program, ["generate", "--schema", schema, ...output], { cwd: parent });
  if (code !== 0) throw new Error(`${generator.program} failed:\n${stderr}`);
  await writeFile(path.join(folder, "pom.xml"), projectFor(version));
}

const projectFor = (version: string) => `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.pulumi</groupId>
  <artifactId>feature-console</artifactId>
  <version>${version}</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>com.pulumi</groupId>
      <artifactId>pulumi</artifactId>
      <version>${JAVA_VERSION}</version>
    </dependency>
    <dependency>
      <groupId>com.google.code.findbugs</groupId>
      <artifactId>jsr305</artifactId>
      <version>3.0.2</version>
    </dependency>
  </dependencies>
</project>
`;
