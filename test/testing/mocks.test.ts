import { beforeEach, describe, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "../../src";
import { catalog, parts } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { mocks, outputValue, resourcesMade } from "../../src/tools/testing";
import { samplesOf } from "../samples";

/** What a team would write: a flag with the people who see it first. */
class Feature extends pulumi.ComponentResource {
  readonly gateId: pulumi.Output<string>;

  constructor(name: string, args: fc.GateArgs, options?: pulumi.ComponentResourceOptions) {
    super("acme:flags:Feature", name, {}, options);
    const staff = new fc.Segment(`${name}_staff`, { type: "rule_based" }, { parent: this });
    const rules = [staffOf(100, { type: "passes_segment", targetValue: staff })];
    this.gateId = new fc.Gate(name, { rules, ...args }, { parent: this }).id;
  }
}

const staffOf = (
  passPercentage: number,
  condition: fc.ConditionArgs = { type: "public" },
): fc.GateRuleArgs => ({ name: "Staff", passPercentage, conditions: [condition] });

describe("a program under mocks()", () => {
  beforeEach(() => pulumi.runtime.setMocks(mocks()));

  test("has key and name, defaults and what the console adds", async () => {
    const { id, key, name, isEnabled, rules } = new fc.Gate("checkout", { rules: [staffOf(12.5)] });
    const filled = ["checkout", "checkout", "checkout", true];
    expect(await outputValue(pulumi.all([id, key, name, isEnabled]))).toEqual(filled);
    expect(await outputValue(rules)).toMatchObject([{ passPercentage: 12.5, id: expect.any(String) }]);
  });

  test("fails with everything that is wrong, in one message", async () => {
    const args = { descripton: "New checkout", rules: [staffOf(300)] } as fc.GateArgs;
    const failed = outputValue(new fc.Gate("checkout", args).status);
    await expect(failed).rejects.toThrow('descripton: unknown argument; did you mean "description"?');
    await expect(failed).rejects.toThrow("rules[0].passPercentage: found 300; at most 100 is allowed");
  });

  test("works in a component, whose resources refer to each other, and fails where it passes a slip on", async () => {
    expect(await outputValue(new Feature("checkout", { description: "New" }).gateId)).toBe("checkout");
    const condition = { type: "passes_segment", targetValue: "checkout_staff" };
    expect(await fc.getGate({ id: "checkout" })).toMatchObject({ rules: [{ conditions: [condition] }] });
    const slip = new Feature("next", { isEnabeld: true } as fc.GateArgs);
    await expect(outputValue(slip.gateId)).rejects.toThrow('did you mean "isEnabled"?');
  });

  test("fails where a resource of another kind is meant, and where two name one object", async () => {
    const targetValue = new fc.Tag("shop", { description: "Of the shop" });
    const ofTag = { type: "passes_segment", targetValue } as unknown as fc.ConditionArgs;
    const misled = new fc.Gate("misled", { rules: [staffOf(1, ofTag)] });
    await expect(outputValue(misled.id)).rejects.toThrow(/targetValue.*(segment|tag)/);
    const first = new fc.Gate("checkout");
    const second = new fc.Gate("checkout_again", { key: first.key as pulumi.Output<string> });
    const named = 'named by the resources "checkout" and "checkout_again"';
    await expect(outputValue(second.id)).rejects.toThrow(named);
  });

  test("fails as a whole with all that is wrong in it, once each", async () => {
    new fc.Gate("first", { rules: [staffOf(300)] });
    new fc.Gate("sound");
    new Feature("second", { rules: [staffOf(-1)] });
    const error = await resourcesMade().catch((failure: Error) => failure);
    expect(String((error as Error).message).split("\n")).toEqual([
      expect.stringMatching(/first .*passPercentage: found 300/),
      expect.stringMatching(/second .*passPercentage: found -1/),
    ]);
  });

  test("is made as a whole, with what comes of the outputs of others", async () => {
    const first = new fc.Gate("first");
    first.id.apply((id) => new fc.Gate("later", { description: id }));
    await resourcesMade();
    expect((await fc.getGate({ id: "later" })).description).toBe("first");
  });

  test("fails where it reads what is not there", async () => {
    await expect(outputValue(fc.Gate.get("old", "old_checkout").name)).rejects.toThrow("There is no gate");
  });

  test("keeps its secrets, also inside an argument", async () => {
    const rules = [{ ...staffOf(1), name: pulumi.secret("launch of X") }];
    const gate = new fc.Gate("checkout", { description: pulumi.secret("launch of Y"), team: "web", rules });
    expect(await outputValue(gate.description)).toBe("launch of Y");
    expect(await outputValue(gate.rules)).toMatchObject([{ name: "launch of X" }]);
    const key = new fc.Key("server", { description: "Server", type: "SERVER" });
    expect(await outputValue(key.value)).toEqual(expect.any(String));
    expect(await pulumi.isSecret(gate.description)).toBe(true);
    expect(await pulumi.isSecret(gate.rules)).toBe(true);
    expect(await pulumi.isSecret(key.value)).toBe(true);
    expect(await pulumi.isSecret(gate.team)).toBe(false);
    expect(await pulumi.isSecret(gate.tags)).toBe(false);
  });

  test("does not show a secret in a message", async () => {
    const failed = outputValue(
      new fc.Gate("checkout", { type: pulumi.secret("hidden-word" as "TEMPORARY") }).id,
    );
    await expect(failed).rejects.toThrow("type: ");
    await expect(failed).rejects.not.toThrow("hidden-word");
  });

  test("asks another console through an explicit provider", async () => {
    const provider = new fc.Provider("other", { profile: "statsig", apiKey: "any" });
    await outputValue(new fc.Gate("checkout", { description: "here" }).id);
    await outputValue(new fc.Gate("there", { key: "checkout", description: "there" }, { provider }).id);
    expect((await fc.getGate({ id: "checkout" })).description).toBe("here");
    expect((await fc.getGate({ id: "checkout" }, { provider })).description).toBe("there");
  });

  test("waits for nothing but itself", async () => {
    const tags = Array.from({ length: 120 }, (_, index) => new fc.Tag(`tag ${index}`, { description: "" }));
    await Promise.all(tags.map(({ id }) => outputValue(id)));
    expect(await fc.listTags()).toHaveLength(120);
  });
});

describe("lookups", () => {
  const seed = { gates: [{ id: "legacy", name: "Legacy", description: "From before", isEnabled: true }] };

  test("answer what the test gives and what the program makes", async () => {
    await pulumi.runtime.setMocks(mocks({ seed }));
    expect(await fc.getGate({ id: "legacy" })).toMatchObject({ name: "Legacy", description: "From before" });
    const id = fc.getGateOutput({ id: "legacy" }).apply(({ id }) => `${id}_next`);
    await outputValue(new fc.Gate("next", { key: id }).id);
    expect((await fc.listGates()).map((gate) => gate.id).sort()).toEqual(["legacy", "legacy_next"]);
  });

  test("are the same in a preview, in which resources can be made too", async () => {
    await pulumi.runtime.setMocks(mocks({ seed }), "flags", "dev", true);
    const adopted = new fc.Gate("legacy", { adopt: true, description: "mine" });
    expect(await outputValue(adopted.description)).toBe("mine");
    expect(await outputValue(new fc.Gate("checkout").status)).toBe("In Progress");
    expect(await fc.listGates()).toHaveLength(2);
  });

  test("fail where there is nothing, and know nothing of earlier mocks", async () => {
    await pulumi.runtime.setMocks(mocks({ seed }));
    await expect(fc.getGate({ id: "absent" })).rejects.toMatchObject({ category: "not-found" });
    // In a preview too, where it is no object that the update will make.
    await pulumi.runtime.setMocks(mocks({ seed }), "flags", "dev", true);
    const absent = fc.getGateOutput({ id: pulumi.output("absent") }).name;
    await expect(outputValue(absent)).rejects.toMatchObject({ category: "not-found" });
    await pulumi.runtime.setMocks(mocks({ seed }));
    await outputValue(new fc.Gate("checkout").id);
    await pulumi.runtime.setMocks(mocks());
    expect(await fc.listGates()).toEqual([]);
    expect(await outputValue(new fc.Gate("legacy", { description: "another" }).description)).toBe("another");
  });

  test("a resource that a seed has is read, adopted or refused as in the console", async () => {
    await pulumi.runtime.setMocks(mocks({ seed }));
    expect(await outputValue(fc.Gate.get("read", "legacy").description)).toBe("From before");
    const another = new fc.Gate("legacy", { description: "mine" });
    await expect(outputValue(another.id)).rejects.toThrow("exists already");
    await pulumi.runtime.setMocks(mocks({ seed }));
    const adopted = new fc.Gate("old", { description: "mine" }, { import: "legacy" });
    expect(await outputValue(pulumi.all([adopted.id, adopted.description]))).toEqual(["legacy", "mine"]);
  });

  test("a malformed seed fails at once", () => {
    expect(() => mocks({ seed: { gate: [] } })).toThrow("seed.gate: there is no such list");
  });
});

test("resources and functions of others are the test's own", async () => {
  class Bucket extends pulumi.CustomResource {
    declare readonly arn: pulumi.Output<string>;
    constructor(name: string) {
      super("aws:s3:Bucket", name, { arn: undefined });
    }
  }
  const fallback: pulumi.runtime.Mocks = {
    newResource: ({ name, inputs }) => ({ id: `id of ${name}`, state: { ...inputs, arn: "arn:1" } }),
    call: ({ token }) => ({ token }),
  };
  await pulumi.runtime.setMocks(mocks({ fallback }));
  const bucket = new Bucket("files");
  expect(await outputValue(pulumi.all([bucket.id, bucket.arn]))).toEqual(["id of files", "arn:1"]);
  expect(await pulumi.runtime.invoke("aws:s3:getBucket", {})).toEqual({ token: "aws:s3:getBucket" });
  const gate = new fc.Gate("checkout", { description: bucket.arn });
  expect(await outputValue(gate.description)).toBe("arn:1");
  await pulumi.runtime.setMocks(mocks());
  expect(await outputValue(new Bucket("files").id)).toBe("files_id");
});

describe("under mocks of one's own", () => {
  const seen: Record<string, unknown> = {};
  const own: pulumi.runtime.Mocks = {
    newResource: ({ name, inputs }) => {
      seen[name] = inputs;
      return { id: `${name}_id`, state: inputs };
    },
    call: ({ inputs }) => inputs,
  };

  test("key and name are there, and nothing that no program says", async () => {
    await pulumi.runtime.setMocks(own);
    const { id, key, name } = new fc.Gate("checkout", { description: "New" });
    const filled = ["checkout_id", "checkout", "checkout"];
    expect(await outputValue(pulumi.all([id, key, name]))).toEqual(filled);
    for (const made of [
      new fc.Gate("named", { key: pulumi.output("other") }),
      new fc.Gate("taken", {}, { import: "there" }),
      new fc.Layer("layer", { idType: "userID" }),
      fc.Gate.get("read", "there"),
    ])
      await outputValue(made.id);
    expect(seen).toEqual({
      checkout: { key: "checkout", name: "checkout", description: "New" },
      named: { key: "other", name: "other" },
      taken: { key: "there" },
      layer: { name: "layer", idType: "userID" },
      read: {},
    });
  });

  test("that pass on to mocks(), resources are checked and made", async () => {
    const inner = mocks();
    await pulumi.runtime.setMocks({
      ...inner,
      newResource: (args) => {
        seen[args.name] = args.inputs;
        return inner.newResource(args);
      },
    });
    expect(await outputValue(new fc.Gate("checkout", {}).status)).toBe("In Progress");
    expect(seen.checkout).toEqual({ key: "checkout", name: "checkout" });
    expect((await fc.listGates()).map(({ id }) => id)).toEqual(["checkout"]);
    const failing = new fc.Gate("next", { rules: [staffOf(300)] });
    await expect(outputValue(failing.id)).rejects.toThrow("passPercentage: found 300");
  });
});

// Actions act on what a program has made: see below.
const every = Object.values<ResourceDefinition>({ ...catalog, ...parts }).map(
  (one): [string, ResourceDefinition] => [one.kind, one],
);

test.each(every)("a %s can be made", async (kind, definition) => {
  const { smallest, beside = {} } = samplesOf(definition);
  await pulumi.runtime.setMocks(mocks({ seed: beside }));
  const classes = fc as unknown as Record<string, new (name: string, args: object) => pulumi.CustomResource>;
  const Class = classes[kind] as (typeof classes)[string];
  expect(await outputValue(new Class("one", smallest).id)).toEqual(expect.any(String));
});

test("an action acts on what the program has made", async () => {
  await pulumi.runtime.setMocks(mocks());
  const gate = new fc.Gate("checkout");
  await outputValue(new fc.GateLaunch("launch", { gate }).id);
  expect((await fc.getGate({ id: "checkout" })).status).toBe("Launched");
});
