import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { Fault } from "../../src/emulator";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { formatMember } from "../../src/provider/schema/internal";
import type { JsonObject } from "../../src/provider/schema/json";
import { stateFormat } from "../../src/provider/values/upgrade";
import { samplesOf } from "../samples";
import { type Driver, named, type PartialState, partialOf, type Resource } from "../support/driver";
import { testKey } from "../support/in-process";
import { type Bench, backends } from "./bench";

// The verbs as Pulumi calls them. What the engine does with each kind, test/laws plays in this process.

const { gate, segment, layer } = catalog;
const refusal = { times: 1, status: 400, body: { status: 400, message: "A second step that fails" } };

/** Creations of more than one request, and a fault that meets a later one. */
const halfway: [string, ResourceDefinition, JsonObject, Fault][] = [
  [
    "a layer's parameters",
    layer,
    named(layer, samplesOf(layer).fullest, "half_layer"),
    { ...refusal, method: "PATCH", path: "/layers" },
  ],
  [
    "a segment's ids",
    segment,
    { key: "half_list", type: "id_list", ids: ["a", "b"] },
    { ...refusal, method: "PATCH", path: "/segments" },
  ],
  [
    "a launch",
    gate,
    { key: "half_launched", status: "Launched" },
    { ...refusal, method: "PUT", path: "/gates" },
  ],
];

