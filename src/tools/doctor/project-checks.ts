import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { coerce, gte, satisfies } from "semver";
import { parse } from "yaml";
import { nodeProblem } from "../../node-version";
import { configNamespace, type Environment } from "../../provider/pulumi/provider-settings";
import { oldestPulumi } from "../../provider/pulumi/runs/cli";
import { contentOf, projectIn } from "../../provider/pulumi/runs/project-file";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { testedVersions } from "../../tested-versions";
import {
  dedupeLine,
  foldersFrom,
  installLine,
  plugAndPlayAdvice,
  typescriptPackage,
} from "../stack/package-manager";
import { namedPluginFolder, pluginFolder } from "../stack/plugin-folder";
import { manifestIn, resolvedIn, runtimeIn } from "../stack/project";
import { type Check, failed, judgedVersion, ok, warning } from "./check";
import type { DoctorContext } from "./context";

const packageName = "pulumi-feature-console";

/** Module that stored state loads. */
const storedName = `${packageName}/dynamic/v1`;

/** The command that installs this version. No registry has the package: README.md says how to make the tarball. */
function installation({ folder, versions: { own } }: DoctorContext["ports"], ...besides: readonly string[]) {
  return plugAndPlayAdvice(folder) ?? installLine(folder, `~/${packageName}-${own}.tgz`, ...besides);
}

/** Checks of the machine and of the project's folder. */
export const projectChecks: readonly Check<DoctorContext>[] = [
  {
    name: "node",
    run({ ports: { node } }) {
      const problem = nodeProblem(node);
      if (problem !== undefined) return failed(node, problem);
      const { newest } = testedVersions.node;
      return judgedVersion(
        { text: node, version: node },
        testedVersions.node,
        `install Node ${newest}: https://nodejs.org`,
      );
    },
  },
  {
    name: "pulumi",
    async run({ ports: { pulumi } }) {
      const version = coerce((await pulumi(["version"])).stdout);
      const advice = "install a newer one: https://www.pulumi.com/docs/install/";
      if (version === null) return failed("it does not print its version", advice);
      const text = `${version}`;
      if (!gte(version, oldestPulumi))
        return failed(`${text}, and ${oldestPulumi} or newer is needed`, advice);
      const { newest } = testedVersions.pulumi;
      const install = `install ${newest}: https://www.pulumi.com/docs/install/versions/`;
      return judgedVersion({ text, version: text }, testedVersions.pulumi, install);
    },
  },
  { name: "project", run: ({ ports }) => findProject(ports) },
  { name: "package", needs: ["project"], run: inNode(({ ports }) => findPackage(ports), findPlugin) },
  { name: "copies", needs: ["package"], run: inNode(({ ports: { folder } }) => findCopies(folder)) },
  { name: "typescript", needs: ["project"], run: inNode(({ ports: { folder } }) => findTypescript(folder)) },
  { name: "sdk", needs: ["project"], run: inNode(({ ports }) => findSdk(ports), findSdkOfPlugin) },
];

type Run = Check<DoctorContext>["run"];

/** A check of programs for Node.js; `other`: what programs in another language need in its place. */
function inNode(run: Run, other?: Run): Run {
  return (context) => {
    const runtime = runtimeIn(context.ports.folder);
    if (runtime === "nodejs") return run(context);
    return other === undefined ? ok(`not needed: the program is for the runtime ${runtime}`) : other(context);
  };
}

const binOfPackages = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

/** The native plugin, where Pulumi looks for it. */
async function findPlugin({ ports }: DoctorContext) {
  const { environment, folder, pulumi, versions } = ports;
  const command = `pulumi-resource-${configNamespace}`;
  const holdsPlugin = (place: string) =>
    ["", ".cmd", ".exe"].some((end) => existsSync(path.join(place, command + end)));
  const named = namedPluginFolder(projectFileOf(folder));
  if (named !== undefined) {
    if (holdsPlugin(path.resolve(folder, named)))
      return ok(`${command} is in ${named}, which the project names`);
    return failed(
      `the project names ${named} for the plugin, and ${command} is not there`,
      installation(ports),
    );
  }
  // The PATH of npx has folders of npm that no "pulumi up" has.
  const isLasting = (place: string) => environment.npm_execpath === undefined || !binOfPackages.test(place);
  const places = (environment.PATH ?? "").split(path.delimiter).filter(isLasting);
  if (places.some(holdsPlugin)) return ok(`${command} is on PATH`);
  const { stdout } = await pulumi(["plugin", "ls", "--json"]);
  const installed = (JSON.parse(stdout) as readonly JsonObject[])
    .filter(({ name, kind }) => name === configNamespace && kind === "resource")
    .map(({ version }) => String(version));
  if (installed.includes(versions.own)) return ok(`plugin ${configNamespace} ${versions.own}`);
  const own = pluginFolder(folder);
  const install =
    own === undefined
      ? `pulumi plugin install resource ${configNamespace} ${versions.own} --file ARCHIVE`
      : `add to ${projectIn(folder)?.file}: plugins: {providers: [{name: ${configNamespace}, path: ${own}}]}`;
  if (installed.length === 0) return failed(`Pulumi finds no plugin ${configNamespace}`, install);
  const found = `plugin ${configNamespace} ${installed.join(", ")}`;
  return warning(`${found}, and this command is of ${versions.own}`, install);
}

