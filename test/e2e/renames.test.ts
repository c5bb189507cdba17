import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench } from "./bench";

jest.setTimeout(300_000);

let bench: Bench;

const program = (names: readonly string[], { args = "", options = "" } = {}) => `
${names.map((name) => `new fc.Gate("${name}", { key: "flag_one", name: "Flag one"${args} }${options});`).join("\n")}
new fc.Tag("kept", { description: "Stays" });
`;

beforeAll(async () => {
  bench = await openBench();
  await bench.write(program(["old"]));
  await bench.stack.up();
}, FIRST_CLI_TIMEOUT_MS);

afterAll(() => bench?.close());

const status = async () => (await bench.raw.gate.get({ id: "flag_one" })).status;

async function urnOf(name: string): Promise<string> {
  const { deployment } = await bench.stack.exportStack();
  const found = deployment.resources?.find(({ urn }) => urn.endsWith(`::${name}`));
  if (found === undefined) throw new Error(`no ${name} in state`);
  return found.urn;
}

const writes = () =>
  bench.emulator.requests.flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path}`]));

test("a gate that somebody has replaced stays: Pulumi makes the new one first, and finds it there", async () => {
  bench.emulator.clearRequests();
  await bench.stack.up({ args: ["--replace", await urnOf("old")] });
  expect(writes()).toEqual(["POST /console/v1/gates"]);
  expect(await status()).toBe("In Progress");
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});

test("with deleteBeforeReplace it is archived and brought back", async () => {
  await bench.write(program(["old"], { options: ", { deleteBeforeReplace: true }" }));
  bench.emulator.clearRequests();
  await bench.stack.up({ args: ["--replace", await urnOf("old")] });
  expect(writes()).toContain("PUT /console/v1/gates/flag_one/archive");
  expect(await status()).toBe("In Progress");
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});

test("one that was renamed without an alias stays, with a refresh in the same run too", async () => {
  await bench.write(program(["renamed"], { args: ", adopt: true" }));
  await bench.stack.up({ args: ["--refresh"] });
  expect(await status()).toBe("In Progress");
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});

test("one that the program drops goes, with a refresh in the same run too", async () => {
  await bench.write(program([]));
  await bench.stack.up({ args: ["--refresh"] });
  expect(await status()).toBe("Archived");
});

test("a destroy that runs the program takes everything", async () => {
  await bench.write(program(["again"]));
  await bench.stack.up();
  await bench.stack.destroy({ args: ["--run-program"] });
  expect(await status()).toBe("Archived");
});

test("a replacement that failed half way and was taken back in the program is made whole", async () => {
  await bench.write(program(["again"]));
  await bench.stack.up();
  await bench.write(program(["again"], { args: ', idType: "companyID"' }));
  bench.emulator.addFaults([
    { method: "POST", path: "/gates", status: 403, body: { message: "not now" }, times: 1 },
  ]);
  expect((await bench.stack.up({ mayFail: true })).errors.join()).toContain("not now");
  expect(await status()).toBe("Archived");
  await bench.write(program(["again"]));
  await bench.stack.up();
  expect(await status()).toBe("In Progress");
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});

test("replaceOnChanges takes over what is there: a key can have one gate at a time", async () => {
  const options = ', { replaceOnChanges: ["description"] }';
  await bench.write(program(["again"], { args: ', adopt: true, description: "New"', options }));
  await bench.stack.up();
  expect(await status()).toBe("In Progress");
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});
