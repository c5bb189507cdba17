import assert from "node:assert/strict";
import { test } from "node:test";
import { flagsOf } from "pulumi-feature-console/testing";

const flags = flagsOf(() => import("./index.ts"), { environment: "production" });

test("staff have the new checkout, whatever its share is", async () => {
  const { value, rule, why } = (await flags).gate("checkout_v2", { userID: "ann", email: "ann@example.com" });
  assert.deepEqual({ value, rule }, { value: true, rule: "Staff" }, why);
});

test("whoever has the new checkout may have more items", async () => {
  const staff = (await flags).config("shop_limits", { userID: "ann", email: "ann@example.com" });
  assert.deepEqual(staff.value, { maxItems: 50 }, staff.why);
});
