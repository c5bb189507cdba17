import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type HttpServer, serveHttp } from "../support/http-server";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench, readOnlyKey, testKey, told, withoutDebug } from "./bench";

jest.setTimeout(120_000);

const settled = `new fc.Gate("settled", { description: "There" });`;
let bench: Bench;
let page: HttpServer;
beforeAll(async () => {
  bench = await openBench();
  page = await serveHttp((_, answer) =>
    answer.setHeader("content-type", "text/html").end("<h1>Welcome</h1>"),
  );
  await bench.write(settled);
  await bench.stack.up();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await page?.close();
  await bench?.close();
});

test("several bad arguments of one resource are reported together, each with its path; nothing happens", async () => {
  const before = await bench.state();
  bench.emulator.clearRequests();
  await bench.write(`${settled}
new fc.Gate("checkout", {
  key: "ab",
  descripton: "New",
  isEnabled: "yes",
  rules: [{ name: "A", passPercentage: 101, conditions: [{ type: "email", operator: "is", targetValue: ["a"] }] }],
} as never);`);
  for (const result of [
    await bench.stack.preview({ mayFail: true }),
    await bench.stack.up({ mayFail: true }),
  ]) {
    expect(result.code).toBe(1);
    const about = result.errors.filter((text) => text.includes("'checkout'"));
    for (const [path, reason] of [
      ["key", "at least 3 characters"],
      ["descripton", 'did you mean "description"?'],
      ["isEnabled", "true or false is needed"],
      ["rules[0].passPercentage", "found 101; at most 100"],
      ["rules[0].conditions[0].operator", 'one of "any", "none"'],
    ] as const) {
      const [argument] = path.split("[");
      // Of a place inside an argument our text comes first, and not the value of the whole argument.
      const said = path === argument ? `property ${path} ` : `resource 'checkout' has a problem: ${path}: `;
      expect(about.filter((text) => text.includes(said) && text.includes(reason))).toHaveLength(1);
    }
    expect(about).toHaveLength(5);
    expect(about.join("\n")).not.toContain("<nil>");
    expect(result.errors.join("\n")).not.toMatch(/^\s+at /m);
  }
  expect(bench.emulator.requests).toEqual([]);
  expect(await bench.state()).toEqual(before);
});

test("missing settings: the profile is asked for, once, and nothing happens", async () => {
  const before = await bench.state();
  bench.emulator.clearRequests();
  await bench.write(`${settled}\nnew fc.Gate("checkout");`);
  const env = { FEATURE_CONSOLE_PROFILE: "", FEATURE_CONSOLE_BASE_URL: "", FEATURE_CONSOLE_API_KEY: "" };
  for (const result of [
    await bench.stack.preview({ mayFail: true, env }),
    await bench.stack.up({ mayFail: true, env }),
  ]) {
    expect(result.code).toBe(1);
    const about = result.errors.filter((text) => text.includes("profile"));
    expect(about).toEqual([
      expect.stringMatching(
        /has a problem: No profile is set: set it with "pulumi config set feature-console:profile embedded" .*\.\s*$/,
      ),
    ]);
  }
  expect(bench.emulator.requests).toEqual([]);
  expect(await bench.state()).toEqual(before);
});

