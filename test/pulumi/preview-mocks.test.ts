import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";

/** What the unit test of somebody's program sees: a preview with mocks, in a stack of its own. */
const called: string[] = [];
const listeners = process.listeners("beforeExit");

beforeAll(() =>
  pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => ({ id: `${name}_id`, state: inputs }),
      call: ({ token }) => {
        called.push(token);
        throw new Error("nobody expects a call");
      },
    },
    "flags",
    "dev",
    true,
    "acme",
  ),
);

afterAll(() => {
  for (const listener of process.listeners("beforeExit"))
    if (!listeners.includes(listener)) process.removeListener("beforeExit", listener);
});

test("mocks are not asked for a state, and nothing is said", async () => {
  const warn = jest.spyOn(console, "warn");
  const outputs = await pulumi.runtime.runInPulumiStack(async () => {
    // Loaded while the run is a preview, as a program loads it.
    const { Segment } = require("../../src") as typeof import("../../src");
    const made = new Segment("vip", { type: "rule_based" });
    const read = Segment.get("staff", "staff");
    return { made: made.id, read: read.id };
  });
  expect(outputs).toEqual({ made: "vip_id", read: "staff" });
  const added = process.listeners("beforeExit").filter((listener) => !listeners.includes(listener));
  expect(added).toHaveLength(1);
  for (const listener of added) (listener as (code: number) => void)(0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(called).toEqual([]);
  expect(warn).not.toHaveBeenCalled();
});
