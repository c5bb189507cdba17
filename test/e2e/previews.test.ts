import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type HttpServer, serveHttp } from "../support/http-server";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import {
  type Bench,
  nameOf,
  openBench,
  readOnlyKey,
  testKey,
  told,
  toldInAll,
  withoutDebug,
  writesTo,
} from "./bench";
import { first, merged } from "./previews-programs";

// What a preview of one large merge says is held against what the update after it does.

jest.setTimeout(300_000);

let bench: Bench;
let page: HttpServer;
beforeAll(async () => {
  bench = await openBench();
  page = await serveHttp((_, answer) =>
    answer.setHeader("content-type", "text/html").end("<h1>Welcome</h1>"),
  );
  const { raw } = bench;
  await raw.gate.create({ body: { name: "taken", description: "Theirs" } });
  await raw.gate.create({ body: { name: "by_hand" } });
  await bench.write(first());
  await bench.stack.up();
  const asking = (type: string, targetValue: string) => [
    { name: "In", passPercentage: 100, conditions: [{ type, targetValue }] },
  ];
  await raw.gate.patch({ id: "by_hand", body: { rules: asking("passes_segment", "wave") } } as never);
  await raw.gate.create({ body: { name: "theirs", rules: asking("passes_gate", "asked") } } as never);
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await page?.close();
  await bench?.close();
});

const linesOf = ({ warnings }: { warnings: readonly string[] }) => warnings.map((text) => text.trim());
const asked = () => bench.emulator.requests.map(({ method, path }) => `${method} ${path.slice(11)}`);
const untried =
  'API key not verified: this preview made no requests. "npx feature-console doctor --for up" verifies it.';

