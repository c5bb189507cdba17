import { expect, test } from "@jest/globals";
import { mayBeSameStack } from "../../src/provider/decisions/stack-mark";

// By its mark a stack knows what it has archived itself, and may bring back.

test("what another stack of the same backend has archived is not this stack's", () => {
  expect(mayBeSameStack("flags/prod@rT5w0aZk3_cQ", "flags/dev@rT5w0aZk3_cQ")).toBe(false);
});

test("what a stack of this name has archived in another backend is not this stack's", () => {
  expect(mayBeSameStack("flags/dev@another_one", "flags/dev@rT5w0aZk3_cQ")).toBe(false);
});

test("what this stack has archived with version 0.1, which names no backend, is its own", () => {
  expect(mayBeSameStack("flags/dev", "flags/dev@rT5w0aZk3_cQ")).toBe(true);
  expect(mayBeSameStack("flags/dev@rT5w0aZk3_cQ", "flags/dev")).toBe(true);
});
