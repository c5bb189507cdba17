import { type Build, javaBuild } from "./build";
import { builtProgram } from "./cached-program";
import { folderOnPath } from "./on-path";
import { GO_VERSION, LANGUAGE_HOST_VERSION } from "./versions";

/** The version of the YAML host: a module of its own. */
const YAML_HOST_VERSION = "1.25.0";

/** The last line in which the Go host is part of the SDK's Go module. */
const GO_HOST_VERSION = "3.50.0";

const yamlModule = "github.com/pulumi/pulumi-yaml";

const sdkModule = "github.com/pulumi/pulumi/sdk/v3";

/** The programs by which Pulumi runs a user's program, beside the one for TypeScript, which comes with the CLI. */
const hosts = {
  go: host("go", GO_HOST_VERSION, sdkModule, "go/pulumi-language-go"),
  java: javaBuild("Building the java language host from Go modules (once)", "pulumi-language-java"),
  python: {
    ...host("python", LANGUAGE_HOST_VERSION, sdkModule, "python/cmd/pulumi-language-python"),
    // The host starts this script, and looks for it beside itself.
    besides: { module: sdkModule, files: ["python/cmd/pulumi-language-python-exec"] },
  },
  yaml: host("yaml", YAML_HOST_VERSION, yamlModule, "cmd/pulumi-language-yaml"),
} as const satisfies Readonly<Record<string, Build>>;

/** A language whose host is not part of every Pulumi CLI here. */
export type HostedLanguage = keyof typeof hosts;

/**
 * The folder of the host of a language: on this PATH, as Pulumi's own download has it, or built. The first build takes half a minute
 * to three. @throws Error where there is no Go.
 */
export async function languageHost(language: HostedLanguage, searchPath: string): Promise<string> {
  const build = hosts[language];
  return folderOnPath(build.program, searchPath) ?? builtProgram(build);
}

/** The folder of the program by which `pulumi convert` reads YAML: on this PATH, or built. @throws Error where there is no Go. */
export async function yamlConverter(searchPath: string): Promise<string> {
  const folder = "cmd/pulumi-converter-yaml";
  const build = host("yaml", YAML_HOST_VERSION, yamlModule, folder, "pulumi-converter-yaml");
  return folderOnPath(build.program, searchPath) ?? builtProgram(build);
}

function host(
  language: string,
  version: string,
  module: string,
  folder: string,
  program = `pulumi-language-${language}`,
): Build {
  return {
    label: `Building ${program} ${version} from Go modules (once)`,
    program,
    goPackage: `${module}/${folder}`,
    version,
    module: [`module ${language}host`, `go ${GO_VERSION}`, `require ${module} v${version}`].join("\n"),
  };
}
