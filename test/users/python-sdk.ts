import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureFolder } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { cacheFolder } from "../../scripts/pulumi-cli/cached";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import type { FlagUser } from "../../src/emulator/evaluation";
import type { SpecDocument } from "../../src/emulator/evaluation/specs";
import { serverKey } from "../emulator/sdk/server-sdks";
import { namesIn, type Truth } from "./truth";

/** The service's SDK in Python alone, which shares no code with the others. */
const release = "statsig==0.72.1";

/** What statsig for Python answers each user. Fetches it by pip the first time. @throws Error without Python 3. */
export async function pythonAnswersOf(document: SpecDocument, users: readonly FlagUser[]): Promise<Truth> {
  const modules = path.join(cacheFolder(), release.replace("==", "-python-"));
  await ensureFolder(modules, {
    fill: (folder) => python(["-m", "pip", "install", "--quiet", "--target", folder, release]),
  });
  const place = mkdtempSync(path.join(tmpdir(), "feature-console-python-"));
  try {
    const [question, answers] = [path.join(place, "question.json"), path.join(place, "answers.json")];
    writeFileSync(question, JSON.stringify({ document, users, key: serverKey, ...namesIn(document) }));
    const script = path.join(repositoryRoot, "test", "users", "answers.py");
    await python([script, question, answers], { PYTHONPATH: modules });
    const all = JSON.parse(readFileSync(answers, "utf8")) as Record<string, unknown[]>;
    return new Map(Object.entries(all).map(([name, list]) => [name, list.map((one) => JSON.stringify(one))]));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function python(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const { code, stderr, problem } = await run("python3", args, { env: { ...process.env, ...env } });
  if (code !== 0) throw new Error(`python3 ${args[0]}: ${problem ?? stderr.trim()}`);
}
