import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";

/** One call of a program, and the key that it could have used. */
export interface StandInCall {
  readonly line: string;
  readonly key: string;
}

/** What `createStandIns` makes. */
export type StandIns = ReturnType<typeof createStandIns>;

/**
 * Makes programs in the place of others, which note how they were called: what a pipeline does without the work that it asks for.
 * `folder`: to put first on PATH.
 */
export function createStandIns(...programs: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-console-stand-ins-"));
  const notes = path.join(folder, "calls.txt");
  /** What calls that begin so do from now on, as lines of a shell. All others do nothing and succeed. */
  const answer = (answers: Readonly<Record<string, string>>) => {
    const cases = Object.entries(answers).map(([line, does]) => `"${line}"*)\n${does}\n;;`);
    for (const program of programs) {
      const called = `${program} $*`;
      const lines = [
        "#!/bin/sh",
        `printf '%s\\t%s\\n' "$FEATURE_CONSOLE_API_KEY" "${called}" >> '${notes}'`,
        `case "${called}" in\n${cases.join("\n")}\nesac`,
      ];
      writeFileSync(path.join(folder, program), `${lines.join("\n")}\n`, { mode: 0o755 });
    }
  };
  answer({});
  return {
    folder,
    answer,
    /** The calls since the last time that they were taken. */
    take(): StandInCall[] {
      const text = existsSync(notes) ? readFileSync(notes, "utf8") : "";
      rmSync(notes, { force: true });
      return Array.from(text.matchAll(/^(.*)\t(.*)$/gm), ([, key = "", line = ""]) => ({ line, key }));
    },
    remove: () => removeTree(folder),
  };
}

/** A Pulumi CLI whose selected stack has these settings of the provider. */
export function stackAnswers(settings: Readonly<Record<string, string>>): StandIns {
  const standIns = createStandIns("pulumi");
  const named = Object.entries(settings).map(([name, value]) => [`feature-console:${name}`, { value }]);
  standIns.answer({ "pulumi config": `echo '${JSON.stringify(Object.fromEntries(named))}'` });
  return standIns;
}