test("where nothing changes, a preview says nothing and asks for what get reads alone", async () => {
  bench.emulator.clearRequests();
  const { code, stdout, stderr } = await bench.stack.run(["preview", "--expect-no-changes"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  // Nor does Pulumi show an exported gate as changed.
  expect(stdout).not.toMatch(/Diagnostics:|Outputs:/);
  expect(asked().filter((one) => one !== "GET /project")).toEqual(["GET /gates/by_hand"]);
  expect(asked().length).toBeLessThanOrEqual(3);
});

test("where things go and values change, one line says that the key was not tried", async () => {
  bench.emulator.clearRequests();
  await bench.write(
    first({
      ...{ seen: "", prices: "", asked: 'export const more = new fc.Gate("asked");' },
      widened: 'new fc.Gate("widened", { description: "New" });',
    }),
  );
  const { code, stdout, stderr } = await bench.stack.run(["preview"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(asked()).toEqual([]);
  // Pulumi shows each message while it comes, and again at the end.
  const atTheEnd = stdout.slice(stdout.indexOf("Diagnostics:"));
  expect(atTheEnd.split(untried)).toHaveLength(2);
  // An exported gate is short.
  const { shown } = await bench.stack.outputs();
  expect(shown).toEqual({
    ...{ "@isPulumiResource": true, id: "shown", status: "In Progress" },
    urn: expect.stringMatching(/::shown$/),
  });
  const outputs = stdout.slice(stdout.indexOf("Outputs:"));
  expect(outputs).toMatch(/\+ more +: \{/);
  expect(outputs).not.toMatch(/creatorName|description|isEnabled|rules/);
});

test("where a lookup of the program has asked the console, the key was tried", async () => {
  const seen = 'export const was = fc.getGateOutput({ id: "widened" }).description;';
  await bench.write(first({ seen, widened: 'new fc.Gate("widened", { description: "New" });' }));
  const preview = await bench.stack.preview();
  expect(toldInAll(preview)).not.toContain("API key not verified");
  expect(asked()).toContain("GET /gates/widened");
});

let foretold: Awaited<ReturnType<Bench["stack"]["preview"]>>;
let lines: string[];

test("new keys: one read each, which the update will refuse, and no word of what is looked up of a new object", async () => {
  await bench.write(merged());
  bench.emulator.clearRequests();
  foretold = await bench.stack.preview();
  lines = toldInAll(foretold)
    .split("\n")
    .map((line) => line.trim().replace(/^warning: /, ""));
  const looks = asked().filter((one) => /\/gates\/(taken|free|late|asking)$/.test(one));
  expect(looks.sort()).toEqual(["asking", "free", "late", "taken"].map((name) => `GET /gates/${name}`));
  expect(writesTo(bench.emulator)).toEqual([]);
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^This update will fail: gate "taken" exists already\. It differs in description\./,
    ),
  );
  expect(lines.join("\n")).not.toMatch(/"free"|"late"|"fresh"|key not verified/);
});
const staysForgotten = '"pulumi up" forgets it and leaves it in the console as it is';
const inUse = (object: string, verb: string, user: string, option: string) =>
  `This update will fail: ${object} is no longer in the program, and "pulumi up" cannot ${verb} it while gate "${user}" ` +
  "refers to it (a run with --target, or retainOnDelete, leaves it alone). Take the reference away first; or put it back with " +
  `${option}: true, run "pulumi up", then take it out.`;

test("of all that goes it says whether it goes for good, what still asks for it, and what stays", () => {
  const gone = lines.filter((line) => line.includes("no longer in the program"));
  expect(gone.sort()).toEqual(
    [
      inUse('gate "asked"', "archive", "theirs", "forceArchive"),
      inUse('segment "vip"', "delete", "checkout", "forceDelete"),
      inUse('segment "wave"', "delete", "by_hand", "forceDelete"),
      'gate "removed", layer "Plain layer", segment "old_wave" are no longer in the program. Deleting them is for good: the console cannot bring them back. ' +
        'To leave them there, put them back with onDelete: "retain", run "pulumi up", then take them out.',
      'gate "archived", gate "other", gate "removed", layer "Plain layer", segment "old_wave" are no longer in the program, and this preview cannot know ' +
        'whether another stack has adopted them. If they are to stay, run "pulumi state move" or "pulumi state delete" before "pulumi up"; ' +
        'onDelete: "retain" counts once an "up" has put it into state.',
      `gate "left_by_us" is no longer in the program. ${staysForgotten}, because of onDelete: "retain".`,
      `gate "left_by_pulumi" is no longer in the program. ${staysForgotten}, because of retainOnDelete.`,
      `gate "left_with_it" is no longer in the program, nor is "removed", which its deletedWith names: ${staysForgotten}. ` +
        'To archive it, put it back without deletedWith, run "pulumi up", then take it out.',
    ].sort(),
  );
  expect(lines).toContain(
    'This update will fail: gate "flag_one": state has it under the resource name "old", the program under "renamed". ' +
      'If it was renamed, set aliases: [{ name: "old" }].',
  );
  // The component has an alias.
  expect(lines.join("\n")).not.toContain('"part"');
});

test("a change of rules is one line a gate; what hurts an experiment or a segment, and unknown names, are warnings", () => {
  const of = (name: string) => lines.filter((line) => line.includes(`"${name}"`) && line.includes("rules:"));
  expect(of("inserted")).toEqual([
    expect.stringMatching(/rules: new rule "Zero": .+; rules "Testers" and "Everyone" unchanged/),
  ]);
  expect(of("widened")).toEqual([
    expect.stringMatching(/rules: 10 % → 25 % of everyone(?: else)?; rule ".+" unchanged/),
  ]);
  expect(of("moved")).toEqual([expect.stringMatching(/rules: rule "Three" moves from place 3 to 1/)]);
  const text = lines.join("\n");
  expect(text).toMatch(/experiment "trial".*\b(groups|size)/);
  expect(text).toMatch(/layer "area".*"colour"/);
  for (const name of ["wbe", "prodction", "tseters"]) expect(text).toContain(`"${name}"`);
  expect(text).toContain("is deleted first, and is created anew without its history and results");
  const opOf = (end: string) => foretold.steps.find(({ urn }) => urn.endsWith(end))?.op;
  // Its overrides name a group that stays: they are no step.
  expect([opOf("Experiment::green_button"), opOf("Overrides::testers")]).toEqual(["update", undefined]);
  expect(foretold.steps.find(({ urn }) => nameOf(urn) === "people")).toMatchObject({
    op: "replace",
    replaceReasons: ["description"],
  });
});

test("a state that leaves the program is no update: it stays, and a line says what to say instead", () => {
  const steps = foretold.steps.map(({ op, urn }) => `${op} ${nameOf(urn)}`);
  expect(
    steps.filter((step) => / (off|launched|off_config)$/.test(step) && !step.startsWith("same")),
  ).toEqual([]);
  const text = lines.join("\n");
  expect(text).toMatch(/gate "off".*stays Disabled.*isEnabled: true/);
  expect(text).toMatch(/dynamic config "off_config".*stays Disabled.*isEnabled: true/);
  expect(text).toMatch(/gate "launched".*stays Launched/);
});

test("with a refused key, new objects are counted, and so is what nobody looked for; the key is not shown", async () => {
  // Of objects that it adopts, such as the one list of environments, a preview fails that cannot read them.
  await bench.write(merged({ names: "", late: "", lookups: "" }));
  const env = { FEATURE_CONSOLE_API_KEY: `${testKey}-revoked` };
  const said = toldInAll(await bench.stack.preview({ env }));
  expect(said).toMatch(/3 new objects not checked: GET \S+ answered 401/);
  expect(said).toMatch(/Not known who else in the console refers to .*answered 401/);
  expect(said).not.toContain(`${testKey}-revoked`);
});

test("the update fails as was said, each that is refused is untouched, and what an adoption overwrites is named", async () => {
  const overrides = () => bench.raw.experiment.getOverrides({ id: "green_button" });
  const before = await overrides();
  expect(before).toMatchObject({ userIDOverrides: [{ ids: ["qa_1"] }] });
  await bench.raw.gate.create({ body: { id: "late", name: "late", description: "Theirs" } });
  const users = unusable().map(([name, settings]) => {
    const provider = `new fc.Provider("for-${name}", ${JSON.stringify(settings)} as never)`;
    return [name, `new fc.Gate("${name}", {}, { provider: ${provider} });`];
  });
  await bench.write(merged(Object.fromEntries(users)));
  const up = await bench.stack.up({ mayFail: true, args: ["--continue-on-error"] });
  expect(up.code).not.toBe(0);
  const said = told(up);
  expect(said.taken?.join("\n")).toContain('gate "taken" exists already. It differs in description.');
  // It came after the preview, and the program adopts it: the update names what it overwrites.
  expect(toldInAll(up)).toContain(
    'gate "late" exists and differs from the program:\n~ description: "Theirs" => "Ours"',
  );
  expect(await bench.raw.gate.get({ id: "late" })).toMatchObject({ description: "Ours" });
  expect(await bench.state()).not.toHaveProperty("taken");
  expect(said.asked?.join("\n")).toMatch(/in use by gate "?theirs/);
  expect(said.vip?.join("\n")).toContain('segment "vip" is in use by gate "checkout"');
  expect(said.wave?.join("\n")).toContain('segment "wave" is in use by gate "by_hand"');
  expect(said.old?.join("\n")).toContain(
    'gate "flag_one" stays: the resource "renamed" of this program declares it, and could not be created.',
  );
  expect(up.warnings.filter((text) => text.includes("no longer in the program"))).toEqual([]);
  for (const [name, , message] of unusable())
    expect(said[name]).toEqual([
      expect.stringMatching(new RegExp(`^Cannot create gate "${name}": .*${message.source}`)),
    ]);
  const shown = withoutDebug(up.stdout + up.stderr);
  expect([testKey, "Welcome"].filter((text) => shown.includes(text))).toEqual([]);
  expect(await overrides()).toEqual(before);
});

test("what was told to stay stays, and what goes leaves as it was told to", async () => {
  const left = async (id: string) =>
    (await bench.raw.gate.get({ id }).catch(({ category }) => ({ status: category }))).status;
  const names = ["left_by_pulumi", "left_by_us", "left_with_it", "removed", "archived", "asked", "flag_one"];
  expect(await Promise.all(names.map(left))).toEqual([
    ...["In Progress", "In Progress", "In Progress", "not-found", "Archived", "In Progress", "In Progress"],
  ]);
  await expect(bench.raw.layer.get({ id: "plain_layer" })).rejects.toThrow(/404/);
  expect([await left("off"), await left("launched")]).toEqual(["Disabled", "Launched"]);
  expect((await bench.raw.dynamicConfig.get({ id: "off_config" })).status).toBe("Disabled");
  expect(await bench.raw.segment.get({ id: "people" })).toMatchObject({ description: "Two" });
});

/** Settings that a program gives a provider, by the gate that has it, and what only a console can say of them. */
function unusable(): [string, object, RegExp][] {
  const good = { profile: "custom", baseUrl: bench.emulator.url, apiKey: testKey };
  // That of the environment goes to no address that only the program names.
  const apiKey = `${testKey}-other`;
  const nobody = { ...good, baseUrl: "http://127.0.0.1:1", apiKey };
  return [
    ["wrong", { ...good, apiKey: `${testKey}-wrong` }, /answered 401: .*\[hidden\]\. Check the key/],
    ["reading", { ...good, apiKey: readOnlyKey }, /answered 403: Forbidden resource\. .*do not allow it\.$/],
    ["closed", nobody, /no answer from 127\.0\.0\.1:1 \(ECONNREFUSED\)\. Check feature-console:baseUrl/],
    [
      "page",
      { ...good, baseUrl: page.url, apiKey },
      /not the console's JSON \(text\/html\)\. Check that feature-console:baseUrl is the address of the API/,
    ],
  ];
}

test("several bad arguments of one resource are refused together, each with its path; nothing happens", async () => {
  bench.emulator.clearRequests();
  await bench.write(`new fc.Gate("mistaken", {
  key: "ab",
  descripton: "New",
  isEnabled: "yes",
  rules: [{ name: "A", passPercentage: 101, conditions: [{ type: "email", operator: "is", targetValue: ["a"] }] }],
} as never);`);
  const refused = await bench.stack.preview({ mayFail: true });
  expect(refused.code).toBe(1);
  const about = refused.errors.filter((text) => text.includes("'mistaken'"));
  for (const [path, reason] of [
    ["key", "at least 3 characters"],
    ["descripton", 'did you mean "description"?'],
    ["isEnabled", "true or false is needed"],
    ["rules[0].passPercentage", "found 101; at most 100"],
    ["rules[0].conditions[0].operator", 'one of "any", "none"'],
  ] as const) {
    const [argument] = path.split("[");
    // Of a place inside an argument our text comes first, and not the value of the whole argument.
    const said = path === argument ? `property ${path} ` : `resource 'mistaken' has a problem: ${path}: `;
    expect(about.filter((text) => text.includes(said) && text.includes(reason))).toHaveLength(1);
  }
  expect(about).toHaveLength(5);
  expect(about.join("\n")).not.toContain("<nil>");
  expect(refused.errors.join("\n")).not.toMatch(/^\s+at /m);
  expect(bench.emulator.requests).toEqual([]);
});

test("a misspelt setting, and a key that stands in the configuration in the clear, are refused before anything is asked", async () => {
  await bench.stack.setConfig("feature-console:apiKey", testKey);
  await bench.stack.setConfig("feature-console:profil", "custom");
  bench.emulator.clearRequests();
  const { code, errors } = await bench.stack.preview({ mayFail: true });
  expect(code).not.toBe(0);
  // Once for all resources.
  expect(errors.join("\n").split("is stored in plain text in the stack's configuration")).toHaveLength(2);
  expect(errors.join("\n")).toMatch(/feature-console:profil\b(?=.*feature-console:profile\b)/s);
  expect(JSON.stringify(errors)).not.toContain(testKey);
  expect(bench.emulator.requests).toEqual([]);
});

test("a program that fails says its error and nothing else", async () => {
  await bench.write('throw new pulumi.RunError("no programs today");');
  const preview = await bench.stack.preview({ mayFail: true });
  expect(preview.code).not.toBe(0);
  expect(preview.errors.join()).toContain("no programs today");
  expect(linesOf(preview)).toEqual([]);
  expect(toldInAll(preview)).not.toContain("no longer in the program");
});
