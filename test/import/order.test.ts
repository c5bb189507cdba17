import { expect, test } from "@jest/globals";
import { groupOrder, type Needs, ordered, placedInFiles } from "../../src/tools/import/program/order";

const needsOf = (needs: Readonly<Record<string, readonly string[]>>): Needs<string> =>
  new Map(Object.entries(needs));
const groupOf = (name: string) => name.charAt(0);

test.each([
  [
    "what others need comes first, the rest in its own order",
    { a: ["c"], b: [], c: [] },
    ["c", "a", "b"],
    [],
  ],
  [
    "a circle is cut once, where it closes",
    { a: ["b"], b: ["c"], c: ["a"] },
    ["c", "b", "a"],
    [["c", ["a"]]],
  ],
])("%s", (_, needs, wanted, cuts) => {
  const { order, cut } = ordered(["a", "b", "c"], needsOf(needs));
  expect(order).toEqual(wanted);
  expect([...cut].map(([from, to]) => [from, [...to]])).toEqual(cuts);
});

test("a chain may be as long as a project", () => {
  const names = Array.from({ length: 50_000 }, (_, index) => `n${index}`);
  const needs: Needs<string> = new Map(names.map((name, index) => [name, names.slice(index + 1, index + 2)]));
  expect(ordered(names, needs).order[0]).toBe("n49999");
});

test("files can be loaded one after the other, also where groups need each other", () => {
  // A gate needs a pipeline that needs a gate.
  const needs = needsOf({ g1: ["p1"], p1: ["g2"], g2: [], s1: ["g1"] });
  const { order } = ordered(["g1", "g2", "p1", "s1"], needs);
  const groups = groupOrder(order, needs, groupOf, ["g", "p", "s"]);
  const places = placedInFiles(order, needs, groupOf, groups);
  const files = [1, 2].flatMap((part) => groups.map((group) => ({ group, part })));
  const loaded = files.flatMap(({ group, part }) =>
    order.filter((one) => places.get(one)?.group === group && places.get(one)?.part === part),
  );
  expect(loaded.toSorted()).toEqual(["g1", "g2", "p1", "s1"]);
  for (const [one, needed] of needs)
    for (const other of needed) expect(loaded.indexOf(other)).toBeLessThan(loaded.indexOf(one));
  expect(places.get("g1")).not.toEqual(places.get("g2"));
});

test.each([
  [["c", "a"], [], ["c", "a", "b"]],
  [["a", "b", "c"], ["b1"], ["b", "a", "c"]],
])("groups keep their usual order, %j, as far as references of a1 to %j allow", (usual, needed, wanted) => {
  const needs = needsOf({ a1: needed, b1: [], c1: [] });
  expect(groupOrder(["a1", "b1", "c1"], needs, groupOf, usual)).toEqual(wanted);
});
