import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { createClient } from "../../src/client";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createStack, FIRST_CLI_TIMEOUT_MS, type PulumiStack } from "../support/pulumi-cli";

jest.setTimeout(300_000);

const key = ["console", "test"].join("-");
let emulator: RunningEmulator;
let project: PackedProject;
let stack: PulumiStack;

const program = (
  names: readonly string[],
  { args = "", options = "" } = {},
) => `import * as fc from "pulumi-feature-console";
${names.map((name) => `new fc.Gate("${name}", { key: "flag_one", name: "Flag one"${args} }${options});`).join("\n")}
new fc.Tag("kept", { description: "Stays" });
`;

beforeAll(async () => {
  emulator = await startEmulator({ profile: "custom", key });
  project = await createPackedProject({ program: program(["old"]) });
  stack = await createStack(project, {
    env: {
      FEATURE_CONSOLE_PROFILE: "custom",
      FEATURE_CONSOLE_BASE_URL: emulator.url,
      FEATURE_CONSOLE_API_KEY: key,
    },
  });
  await stack.up();
}, FIRST_CLI_TIMEOUT_MS);

afterAll(async () => {
  await stack?.remove();
  await project?.remove();
  await emulator?.close();
});

const status = async () => {
  const raw = createClient({ profile: "custom", baseUrl: emulator.url, apiKey: key });
  return (await raw.gate.get({ id: "flag_one" })).status;
};

async function urnOf(name: string): Promise<string> {
  const { deployment } = await stack.exportStack();
  const found = deployment.resources?.find(({ urn }) => urn.endsWith(`::${name}`));
  if (found === undefined) throw new Error(`no ${name} in state`);
  return found.urn;
}

const writes = () =>
  emulator.requests.flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path}`]));

test("a gate that somebody has replaced stays: Pulumi makes the new one first, and finds it there", async () => {
  emulator.clearRequests();
  await stack.up({ args: ["--replace", await urnOf("old")] });
  expect(writes()).toEqual(["POST /console/v1/gates"]);
  expect(await status()).toBe("In Progress");
  await stack.preview({ args: ["--expect-no-changes"] });
});

test("with deleteBeforeReplace it is archived and brought back", async () => {
  await project.setProgram(program(["old"], { options: ", { deleteBeforeReplace: true }" }));
  emulator.clearRequests();
  await stack.up({ args: ["--replace", await urnOf("old")] });
  expect(writes()).toContain("PUT /console/v1/gates/flag_one/archive");
  expect(await status()).toBe("In Progress");
  await stack.preview({ args: ["--expect-no-changes"] });
});

test("one that was renamed without an alias stays, with a refresh in the same run too", async () => {
  await project.setProgram(program(["renamed"], { args: ", adopt: true" }));
  await stack.up({ args: ["--refresh"] });
  expect(await status()).toBe("In Progress");
  await stack.preview({ args: ["--expect-no-changes"] });
});

test("one that the program drops goes, with a refresh in the same run too", async () => {
  await project.setProgram(program([]));
  await stack.up({ args: ["--refresh"] });
  expect(await status()).toBe("Archived");
});

test("a destroy that runs the program takes everything", async () => {
  await project.setProgram(program(["again"]));
  await stack.up();
  await stack.destroy({ args: ["--run-program"] });
  expect(await status()).toBe("Archived");
});

test("a replacement that failed half way and was taken back in the program is made whole", async () => {
  await project.setProgram(program(["again"]));
  await stack.up();
  await project.setProgram(program(["again"], { args: ', idType: "companyID"' }));
  emulator.addFaults([
    { method: "POST", path: "/gates", status: 403, body: { message: "not now" }, times: 1 },
  ]);
  expect((await stack.up({ mayFail: true })).errors.join()).toContain("not now");
  expect(await status()).toBe("Archived");
  await project.setProgram(program(["again"]));
  await stack.up();
  expect(await status()).toBe("In Progress");
  await stack.preview({ args: ["--expect-no-changes"] });
});

test("replaceOnChanges takes over what is there: a key can have one gate at a time", async () => {
  const options = ', { replaceOnChanges: ["description"] }';
  await project.setProgram(program(["again"], { args: ', adopt: true, description: "New"', options }));
  await stack.up();
  expect(await status()).toBe("In Progress");
  await stack.preview({ args: ["--expect-no-changes"] });
});
