import { expect, test } from "@jest/globals";
import { meantName } from "../../src/provider/texts/misspelling";

test.each([
  ["wbe", "web"],
  ["webb", "web"],
  ["prodcution", "production"],
  ["prduction", "production"],
  ["prdction", "production"],
  ["Staging", "staging"],
  ["load-test", "load test"],
  ["loadtest", "load test"],
  ["chekout_v2", "checkout_v2"],
  ["user_ID", "userID"],
  ["devceID", "deviceID"],
  ["compenyID", "companyID"],
  ["chekout_stagng", "checkout_staging"],
])("%s is a slip for %s", (said, meant) => {
  expect(meantName(said, ["something else", meant])).toBe(meant);
});

test.each([
  ["web", "web"],
  ["ios", "iot"],
  ["app", "map"],
  ["ab", "abc"],
  ["v1", "v2"],
  ["checkout_v1", "checkout_v2"],
  ["team1", "team12"],
  ["test_a", "test_b"],
  ["checkout", "checkout_a"],
  ["checkout_a", "checkout"],
  ["stage", "staging"],
  ["prod", "production"],
  ["stableID", "userID"],
  ["new_checkout", "old_checkout"],
  ["internal", "external"],
  ["", "web"],
])("%j is another name than %s", (said, known) => {
  expect(meantName(said, [known])).toBeUndefined();
});

test("of several that are close, the closest was meant", () => {
  expect(meantName("payment", ["paymentes", "payments"])).toBe("payments");
});
