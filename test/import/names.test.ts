import { expect, test } from "@jest/globals";
import { identifiersOf, resourceNames } from "../../src/tools/import/program/names";

const named = (names: readonly (readonly [kind: string, name: string])[]) => {
  const objects = names.map(([kind, name]) => ({ kind, name }));
  const identifiers = identifiersOf(objects);
  return objects.map((one) => identifiers.get(one));
};

test("an identifier is the name in camel case", () => {
  const names = ["checkout_v2", "Q4 holdout", "new-checkout.flow", "URL", "café_crème", "companyID"];
  expect(named(names.map((name) => ["Gate", name]))).toEqual([
    "checkoutV2",
    "q4Holdout",
    "newCheckoutFlow",
    "url",
    "caféCrème",
    "companyID",
  ]);
});

test("what no identifier can begin with, or be, gets the kind beside it", () => {
  expect(
    named([
      ["Gate", "3d_view"],
      ["Gate", "default"],
      ["Segment", "fc"],
      ["Tag", "★"],
      ["Tag", "%%"],
    ]),
  ).toEqual(["gate3dView", "defaultGate", "fcSegment", "tag2", "tag"]);
});

test("names that give one identifier are told apart, in whatever order they come", () => {
  const names = [
    ["Gate", "a.b"],
    ["Gate", "a_b"],
    ["Segment", "staff"],
    ["Gate", "staff"],
  ] as const;
  expect(named(names)).toEqual(["aBGate", "aBGate2", "staffSegment", "staffGate"]);
  expect(named(names.toReversed()).toReversed()).toEqual(named(names));
});

test("of several that give one identifier, the one that is called so keeps it", () => {
  const names = [
    ["Gate", "foo-bar"],
    ["Gate", "fooBar"],
    ["Gate", "foo_bar"],
    ["Tag", "search"],
    ["Team", "Search"],
  ] as const;
  expect(named(names)).toEqual(["fooBarGate", "fooBar", "fooBarGate2", "search", "searchTeam"]);
});

test("numbers beside each other stay two numbers", () => {
  expect(
    named([
      ["Gate", "checkout-v2-28"],
      ["Gate", "checkout_v22_8"],
      ["Gate", "rollout 2025.10"],
    ]),
  ).toEqual(["checkoutV2_28", "checkoutV22_8", "rollout2025_10"]);
});

test("resources that would be called alike are told apart by their ids", () => {
  expect(
    resourceNames([
      { called: "too few", id: "1" },
      { called: "too few", id: "2" },
      { called: "", id: "3" },
      { called: "alone", id: "4" },
    ]),
  ).toEqual(["too few (1)", "too few (2)", "3", "alone"]);
});

test("a name made of an id is not that of another object, nor one that is taken", () => {
  const objects = [
    { called: "a", id: "1" },
    { called: "a", id: "2" },
    { called: "a (1)", id: "3" },
    { called: "b", id: "4" },
  ];
  const isFree = (name: string) => name !== "b";
  expect(resourceNames(objects, isFree)).toEqual(["a (1) 2", "a (2)", "a (1)", "b (4)"]);
});

test("what nobody sees, or compilers read differently, is in no identifier", () => {
  const names = ["a\u200db", "\u3164c", "d\u{1d4b3}e", "\u202ef"];
  expect(named(names.map((name) => ["Gate", name]))).toEqual(["ab", "c", "de", "f"]);
});
