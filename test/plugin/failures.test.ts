import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from "@jest/globals";
import type { Fault } from "../../src/emulator";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Driver, named, type PartialState, partialOf, type Resource } from "../support/driver";
import { type Bench, backends } from "./bench";

jest.setTimeout(60_000);

const refusal = { times: 1, status: 400, body: { status: 400, message: "A second step that fails" } };

/** Creations of more than one request, and a fault that meets a later one. */
const halfway: [string, ResourceDefinition, JsonObject, Fault][] = [
  [
    "a layer's parameters",
    catalog.layer,
    catalog.layer.samples.fullest,
    { ...refusal, method: "PATCH", path: "/layers" },
  ],
  [
    "a segment's ids",
    catalog.segment,
    { type: "id_list", ids: ["a", "b"] },
    { ...refusal, method: "PATCH", path: "/segments" },
  ],
  ["a launch", catalog.gate, { status: "Launched" }, { ...refusal, method: "PUT", path: "/gates" }],
  [
    "an archived config",
    catalog.dynamicConfig,
    { status: "Archived" },
    { ...refusal, method: "PUT", path: "/dynamic_configs" },
  ],
];

describe.each(backends)("%s", (_backend, open, kinds) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await open();
  }, 300_000);
  afterAll(() => bench?.close());
  // Faults that no request has met go with everything else.
  afterEach(() => bench.emulator.reset());

  describe.each(halfway.filter(([, one]) => kinds.some(([, other]) => one === other)))(
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
        expect((await driver.diff(continued, args)).quiet).toBe(true);
        expect(bench.emulator.requests.filter(({ route }) => route === "create")).toHaveLength(1);
      });

      test("can be deleted as it is", async () => {
        const driver = bench.of(definition);
        const other = {
          ...named(definition, sample, `gone ${what}`.replace(/\W/g, "_")),
          onDelete: "delete",
        };
        bench.emulator.addFaults([fault]);
        const { resource } = await leftBy(driver.up(other), driver, other);
        await driver.destroy(resource);
        expect(await driver.refresh(resource)).toBeUndefined();
      });
    },
  );

  describe.each(kinds)("%s", (kind, definition) => {
    const small = named(definition, definition.samples.smallest, `${kind}_update`);

    test("an update that fails keeps the object, and the next one goes through", async () => {
      const driver = bench.of(definition);
      const made = await driver.up(small);
      const field = definition.fields.description?.facts.fixed ? "rules" : "description";
      const change = field === "rules" ? [{ name: "New", passPercentage: 1, conditions: [] }] : "New";
      const args = { ...small, [field]: change };
      // Rules of a segment are sent in two forms, one after the other.
      const fault = field === "rules" ? { method: "POST", times: 2 } : { method: "PATCH" };
      bench.emulator.addFaults([{ ...refusal, ...fault } as Fault]);
      const { resource, reasons } = await leftBy(driver.update(made, args), driver, args);
      expect(reasons).toEqual([expect.stringMatching(/^Cannot update .*A second step that fails/)]);
      expect(resource.id).toBe(made.id);
      expect(resource.outputs[field] ?? (field === "rules" ? [] : "")).not.toEqual(change);
      const updated = await driver.update(resource, args);
      expect(updated.outputs).toMatchObject({ [field]: change });
      expect((await driver.diff(updated, args)).quiet).toBe(true);
    });

    test("a create that is refused leaves nothing behind, neither here nor there", async () => {
      const driver = bench.of(definition);
      const args = named(definition, definition.samples.smallest, `${kind}_refused`);
      bench.emulator.addFaults([{ ...refusal, method: "POST" }]);
      const failure = await driver.up(args).catch((error: unknown) => error);
      expect(String(failure)).toContain("A second step that fails");
      expect(partialOf(failure)).toBeUndefined();
      const made = await driver.up(args);
      expect((await driver.diff(made, args)).quiet).toBe(true);
    });

    test("an answer that got lost is settled by looking, and 429 by waiting", async () => {
      const driver = bench.of(definition);
      const args = named(definition, definition.samples.fullest, `${kind}_lost`);
      bench.emulator.addFaults([
        { method: "POST", status: 429, retryAfter: 0, times: 2 },
        { method: "POST", reset: "after", times: 1 },
      ]);
      const made = await driver.up(args);
      expect((await driver.diff(made, args)).quiet).toBe(true);
      expect(await driver.refresh(made)).toEqual(made);
    });

    test("a console that answers with a web page is named as such, and nothing is stored", async () => {
      const driver = bench.of(definition);
      const args = named(definition, definition.samples.smallest, `${kind}_page`);
      const page = {
        times: 20,
        status: 200,
        body: "<html><body>Welcome</body></html>",
        contentType: "text/html",
      };
      bench.emulator.addFaults([page]);
      const failure = (await driver.up(args).catch((error: unknown) => error)) as Error;
      expect(partialOf(failure)).toBeUndefined();
      expect(failure.message).toMatch(
        /not the console's JSON \(text\/html\)\. Check that feature-console:baseUrl/,
      );
      expect(failure.message).not.toContain("Welcome");
    });
  });

  test("a delete that is refused says so, and the object stays", async () => {
    const driver = bench.of(catalog.layer);
    const made = await driver.up(named(catalog.layer, catalog.layer.samples.smallest, "stays"));
    bench.emulator.addFaults([{ ...refusal, times: 4, method: "DELETE" }]);
    await expect(driver.destroy(made)).rejects.toThrow(
      /Cannot delete layer "stays": .*A second step that fails/,
    );
    expect(await driver.refresh(made)).toEqual(made);
  });
});

/** What a failing verb left in the state, as the engine takes it over. */
async function leftBy(work: Promise<Resource>, driver: Driver, args: JsonObject) {
  const failure = (await work.catch((error: unknown) => error)) as Error;
  const { id, properties, reasons } = partialOf(failure) as PartialState;
  expect(properties.__provider).toBe(driver.text);
  const resource: Resource = { id, inputs: await driver.checked(args), outputs: properties };
  return { failure, reasons, resource };
}
