import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { npmCommand, run } from "../process/run";
import type { Step } from "../process/steps";
import { repositoryRoot } from "../pulumi-cli/environment";
import { folderOnPath } from "../pulumi-cli/on-path";
import { writeJavaSdk } from "../sdks/java";
import { sdkProgram } from "../sdks/program";
import { aboutRepository, type Manifest } from "./about-repository";
import { copyPacked, pack } from "./pack";
import { type Platform, packPlugin } from "./plugin";
import { ownVersion } from "./version";

/** A release: its files, and the settings that they depend on. */
export interface Release {
  /** The folder of the files that are published. */
  readonly out: string;
  /** A folder for what they are made of. */
  readonly work: string;
  /** `OWNER/NAME` on GitHub; undefined leaves out all that depends on it. */
  readonly repository: string | undefined;
  readonly platforms: readonly Platform[];
}

const schemaInPackage = "dist/generated/package-schema.json";
const ownGoPath = "pulumi-feature-console/sdk/go";

/** Runs a command to its end. @throws Error with what it printed, where it fails. */
export async function must(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr, problem } = await run(command, args, { cwd, timeoutMs: 20 * 60_000 });
  if (code !== 0)
    throw new Error(`${path.basename(command)} ${args.join(" ")}: ${problem ?? stdout + stderr}`);
  return stdout;
}

/** The steps that build everything that a release publishes. `dist` must be built. */
export function releaseSteps(release: Release): Step[] {
  const { out, work } = release;
  const step = (headline: string, work: () => Promise<unknown>): Step => ({
    headline,
    work: async () => {
      await work();
      return 0;
    },
  });
  const package_ = path.join(work, "package");
  const schema = path.join(out, "schema.json");
  return [
    step("npm packages, and the package schema", () => npmPackages(release, package_, schema)),
    ...release.platforms.map((platform) =>
      step(`plugin for ${platform.system} on ${platform.processor}`, () =>
        packPlugin(out, platform, package_),
      ),
    ),
    step("SDKs from the schema", async () => {
      console.log(await must(await sdkProgram(), [schema, work, "go", "python"], repositoryRoot));
      await writeJavaSdk(schema, path.join(work, "java"));
    }),
    step("Go module", () => goModule(release, schema)),
    step("Python wheel and source", () => pythonPackages(release)),
    step("Java jar", () => javaPackage(release)),
    step("SBOM in CycloneDX, by npm", () => billOfMaterials(release)),
    step("checksums", () => checksums(out)),
  ];
}

/** The packages as npm publishes them, with the repository and with provenance. */
async function npmPackages({ out, repository }: Release, package_: string, schema: string): Promise<void> {
  const about = aboutRepository(repository);
  for (const [from, to] of [
    [repositoryRoot, package_],
    [path.join(repositoryRoot, "policy"), `${package_}-policy`],
  ] as const) {
    await copyPacked(from, to);
    const file = path.join(to, "package.json");
    const manifest = JSON.parse(await readFile(file, "utf8")) as Manifest;
    const directory = path.relative(repositoryRoot, from);
    const source = about.repository && {
      homepage: about.homepage,
      repository: {
        ...{ type: "git", url: `git+${about.repository}.git` },
        ...(directory === "" ? {} : { directory }),
      },
      publishConfig: { access: "public", provenance: true },
    };
    await writeFile(file, `${JSON.stringify({ ...manifest, ...source }, undefined, 2)}\n`);
    if (from === repositoryRoot) await fillSchema(path.join(to, schemaInPackage), schema, about);
    console.log((await pack(to, out)).filename);
  }
}

/** Writes what depends on the repository into the schema of a package, and the schema beside the packages. */
async function fillSchema(
  file: string,
  copy: string,
  about: ReturnType<typeof aboutRepository>,
): Promise<void> {
  const { repository } = about;
  const text = await readFile(file, "utf8");
  const goPath = repository === undefined ? ownGoPath : `${repository.replace("https://", "")}/sdk/go`;
  const schema = { ...JSON.parse(text.replaceAll(ownGoPath, goPath)), ...about };
  await writeFile(file, `${JSON.stringify(schema, undefined, 2)}\n`);
  await cp(file, copy);
}

/** The Go module: each file below `MODULE@VERSION`, as the module proxy has them. */
async function goModule({ out, work }: Release, schema: string): Promise<void> {
  const { version, language } = JSON.parse(await readFile(schema, "utf8")) as {
    version: string;
    language: { go: { modulePath: string } };
  };
  const root = path.join(work, "go-module");
  const place = path.join(root, `${language.go.modulePath}@v${version}`);
  await cp(path.join(work, "go"), place, { recursive: true });
  await must("tar", ["-czf", path.join(out, "go-module.tar.gz"), "."], root);
}

async function pythonPackages({ out, work }: Release): Promise<void> {
  await must("python3", ["-m", "venv", "build-venv"], work);
  const python = path.join(work, "build-venv", "bin", "python");
  await must(python, ["-m", "pip", "install", "--quiet", "build"], work);
  await must(python, ["-m", "build", "--outdir", out, "python"], work);
}

/** The jar, and the file by which Maven installs it. */
async function javaPackage({ out, work }: Release): Promise<void> {
  if (folderOnPath("mvn", process.env.PATH ?? "") === undefined)
    return console.log("Not built: no mvn on PATH.");
  const java = path.join(work, "java");
  await must("mvn", ["--batch-mode", "--quiet", "package"], java);
  for (const name of await readdir(path.join(java, "target")))
    if (name.endsWith(".jar")) await rename(path.join(java, "target", name), path.join(out, name));
  await cp(path.join(java, "pom.xml"), path.join(out, "pom.xml"));
}

/** Lists the packages that a user of the npm package installs: in this checkout npm finds the package inside itself, and no end. */
async function billOfMaterials({ out, work }: Release): Promise<void> {
  const place = path.join(work, "sbom");
  await mkdir(place);
  const manifest = { name: "release", version: await ownVersion(), private: true };
  await writeFile(path.join(place, "package.json"), JSON.stringify(manifest));
  const tarball = path.join(out, `pulumi-feature-console-${manifest.version}.tgz`);
  await must(npmCommand, ["install", "--silent", "--ignore-scripts", "--no-audit", tarball], place);
  const text = await must(npmCommand, ["sbom", "--sbom-format", "cyclonedx"], place);
  await writeFile(
    path.join(out, "sbom.cdx.json"),
    text.replaceAll(`file:${tarball}`, path.basename(tarball)),
  );
}

async function checksums(out: string): Promise<void> {
  const lines = (await readdir(out)).sort().map(async (name) => {
    const digest = createHash("sha256")
      .update(await readFile(path.join(out, name)))
      .digest("hex");
    return `${digest}  ${name}\n`;
  });
  await writeFile(path.join(out, "SHA256SUMS"), (await Promise.all(lines)).join(""));
}
