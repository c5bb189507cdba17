import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { patchedText } from "../world/source-copy";
import type { PlantedFault } from "./fault";

/** What a run itself writes: no other tree because of it. */
const ownRecord = "test/planted/found.json";

/** The files of the checkout that are committed or could be. */
function filesOfCheckout(): string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: repositoryRoot,
    encoding: "utf8",
  });
  return listed.split("\0").filter((file) => file !== "" && existsSync(path.join(repositoryRoot, file)));
}

/** A copy of the checkout on disk, in which tests run while one fault is planted. */
export class SourceTree {
  readonly folder: string;
  /** Changes with any file of the checkout. */
  readonly digest: string;

  private constructor(folder: string, digest: string) {
    this.folder = folder;
    this.digest = digest;
  }

  /** Copies the checkout; the packages stay where they are, and are links in the copy. */
  static async copiedTo(folder: string): Promise<SourceTree> {
    await removeTree(folder);
    const hash = createHash("sha256");
    for (const file of filesOfCheckout()) {
      if (file !== ownRecord) hash.update(file).update(readFileSync(path.join(repositoryRoot, file)));
      cpSync(path.join(repositoryRoot, file), path.join(folder, file));
    }
    linkPackages(folder);
    return new SourceTree(folder, hash.digest("hex"));
  }

  /** Works while a fault is planted. @throws Error where its place in the source is gone. */
  async with<T>(fault: PlantedFault, work: () => Promise<T>): Promise<T> {
    const file = path.join(this.folder, "src", fault.file);
    const before = readFileSync(file, "utf8");
    writeFileSync(file, patchedText(before, fault));
    try {
      return await work();
    } finally {
      writeFileSync(file, before);
    }
  }
}

function linkPackages(folder: string): void {
  const [from, to] = [repositoryRoot, folder].map((root) => path.join(root, "node_modules")) as [
    string,
    string,
  ];
  mkdirSync(to);
  // This package itself is the copy, and so is its policy pack.
  const own = new Map([
    ["pulumi-feature-console", folder],
    ["pulumi-feature-console-policy", path.join(folder, "policy")],
  ]);
  for (const name of readdirSync(from))
    if (name !== ".cache") symlinkSync(own.get(name) ?? path.join(from, name), path.join(to, name));
}
