import { expect, test } from "@jest/globals";
import { identifiersOf, resourceNames } from "../../src/tools/import/program/names";

type Row = readonly [what: string, identifiers: Readonly<Record<string, string>>];

/** Gates by name -> the identifier of each; of other kinds, `Kind: name`. */
test.each<Row>([
  [
    "is the name in camel case",
    {
      ...{ checkout_v2: "checkoutV2", "Q4 holdout": "q4Holdout", "new-checkout.flow": "newCheckoutFlow" },
      ...{ URL: "url", café_crème: "caféCrème", companyID: "companyID" },
    },
  ],
  [
    "has the kind beside it where it could not begin so, or is a word of the language",
    {
      ...{ "3d_view": "gate3dView", default: "defaultGate", "Segment: fc": "fcSegment" },
      ...{ "Tag: ★": "tag2", "Tag: %%": "tag" },
    },
  ],
  [
    "is told apart from others, in whatever order they come",
    { "a.b": "aBGate", a_b: "aBGate2", "Segment: staff": "staffSegment", staff: "staffGate" },
  ],
  [
    "stays that of the one that is called so",
    {
      ...{ "foo-bar": "fooBarGate", fooBar: "fooBar", foo_bar: "fooBarGate2" },
      ...{ "Tag: search": "search", "Team: Search": "searchTeam" },
    },
  ],
  [
    "keeps two numbers beside each other two",
    {
      ...{ "checkout-v2-28": "checkoutV2_28", checkout_v22_8: "checkoutV22_8" },
      "rollout 2025.10": "rollout2025_10",
    },
  ],
  [
    "has nothing that nobody sees, or that compilers read differently",
    { "a\u200db": "ab", "\u3164c": "c", "d\u{1d4b3}e": "de", "\u202ef": "f" },
  ],
])("an identifier %s", (_, wanted) => {
  const objects = Object.keys(wanted).map((text) => {
    const [, kind = "Gate", name = text] = /^(\w+): (.*)$/s.exec(text) ?? [];
    return { kind, name };
  });
  for (const order of [objects, objects.toReversed()]) {
    const identifiers = identifiersOf(order);
    expect(objects.map((one) => identifiers.get(one))).toEqual(Object.values(wanted));
  }
});

test.each([
  [
    "are told apart by their ids",
    ["too few", "too few", "", "alone"],
    ["too few (1)", "too few (2)", "3", "alone"],
  ],
  [
    "are not that of another, nor one that is taken",
    ["a", "a", "a (1)", "b", "c"],
    ["a (1) 2", "a (2)", "a (1)", "b (4)", "c (5) 2"],
  ],
])("names of resources that would be called alike %s", (_, called, names) => {
  const objects = called.map((one, at) => ({ called: one, id: String(at + 1) }));
  expect(resourceNames(objects, (name) => !["b", "c", "c (5)"].includes(name))).toEqual(names);
});
