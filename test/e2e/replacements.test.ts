import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { allOf } from "../support/raw-client";
import { type Bench, changesTo, openBench, toldInAll } from "./bench";

// Other keys, other names and replacements by command in a stack whose objects refer to each other: in which order the
// engine makes and removes, and what of it stays when a step is refused.

jest.setTimeout(300_000);

let bench: Bench;

interface Said {
  /** Key of the gate that others refer to. */
  readonly base: string;
  readonly layer?: string;
  /** Options of its experiment. */
  readonly inLayer?: string;
  /** The gate of the key `flag_one`. */
  readonly flag?: string;
  readonly picky?: string;
}

const flag = (name: string, more = "", options = "") =>
  `new fc.Gate("${name}", { key: "flag_one", name: "Flag one"${more} }${options});`;

/** Two gates that refer to each other: by their ids, since a program cannot use either before it is declared. */
const mutual = (options = "") => `
const other = (name: string, type: "fails_gate" | "passes_gate", targetValue: string) =>
  new fc.Gate(name, { ${options} rules: [{ name: "Other", passPercentage: 100, conditions: [{ type, targetValue }] }] });
other("gate_a", "fails_gate", "gate_b");
other("gate_b", "passes_gate", "gate_a");
`;

const program = ({ base, layer = "page one", inLayer = "", picky = "Old", ...said }: Said) => `
const base = new fc.Gate("base", { key: "${base}" });
const rules = [{ name: "In", passPercentage: 100, conditions: [{ type: "passes_gate" as const, targetValue: base }] }];
new fc.Gate("dependent", { rules });
new fc.DynamicConfig("limits", { rules: rules.map((rule) => ({ ...rule, returnValue: { most: 3 } })) });
new fc.Experiment("trial", { targetingGateID: base });
const page = new fc.Layer("page", { name: "${layer}", idType: "userID", parameters: [{ name: "c", type: "string", defaultValue: "blue" }] });
new fc.Experiment("in_page", { layerID: page, ${inLayer} groups: [
  { name: "A", size: 50, parameterValues: { c: "a" } }, { name: "B", size: 50, parameterValues: { c: "b" } } ] });
${said.flag ?? ""}
new fc.Gate("picky", { description: "${picky}" }, { replaceOnChanges: ["description"] });
${mutual()}`;

beforeAll(async () => {
  bench = await openBench();
  await bench.write(program({ base: "base_one", flag: flag("old") }));
  await bench.stack.up();
}, FIRST_CLI_TIMEOUT_MS);

afterAll(() => bench?.close());

const status = async (id: string) => (await bench.raw.gate.get({ id })).status;
const layers = async () => (await allOf(bench.raw.layer.list())).map(({ id }) => id);
const urnOf = (name: string) =>
  `urn:pulumi:test::packed::pulumi-nodejs:dynamic/feature-console:Gate::${name}`;

/** What those that refer to the gate refer to. */
const referred = async () => {
  const users = [
    await bench.raw.gate.get({ id: "dependent" }),
    await bench.raw.dynamicConfig.get({ id: "limits" }),
  ] as { rules: { conditions: { targetValue: unknown }[] }[] }[];
  const targets = users.map(({ rules }) => rules[0]?.conditions[0]?.targetValue);
  return [...targets.flat(), (await bench.raw.experiment.get({ id: "trial" })).targetingGateID];
};
const all = (key: string) => [key, key, key];

test("the console refuses the gate of the new key: the old one stays, and all go on to use it", async () => {
  await bench.write(program({ base: "base_two", flag: flag("old") }));
  bench.emulator.addFaults([
    { method: "POST", path: "/gates", status: 403, body: { message: "not now" }, times: 1 },
  ]);
  const { code, stdout, stderr } = await bench.stack.run(["up", "--yes"]);
  expect(code).not.toBe(0);
  expect(`${stdout}${stderr}`).toContain("not now");
  expect(`${stdout}${stderr}`).toContain(
    'gate "base_two" is created first; gate "base_one" is archived after what uses it has moved.',
  );
  expect(await status("base_one")).toBe("In Progress");
  expect(await referred()).toEqual(all("base_one"));
});

