import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench } from "./bench";

jest.setTimeout(300_000);

let bench: Bench;

/** Gate A fails gate B while B passes A: by their ids, since a program cannot use either before it is declared. */
const program = (options: string) => `
const gate = (name: string, type: "fails_gate" | "passes_gate", other: string) =>
  new fc.Gate(name, { ${options} rules: [{ name: "Other", passPercentage: 100, conditions: [{ type, targetValue: other }] }] });
gate("gate_a", "fails_gate", "gate_b");
gate("gate_b", "passes_gate", "gate_a");
`;

beforeAll(async () => {
  bench = await openBench();
  await bench.write(program(""));
}, FIRST_CLI_TIMEOUT_MS);

afterAll(() => bench?.close());

test("two gates that refer to each other by id are made in one go", async () => {
  await bench.stack.up();
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});

test("destroyed, they are refused with what helps, and go with it", async () => {
  const refused = await bench.stack.destroy({ mayFail: true });
  expect(refused.code).not.toBe(0);
  expect(refused.errors.join("\n")).toContain("forceArchive: true on both");
  await bench.write(program("forceArchive: true,"));
  await bench.stack.up();
  await bench.stack.destroy();
  for (const id of ["gate_a", "gate_b"]) expect((await bench.raw.gate.get({ id })).status).toBe("Archived");
});
