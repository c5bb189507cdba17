#!/usr/bin/env node
import "../../embedded-console";
import { nodeProblem } from "../../node-version";
import { visibleLines } from "../../provider/texts/issue-text";
import { guess } from "../../provider/texts/misspelling";
import { UsageError } from "../stack/project";
import { type CommandName, commands, overview } from "./commands";

function overviewText(): string {
  const parts = overview.map(({ group, entries }) => {
    const lines = entries.map(([name, { summary }]) => `  ${name.padEnd(11)} ${summary}\n`);
    return `${group}\n${lines.join("")}`;
  });
  return `Usage: feature-console COMMAND [options]\n\n${parts.join("\n")}\nfeature-console COMMAND --help prints the options of a command.\n`;
}

async function main([name, ...rest]: readonly string[]): Promise<number> {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) return failed(problem, 1);
  if (name === "--help" || name === "-h" || name === "help") return printed(overviewText());
  if (name === "--version" || name === "-v") return printed(`${versions().own}\n`);
  if (name === undefined || !Object.hasOwn(commands, name)) {
    const found = name === undefined ? "no command" : `unknown command "${name}"`;
    const names = Object.keys(commands);
    const advice = guess(name ?? "", names, (meant) => meant) || `; commands: ${names.join(", ")}`;
    return failed(`feature-console: ${found}${advice}`, 2);
  }
  try {
    const command = commands[name as CommandName].load();
    const asked = rest.findIndex((word) => word === "--help" || word === "-h");
    if (asked < 0) return await command.run(rest);
    return printed(command.topics[rest[asked + 1] ?? ""] ?? command.help);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return failed(`feature-console ${name}: ${visibleLines(message)}`, error instanceof UsageError ? 2 : 1);
  }
}

function versions() {
  return (require("./command") as typeof import("./command")).versions();
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
