import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, jest, test } from "@jest/globals";
import { defineCommand, type Given } from "../../src/tools/cli/command";
import { commands, overview } from "../../src/tools/cli/commands";
import { compare } from "../../src/tools/cli/compare";
import { drift } from "../../src/tools/cli/drift";
import { requireReplaceable, requireWritable, writeNamedFile } from "../../src/tools/cli/named-files";
import { confirmAndWrite } from "../../src/tools/cli/planned-change";
import { promote } from "../../src/tools/cli/promote";
import { rollback } from "../../src/tools/cli/rollback";
import type { Acceptance, ProgramPorts } from "../../src/tools/rewrite/into-program";
import { folderOfFile, freshFolder } from "../support/folders";
import { runCommand } from "./run-command";

const parameters = {
  FLAG: "The flag",
  "[PLACE]": "A place in it",
  "[NAME...]": "Names",
  "--json": "Print JSON",
  "--stack NAME": "The stack",
  "--limit on|off": "Limits",
  "--person KEY=EMAIL...": "People",
  "--kinds A,B": "Kinds",
} as const;

const ran: Given<typeof parameters>[] = [];
const command = defineCommand({
  name: "look",
  about: "Looks.",
  examples: ["look a --limit on"],
  parameters,
  exit: { 7: "it is there" },
  run: async (given) => ran.push(given),
});

test("the table gives each argument its type and its name", async () => {
  await command.run(["a", "b", "c", "d", "--limit=on", "--person", "k=1", "--person", "k=2"]);
  await command.run(["a", "--json", "--stack", "dev", "--kinds", "x, y,"]);
  expect(ran).toEqual([
    { FLAG: "a", PLACE: "b", NAME: ["c", "d"], json: false, limit: "on", person: ["k=1", "k=2"] },
    { FLAG: "a", PLACE: undefined, NAME: [], json: true, stack: "dev", person: [], kinds: ["x", "y"] },
  ]);
});

test.each([
  [[], "FLAG is missing: feature-console look FLAG [PLACE] [NAME...] [options]"],
  [["a", "--limit", "no"], '--limit takes on or off, not "no"'],
  [["a", "--stack="], "--stack takes a value"],
  [["a", "--person", ""], "--person takes a value"],
  [["a", "--stack"], "--stack takes a value"],
  [["a", "--stack", "-1"], "--stack takes a value; one that begins with a dash is given as --stack=-…"],
  [["a", "--kinds", " ,"], "--kinds takes a list such as a,b"],
  [["a", "--jsn"], "Unknown option '--jsn'; did you mean --json?"],
])("%j is wrong usage", async (args, errors) => {
  expect(await runCommand(command, args)).toEqual({ status: 2, out: "", errors: `${errors}\n` });
});

test("a command without operands takes none, and one takes no more than it has", async () => {
  const run = async () => 0;
  const bare = defineCommand({
    name: "bare",
    about: "",
    examples: [],
    parameters: { "--json": "JSON" },
    run,
  });
  await expect(bare.run(["8080"])).rejects.toThrow("Unexpected argument '8080'");
  const one = defineCommand({ name: "one", about: "", examples: [], parameters: { FLAG: "The flag" }, run });
  await expect(one.run(["a", "b"])).rejects.toThrow(
    '"b" is one too many: feature-console one FLAG [options]',
  );
});

test("the help has a line for each argument and for each exit status", () => {
  expect(command.help).toBe(`Usage: feature-console look FLAG [PLACE] [NAME...] [options]

Looks.

  look a --limit on

  FLAG                  The flag
  [PLACE]               A place in it
  [NAME...]             Names
  --json                Print JSON
  --stack NAME          The stack
  --limit on|off        Limits
  --person KEY=EMAIL... People
  --kinds A,B           Kinds
  --help                This text

Exit status: 0 done; 1 it failed; 2 wrong usage; 7 it is there.
`);
});

