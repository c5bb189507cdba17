import { coerce, gte } from "semver";
import { run } from "../process/run";
import { GO_VERSION } from "./versions";

/** What a Go installation says about itself. */
export interface GoFacts {
  /** The output of `go version`. */
  version: string;
  /** `go env GOTOOLCHAIN`: `local` forbids Go to fetch a newer Go. */
  toolchain: string;
}

/** Why this Go cannot build the CLI, or nothing when it can. */
export function whyGoIsUnfit(go: GoFacts | undefined): string | undefined {
  if (go === undefined) return `Go is not installed; ${GO_VERSION} or later is needed`;
  const version = coerce(go.version);
  if (version === null) return `cannot tell the version of Go from "${go.version.trim()}"`;
  if (gte(version, GO_VERSION)) return undefined;
  // Since 1.21 Go fetches the toolchain that a module asks for, as a Go module.
  const fetchesItself = gte(version, "1.21.0") && go.toolchain.trim() !== "local";
  return fetchesItself ? undefined : `Go ${version} is too old; ${GO_VERSION} or later is needed`;
}

/** Asks the Go on PATH about itself; nothing when there is none. */
export async function askGo(): Promise<GoFacts | undefined> {
  const version = await run("go", ["version"], { timeoutMs: 20_000 });
  if (version.code !== 0) return undefined;
  const toolchain = await run("go", ["env", "GOTOOLCHAIN"], { timeoutMs: 20_000 });
  return { version: version.stdout, toolchain: toolchain.stdout };
}
