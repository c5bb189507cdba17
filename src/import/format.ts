import type { Files } from "./program";

/** Formats the TypeScript of a program as Prettier does without any settings. Other files stay as they are. */
export async function formatted(files: Files): Promise<Files> {
  // No other command has any use for it. Its parts are named one by one, because as a whole it looks for settings.
  const prettier = require("prettier/standalone") as typeof import("prettier/standalone");
  const plugins = [
    require("prettier/plugins/typescript") as typeof import("prettier/plugins/typescript"),
    require("prettier/plugins/estree") as typeof import("prettier/plugins/estree"),
  ];
  const done = new Map<string, string>();
  for (const [file, text] of files)
    done.set(
      file,
      file.endsWith(".ts") ? await prettier.format(text, { parser: "typescript", plugins }) : text,
    );
  return done;
}
