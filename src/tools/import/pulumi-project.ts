import path from "node:path";
import { isObject } from "../../provider/schema/json";
import { notesFolder, textOf } from "./folder";
import type { Files } from "./program/program";

/** What a folder needs to be a Pulumi project in TypeScript, as far as it has none of it: written once, and then its owner's. */
export function projectFiles(
  folder: string,
  versions: { readonly own: string; readonly sdk: string },
): Files {
  const name = nameFor(folder);
  const files = new Map([
    [
      "Pulumi.yaml",
      `name: ${yamlText(name)}\ndescription: What the feature console holds\nruntime: nodejs\n`,
    ],
    ["package.json", packageText(name, versions)],
    ["tsconfig.json", tsconfigText],
    [".gitignore", gitignoreText],
  ]);
  for (const file of files.keys()) if (textOf(path.join(folder, file)) !== undefined) files.delete(file);
  if (projectFile(folder) !== undefined) files.delete("Pulumi.yaml");
  return files;
}

/** What YAML would take for a number or a truth is quoted. */
function yamlText(name: string): string {
  return /^[a-z][\w.-]*$/.test(name) && !/^(true|false|null|yes|no|on|off|y|n)$/.test(name)
    ? name
    : JSON.stringify(name);
}

/** The text that makes a folder a project, under any of the names that Pulumi takes. */
function projectFile(folder: string): string | undefined {
  const texts = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((file) => textOf(path.join(folder, file)));
  return texts.find((text) => text !== undefined);
}

/** Without `main`, Pulumi would run the program of a package above. */
function packageText(name: string, { own, sdk }: { readonly own: string; readonly sdk: string }): string {
  const content = {
    name,
    private: true,
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": sdk, "pulumi-feature-console": own },
    devDependencies: { "@types/node": "^24.0.0", typescript: "~6.0.0" },
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

const tsconfigText = `{
  "compilerOptions": {
    "target": "es2022",
    "module": "node20",
    "strict": true,
    "skipLibCheck": true,
    "noEmit": true,
    "types": ["node"]
  },
  "files": ["index.ts"]
}
`;

/** Files for `pulumi import`, and the embedded console, hold all that a console has. */
const gitignoreText = `/node_modules/
/${notesFolder}/*
!/${notesFolder}/import.json
`;

/** The name of the project in a folder; the one that it would get where it is none yet. */
export function projectName(folder: string): string {
  return settingOf(folder, "name") ?? nameFor(folder);
}

/** What Pulumi runs in a folder, as its settings say it, where that is something else than `index` in this folder. */
export function otherMain(folder: string): string | undefined {
  const said = settingOf(folder, "main");
  const start = path.resolve(folder, said ?? ".");
  const entry = packageMain(start);
  const program = path.resolve(start, entry ?? ".");
  const index = path.resolve(folder, "index");
  if (program === path.resolve(folder) || program.replace(/\.[cm]?[jt]s$/, "") === index) return undefined;
  return path.relative(folder, program);
}

function packageMain(folder: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(textOf(path.join(folder, "package.json")) ?? "{}");
    return isObject(parsed) && typeof parsed.main === "string" ? parsed.main : undefined;
  } catch {
    return undefined;
  }
}

/** A text of the project's own file. */
function settingOf(folder: string, setting: string): string | undefined {
  const line = new RegExp(`^\\s*"?${setting}"?:\\s*["']?([^"'\\n#,]+?)["']?\\s*,?\\s*(?:#.*)?$`, "m");
  return line.exec(projectFile(folder) ?? "")?.[1];
}

function nameFor(folder: string): string {
  const name = path
    .basename(path.resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[-._]+|[-.]+$/g, "");
  return name === "" ? "flags" : name;
}
