import { beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "../../src";
import { managed } from "../../src/provider/definitions";
import { idsAndKinds, withIds } from "../../src/provider/pulumi/arguments/arguments";

/** A resource of another package, of a type that only looks like one of ours. */
class Other extends pulumi.CustomResource {
  constructor(name: string) {
    super("other:feature-console:Gate", name, {});
  }
}

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `id of ${name}`, state: inputs }),
    call: () => ({}),
  }),
);

/** The value with outputs resolved. */
function resolved(value: unknown): Promise<unknown> {
  return new Promise((resolve) => (pulumi.output(value) as pulumi.Output<unknown>).apply(resolve));
}

test("each resource becomes its id, and its kind is told by its place", async () => {
  const [gate, staff] = [new fc.Gate("asked"), new fc.Segment("staff", { type: "rule_based" })];
  const args = {
    targetingGateID: gate,
    rules: [{ name: "Staff", conditions: [{ type: "passes_segment", targetValue: [gate, staff] }] }],
    description: "text",
  };
  const { value, kinds } = idsAndKinds(args);
  const expected = {
    targetingGateID: "id of asked",
    rules: [
      {
        name: "Staff",
        conditions: [{ type: "passes_segment", targetValue: ["id of asked", "id of staff"] }],
      },
    ],
    description: "text",
  };
  expect(await resolved(value)).toEqual(expected);
  expect(await resolved(withIds(args))).toEqual(expected);
  expect(kinds).toEqual({
    targetingGateID: "Gate",
    "rules[0].conditions[0].targetValue[0]": "Gate",
    "rules[0].conditions[0].targetValue[1]": "Segment",
  });
});

test("what may be anything has no kind: resources of others, ids, outputs and promises", async () => {
  const gate = new fc.Gate("another");
  const args = {
    other: new Other("other"),
    id: gate.id,
    later: Promise.resolve("text"),
    list: [pulumi.output("text"), null, undefined, 5],
  };
  const { value, kinds } = idsAndKinds(args);
  expect(kinds).toEqual({});
  expect(value).toMatchObject({ id: gate.id, later: args.later, list: args.list });
  expect(await resolved((value as typeof args).other)).toBe("id of other");
});

test("every class has the kind of its definition", () => {
  const classes = fc as unknown as Record<string, new (name: string, args: object) => pulumi.CustomResource>;
  const kinds = Object.values(managed).map(({ kind, samples }) => {
    const Class = classes[kind] as (typeof classes)[string];
    return idsAndKinds({ one: new Class(`one ${kind}`, samples.smallest) }).kinds.one;
  });
  expect(kinds).toEqual(Object.values(managed).map(({ kind }) => kind));
});
