#!/usr/bin/env node
import { nodeProblem } from "../../node-version";
import { visibleLines } from "../../provider/texts/issue-text";
import { UsageError } from "../stack/usage-error";
import { type CommandName, commands, summaries } from "./commands";

/** Text of the overview. */
function overview(): string {
  const lines = Object.entries(summaries).map(([name, summary]) => `  ${name.padEnd(11)} ${summary}`);
  return `Usage: feature-console COMMAND [options]\n\n${lines.join("\n")}\n\nfeature-console COMMAND --help prints the options.\n`;
}

async function main([name, ...rest]: readonly string[]): Promise<number> {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) return failed(problem, 1);
  if (name === "--help" || name === "-h" || name === "help") return printed(overview());
  if (name === undefined || !Object.hasOwn(commands, name)) {
    const found = name === undefined ? "no command" : `unknown command "${name}"`;
    return failed(`feature-console: ${found}; commands: ${Object.keys(commands).join(", ")}`, 2);
  }
  try {
    const command = commands[name as CommandName]();
    const asksHelp = rest.includes("--help") || rest.includes("-h");
    return asksHelp ? printed(command.help) : await command.run(rest);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return failed(`feature-console ${name}: ${visibleLines(message)}`, error instanceof UsageError ? 2 : 1);
  }
}

function printed(text: string): number {
  process.stdout.write(text);
  return 0;
}

function failed(line: string, status: number): number {
  process.stderr.write(`${line}\n`);
  return status;
}

void main(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
