#!/usr/bin/env node
import "./node-guard";

import { visibleLines } from "../../provider/texts/issue-text";
import { type Command, UsageError } from "./command";
import { compare } from "./compare";
import { doctor } from "./doctor";
import { drift } from "./drift";
import { emulate } from "./emulate";
import { evaluate } from "./evaluate";
import { explain } from "./explain";
import { history } from "./history";
import { importCommand } from "./import";
import { promote } from "./promote";
import { report } from "./report";
import { reviews } from "./reviews";
import { rollback } from "./rollback";
import { verify } from "./verify";
import { yamlSchema } from "./yaml-schema";

/** Every command by its name. */
const commands: Readonly<Record<string, Command>> = {
  compare,
  doctor,
  drift,
  emulate,
  evaluate,
  explain,
  history,
  import: importCommand,
  promote,
  report,
  reviews,
  rollback,
  verify,
  "yaml-schema": yamlSchema,
};

/** Text of the overview. */
function overview(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(11)} ${summary}`);
  return `Usage: feature-console COMMAND [options]\n\n${lines.join("\n")}\n\nfeature-console COMMAND --help prints the options.\n`;
}

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(overview());
    return 0;
  }
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    const known = Object.keys(commands).join(", ");
    process.stderr.write(
      `feature-console: ${name === undefined ? "no command" : `unknown command "${name}"`}; commands: ${known}\n`,
    );
    return 2;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    process.stdout.write(command.help);
    return 0;
  }
  try {
    return await command.run(rest);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`feature-console ${name}: ${visibleLines(message)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

main(process.argv.slice(2)).then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    process.stderr.write(`feature-console: ${String(error)}\n`);
    process.exitCode = 1;
  },
);
