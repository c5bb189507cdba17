import { expect, test } from "@jest/globals";
import { declaredBeside } from "../../src/provider/pulumi/arguments/declared";
import { Provider } from "../../src/provider/pulumi/explicit-provider";

const type = "pulumi-nodejs:dynamic/feature-console:Gate";

test("a program tells how many resources it has declared, once it has declared them", async () => {
  const first = Array.from({ length: 3 }, () => declaredBeside(type, {}));
  expect(await Promise.all(first)).toEqual([3, 3, 3]);
  const later = [declaredBeside(type, {}), declaredBeside(type, {})];
  expect(await Promise.all(later)).toEqual([5, 5]);
});

test("those of another provider are counted apart", async () => {
  // Only its identity matters here, and the engine that a real one needs is not there.
  const provider = Object.create(Provider.prototype) as Provider;
  const own = [declaredBeside(type, { provider }), declaredBeside(type, { provider })];
  const [before] = await Promise.all([declaredBeside(type, {}), ...own]);
  expect(await Promise.all(own)).toEqual([2, 2]);
  expect(await declaredBeside(type, {})).toBe(before + 1);
});
