import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { Fault } from "../../src/emulator";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { formatMember } from "../../src/provider/schema/internal";
import type { JsonObject } from "../../src/provider/schema/json";
import { callingArgument } from "../../src/provider/schema/object-id";
import { stateFormat } from "../../src/provider/values/upgrade";
import { type Driver, named, type PartialState, partialOf, type Resource } from "../support/driver";
import { testKey } from "../support/in-process";
import { type Bench, backends } from "./bench";

// The verbs as Pulumi calls them. What the engine does with each kind, test/laws plays in this process.

/** A kind of three, with an argument that any program may change in place, and the same change by hand. */
const kinds: [
  string,
  ResourceDefinition,
  JsonObject,
  (bench: Bench, id: string) => Promise<unknown>,
  unknown,
][] = [
  ["Gate", catalog.gate, { description: "Changed", tags: ["changed"] }, ...describedByHand("gate")],
  ["Layer", catalog.layer, { description: "Changed" }, ...describedByHand("layer")],
  [
    ...(["Segment", catalog.segment] as const),
    { rules: [{ name: "Changed", passPercentage: 1, conditions: [] }] },
    (bench, id) => bench.raw.segment.setRules({ id, body: [] }),
    [],
  ],
];

function describedByHand(kind: "gate" | "layer"): [(bench: Bench, id: string) => Promise<unknown>, string] {
  return [(bench, id) => bench.raw[kind].patch({ id, body: { description: "Drift" } }), "Drift"];
}

const refusal = { times: 1, status: 400, body: { status: 400, message: "A second step that fails" } };

/** Creations of more than one request, and a fault that meets a later one. */
const halfway: [string, ResourceDefinition, JsonObject, Fault][] = [
  [
    ...(["a layer's parameters", catalog.layer, catalog.layer.samples.fullest] as const),
    { ...refusal, method: "PATCH", path: "/layers" },
  ],
  [
    ...(["a segment's ids", catalog.segment, { type: "id_list", ids: ["a", "b"] }] as const),
    { ...refusal, method: "PATCH", path: "/segments" },
  ],
  ["a launch", catalog.gate, { status: "Launched" }, { ...refusal, method: "PUT", path: "/gates" }],
];