test("each mistake in what a provider is given is said in a preview, and nothing is sent", async () => {
  const good = { profile: "custom", baseUrl: bench.emulator.url, apiKey: testKey };
  const cases: [object, RegExp][] = [
    [{ ...good, profile: "nope" }, /The profile "nope" is unknown: set it with .* embedded" /],
    [
      { profile: "custom", apiKey: testKey },
      /The profile "custom" needs an address: set it with .*feature-console:baseUrl/,
    ],
    [
      { profile: "custom", baseUrl: bench.emulator.url },
      /The profile "custom" needs a key: set it with .*--secret feature-console:apiKey/,
    ],
    [{ ...good, maxConcurrency: "many" }, /feature-console:maxConcurrency must be a number, but is "many"\./],
  ];
  // What the environment says would fill the gaps.
  const env = { FEATURE_CONSOLE_PROFILE: "", FEATURE_CONSOLE_BASE_URL: "", FEATURE_CONSOLE_API_KEY: "" };
  bench.emulator.clearRequests();
  for (const [args, message] of cases) {
    await bench.write(
      `new fc.Gate("mistaken", {}, { provider: new fc.Provider("for", ${JSON.stringify(args)} as never) });`,
    );
    const result = await bench.stack.preview({ mayFail: true, env });
    expect(result.code).toBe(1);
    expect(result.errors).toEqual([
      expect.stringMatching(message),
      expect.stringContaining("These settings are those of an explicit provider"),
    ]);
  }
  expect(bench.emulator.requests).toEqual([]);
});

test("what only a console can say of the settings has one message each, and no console is changed", async () => {
  const before = await bench.state();
  bench.emulator.clearRequests();
  const good = { profile: "custom", baseUrl: bench.emulator.url, apiKey: testKey };
  const wrongKey = `${testKey}-wrong`;
  // That of the environment goes to no address that only the program names.
  const otherKey = `${testKey}-other`;
  const cases: Record<string, [object, RegExp]> = {
    wrong: [{ ...good, apiKey: wrongKey }, /answered 401: .*\[hidden\]\. Check the key/],
    reading: [{ ...good, apiKey: readOnlyKey }, /answered 403: Forbidden resource\. .*do not allow it\.$/],
    closed: [
      { ...good, baseUrl: "http://127.0.0.1:1", apiKey: otherKey },
      /no answer from 127\.0\.0\.1:1 \(ECONNREFUSED\)\. Check feature-console:baseUrl/,
    ],
    page: [
      { ...good, baseUrl: page.url, apiKey: otherKey },
      /not the console's JSON \(text\/html\)\. Check that feature-console:baseUrl is the address of the API/,
    ],
  };
  const lines = Object.entries(cases).map(
    ([name, [args]]) =>
      `new fc.Gate("${name}", {}, { provider: new fc.Provider("for-${name}", ${JSON.stringify(args)} as never) });`,
  );
  await bench.write([settled, ...lines].join("\n"));
  const result = await bench.stack.up({ mayFail: true, args: ["--continue-on-error"] });
  expect(result.code).toBe(1);
  const expected = Object.entries(cases).map(([name, [, message]]) => [
    name,
    [expect.stringMatching(new RegExp(`^Cannot create gate "${name}": .*${message.source}`))],
  ]);
  // What belongs to no resource is Pulumi's own word on going on after an error.
  const { "": _, ...messages } = told(result);
  expect(messages).toEqual(Object.fromEntries(expected));
  const shown = withoutDebug(result.stdout + result.stderr);
  expect([testKey, "Welcome"].filter((text) => shown.includes(text))).toEqual([]);
  // A key that may read alone is asked for its project.
  const answered = bench.emulator.requests.filter(({ status }) => status < 400);
  expect(answered.map(({ path }) => path)).toEqual(["/console/v1/project"]);
  const after = await bench.state();
  expect(Object.keys(after).filter((name) => name in cases)).toEqual([]);
  expect(after.settled).toEqual(before.settled);
});

test("a refresh and a destroy that are refused say why, once, and lose nothing", async () => {
  await bench.write(settled);
  await bench.stack.up();
  const before = await bench.state();
  const env = { FEATURE_CONSOLE_API_KEY: `${testKey}-wrong` };
  const refreshed = await bench.stack.refresh({ mayFail: true, env });
  const destroyed = await bench.stack.destroy({ mayFail: true, env });
  for (const [verb, result] of [
    ["read", refreshed],
    ["delete", destroyed],
  ] as const) {
    expect(result.code).toBe(1);
    const { settled: about = [], ...elsewhere } = told(result);
    expect(about).toEqual([
      expect.stringMatching(new RegExp(`^Cannot ${verb} gate "settled": .* answered 401: .*Check the key`)),
    ]);
    // Pulumi's host writes a line of its own.
    const pointer = `Cannot ${verb} gate "settled": the reason is in the error of that resource.`;
    expect(Object.values(elsewhere).flat()).toEqual([pointer]);
  }
  expect(await bench.state()).toEqual(before);
  expect((await bench.raw.gate.get({ id: "settled" })).status).toBe("In Progress");
});