function projectFileOf(folder: string): JsonObject {
  const project = projectIn(folder);
  const content: unknown = project && parse(contentOf(path.join(folder, project.file)) ?? "");
  return isObject(content) ? content : {};
}

/** Time for Python to name a version, milliseconds. */
const pythonLimitMs = 20_000;

/** The package of the plugin for a program in Python, as the Python of the program finds it. */
function findSdkOfPlugin({ ports: { environment, folder, versions } }: DoctorContext) {
  const runtime = runtimeIn(folder);
  if (runtime === "yaml") return ok("not needed: the program is for the runtime yaml");
  if (runtime !== "python") return ok(`not looked for: a build of the program needs it, in ${runtime}`);
  const python = pythonOf(folder, environment);
  const install = `${python} -m pip install ~/sdk/python`;
  const asks = 'from importlib.metadata import version; print(version("pulumi_feature_console"))';
  const { status, stdout } = spawnSync(python, ["-c", asks], {
    ...{ cwd: folder, env: { ...environment }, encoding: "utf8", timeout: pythonLimitMs },
  });
  if (status === null) return failed(`${python} cannot be run`, "python3 -m venv venv");
  if (status !== 0) return failed(`${python} finds no package pulumi_feature_console`, install);
  const version = stdout.trim();
  if (version === versions.own) return ok(`pulumi_feature_console ${version}`);
  return warning(`pulumi_feature_console ${version}, and this command is of ${versions.own}`, install);
}

/** The Python with which Pulumi runs the program of a folder. */
function pythonOf(folder: string, { PULUMI_PYTHON_CMD: command = "python3" }: Environment): string {
  const { runtime } = projectFileOf(folder);
  const options = isObject(runtime) && isObject(runtime.options) ? runtime.options : {};
  if (typeof options.virtualenv !== "string") return command;
  const commands = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
  return path.resolve(folder, options.virtualenv, ...commands);
}

function findProject(ports: DoctorContext["ports"]) {
  const { folder } = ports;
  const project = projectIn(folder);
  if (project === undefined)
    return failed(
      `no Pulumi.yaml in ${folder}`,
      "cd to the folder of the project, or: pulumi new typescript",
    );
  const { file } = project;
  const runtime = runtimeIn(folder);
  if (runtime === undefined)
    return failed(`${file} names no runtime`, `correct ${file}: it needs "name: NAME" and "runtime: nodejs"`);
  if (runtime !== "nodejs") return ok(`${file}, for the runtime ${runtime}`);
  const manifest = manifestIn(folder);
  if (manifest === undefined)
    return failed(
      "no package.json that can be read",
      installation(ports, "@pulumi/pulumi", typescriptPackage),
    );
  if (declares(manifest, packageName)) return ok(`${file}, package.json`);
  return failed(
    `package.json does not name ${packageName}, which stored state asks for by its name`,
    installation(ports),
  );
}

function findPackage(ports: DoctorContext["ports"]) {
  const { folder, versions } = ports;
  const found = resolvedIn(folder, storedName);
  if (found === undefined)
    return failed(`require("${storedName}") finds nothing from ${folder}`, installation(ports));
  const version = manifestAbove(found)?.version;
  if (version === versions.own) return ok(`${versions.own}, found as require("${storedName}")`);
  const install = "npx feature-console doctor, in the folder of the project";
  return warning(`the project has ${String(version)}, and this command is of ${versions.own}`, install);
}

/** Each copy in one process would have limits, a client and a memory of its own. */
function findCopies(folder: string) {
  const copies = new Set(copiesFor(folder));
  const used = resolvedIn(folder, `${packageName}/package.json`);
  if (used !== undefined) copies.add(path.dirname(used));
  const beside = foldersBelow(folder).flatMap((one) => copiesFor(one));
  const all = new Set([...copies, ...beside]);
  if (all.size <= 1) return ok("one");
  const places = [...all].map((place) => path.relative(realpathSync(folder), place)).join(", ");
  const inComponents = `in a component package, make ${packageName} a peer dependency`;
  const advice = [dedupeLine(folder) ?? [], inComponents].flat().join("; ");
  if (copies.size > 1) return failed(`${all.size} are loaded by one program: ${places}`, advice);
  return warning(
    `${all.size}: ${places}; a program that takes code from such a folder loads both`,
    `remove ${packageName} from the node_modules of that folder, so that its code finds the one of the project`,
  );
}

