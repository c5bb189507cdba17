import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { Resource as PulumiResource } from "@pulumi/pulumi";
import ts from "typescript";
import { managed } from "../../src/provider/definitions";
import { sourcesIn } from "../../src/tools/rewrite/compiler";
import { Program } from "../../src/tools/rewrite/program";
import type { Resource } from "../../src/tools/stack/resources";
import { placesHere, positionOf } from "../../src/tools/stack/source-places";
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