describe.each(backends)("%s", (_, open) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await open();
  }, 300_000);
  afterAll(() => bench?.close());
  // Faults that no request has met go with everything else.
  afterEach(() => bench.emulator.reset());

  describe.each(kinds)("%s", (kind, definition, change, byHand, drift) => {
    const [field = ""] = Object.keys(change);
    const { smallest, fullest } = definition.samples;
    const args = named(definition, smallest, `${kind}_small`);

    test.each([smallest, fullest])("a sample goes from check to delete", async (sample) => {
      const driver = bench.of(definition);
      const whole = named(definition, sample, `${kind}_whole`);
      const made = await driver.up(whole);
      expect(made.outputs.__provider).toBe(driver.text);
      expect(await driver.plan(made, whole)).toEqual({
        ...{ changes: "none", replaces: [], deleteBeforeReplace: false },
      });
      expect(await driver.refresh(made)).toEqual(made);
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

    test("a change of identity plans to create first and delete then", async () => {
      const driver = bench.of(definition);
      const diff = await driver.plan(await driver.up(args), named(definition, smallest, `${kind}_other`));
      expect(diff).toMatchObject({
        replaces: expect.arrayContaining([callingArgument(definition)]),
        deleteBeforeReplace: false,
      });
    });

    test("get of a missing object fails and names it; get of a present one gives everything", async () => {
      const driver = bench.of(definition);
      await expect(driver.get("nobody_made_this")).rejects.toThrow(`${definition.title} "nobody_made_this"`);
      const made = await driver.up(named(definition, fullest, `${kind}_present`));
      const got = await driver.get(made.id);
      expect([got.id, got.outputs.__provider]).toEqual([made.id, driver.text]);
      const shown = Object.keys(made.outputs).filter(
        (name) => !name.startsWith("__") && !definition.fields[name]?.facts.remembered,
      );
      expect(shown.filter((name) => got.outputs[name] === undefined)).toEqual([]);
    });

    test("a refresh after drift returns the live values as inputs, and only those that the program set", async () => {
      const driver = bench.of(definition);
      const said = { ...args, [field]: change[field] };
      const made = await driver.up(said);
      await byHand(bench, made.id);
      const refreshed = (await driver.refresh(made)) as Resource;
      expect([refreshed.inputs[field] ?? [], refreshed.outputs[field] ?? []]).toEqual([drift, drift]);
      expect(Object.keys(refreshed.inputs).filter((name) => !(name in made.inputs))).toEqual([]);
      expect((await driver.plan(refreshed, said)).changes).toBe("unknown");
      expect((await driver.update(refreshed, said)).outputs).toMatchObject({ [field]: change[field] });
    });

    test("an update that fails keeps the object, and the next one goes through", async () => {
      const driver = bench.of(definition);
      const made = await driver.up(args);
      const changed = { ...args, [field]: change[field] };
      // Rules of a segment are sent in two forms, one after the other.
      const fault = field === "rules" ? { method: "POST", times: 2 } : { method: "PATCH" };
      bench.emulator.addFaults([{ ...refusal, ...fault } as Fault]);
      const { resource, reasons } = await leftBy(driver.update(made, changed), driver, changed);
      expect(reasons).toEqual([expect.stringMatching(/^Cannot update .*A second step that fails/)]);
      expect(resource.id).toBe(made.id);
      expect(resource.outputs[field] ?? (field === "rules" ? [] : "")).not.toEqual(change[field]);
      const updated = await driver.update(resource, changed);
      expect(updated.outputs).toMatchObject({ [field]: change[field] });
    });

    test("a create that is refused leaves nothing behind, neither here nor there", async () => {
      const driver = bench.of(definition);
      bench.emulator.addFaults([{ ...refusal, method: "POST" }]);
      const failure = await driver.up(args).catch((error: unknown) => error);
      expect(String(failure)).toContain("A second step that fails");
      expect(partialOf(failure)).toBeUndefined();
      expect(await driver.diff(await driver.up(args), args)).toMatchObject({ quiet: true });
    });
  });

  describe.each(halfway)(
    "a create that fails after the object is there: %s",
    (what, definition, sample, fault) => {
      const args = named(definition, sample, `half ${what}`.replace(/\W/g, "_"));

      test("keeps the object; the next update continues, and nothing is made twice", async () => {
        const driver = bench.of(definition);
        bench.emulator.clearRequests();
        bench.emulator.addFaults([fault]);
        const left = await leftBy(driver.up(args), driver, args);
        expect(left.reasons).toEqual([expect.stringMatching(/^Cannot create .*A second step that fails/)]);
        expect(left.failure.message).toContain(left.reasons[0]);
        expect((await driver.refresh(left.resource))?.id).toBe(left.resource.id);
        const continued = await driver.update(left.resource, args);
        expect(await driver.diff(continued, args)).toMatchObject({ quiet: true });
        expect(bench.emulator.requests.filter(({ route }) => route === "create")).toHaveLength(1);
      });

      test("can be deleted as it is", async () => {
        const driver = bench.of(definition);
        const final = {
          ...named(definition, sample, `gone ${what}`.replace(/\W/g, "_")),
          onDelete: "delete",
        };
        bench.emulator.addFaults([fault]);
        const { resource } = await leftBy(driver.up(final), driver, final);
        await driver.destroy(resource);
        expect(await driver.refresh(resource)).toBeUndefined();
      });
    },
  );

  const layer = named(catalog.layer, catalog.layer.samples.smallest, "area");

  test("a delete that is refused is an error, and the object stays", async () => {
    const driver = bench.of(catalog.layer);
    const made = await driver.up(layer);
    bench.emulator.addFaults([{ ...refusal, times: 4, method: "DELETE" }]);
    await expect(driver.destroy(made)).rejects.toThrow(/Cannot delete layer "area": .*A second step/);
    expect(await driver.refresh(made)).toEqual(made);
  });

  test("a console that answers with a web page is named as such, and nothing is stored", async () => {
    const page = { status: 200, body: "<html><body>Welcome</body></html>", contentType: "text/html" };
    bench.emulator.addFaults([{ times: 20, ...page }]);
    const failure = (await bench
      .of(catalog.layer)
      .up(layer)
      .catch((error: unknown) => error)) as Error;
    expect(partialOf(failure)).toBeUndefined();
    expect(failure.message).toMatch(
      /not the console's JSON \(text\/html\)\. Check that feature-console:baseUrl/,
    );
    expect(failure.message).not.toContain("Welcome");
  });

  test("each verb refuses a state that a later version wrote, and nothing is touched", async () => {
    const driver = bench.of(catalog.gate);
    const args = { key: "checkout", description: "New" };
    const made = await driver.up(args);
    const newer = { ...made, outputs: { ...made.outputs, [formatMember]: stateFormat + 1 } };
    const changed = { ...args, description: "Newer" };
    bench.emulator.clearRequests();
    for (const verb of [
      () => driver.diff(newer, changed),
      () => driver.update(newer, changed),
      () => driver.refresh(newer),
      () => driver.destroy(newer),
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
