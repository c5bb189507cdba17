import { expect, test } from "@jest/globals";
import { groupOrder, type Needs, ordered, placedInFiles } from "../../src/tools/import/program/order";

const needsOf = (needs: Readonly<Record<string, readonly string[]>>): Needs<string> =>
  new Map(Object.entries(needs));

test("what others need comes first, and the rest in its own order", () => {
  const { order, cut } = ordered(["a", "b", "c"], needsOf({ a: ["c"], b: [], c: [] }));
  expect(order).toEqual(["c", "a", "b"]);
  expect(cut.size).toBe(0);
});

test("a circle is cut once, where it closes", () => {
  const { order, cut } = ordered(["a", "b", "c"], needsOf({ a: ["b"], b: ["c"], c: ["a"] }));
  expect(order).toEqual(["c", "b", "a"]);
  expect([...cut].map(([from, to]) => [from, [...to]])).toEqual([["c", ["a"]]]);
});

test("a chain may be as long as a project", () => {
  const names = Array.from({ length: 50_000 }, (_, index) => `n${index}`);
  const needs: Needs<string> = new Map(names.map((name, index) => [name, names.slice(index + 1, index + 2)]));
  expect(ordered(names, needs).order[0]).toBe("n49999");
});

test("files can be loaded one after the other, also where groups need each other", () => {
  const groupOf = (name: string) => name.charAt(0);
  // A gate needs a pipeline that needs a gate.
  const needs = needsOf({ g1: ["p1"], p1: ["g2"], g2: [], s1: ["g1"] });
  const { order } = ordered(["g1", "g2", "p1", "s1"], needs);
  const groups = groupOrder(order, needs, groupOf, ["g", "p", "s"]);
  const places = placedInFiles(order, needs, groupOf, groups);
  const files = groups.flatMap((group) => [1, 2].map((part) => ({ group, part })));
  const loaded = files
    .toSorted((a, b) => a.part - b.part)
    .flatMap(({ group, part }) =>
      order.filter((one) => places.get(one)?.group === group && places.get(one)?.part === part),
    );
  expect(loaded.toSorted()).toEqual(["g1", "g2", "p1", "s1"]);
  for (const [one, needed] of needs)
    for (const other of needed) expect(loaded.indexOf(other)).toBeLessThan(loaded.indexOf(one));
  expect(places.get("g1")).not.toEqual(places.get("g2"));
});

test("groups keep their usual order as far as references allow", () => {
  const groupOf = (name: string) => name.charAt(0);
  const objects = ["a1", "b1", "c1"];
  expect(groupOrder(objects, needsOf({ a1: [], b1: [], c1: [] }), groupOf, ["c", "a"])).toEqual([
    "c",
    "a",
    "b",
  ]);
  expect(groupOrder(objects, needsOf({ a1: ["b1"], b1: [], c1: [] }), groupOf, ["a", "b", "c"])).toEqual([
    "b",
    "a",
    "c",
  ]);
});
