import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { completed, type Lockfile, missingPackages } from "./package/lockfile.ts";

const file = path.join(import.meta.dirname, "..", "package-lock.json");
const lockfile = JSON.parse(readFileSync(file, "utf8")) as Lockfile;
const missing = Object.keys(missingPackages(lockfile));
writeFileSync(file, `${JSON.stringify(completed(lockfile), null, 2)}\n`);
console.log(
  missing.length === 0
    ? "The lockfile is complete."
    : `Added ${missing.length} optional packages of other platforms.`,
);
