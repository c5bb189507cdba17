import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";

/** One call of GitHub's command line tool. */
export interface GhCall {
  args: string[];
  /** What came in, or was in the file that it was given. */
  stdin: string;
}

/** A stand-in for GitHub's command line tool, which notes how it was called. */
export interface FakeGh {
  /** The folder to put first on PATH. */
  folder: string;
  /** What `gh pr list` prints, and `gh api` where it only reads; nothing at first. */
  lists(text: string): void;
  /** The merged pull request of a commit and the comments of its review, as the next reads of `gh api` print them. */
  reviews(number: string, comments: string): void;
  /** The last other call; undefined when there was none since the last time it was asked for. */
  take(): GhCall | undefined;
  remove(): Promise<void>;
}

/** Makes an executable `gh` that refuses to work without a token and a repository, as GitHub's own does on a runner. */
export function createFakeGh(): FakeGh {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-console-gh-"));
  const fileOf = (name: string) => path.join(folder, name);
  const [args, stdin, list] = [fileOf("arguments"), fileOf("stdin"), fileOf("list")];
  for (const name of ["list", "pulls", "bodies"]) writeFileSync(fileOf(name), "");
  const script = `#!/usr/bin/env bash
set -eu
: "\${GH_TOKEN:?}" "\${GH_REPO:?}"
if [ "$1 $2" = "pr list" ]; then exec cat '${list}'; fi
case "$*" in
  "api repos/"*/commits/*/pulls*) exec cat '${fileOf("pulls")}' ;;
  "api repos/"*"| .body") exec cat '${fileOf("bodies")}' ;;
esac
if [ "$1" = api ] && [ "$2" != --method ]; then exec cat '${list}'; fi
printf '%s\\n' "$@" > '${args}'
for word in "$@"; do
  case "$word" in
    body=@*) exec cp "\${word#body=@}" '${stdin}' ;;
    *.md) exec cp "$word" '${stdin}' ;;
  esac
done
cat > '${stdin}'
`;
  writeFileSync(path.join(folder, "gh"), script, { mode: 0o755 });
  return {
    folder,
    lists: (text) => writeFileSync(list, text),
    reviews(number, comments) {
      writeFileSync(fileOf("pulls"), number);
      writeFileSync(fileOf("bodies"), comments);
    },
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
