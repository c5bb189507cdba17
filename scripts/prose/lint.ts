import { readFileSync } from "node:fs";
import path from "node:path";
import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import { programTexts } from "./program-texts.ts";
import { sentenceRule } from "./rules.ts";

/** A sentence that breaks a rule of language. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

const kernel = new TextlintKernel();

/** The findings in the files, which are paths below `root`: pages, and the messages and trait docs of programs. */
export async function lintFiles(root: string, files: readonly string[]): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const file of files) {
    const source = readFileSync(path.join(root, file), "utf8");
    const texts = file.endsWith(".md") ? [{ line: 1, text: source }] : programTexts(file, source);
    for (const { line, text } of texts)
      for (const finding of await lintMarkdown(text))
        found.push({ file, line: file.endsWith(".md") ? finding.line : line, message: finding.message });
  }
  return found;
}

/** The findings in a text. */
export async function lintMarkdown(text: string): Promise<{ line: number; message: string }[]> {
  const { messages } = await kernel.lintText(text, {
    filePath: "page.md",
    ext: ".md",
    plugins: [{ pluginId: "markdown", plugin: markdown }],
    rules: [{ ruleId: "sentence", rule: sentenceRule }],
  });
  return messages.map(({ line, message }) => ({ line, message }));
}
