import { expect, test } from "@jest/globals";
import { catalog } from "../../src/catalog";
import { providerOf } from "../../src/pulumi/provider";

const gate = providerOf(catalog.gate);

test("a resource that has another name under an alias keeps its key when it is replaced", async () => {
  const { inputs: before = {} } = await gate.check({}, { __logicalName: "checkout", idType: "userID" });
  const news = { __logicalName: "checkout_gate", idType: "companyID" };
  const { inputs: after = {} } = await gate.check(before, news);
  expect(
    await gate.diff("checkout", { ...before, __managed: ["key", "name", "idType"] }, after),
  ).toMatchObject({
    replaces: ["idType"],
  });
  // Pulumi checks the arguments of a replacement again, without those of last time.
  expect((await gate.check({}, news)).inputs).toMatchObject({ key: "checkout", name: "checkout" });
});

test("a new resource of such a name gets its own", async () => {
  const { inputs } = await gate.check({}, { __logicalName: "checkout_gate", idType: "companyID" });
  expect(inputs).toMatchObject({ key: "checkout_gate", name: "checkout_gate" });
});
