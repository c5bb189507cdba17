import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench } from "./bench";

jest.setTimeout(600_000);

const flags = (description: string) => `import * as fc from "pulumi-feature-console";

new fc.Gate("checkout", {
  description: "${description}", // the shop's
});
`;
const settings = (stack: string) =>
  `config:\n  feature-console:profile: embedded\n  feature-console:embeddedPath: .feature-console/${stack}.db\n`;

let bench: Bench;
beforeAll(async () => {
  bench = await openBench({});
  const { project } = bench;
  const compiler = JSON.parse(await readFile(path.join(project.folder, "tsconfig.json"), "utf8"));
  // The compiler cannot tell the root of what only the name of the stack leads to.
  compiler.compilerOptions.rootDir = ".";
  await project.write("tsconfig.json", JSON.stringify(compiler));
  await project.setProgram(
    'import * as pulumi from "@pulumi/pulumi";\n\nrequire("./" + pulumi.getStack() + "/flags");\n',
  );
  for (const [stack, text] of [
    ["dev", "New"],
    ["prod", "Old"],
  ] as const) {
    await project.setProgram(flags(text), `${stack}/flags.ts`);
    await project.write(`Pulumi.${stack}.yaml`, settings(stack));
    await bench.stack.run(["stack", "init", stack]);
    const up = await bench.stack.run(["up", "--stack", stack, "--yes", "--skip-preview"]);
    expect([up.code, up.code === 0 ? "" : up.stdout + up.stderr]).toEqual([0, ""]);
  }
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

const command = (...args: string[]) => bench.command(...args);

const programOf = (stack: string) => readFile(path.join(bench.project.folder, stack, "flags.ts"), "utf8");

test("a release manager promotes dev's folder to prod's, and compare finds no difference", async () => {
  const asked = await command("promote", "dev", "prod");
  expect(asked.stderr).toContain("give --yes, --dry-run or --patch where no person can answer");
  const dry = await command("promote", "dev", "prod", "--dry-run");
  expect(dry.stdout).toContain('gate "checkout"\n  description Old → New\n');
  expect(await programOf("prod")).toBe(flags("Old"));
  const { code, stderr } = await command("promote", "dev", "prod", "checkout", "--yes");
  expect(stderr).toContain('Changed prod/flags.ts.\n"pulumi up --stack prod" brings the console there.');
  expect([asked.code, dry.code, code]).toEqual([2, 0, 0]);
  expect([await programOf("prod"), await programOf("dev")]).toEqual([flags("New"), flags("New")]);
  await bench.stack.run(["up", "--stack", "prod", "--yes", "--skip-preview"]);
  const compared = await command("compare", "dev", "prod");
  expect([compared.code, compared.stdout]).toEqual([
    0,
    expect.stringContaining("0 objects differ, 1 the same."),
  ]);
  const unknown = await command("promote", "dev", "prod", "chekout", "--yes");
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean "checkout"?')]);
});
