import path from "node:path";
import { stringify } from "yaml";
import { configNamespace } from "../../provider/pulumi/provider-settings";
import { projectIn } from "../../provider/pulumi/runs/project-file";
import { notesFolder } from "../stack/import-manifest";
import { pluginFolder } from "../stack/plugin-folder";
import { nameFor, textOf } from "../stack/project";
import type { Files } from "./program/program";

/** Versions for a new package.json, as npm takes them. */
export interface Versions {
  readonly own: string;
  readonly sdk: string;
}

/** Files that a folder lacks to be a Pulumi project: written once, and then its owner's. */
export function projectFiles(folder: string, runtime: string, versions: Versions): Files {
  const name = nameFor(folder);
  const own: Readonly<Record<string, readonly (readonly [file: string, text: string])[]>> = {
    nodejs: [
      ["package.json", packageText(name, versions)],
      ["tsconfig.json", tsconfigText],
    ],
    go: [["go.mod", `module ${name}\n\ngo 1.25\n`]],
  };
  const called = stringify(name, { schema: "yaml-1.1" }).trim();
  const plugin = runtime === "nodejs" ? undefined : pluginFolder(folder);
  const project =
    `name: ${called}\ndescription: What the feature console holds\nruntime: ${runtime}\n` +
    (plugin === undefined ? "" : pluginText(plugin));
  const ignored = `${runtime === "python" ? "/venv/\n__pycache__/\n" : ""}${gitignoreText}`;
  const files = new Map([["Pulumi.yaml", project], ...(own[runtime] ?? []), [".gitignore", ignored]]);
  for (const file of files.keys()) if (textOf(path.join(folder, file)) !== undefined) files.delete(file);
  if (projectIn(folder) !== undefined) files.delete("Pulumi.yaml");
  return files;
}

/** Leads Pulumi to the plugin of the npm package. */
const pluginText = (folder: string) =>
  stringify({ plugins: { providers: [{ name: configNamespace, path: folder }] } });

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
