import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench } from "./bench";

jest.setTimeout(240_000);

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

const program = (from: number, to: number) => `
const ids = Array.from({ length: ${to - from} }, (_, index) => \`user-\${index + ${from}}\`);
export const vip = new fc.Segment("vip", { type: "id_list", ids }).ids;
new fc.Segment("hidden", { type: "id_list", ids: pulumi.secret(["user-a", "user-b"]) });
new fc.Segment("asset", { type: "id_list", ids: new pulumi.asset.StringAsset("user-c\\nuser-d") });`;

test("a preview says how many ids come and go, once; state holds no id; an up says no more and sends only that", async () => {
  await bench.write(program(0, 2000));
  await bench.stack.up();
  const text = JSON.stringify(await bench.stack.exportStack());
  expect(text).not.toContain("user-");
  const { vip, hidden } = (await bench.state()) as Record<
    string,
    { inputs: Record<string, unknown>; outputs: Record<string, unknown> }
  >;
  expect(vip?.inputs.ids).toMatchObject({ count: 2000 });
  expect(hidden).toMatchObject({
    inputs: { ids: { ciphertext: "" } },
    outputs: { ids: { ciphertext: "" }, __ids: { ciphertext: "" } },
  });
  expect((await bench.raw.segment.getIdList({ id: "asset" })).ids).toEqual(["user-c", "user-d"]);

  await bench.write(program(12, 3234));
  bench.emulator.clearRequests();
  const { stdout, stderr } = await bench.stack.run(["preview", "--diff"]);
  const printed = stdout + stderr;
  expect(printed.match(/segment "vip": ids \+1,234 \/ −12/g)).toHaveLength(1);
  expect(printed).toMatch(/~ count: 2000 => 3222/);
  expect(printed.length).toBeLessThan(3000);
  expect(bench.emulator.requests).toEqual([]);
  const up = await bench.stack.up();
  expect(up.stdout).not.toContain("−12");
  const sent = bench.emulator.requests.filter(({ method }) => method !== "GET");
  expect(sent.map(({ route }) => route)).toEqual(["addIds", "removeIds"]);
  expect((await bench.raw.segment.getIdList({ id: "vip" })).count).toBe(3222);
});
