/** The Pulumi CLI that is downloaded or built when the user has none. */
export const CLI_VERSION = "3.259.0";

/** The last line in which the Node.js language host is part of the SDK's Go module; newer CLIs accept it. */
export const LANGUAGE_HOST_VERSION = "3.68.0";

/** Pulumi's Java: the generator, the host of programs, and the library `com.pulumi:pulumi`. */
export const JAVA_VERSION = "1.16.0";

/** What the Go module of the CLI asks for. */
export const GO_VERSION = "1.25.11";
