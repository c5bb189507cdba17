import { readFile } from "node:fs/promises";
import path from "node:path";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";

/** The code blocks of README.md below a heading, in their order. */
async function blocksBelow(heading: string): Promise<string[]> {
  const text = await readFile(path.join(repositoryRoot, "README.md"), "utf8");
  const section = text.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");
}

/** What README.md says, by what it is for. */
export async function readReadme() {
  const [program = "", screen = ""] = await blocksBelow("A program");
  const [packing = "", project = "", commands = "", another = ""] = await blocksBelow("In your own project");
  return {
    ...{ program, screen, project },
    packing: lines(packing),
    commands: lines(commands),
    another: lines(another),
  };
}

/** The lines of a text that are not empty. */
export const lines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

/** What README.md says. */
export type Readme = Awaited<ReturnType<typeof readReadme>>;
