import { testedVersions } from "../../src/tested-versions";

/** The Pulumi CLI that is downloaded or built when the user has none. */
export const CLI_VERSION: string = testedVersions.pulumi.newest;

/** The npm package `pulumi` that downloads it: npm has no package for each version of the CLI, and each downloads any. */
export const DOWNLOADER_VERSION = "3.265.0";

/** The last line in which the Node.js language host is part of the SDK's Go module; newer CLIs accept it. The Go proxy does not serve the module of its own that came after. */
export const LANGUAGE_HOST_VERSION = "3.68.0";

/** Pulumi's Java: the generator, the host of programs, and the library `com.pulumi:pulumi`. */
export const JAVA_VERSION = "1.16.0";

/** What the Go module of the CLI asks for. */
export const GO_VERSION = "1.26.6";
