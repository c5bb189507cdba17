import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { callingArgument } from "../../src/provider/schema/object-id";
import { named, type Resource } from "../support/driver";
import { testKey } from "../support/in-process";
import { type Bench, backends } from "./bench";

jest.setTimeout(60_000);

/** A field of each kind that any program may change in place. */
const change: JsonObject = { description: "Changed", tags: ["changed"] };

function changeFor(definition: ResourceDefinition): JsonObject {
  const free = Object.entries(change).filter(([name]) => {
    const field = definition.fields[name];
    return field !== undefined && field.mode === "input" && field.facts.fixed !== true;
  });
  if (free.length > 0) return Object.fromEntries(free);
  return { rules: [{ name: "Changed", passPercentage: 1, conditions: [] }] };
}

describe.each(backends)("%s", (_, open, kinds) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await open();
  }, 300_000);
  afterAll(() => bench?.close());

  describe.each(kinds)("%s", (kind, definition) => {
    test.each(Object.entries(definition.samples))(
      "the %s sample goes from check to delete",
      async (size, sample) => {
        const driver = bench.of(definition);
        const args = named(definition, sample, `${kind} ${size}`.replaceAll(" ", "_").toLowerCase());
        const made = await driver.up(args);
        expect(made.id).not.toBe("");
        expect(made.outputs.__provider).toBe(driver.text);
        expect(unsayable(made.outputs)).toEqual([]);
        expect(await driver.plan(made, args)).toEqual({
          changes: "none",
          replaces: [],
          deleteBeforeReplace: false,
        });

        const refreshed = await driver.refresh(made);
        expect(refreshed).toEqual(made);

        const other = { ...args, ...changeFor(definition) };
        expect(await driver.plan(made, other)).toMatchObject({ changes: "unknown", replaces: [] });
        const updated = await driver.update(refreshed ?? made, other);
        expect(updated.outputs).toMatchObject(changeFor(definition));
        expect(updated.outputs.__provider).toBe(driver.text);
        expect(unsayable(updated.outputs)).toEqual([]);
        expect((await driver.diff(updated, other)).quiet).toBe(true);
        expect(await driver.refresh(updated)).toEqual(updated);

        await driver.destroy(updated);
        await driver.destroy(updated);
        const deleted = await driver.refresh(updated);
        const { archived } = definition.lifecycle;
        if (archived === undefined) expect(deleted).toBeUndefined();
        else expect(deleted?.outputs[archived.field]).toBe(archived.is);
        expect(JSON.stringify([made, refreshed, updated])).not.toContain(testKey);
      },
    );

    test("a change of identity plans to create first and delete then", async () => {
      const driver = bench.of(definition);
      const made = await driver.up(named(definition, definition.samples.smallest, `${kind}_renamed`));
      const diff = await driver.plan(made, named(definition, definition.samples.smallest, `${kind}_other`));
      expect(diff.replaces).toContain(callingArgument(definition));
      expect(diff.deleteBeforeReplace).toBe(false);
    });

    test("a refresh of what is gone finds nothing, also after onDelete: delete", async () => {
      const driver = bench.of(definition);
      const args = { ...named(definition, definition.samples.smallest, `${kind}_gone`), onDelete: "delete" };
      const made = await driver.up(args);
      await driver.destroy(made);
      expect(await driver.refresh(made)).toBeUndefined();
      const again = await driver.up(args);
      expect(again.id).toBe(made.id);
    });

    test("get of a missing object fails and names it; get of a present one gives everything", async () => {
      const driver = bench.of(definition);
      const failure = await driver.get("nobody_made_this").catch((error: Error) => error);
      expect(failure).toMatchObject({
        message: expect.stringContaining(`${definition.title} "nobody_made_this"`),
      });
      const made = await driver.up(named(definition, definition.samples.fullest, `${kind}_present`));
      const got = await driver.get(made.id);
      const { __provider, __managed, ...outputs } = got.outputs;
      expect(got.id).toBe(made.id);
      expect(__provider).toBe(driver.text);
      const remembered = Object.keys(definition.fields).filter(
        (name) => definition.fields[name]?.facts.remembered,
      );
      const shown = Object.keys(made.outputs).filter(
        (name) => !name.startsWith("__") && !remembered.includes(name),
      );
      expect(shown.filter((name) => outputs[name] === undefined)).toEqual([]);
    });

    test("a refresh after drift returns the live values as inputs, and only those that the program set", async () => {
      const driver = bench.of(definition);
      const fixed = definition.fields.description?.facts.fixed === true;
      const said = fixed ? changeFor(definition) : { description: "Said" };
      const args = named(definition, { ...definition.samples.smallest, ...said }, `${kind}_drift`);
      const made = await driver.up(args);
      await drift(bench, definition, made.id);
      const refreshed = (await driver.refresh(made)) as Resource;
      const [field] = Object.keys(said) as [string];
      const live = fixed ? [] : "Drift";
      expect(refreshed.inputs[field] ?? []).toEqual(live);
      expect(refreshed.outputs[field] ?? []).toEqual(live);
      expect(Object.keys(refreshed.inputs).filter((name) => !(name in made.inputs))).toEqual([]);
      expect((await driver.plan(refreshed, args)).changes).toBe("unknown");
      const healed = await driver.update(refreshed, args);
      expect(healed.outputs).toMatchObject(said);
    });
  });
});

/** Changes an object through the console's own API: its description or, where that cannot be, its rules. */
async function drift(bench: Bench, definition: ResourceDefinition, id: string): Promise<void> {
  const patches: Record<string, () => Promise<unknown>> = {
    Gate: () => bench.raw.gate.patch({ id, body: { description: "Drift" } }),
    DynamicConfig: () => bench.raw.dynamicConfig.patch({ id, body: { description: "Drift" } }),
    Segment: () => bench.raw.segment.setRules({ id, body: [] }),
    Layer: () => bench.raw.layer.patch({ id, body: { description: "Drift" } }),
    AssignmentSource: () => bench.raw.assignmentSource.patch({ name: id, body: { description: "Drift" } }),
  };
  await patches[definition.kind]?.();
}

/** Paths of values that no state should hold. */
function unsayable(value: unknown, path = ""): string[] {
  if (value === undefined || (typeof value === "number" && !Number.isFinite(value))) return [path];
  if (Array.isArray(value)) return value.flatMap((item, index) => unsayable(item, `${path}[${index}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => unsayable(member, `${path}.${name}`));
}