test("the next up goes on: who refers to it follows before the old one goes", async () => {
  const deleteFirst = flag("old", "", ", { deleteBeforeReplace: true }");
  await bench.write(program({ base: "base_two", flag: deleteFirst, picky: "New" }));
  bench.emulator.clearRequests();
  const up = await bench.stack.up({ args: ["--replace", urnOf("old")] });
  const writes = changesTo(bench.emulator).filter((write) => !/flag_one|picky/.test(write));
  const moved = ["PATCH /gates/dependent", "PATCH /dynamic_configs/limits", "PATCH /experiments/trial"];
  expect(writes.slice(-1)).toEqual(["PUT /gates/base_one/archive"]);
  for (const write of moved) expect(writes.join("\n")).toContain(write.replace(/^\w+ /, ""));
  expect(await status("base_one")).toBe("Archived");
  expect(await referred()).toEqual(all("base_two"));

  // Replaced by command, where the program says that the old one goes first: archived, and brought back.
  expect(changesTo(bench.emulator)).toContain("PUT /gates/flag_one/archive");
  expect(await status("flag_one")).toBe("In Progress");
  // Replaced by an option alone: a key can have one gate at a time, so that it is changed in place.
  expect(changesTo(bench.emulator).filter((write) => write.includes("picky"))).toEqual([
    "PATCH /gates/picky",
  ]);
  expect(toldInAll(up)).toMatch(/gate "picky".*(in place|replaceOnChanges)/);
});

test("an old gate that a stranger asks for stays, with a refresh too, and the program can go back to it", async () => {
  const rules = [
    { name: "In", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: "base_two" }] },
  ];
  await bench.raw.gate.create({ body: { name: "stranger", rules } } as never);
  await bench.write(program({ base: "base_three", flag: flag("old"), picky: "New" }));
  const { code, stdout, stderr } = await bench.stack.run(["up", "--yes", "--skip-preview", "--refresh"]);
  expect(code).not.toBe(0);
  expect(`${stdout}${stderr}`).toContain("stranger");
  expect([await status("base_two"), await status("base_three")]).toEqual(["In Progress", "In Progress"]);
  expect(await referred()).toEqual(all("base_three"));
  expect(await bench.raw.gate.get({ id: "base_two" })).toMatchObject({ name: "base_two" });
  // The layer's experiment may be replaced from now on.
  const inLayer = 'onImmutableChange: "replace",';
  await bench.write(program({ base: "base_two", inLayer, flag: flag("old"), picky: "New" }));
  await bench.stack.up();
  expect([await status("base_two"), await status("base_three")]).toEqual(["In Progress", "Archived"]);
  expect(await referred()).toEqual(all("base_two"));
});

test("once it is free the old gate goes; a layer gets another name with its experiments; a renamed gate stays", async () => {
  await bench.raw.gate.delete({ id: "stranger" });
  const renamed = flag("renamed", ", adopt: true");
  const inLayer = 'onImmutableChange: "replace",';
  await bench.write(program({ base: "base_three", layer: "page two", inLayer, flag: renamed, picky: "New" }));
  await bench.stack.up({ args: ["--refresh"] });
  expect(await status("base_two")).toBe("Archived");
  expect(await referred()).toEqual(all("base_three"));
  expect(await layers()).toEqual(["page_two"]);
  expect(await bench.raw.experiment.get({ id: "in_page" })).toMatchObject({ layerID: "page_two" });
  // Renamed without an alias: from the old resource to the new one, though the old one goes in the same run.
  expect(await status("flag_one")).toBe("In Progress");
  await bench.stack.preview({ args: ["--expect-no-changes"] });
});

test("destroyed, two gates that refer to each other are refused with what helps, and go with it", async () => {
  const refused = await bench.stack.destroy({ mayFail: true, args: ["--continue-on-error"] });
  expect(refused.code).not.toBe(0);
  expect(refused.errors.join("\n")).toContain("forceArchive: true on both");
  await bench.write(mutual("forceArchive: true,"));
  await bench.stack.up();
  await bench.stack.destroy({ args: ["--run-program"] });
  for (const id of ["gate_a", "gate_b", "flag_one"]) expect(await status(id)).toBe("Archived");
  expect((await bench.stack.exportStack()).deployment.resources ?? []).toEqual([]);
});