/**
 * The TypeScript that Pulumi loads: the one that its SDK finds. Its own, 3.8, does not understand the types of this package, and
 * its host fails with 7, also on a program in JavaScript.
 */
function findTypescript(folder: string) {
  const sdk = resolvedIn(folder, "@pulumi/pulumi/package.json");
  const found = resolvedIn(sdk === undefined ? folder : path.dirname(sdk), "typescript/package.json");
  const has = (name: string) => existsSync(path.join(folder, name));
  const install = installLine(folder, typescriptPackage);
  if (found === undefined)
    return has("index.ts") || has("index.mts")
      ? failed("not installed: Pulumi's own, 3.8, does not understand the types of this package", install)
      : ok("none, the program is JavaScript");
  const version = String(manifestAbove(found)?.version);
  if ((coerce(version)?.major ?? 0) >= 7)
    return failed(
      `${version}: Pulumi's Node.js host fails with TypeScript 7 ("TypeError: … readFile")`,
      install,
    );
  const config = has("tsconfig.json") ? "tsconfig.json" : "no tsconfig.json, none is needed";
  return judgedVersion({ text: `${version}, ${config}`, version }, testedVersions.typescript, install);
}

function findSdk({ folder, versions: { sdk } }: DoctorContext["ports"]) {
  const unplugged = plugAndPlayAdvice(folder);
  if (unplugged !== undefined)
    return failed("Yarn Plug'n'Play keeps the packages in archives, where Pulumi finds no SDK", unplugged);
  const found = resolvedIn(folder, "@pulumi/pulumi/package.json");
  if (found === undefined)
    return failed("@pulumi/pulumi is not installed", installLine(folder, "@pulumi/pulumi"));
  const version = String(manifestAbove(found)?.version);
  const text = `@pulumi/pulumi ${version}`;
  if (!satisfies(version, sdk))
    return failed(`${text}, and ${sdk} is needed`, installLine(folder, "@pulumi/pulumi@latest"));
  const { newest } = testedVersions.sdk;
  return judgedVersion(
    { text, version },
    testedVersions.sdk,
    installLine(folder, `@pulumi/pulumi@${newest}`),
  );
}

function declares(manifest: JsonObject, name: string): boolean {
  return ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"].some((group) => {
    const listed = manifest[group];
    return isObject(listed) && name in listed;
  });
}

function manifestAbove(file: string): JsonObject | undefined {
  const manifests = foldersFrom(path.dirname(file)).map(manifestIn);
  return manifests.find((manifest) => manifest?.version !== undefined);
}

/** Real places of the package in the `node_modules` of a folder and in those of its packages, as Node finds them: through links too. */
function copiesFor(folder: string, seen = new Set<string>()): string[] {
  const place = realpathSync(folder);
  if (seen.has(place)) return [];
  seen.add(place);
  return packagesIn(path.join(place, "node_modules")).flatMap(({ name, place: found }) =>
    name === packageName ? [realpathSync(found)] : copiesFor(found, seen),
  );
}

/** Depth of the search for code below the project. */
const deepestFolder = 4;

/** Folders of the project's own code that have a `node_modules`; projects and policy packs of their own are others' programs. */
function foldersBelow(folder: string, depth = 0): string[] {
  if (depth >= deepestFolder) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (!entry.isDirectory() || entry.name.startsWith(".") || entry.name === "node_modules") return [];
    if (readdirSync(place).some((name) => /^Pulumi(?:Policy)?\.(?:yaml|yml|json)$/.test(name))) return [];
    return [
      ...(existsSync(path.join(place, "node_modules")) ? [place] : []),
      ...foldersBelow(place, depth + 1),
    ];
  });
}

function packagesIn(modules: string, scope = ""): { name: string; place: string }[] {
  if (!existsSync(modules)) return [];
  return readdirSync(modules).flatMap((entry): { name: string; place: string }[] => {
    const place = path.join(modules, entry);
    if (entry.startsWith(".")) return [];
    if (entry.startsWith("@")) return packagesIn(place, `${entry}/`);
    // A link may lead nowhere, and a file is no package.
    return existsSync(place) && statSync(place).isDirectory() ? [{ name: scope + entry, place }] : [];
  });
}
