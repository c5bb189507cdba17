import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import type { JsonObject } from "../../src/provider/schema/json";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { allOf } from "../support/raw-client";
import { base64Forms, contentOf } from "../support/text-on-disk";
import { type Bench, openBench, withoutDebug } from "./bench";

jest.setTimeout(180_000);

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

const program = (rotation: string, rest = "") => `
const key = new fc.Key("servers", { description: "Servers", type: "SERVER", rotation: "${rotation}"${rest} });
// What takes the value is hidden with it.
export const value = key.value;
export const id = key.id;`;

const keys = () => allOf(bench.raw.key.list());

test("made, refreshed, rotated, failed at and destroyed, a key is in no output, no state and no file", async () => {
  const said: string[] = [];
  const noted = (result: { stdout: string; stderr: string }) => said.push(result.stdout + result.stderr);
  const values = new Set<string>();
  const note = async () => {
    for (const { key } of await keys()) values.add(String(key));
    noted(await bench.stack.run(["stack", "export"]));
    noted(await bench.stack.run(["stack", "output", "--json"]));
    noted(await bench.stack.run(["stack", "--show-urns", "--show-ids"]));
  };
  await bench.write(program("1"));
  noted(await bench.stack.preview({ args: ["--diff"] }));
  noted(await bench.stack.up({ args: ["--diff"] }));
  await note();
  noted(await bench.stack.preview({ args: ["--expect-no-changes"] }));
  noted(await bench.stack.refresh({ args: ["--expect-no-changes"] }));
  await note();

  await bench.write(program("2"));
  noted(await bench.stack.preview({ args: ["--diff"] }));
  noted(await bench.stack.up({ args: ["--diff"] }));
  await note();
  expect(await keys()).toHaveLength(1);

  await bench.write(program("3", ', onRotation: "keep"'));
  noted(await bench.stack.up({ args: ["--diff"] }));
  await note();
  expect((await keys()).map(({ status }) => status)).toEqual(["active", "active"]);

  const echo = { status: 400, message: `Not with ${[...values].join(" ")}` };
  await bench.write(program("4"));
  bench.emulator.addFaults([{ method: "PATCH", times: 1, status: 400, body: echo }]);
  noted(await bench.stack.up({ mayFail: true, args: ["--diff"] }));
  bench.emulator.addFaults([{ method: "GET", times: 1, status: 400, body: echo }]);
  noted(await bench.stack.refresh({ mayFail: true }));
  await note();
  noted(await bench.stack.up());
  await note();
  noted(await bench.stack.destroy());
  await note();
  expect((await keys()).map(({ status }) => status).sort()).toEqual(["active", "deactivated"]);

  expect(values.size).toBe(4);
  const outputs = withoutDebug(said.join("\n"));
  expect(outputs).toContain("[secret]");
  expect(outputs).toContain("Not with [hidden]");
  const disk = await contentOf(folders());
  expect(disk.length).toBeGreaterThan(5);
  for (const value of values) {
    for (const form of [value, ...base64Forms(value)]) {
      const lines = outputs.split("\n").filter((line) => line.includes(form));
      expect([form, lines]).toEqual([form, []]);
      expect(disk.filter(({ text }) => text.includes(form)).map(({ file }) => file)).toEqual([]);
    }
  }
});

/** Everything of this run on disk: state, backups, Pulumi's home, the project. */
function folders(): string[] {
  const { PULUMI_HOME = "", PULUMI_BACKEND_URL = "" } = bench.stack.env;
  return [PULUMI_HOME, fileURLToPath(PULUMI_BACKEND_URL), bench.project.folder];
}
