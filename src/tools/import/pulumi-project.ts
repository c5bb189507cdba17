import path from "node:path";
import { stringify } from "yaml";
import { projectIn } from "../../provider/pulumi/runs/project-file";
import { notesFolder } from "../stack/import-manifest";
import { nameFor, textOf } from "../stack/project";
import type { Files } from "./program/program";

/** Versions for a new package.json, as npm takes them. */
export interface Versions {
  readonly own: string;
  readonly sdk: string;
}

/** Files that a folder lacks to be a Pulumi project in TypeScript: written once, and then its owner's. */
export function projectFiles(folder: string, versions: Versions): Files {
  return frameOf(folder, "nodejs", [
    ["package.json", packageText(nameFor(folder), versions)],
    ["tsconfig.json", tsconfigText],
  ]);
}

/** The same for a project in YAML. */
export function yamlProjectFiles(folder: string): Files {
  return frameOf(folder, "yaml", []);
}

/** The same for a project in Python. */
export function pythonProjectFiles(folder: string): Files {
  return frameOf(folder, "python", [], "/venv/\n__pycache__/\n");
}

/** The same for a project in Go. */
export function goProjectFiles(folder: string): Files {
  return frameOf(folder, "go", [["go.mod", `module ${nameFor(folder)}\n\ngo 1.25\n`]]);
}

function frameOf(
  folder: string,
  runtime: string,
  own: readonly (readonly [file: string, text: string])[],
  ignored = "",
) {
  const name = stringify(nameFor(folder), { schema: "yaml-1.1" }).trim();
  const project = `name: ${name}\ndescription: What the feature console holds\nruntime: ${runtime}\n`;
  const files = new Map([["Pulumi.yaml", project], ...own, [".gitignore", `${ignored}${gitignoreText}`]]);
  for (const file of files.keys()) if (textOf(path.join(folder, file)) !== undefined) files.delete(file);
  if (projectIn(folder) !== undefined) files.delete("Pulumi.yaml");
  return files;
}

/** Without `main`, Pulumi would run the program of a package above. */
function packageText(name: string, { own, sdk }: Versions): string {
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