const everyCommand = overview.flatMap(({ entries }) => entries);
test.each(everyCommand)(
  "the help of %s fits a terminal, and shows examples of its options",
  (name, { load }) => {
    const { help, topics } = load();
    // A word that has no blank, such as an address, may be longer.
    const wide = [help, ...Object.values(topics)].join("\n").match(/^(?=.{81,}).* .*$/gm) ?? [];
    expect(wide.filter((line) => !line.startsWith("  feature-console"))).toEqual([]);
    const examples = help.split("\n").filter((line) => line.includes(`feature-console ${name} `));
    expect(examples.length).toBeGreaterThan(1);
    const options = examples.flatMap(
      (line) =>
        line
          .split(/feature-console /)
          .at(-1)
          ?.match(/--[\w-]+/g) ?? [],
    );
    for (const option of options) expect(help).toMatch(new RegExp(`^  ${option}\\b`, "m"));
  },
);

test("every command stands in one group of the overview", () => {
  expect(everyCommand.map(([name]) => name).sort()).toEqual(Object.keys(commands).sort());
});

test("no command is loaded before it is called", () => {
  jest.isolateModules(() => {
    jest.doMock("../../src/tools/cli/command", () => {
      throw new Error("loaded");
    });
    const { commands } =
      require("../../src/tools/cli/commands") as typeof import("../../src/tools/cli/commands");
    for (const { load } of Object.values(commands)) expect(load).toThrow("loaded");
  });
});

const folder = folderOfFile();

const modeOf = (file: string) => statSync(file).mode & 0o777;

test("a new file is for this user alone; one that is there keeps its mode", () => {
  const [fresh, shared] = [path.join(folder, "report.md"), path.join(folder, "shared.md")];
  writeFileSync(shared, "one");
  chmodSync(shared, 0o644);
  for (const file of [fresh, shared]) writeNamedFile("--out", file, "text");
  expect([fresh, shared].map(modeOf)).toEqual([0o600, 0o644]);
});

test("a file and a folder that are read-only are refused before any work", () => {
  const file = path.join(folder, "report.md");
  writeFileSync(file, "one");
  chmodSync(file, 0o444);
  for (const require of [requireWritable, requireReplaceable])
    expect(() => require("--out", file)).toThrow(
      /^--out .*report\.md cannot be written: it is read-only; "chmod u\+w/,
    );
  chmodSync(folder, 0o555);
  for (const require of [requireWritable, requireReplaceable])
    expect(() => require("--out", path.join(folder, "new.md"))).toThrow(/its folder is read-only/);
  chmodSync(folder, 0o755);
  expect(readFileSync(file, "utf8")).toBe("one");
});

test("a device takes what is written", () => {
  for (const require of [requireWritable, () => writeNamedFile("--out", "/dev/null", "text")])
    expect(() => require("--out", "/dev/null")).not.toThrow();
});

test.each<[string, string[], string]>([
  ["one stack", ["dev"], "TO is missing: feature-console promote FROM TO [NAME...] [options]"],
  ["one stack twice", ["dev", "dev"], 'both stacks are "dev"'],
  ["one stack by two names", ["dev", "acme/shop/dev"], 'both stacks are "dev"'],
  ["a first --keep that is none", ["dev", "prod", "--keep", "all", "--keep", "ids"], "all"],
  ["a second --keep that is none", ["dev", "prod", "--keep", "percentages", "--keep", "all"], "all"],
])("%s is refused before anything is read", async (_, args, text) => {
  await expect(promote.run([...args, "--yes"])).rejects.toThrow(text);
});

test("outside a project, a command says where to run it", async () => {
  const cwd = freshFolder();
  for (const [command, ...args] of [
    [promote, "dev", "prod"],
    [rollback, "checkout", "--to", "1"],
    [compare, "dev", "prod"],
    [drift],
  ] as const)
    expect(await runCommand(command, args, { cwd })).toMatchObject({
      status: 2,
      errors: expect.stringContaining("there is no Pulumi.yaml here or above: run it in the folder of your"),
    });
  const place = { cwd, env: { PATH: "" } };
  const { errors } = await runCommand(compare, ["acme/shop/dev", "acme/shop/prod"], place);
  expect(errors).toContain("the Pulumi CLI does not start");
});

test("where no person can answer, the plan is shown and nothing is written", async () => {
  const acceptance = { changes: new Map([["index.ts", {}]]), outcomes: [] } as unknown as Acceptance;
  const options = { patch: false, yes: false };
  const written = confirmAndWrite("The plan.\n", acceptance, freshFolder(), {} as ProgramPorts, options);
  await expect(written).rejects.toThrow("nothing is written: give --yes, or --patch, where no person can");
});
