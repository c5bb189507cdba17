import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";

/** One call of GitHub's command line tool. */
export interface GhCall {
  args: string[];
  stdin: string;
}

/** A stand-in for GitHub's command line tool, which notes how it was called. */
export interface FakeGh {
  /** The folder to put first on PATH. */
  folder: string;
  /** What `gh pr list` prints; nothing at first. */
  lists(text: string): void;
  /** The last other call; undefined when there was none since the last time it was asked for. */
  take(): GhCall | undefined;
  remove(): Promise<void>;
}

/** Makes an executable `gh` that refuses to work without a token and a repository, as GitHub's own does on a runner. */
export function createFakeGh(): FakeGh {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-console-gh-"));
  const [args, stdin, list] = ["arguments", "stdin", "list"].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(list, "");
  const script = `#!/usr/bin/env bash
set -eu
: "\${GH_TOKEN:?}" "\${GH_REPO:?}"
if [ "$1 $2" = "pr list" ]; then exec cat '${list}'; fi
printf '%s\\n' "$@" > '${args}'
cat > '${stdin}'
`;
  writeFileSync(path.join(folder, "gh"), script, { mode: 0o755 });
  return {
    folder,
    lists: (text) => writeFileSync(list, text),
    take() {
      if (!existsSync(args)) return undefined;
      const call = {
        args: readFileSync(args, "utf8").trimEnd().split("\n"),
        stdin: readFileSync(stdin, "utf8"),
      };
      for (const file of [args, stdin]) rmSync(file);
      return call;
    },
    remove: () => removeTree(folder),
  };
}
