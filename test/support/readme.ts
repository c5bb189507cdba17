import { readFile } from "node:fs/promises";
import path from "node:path";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";

/** The code blocks of README.md below a heading, in their order. */
async function blocksBelow(heading: string): Promise<string[]> {
  const text = await readFile(path.join(repositoryRoot, "README.md"), "utf8");
  const section = text.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");
}

const trial = '{ name: "Trial", passPercentage: 5, conditions: [{ type: "public" }] }';

/** The program after the change whose pictures README.md shows. */
function changed(program: string): string {
  return program
    .replace("passPercentage: 10,", "passPercentage: 50,")
    .replace('"@example.com"', '"@example.com", "@example.org"')
    .replace("export const", `new fc.Gate("pay_later", { rules: [${trial}] });\nexport const`);
}

/** What README.md says, by what it is for. */
export async function readReadme() {
  const [program = ""] = await blocksBelow("A program");
  const [packing = "", project = "", commands = "", another = ""] = await blocksBelow("In your own project");
  return {
    ...{ program, changed: changed(program), project },
    packing: lines(packing),
    commands: lines(commands),
    another: lines(another),
  };
}

/** The lines of a text that are not empty. */
export const lines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

/** What README.md says. */
export type Readme = Awaited<ReturnType<typeof readReadme>>;