describe.each(backends)("%s", (_, open) => {
  let bench: Bench;
  let gates: Driver;
  beforeAll(async () => {
    bench = await open();
    gates = bench.of(gate);
  }, 300_000);
  afterAll(() => bench?.close());
  // Faults that no request has met go with everything else.
  afterEach(() => bench.emulator.reset());

  const rules = [{ name: "Changed", passPercentage: 1, conditions: [] }];
  test.each<[ResourceDefinition, "smallest" | "fullest", JsonObject]>([
    [gate, "smallest", { description: "Changed", tags: ["changed"] }],
    [gate, "fullest", { description: "Changed", tags: ["changed"] }],
    [layer, "fullest", { description: "Changed" }],
    [segment, "smallest", { rules }],
    [segment, "fullest", { rules }],
  ])("a $kind goes from check to delete (the %s sample)", async (definition, sample, change) => {
    const driver = bench.of(definition);
    const whole = named(definition, samplesOf(definition)[sample], `a_${definition.name}`);
    const made = await driver.up(whole);
    expect(made.outputs.__provider).toBe(driver.text);
    expect(await driver.plan(made, whole)).toEqual({
      ...{ changes: "none", replaces: [], deleteBeforeReplace: false },
    });
    expect(await driver.refresh(made)).toEqual(made);
    const got = await driver.get(made.id);
    expect([got.id, got.outputs.__provider]).toEqual([made.id, driver.text]);
    const shown = Object.keys(made.outputs).filter(
      (name) => !name.startsWith("__") && !definition.fields[name]?.traits.remembered,
    );
    expect(shown.filter((name) => got.outputs[name] === undefined)).toEqual([]);
    const other = { ...whole, ...change };
    expect(await driver.plan(made, other)).toMatchObject({ changes: "unknown", replaces: [] });
    const updated = await driver.update(made, other);
    expect(updated.outputs).toMatchObject({ ...change, __provider: driver.text });
    expect(await driver.diff(updated, other)).toMatchObject({ quiet: true });
    expect(await driver.refresh(updated)).toEqual(updated);
    await driver.destroy(updated);
    await driver.destroy(updated);
    const deleted = await driver.refresh(updated);
    const { archived } = definition.lifecycle;
    if (archived === undefined) expect(deleted).toBeUndefined();
    else expect(deleted?.outputs[archived.field]).toBe(archived.is);
    expect(JSON.stringify([made, updated])).not.toContain(testKey);
  });

  const args = { key: "checkout" };
  const described = { ...args, description: "Changed" };

  test("a change of identity plans to create first and delete then; get of a missing object names it", async () => {
    expect(await gates.plan(await gates.up(args), { key: "basket" })).toMatchObject({
      ...{ replaces: expect.arrayContaining(["key"]), deleteBeforeReplace: false },
    });
    await expect(gates.get("nobody_made_this")).rejects.toThrow('gate "nobody_made_this"');
  });

  test("a refresh after drift returns the live values as inputs, and only those that the program set", async () => {
    const made = await gates.up(described);
    await bench.raw.gate.patch({ id: made.id, body: { description: "Drift" } });
    const refreshed = (await gates.refresh(made)) as Resource;
    expect([refreshed.inputs.description, refreshed.outputs.description]).toEqual(["Drift", "Drift"]);
    expect(Object.keys(refreshed.inputs).filter((name) => !(name in made.inputs))).toEqual([]);
    expect((await gates.plan(refreshed, described)).changes).toBe("unknown");
    expect((await gates.update(refreshed, described)).outputs).toMatchObject(described);
  });

  test.each<[ResourceDefinition, JsonObject, JsonObject, object]>([
    [gate, args, { description: "Changed" }, { method: "PATCH" }],
    // Rules of a segment are sent in two forms, one after the other.
    [segment, { key: "staff", type: "rule_based" }, { rules }, { method: "POST", times: 2 }],
  ])("an update of a $kind that fails keeps it, and the next one goes through", async (...row) => {
    const [definition, before, change, fault] = row;
    const driver = bench.of(definition);
    const made = await driver.up(before);
    bench.emulator.addFaults([{ ...refusal, ...fault }]);
    const after = { ...before, ...change };
    const { resource, reasons } = await leftBy(driver.update(made, after), driver, after);
    expect(reasons).toEqual([expect.stringMatching(/^Cannot update .*A second step that fails/)]);
    expect(resource.id).toBe(made.id);
    expect(resource.outputs).not.toMatchObject(change);
    expect((await driver.update(resource, after)).outputs).toMatchObject(change);
  });

  test("a create that is refused leaves nothing behind, neither here nor there", async () => {
    bench.emulator.addFaults([{ ...refusal, method: "POST" }]);
    const failure = await gates.up(args).catch((error: unknown) => error);
    expect(String(failure)).toContain("A second step that fails");
    expect(partialOf(failure)).toBeUndefined();
    expect(await gates.diff(await gates.up(args), args)).toMatchObject({ quiet: true });
  });

  test.each(halfway)(
    "a create that fails after the object is there keeps it, can be deleted as it is, and goes on with the next update: %s",
    async (_what, definition, half, fault) => {
      const driver = bench.of(definition);
      bench.emulator.addFaults([fault]);
      const final = { ...half, onDelete: "delete" };
      const { resource } = await leftBy(driver.up(final), driver, final);
      await driver.destroy(resource);
      expect(await driver.refresh(resource)).toBeUndefined();
      bench.emulator.clearRequests();
      bench.emulator.addFaults([fault]);
      const left = await leftBy(driver.up(half), driver, half);
      expect(left.reasons).toEqual([expect.stringMatching(/^Cannot create .*A second step that fails/)]);
      expect(left.failure.message).toContain(left.reasons[0]);
      expect((await driver.refresh(left.resource))?.id).toBe(left.resource.id);
      const continued = await driver.update(left.resource, half);
      expect(await driver.diff(continued, half)).toMatchObject({ quiet: true });
      expect(bench.emulator.requests.filter(({ route }) => route === "create")).toHaveLength(1);
    },
  );

  test("a delete that is refused is an error, and the object stays", async () => {
    const layers = bench.of(layer);
    const made = await layers.up(named(layer, samplesOf(layer).smallest, "area"));
    bench.emulator.addFaults([{ ...refusal, times: 4, method: "DELETE" }]);
    await expect(layers.destroy(made)).rejects.toThrow(/Cannot delete layer "area": .*A second step/);
    expect(await layers.refresh(made)).toEqual(made);
  });

  test("a console that answers with a web page is named as such, and nothing is stored", async () => {
    const page = { status: 200, body: "<html><body>Welcome</body></html>", contentType: "text/html" };
    bench.emulator.addFaults([{ times: 20, ...page }]);
    const failure = (await gates.up(args).catch((error: unknown) => error)) as Error;
    expect(partialOf(failure)).toBeUndefined();
    expect(failure.message).toMatch(
      /not the console's JSON \(text\/html\)\. Check that feature-console:baseUrl/,
    );
    expect(failure.message).not.toContain("Welcome");
  });

  test("each verb refuses a state that a later version wrote, and nothing is touched", async () => {
    const made = await gates.up(described);
    const newer = { ...made, outputs: { ...made.outputs, [formatMember]: stateFormat + 1 } };
    const changed = { ...args, description: "Newer" };
    bench.emulator.clearRequests();
    for (const verb of [
      () => gates.diff(newer, changed),
      () => gates.update(newer, changed),
      () => gates.refresh(newer),
      () => gates.destroy(newer),
    ])
      await expect(verb()).rejects.toThrow(
        'A newer version of this provider wrote the state of gate "checkout", and this version cannot read it. ' +
          "Nothing was changed. Install the newer version of pulumi-feature-console, or of its plugin.",
      );
    expect(bench.emulator.requests).toEqual([]);
  });
});

/** What a failing verb left in the state, as Pulumi takes it over. */
async function leftBy(work: Promise<Resource>, driver: Driver, args: JsonObject) {
  const failure = (await work.catch((error: unknown) => error)) as Error;
  const { id, properties, reasons } = partialOf(failure) as PartialState;
  expect(properties.__provider).toBe(driver.text);
  const resource: Resource = { id, inputs: await driver.checked(args), outputs: properties };
  return { failure, reasons, resource };
}
