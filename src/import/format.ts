import type { Files, Program } from "./program";

/**
 * The files of a program, its TypeScript as Prettier writes it without any settings. Part by part, because a whole file of
 * thousands of resources takes hundreds of megabytes.
 */
export async function formatted({ code, texts }: Program): Promise<Files> {
  // No other command has any use for it. Its parts are named one by one, because as a whole it looks for settings.
  const prettier = require("prettier/standalone") as typeof import("prettier/standalone");
  const plugins = [
    require("prettier/plugins/typescript") as typeof import("prettier/plugins/typescript"),
    require("prettier/plugins/estree") as typeof import("prettier/plugins/estree"),
  ];
  const files = new Map(texts);
  for (const [file, parts] of code) {
    const done: string[] = [];
    for (const part of parts) done.push(await prettier.format(part, { parser: "typescript", plugins }));
    files.set(file, done.join("\n"));
  }
  return files;
}
