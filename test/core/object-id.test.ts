import { describe, expect, test } from "@jest/globals";
import { managed } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import {
  calledBy,
  callingArgument,
  expectedId,
  hasNameBeside,
  idArguments,
  idMember,
  nameFor,
  namingArguments,
} from "../../src/provider/schema/object-id";

const kinds: Readonly<Record<string, ResourceDefinition>> = managed;

function kind(name: string): ResourceDefinition {
  const found = kinds[name];
  if (found === undefined) throw new Error(`there is no kind ${name}`);
  return found;
}

/** What a program says, and what follows from it, for one kind of each way to an id. */
const table = [
  {
    ...{ name: "gate", how: "key", args: { key: "New_Gate", name: "New gate" } },
    ...{
      id: "New_Gate",
      called: "New_Gate",
      member: "id",
      made: ["key"],
      naming: ["key", "name"],
      beside: true,
    },
  },
  {
    ...{ name: "tag", how: "key", args: { name: "Beta 1" } },
    ...{ id: "Beta 1", called: "Beta 1", member: "name", made: ["name"], naming: ["name"], beside: false },
  },
  {
    ...{ name: "holdout", how: "slug", args: { name: "All Of 2026" } },
    ...{
      id: "all_of_2026",
      called: "All Of 2026",
      member: "id",
      made: ["name"],
      naming: ["name"],
      beside: false,
    },
  },
  {
    ...{ name: "metric", how: "template", args: { name: "Sales", type: "sum" } },
    ...{
      id: "Sales::sum",
      called: "Sales",
      member: "id",
      made: ["name", "type"],
      naming: ["name"],
      beside: false,
    },
  },
  {
    ...{ name: "alert", how: "server", args: { name: "Too slow" } },
    ...{ id: undefined, called: "Too slow", member: "id", made: ["name"], naming: ["name"], beside: false },
  },
  {
    ...{ name: "environments", how: "singleton", args: { environments: [] } },
    ...{ id: "project", called: "project", member: "id", made: [], naming: [], beside: false },
  },
  {
    ...{ name: "gateLaunch", how: "template", args: { gate: "new_gate" } },
    ...{ id: "new_gate:launch", called: "new_gate", member: "id", made: ["gate"], naming: [], beside: false },
  },
];

describe.each(table)("$name, whose id comes by $how", ({ name, how, args, ...expected }) => {
  const definition = kind(name);

  test("is told apart so", () => {
    expect(definition.identity.how).toBe(how);
    expect({
      id: expectedId(definition, args),
      called: calledBy(definition, args),
      member: idMember(definition),
      made: idArguments(definition),
      naming: namingArguments(definition),
      beside: hasNameBeside(definition),
    }).toEqual(expected);
  });

  test("is called by the first argument that its id is made of", () => {
    expect(callingArgument(definition)).toBe(expected.made[0]);
  });
});

test("what has a name is called by its key where nobody says a name", () => {
  expect(nameFor(kind("gate"), { key: "new_gate" })).toBe("new_gate");
  expect(nameFor(kind("gate"), { key: "new_gate", name: "New gate" })).toBe("New gate");
  expect(nameFor(kind("gateLaunch"), { gate: "new_gate" })).toBeUndefined();
});
