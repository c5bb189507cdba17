import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { parse } from "yaml";
import { pagesOfTarballs } from "../../scripts/generate/tarballs";
import { aboutRepository } from "../../scripts/package/about-repository";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { createFakeGh } from "../support/fake-gh";
import { folderOfFile } from "../support/folders";
import { createStandIns } from "../support/stand-ins";
import type { Workflow } from "../support/workflow";

const folder = folderOfFile();

const manifests = ["package.json", "policy/package.json"];

const versionsIn = (root: string): string[] =>
  manifests.map((file) => JSON.parse(readFileSync(path.join(root, file), "utf8")).version);

/** Copies what a release of the packages reads and writes. */
function copyOfManifests(): void {
  const examples = readdirSync(path.join(repositoryRoot, "examples"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `examples/${name}/package.json`)
    // One in several languages is no package of npm.
    .filter((file) => existsSync(path.join(repositoryRoot, file)));
  for (const file of ["package-lock.json", ".changeset/config.json", ...manifests, ...examples]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(path.join(repositoryRoot, file), path.join(folder, file), { force: false });
  }
  symlinkSync(path.join(repositoryRoot, "node_modules"), path.join(folder, "node_modules"));
}

test("a changeset of the package gives it, and the policy pack, its next version", () => {
  copyOfManifests();
  const [major = "", minor = ""] = versionsIn(repositoryRoot)[0]?.split(".") ?? [];
  writeFileSync(
    path.join(folder, ".changeset/one.md"),
    '---\n"pulumi-feature-console": minor\n"pulumi-feature-console-policy": minor\n---\n\nFlags fly.\n',
  );
  execFileSync(path.join(repositoryRoot, "node_modules/.bin/changeset"), ["version"], { cwd: folder });
  const next = `${major}.${Number(minor) + 1}.0`;
  expect(versionsIn(folder)).toEqual([next, next]);
  expect(readFileSync(path.join(folder, "CHANGELOG.md"), "utf8")).toContain("Flags fly.");

  cpSync(path.join(repositoryRoot, "README.md"), path.join(folder, "README.md"));
  cpSync(path.join(repositoryRoot, "policy/README.md"), path.join(folder, "policy/README.md"));
  cpSync(path.join(repositoryRoot, "docs"), path.join(folder, "docs"), { recursive: true });
  const pages = pagesOfTarballs(folder, new Map());
  expect(pages.size).toBeGreaterThan(6);
  for (const text of pages.values())
    for (const [file] of text.matchAll(/pulumi-feature-console(-policy)?-\d\S*\.tgz/g))
      expect(file).toMatch(new RegExp(`-${next}\\.tgz$`));
});

const shop = {
  homepage: "https://github.com/shop/flags.js",
  repository: "https://github.com/shop/flags.js",
  publisher: "shop",
  logoUrl: "https://raw.githubusercontent.com/shop/flags.js/main/docs/logo.svg",
  pluginDownloadURL: "github://api.github.com/shop/flags.js",
};
test.each([
  ["shop/flags.js", shop],
  ["git+https://github.com/shop/flags.js.git", shop],
  ["git@github.com:shop/flags.js.git", shop],
  [undefined, {}],
  ["", {}],
])("the repository %j tells where the package is from", (repository, expected) =>
  expect(aboutRepository(repository)).toEqual(expected),
);
test.each(["flags", "https://example.com/shop/flags", "a/b/c"])("%j is no repository on GitHub", (text) =>
  expect(() => aboutRepository(text)).toThrow("OWNER/NAME is needed"),
);

const read = (name: string) => readFileSync(path.join(repositoryRoot, ".github/workflows", name), "utf8");
const { jobs } = parse(read("release.yml")) as Workflow;

test("what a release installs can read alone; the jobs that may write run none of it, and nothing but actions of GitHub by commit", () => {
  const mayPublish = [];
  for (const [name, { permissions = {}, steps }] of Object.entries(jobs)) {
    const runs = steps.flatMap(({ run: script }) => script ?? []).join("\n");
    if (Object.values(permissions).includes("write"))
      expect([name, runs]).toEqual([name, expect.not.stringMatching(/npm (ci|install|run|test)|npx|tsx/)]);
    else expect([name, permissions]).toEqual([name, { contents: "read" }]);
    if (permissions["id-token"] === "write") mayPublish.push(name);
  }
  expect(mayPublish).toEqual(["publish"]);
  for (const name of ["release.yml", "ci.yml"]) {
    const used = [...read(name).matchAll(/uses: (.*)/g)].map(([, action = ""]) => action);
    expect(used.length).toBeGreaterThan(2);
    for (const action of used) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

test("a branch with a workflow of its own publishes nothing: npm and PyPI believe one environment, which admits main alone", () => {
  const believed = Object.entries(jobs).filter(
    ([, { permissions, steps }]) =>
      permissions?.["id-token"] === "write" || JSON.stringify(steps).includes("secrets."),
  );
  expect(believed.map(([name, { environment }]) => [name, environment])).toEqual([
    ["publish", "release"],
    ["publish-python", "release"],
  ]);
});

test("the next version comes as a patch from the job that can read alone; the one that may write makes a branch and a pull request of it", async () => {
  const [origin, temp, gh, commands] = [
    path.join(folder, "origin"),
    path.join(folder, "temp"),
    createFakeGh(),
    createStandIns("npm"),
  ];
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ana", "-c", "user.email=ana@example.com", ...args], {
      cwd,
      encoding: "utf8",
    });
  for (const place of [`${origin}/.changeset`, temp]) mkdirSync(place, { recursive: true });
  for (const file of [".changeset/README.md", ".changeset/one.md", "package.json"])
    writeFileSync(path.join(origin, file), `${file}\n`);
  git(origin, "init", "--quiet", "--initial-branch", "main");
  git(origin, "add", ".");
  git(origin, "commit", "--quiet", "--message", "One");
  commands.answer({ "npm run changeset:version": "rm .changeset/one.md; echo 2 > package.json" });
  const outputs = path.join(temp, "outputs");
  const carryOut = (job: string) => {
    const script = jobs[job]?.steps.find(({ run: text }) => text?.includes("version.patch"))?.run ?? "";
    const PATH = [commands.folder, gh.folder, cleanEnvironment().PATH].join(path.delimiter);
    const own = { RUNNER_TEMP: temp, GITHUB_OUTPUT: outputs, GH_TOKEN: "token", GH_REPO: "shop/flags" };
    const cwd = mkdtempSync(path.join(folder, "checkout-"));
    git(folder, "clone", "--quiet", origin, cwd);
    writeFileSync(outputs, "");
    execFileSync("bash", ["-e", "-c", script], {
      cwd,
      env: { ...cleanEnvironment(), PATH, ...own },
      stdio: "pipe",
    });
    return readFileSync(outputs, "utf8");
  };
  expect(carryOut("build")).toBe("version=next\n");
  carryOut("version");
  expect(git(origin, "show", "next-version:package.json")).toBe("2\n");
  expect(git(origin, "ls-tree", "--name-only", "next-version:.changeset")).toBe("README.md\n");
  expect(gh.take()?.args.slice(0, 6)).toEqual(["pr", "create", "--base", "main", "--head", "next-version"]);
  // Merged, it is published: no changeset is left.
  git(origin, "merge", "--quiet", "next-version");
  expect(carryOut("build")).toBe("");
  expect([jobs.version?.if, jobs.publish?.if].join()).toMatch(/version == 'next',.*version != 'next'$/);
  await Promise.all([gh.remove(), commands.remove()]);
});

test("a release publishes the checked files, once: packages to npm, all files to GitHub, and the Go module as a tag", async () => {
  const temp = mkdtempSync(path.join(folder, "publish-"));
  const [origin, files] = [path.join(temp, "origin"), path.join(temp, "release")];
  const commands = createStandIns("npm", "gh");
  const shell = (cwd: string, script: string) =>
    execFileSync("bash", ["-e", "-c", script], {
      cwd,
      encoding: "utf8",
      stdio: "pipe",
      env: {
        ...{ ...cleanEnvironment(), PATH: [commands.folder, cleanEnvironment().PATH].join(path.delimiter) },
        ...{ RUNNER_TEMP: temp, GITHUB_REPOSITORY: "shop/flags", COMMIT: "abc" },
      },
    });
  const module = "go/github.com/shop/flags/sdk/go@v1.2.3";
  mkdirSync(files);
  shell(
    temp,
    `mkdir -p package ${module} && echo '{"name":"flags","version":"1.2.3"}' > package/package.json
    echo "module github.com/shop/flags/sdk/go" > ${module}/go.mod
    tar -czf release/flags-1.2.3.tgz package && tar -czf release/go-module.tar.gz -C go .
    rm -r go && echo '{"version":"1.2.3"}' > release/schema.json
    (cd release && sha256sum * > ../sums && mv ../sums SHA256SUMS)
    git init --quiet --bare origin && git clone --quiet origin work && cd work
    git -c user.name=Ana -c user.email=ana@example.com commit --quiet --allow-empty --message One && git push --quiet origin HEAD`,
  );
  const scripts = (jobs.publish?.steps ?? []).flatMap(({ run }) => run ?? []);
  const publish = () => {
    rmSync(path.join(temp, "go"), { recursive: true, force: true });
    for (const script of scripts) shell(path.join(temp, "work"), script);
    const changes = commands.take().filter(({ line }) => !/ view /.test(line));
    return changes.map(({ line }) => line.replaceAll(`${files}/`, ""));
  };
  commands.answer({ "gh release view": "exit 1" });
  expect(publish()).toEqual([
    "npm publish --ignore-scripts ./flags-1.2.3.tgz",
    expect.stringMatching(
      /^gh release create v1\.2\.3 --target abc .* SHA256SUMS flags-1\.2\.3\.tgz go-module\.tar\.gz schema\.json$/,
    ),
  ]);
  expect(shell(origin, "git show sdk/go/v1.2.3:sdk/go/go.mod")).toBe("module github.com/shop/flags/sdk/go\n");
  commands.answer({ "npm view": "echo 1.2.3" });
  expect(publish()).toEqual([]);
  // A file that is not the one that was built is published nowhere.
  writeFileSync(path.join(files, "schema.json"), "{}");
  expect(publish).toThrow(/1 computed checksum did NOT match/);
  expect(commands.take()).toEqual([]);
  await commands.remove();
});
