import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { Resource as PulumiResource } from "@pulumi/pulumi";
import ts from "typescript";
import { managed } from "../../src/provider/definitions";
import { sourcesIn } from "../../src/tools/rewrite/compiler";
import { Program } from "../../src/tools/rewrite/program";
import { explicitSettings } from "../../src/tools/stack/consoles";
import type { Resource } from "../../src/tools/stack/resources";
import { placesHere, positionOf } from "../../src/tools/stack/source-places";
import { stackOf } from "../../src/tools/stack/stack";
import { freshFolder } from "../support/folders";

let top: string;
const [cwd, { PWD }] = [process.cwd(), process.env];
beforeEach(() => {
  top = freshFolder();
});
afterEach(() => {
  process.chdir(cwd);
  if (PWD === undefined) delete process.env.PWD;
  else process.env.PWD = PWD;
});

const source =
  'import * as fc from "pulumi-feature-console";\n\nnew fc.Gate("checkout", { isEnabled: true });\n';

/** A project, and a source of it at a path in it. */
function projectIn(name: string, file: string): string {
  const folder = path.join(top, name);
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  writeFileSync(path.join(folder, file), source);
  return folder;
}

/** What Pulumi notes of a constructor call: the SDK's own expression on a line of the stack, and the engine's path from its root. */
function noted(file: string, { root, runsIn = root }: { readonly root: string; readonly runsIn?: string }) {
  const frame = `    at Object.<anonymous> (${file}:3:1)`;
  const expression = (PulumiResource as unknown as { framePositionRegExp: RegExp }).framePositionRegExp;
  const { file: found = "" } = expression.exec(frame)?.groups ?? {};
  process.chdir(runsIn);
  const place = decodeURIComponent(pathToFileURL(found).pathname);
  return `project:///${path.relative(root, place).split("/").map(encodeURIComponent).join("/")}#3,1`;
}

function resourceAt(sourcePosition: string): Resource {
  const position = positionOf(sourcePosition, placesHere());
  if (position === undefined) throw new Error(`${sourcePosition} is no place`);
  const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/feature-console:Gate::checkout";
  return {
    ...{ urn, stateUrn: urn, name: "checkout", definition: managed.gate, id: "checkout" },
    ...{ applied: undefined, wanted: {}, secrets: [], ignored: [] },
    ...{ position, provider: undefined, isRetained: false, createsFirst: false },
  };
}

/** Where `drift --accept`, `promote` and `rollback` find the call, by their own sources. */
function found(folder: string, sourcePosition: string) {
  process.chdir(folder);
  process.env.PWD = folder;
  const resource = resourceAt(sourcePosition);
  const call = new Program(ts, sourcesIn(folder), [resource]).find(resource);
  return "node" in call ? call.place.file : call.why;
}

/** The place that `drift`, `explain` and `report` show in the folder of the project. */
function shown(folder: string, sourcePosition: string, shell = folder) {
  process.chdir(folder);
  process.env.PWD = shell;
  return positionOf(sourcePosition, placesHere())?.file;
}

const linkTo = (folder: string, name: string) => {
  const link = path.join(top, name);
  symlinkSync(folder, link);
  return link;
};

describe.each(["index.ts", "src/flags/checkout.ts"])("a program in %s is found", (file) => {
  test.each([
    ["by a link", "data/shop", "data/shop", "home", ""],
    ["below a folder that is a link", "private/tmp/shop", "private/tmp", "tmp", "shop"],
    ["by a link to a folder with a parenthesis", "proj (copy)", "proj (copy)", "home", ""],
  ])("in a project that is reached %s", (_, project, target, name, below) => {
    const folder = projectIn(project, file);
    const link = path.join(linkTo(path.join(top, target), name), below);
    const position = noted(path.join(folder, file), { root: link, runsIn: folder });
    expect(position).toContain("..");
    expect([found(link, position), found(folder, position)]).toEqual([file, file]);
    expect(shown(folder, position, link)).toBe(file);
  });

  test.each(["proj (copy)", "a (b) c", "shop (1) (2)", "(shop)", "x (y"])("in a project in %s", (name) => {
    const folder = projectIn(name, file);
    const position = noted(path.join(folder, file), { root: folder });
    expect([found(folder, position), shown(folder, position)]).toEqual([file, file]);
  });
});

test("of two sources of one name, the one in the folder with the parenthesis is meant", () => {
  const file = "flags (old)/index.ts";
  const folder = projectIn("shop", file);
  writeFileSync(path.join(folder, "index.ts"), source);
  const position = noted(path.join(folder, file), { root: folder });
  expect(found(folder, position)).toBe(file);
  expect(shown(folder, position)).toBe(file);
});

test("a program that runs in a folder of its own below the project is found, too", () => {
  const folder = projectIn("proj (copy)", "infra/index.ts");
  const position = noted(`${folder}/infra/index.ts`, { root: folder, runsIn: `${folder}/infra` });
  expect(found(folder, position)).toBe("infra/index.ts");
});

