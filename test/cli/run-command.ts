import { Readable } from "node:stream";
import { jest } from "@jest/globals";
import { type Command, UsageError } from "../../src/tools/cli/command";

export interface Ended {
  readonly status: number;
  readonly out: string;
  readonly errors: string;
}

/** Where a command runs. `input`: all of its standard input; `onOut`: called with what it has printed so far. */
export interface Place {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly input?: string;
  readonly onOut?: (out: string) => void;
}

/** Runs a command in this process as the command line does, which ends with 2 for wrong usage and with 1 for every other error. */
export async function runCommand(
  command: Command,
  args: readonly string[],
  { env = {}, cwd = process.cwd(), input = "", onOut = () => {} }: Place = {},
): Promise<Ended> {
  const said = { out: "", errors: "" };
  const noted = (stream: NodeJS.WriteStream, name: keyof typeof said) =>
    jest.spyOn(stream, "write").mockImplementation((text) => {
      said[name] += String(text);
      if (name === "out") onOut(said.out);
      return true;
    });
  const spies = [noted(process.stdout, "out"), noted(process.stderr, "errors")];
  const before = {
    env: process.env,
    cwd: process.cwd(),
    stdin: Object.getOwnPropertyDescriptor(process, "stdin"),
  };
  process.env = { ...before.env, ...env };
  process.chdir(cwd);
  Object.defineProperty(process, "stdin", { value: Readable.from([input]), configurable: true });
  try {
    return { status: await command.run(args), ...said };
  } catch (error) {
    return {
      status: error instanceof UsageError ? 2 : 1,
      out: said.out,
      errors: `${(error as Error).message}\n`,
    };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.env = before.env;
    process.chdir(before.cwd);
    if (before.stdin !== undefined) Object.defineProperty(process, "stdin", before.stdin);
  }
}
