import { expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { planMessyConsole } from "./console/messy-console";
import { proveRoundTrip } from "./proof";

jest.setTimeout(FIRST_CLI_TIMEOUT_MS);

test("sixty messy objects of all kinds: imported, compiled, formatted, quiet, and one change is one change", async () => {
  const plan = planMessyConsole({ seed: 14, count: 60 });
  const { faults, told } = await proveRoundTrip(plan);
  expect(faults).toEqual([]);
  // Keys lead to their objects as secrets.
  expect(told.leftOut.map(({ object }) => object.split(" ")[0])).toEqual(["key"]);
});

test("the same console in YAML: imported, quiet, and one change is one change", async () => {
  const plan = planMessyConsole({ seed: 14, count: 60 });
  const { faults, told } = await proveRoundTrip(plan, { language: "yaml" });
  expect(faults).toEqual([]);
  const unexpected = told.leftOut.filter(
    ({ object, why }) => !object.startsWith("key ") && !/null/.test(why),
  );
  expect(unexpected).toEqual([]);
  expect(told.objects).toBeGreaterThan(40);
});
