import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { completed, type Lockfile, missingPackages } from "../../scripts/package/lockfile";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";

const read = (): Lockfile =>
  JSON.parse(readFileSync(path.join(repositoryRoot, "package-lock.json"), "utf8")) as Lockfile;

test("the lockfile names every optional package, so that npm ci takes it (if not: npm run lockfile)", () => {
  expect(Object.keys(missingPackages(read()))).toEqual([]);
});

test("the lockfile names no registry", () => {
  expect(JSON.stringify(read())).not.toMatch(/"resolved":"http/);
});

test("what is missing is added with its platform", () => {
  const lockfile = {
    packages: {
      "node_modules/tool": {
        dev: true,
        optionalDependencies: { "@tool/linux-arm-musleabihf": "1.0.0", "@tool/win32-x64": "1.0.0" },
      },
      "node_modules/@tool/win32-x64": { version: "1.0.0" },
    },
  };
  expect(completed(lockfile).packages).toEqual({
    ...lockfile.packages,
    "node_modules/@tool/linux-arm-musleabihf": {
      version: "1.0.0",
      dev: true,
      optional: true,
      os: ["linux"],
      cpu: ["arm"],
      libc: ["musl"],
    },
  });
});