test("a source outside the project is none of the program's, though one of its name is there", () => {
  const folder = projectIn("shop", "index.ts");
  const shared = path.join(projectIn("shared", "index.ts"), "index.ts");
  const position = noted(shared, { root: folder });
  expect(found(folder, position)).toBe("../shared/index.ts makes it, which is none of the program's sources");
  expect(shown(folder, position)).toBe("../shared/index.ts");
});

test("where a folder with a parenthesis hides the place, the refusal names it", () => {
  const folder = projectIn("shop", "index.ts");
  const other = path.join(projectIn("other (copy)", "flags.ts"), "flags.ts");
  expect(found(folder, noted(other, { root: folder }))).toBe(
    'copy)/flags.ts makes it, which is none of the program\'s sources: Pulumi loses the part of a path before " (", ' +
      "so rename the folder that has a parenthesis in its name",
  );
});

test("a preview that was made elsewhere, by another name of the folder, is read by the end of the path", () => {
  const folder = projectIn("shop", "src/flags.ts");
  expect(found(folder, "project:///../../elsewhere/shop/src/flags.ts#3,1")).toBe("src/flags.ts");
});

const provider = (kind: string, name: string, inputs: Readonly<Record<string, string>>) => {
  const type = `pulumi:providers:${kind}`;
  return { urn: `urn:pulumi:dev::shop::${type}::${name}`, type, inputs };
};
const explicit = (baseUrl: string) => ({
  ...{ "feature-console:explicit": "true", "feature-console:baseUrl": baseUrl },
});

test("explicit providers of both adapters are found with their settings, and default ones are not", () => {
  const resources = [
    provider("pulumi-nodejs", "default", {}),
    provider("pulumi-nodejs", "us", explicit("https://us")),
    // A name such as those that Pulumi gives its own.
    provider("pulumi-nodejs", "default_other", explicit("https://other")),
    provider("feature-console", "default_0_2_0", { baseUrl: "https://stack" }),
    provider("feature-console", "eu", { baseUrl: "https://eu", version: "0.2.0" }),
    provider("aws", "other", { baseUrl: "https://aws" }),
  ];
  const found = [...explicitSettings({ resources }, () => undefined, {})];
  const addresses = found.map(([urn, read]) => [urn.split("::").at(-1), read("feature-console:baseUrl")]);
  expect(Object.fromEntries(addresses)).toEqual({
    ...{ us: "https://us", default_other: "https://other", eu: "https://eu" },
  });
});

describe("verbs on a stack", () => {
  /** Runs a verb on a stack that a process locks until somebody cancels, or until it was asked twice. */
  async function run(verb: "refresh" | "up", pid: number) {
    const [asked, lines]: [string[], string[]] = [[], []];
    const lock =
      "error: the stack is currently locked by 1 lock(s).\n  file:///state/.pulumi/locks/1.json: created by";
    const stderr = `${lock} dev@${hostname()} (pid ${pid}) at 2026-01-02T03:04:05Z\n`;
    const pulumi = (args: readonly string[]) => {
      asked.push(args.join(" "));
      return Promise.resolve({ status: asked.length === 1 ? 255 : 0, stdout: "", stderr });
    };
    await stackOf(pulumi, "dev", (line) => lines.push(line))[verb](["urn:one"]);
    return { asked, lines };
  }

  // What a lock may do else is in test/import/into-state.test.ts.
  test.each(["refresh", "up"] as const)(
    "drift --accept was killed in its %s and is run again",
    async (verb) => {
      const command = `${verb} --yes --skip-preview --target urn:one --stack dev`;
      expect(await run(verb, spawnSync(process.execPath, ["--version"]).pid)).toEqual({
        asked: [command, "cancel --yes --stack dev", command],
        lines: ["stack dev is locked by a process that was killed: its lock is taken away"],
      });
      expect(await run(verb, process.pid)).toEqual({
        asked: [command, command],
        lines: ["waiting for the process that works on stack dev"],
      });
    },
  );

  test("its program is read by a preview that no refusal stops; other settings are tried by one that a refusal stops", async () => {
    const asked: unknown[] = [];
    const pulumi = (...call: unknown[]) => {
      asked.push(call);
      return Promise.resolve({ status: 0, stdout: '{"steps":[]}', stderr: "" });
    };
    const stack = stackOf(pulumi, "dev");
    await stack.preview();
    await stack.preview({ configFile: "tried.yaml" });
    const preview = ["preview", "--json", "--show-sames"];
    expect(asked).toEqual([
      [[...preview, "--stack", "dev"], { FEATURE_CONSOLE_READ_PROGRAM: "1" }],
      [[...preview, "--config-file", "tried.yaml", "--stack", "dev"]],
    ]);
  });
});
