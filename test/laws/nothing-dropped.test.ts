import { describe, expect, test } from "@jest/globals";
import { changesOf } from "../../src/provider/decisions/plan";
import { encoded } from "../../src/provider/engine/send";
import { inputNames, type ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Node, propertiesOf, treeOf } from "../../src/provider/schema/tree";
import { canonicalAll } from "../../src/provider/values/compare";
import { samplesOf } from "../samples";
import { eachObject, withoutUnsaid } from "./objects";
import { kinds } from "./subject";

/** A member that the console may have tomorrow. */
const stranger = "addedByTheConsole";

/** The objects in a value, with what is known of each. */
function objectsIn(node: Node, value: unknown, name: string): [Node, JsonObject][] {
  const found: [Node, JsonObject][] = [];
  eachObject(node, value, name, (at, one) => {
    found.push([at, one]);
    return one;
  });
  return found;
}

/** Fields with objects inside, which are sent whole. */
const fields = kinds.flatMap(([kind, definition]) =>
  inputNames(definition).flatMap((name): [string, string, ResourceDefinition, Node][] => {
    const node = treeOf(definition)[name]?.node ?? {};
    const isInput = definition.fields[name]?.mode === "input";
    const holds = objectsIn(node, samplesOf(definition).fullest[name], name).length > 0;
    return isInput && holds ? [[kind, name, definition, node]] : [];
  }),
);

describe.each(fields)("%s: %s, sent whole", (_, name, definition, node) => {
  const program = canonicalAll(definition, samplesOf(definition).fullest);
  const said = program[name];

  test("carries what the console has in each element and this version does not know", () => {
    const live = eachObject(node, said, name, (_node, one) => ({ ...one, [stranger]: 1 }));
    const [sent] = Object.values(encoded(definition, { [name]: said }, { [name]: live }));
    const every = objectsIn(node, said, name).length;
    expect(every).toBeGreaterThan(0);
    expect(JSON.stringify(sent).split(`"${stranger}":1`).length - 1).toBe(every);
    // Nothing else is added.
    const stripped = eachObject(node, sent, name, (_node, { [stranger]: _stranger, ...rest }) => rest);
    const [wire] = Object.values(encoded(definition, { [name]: said }, {}));
    expect(JSON.parse(JSON.stringify(stripped).replaceAll(`"${stranger}":1,`, ""))).toEqual(wire);
  });

  test("[A1] carries what a program leaves to the console, and clears what it says no more", () => {
    const less = withoutUnsaid(node, said);
    const lessWants = { ...program, [name]: less };
    // A changed element makes the whole list go out.
    const live = { ...program };
    expect(changesOf(definition, { program: lessWants, live })).not.toHaveProperty([name]);
    const isSparse = JSON.stringify(less) !== JSON.stringify(said);
    // Some members stay, also when they were said before.
    const isLasting = objectsIn(node, said, name).every(
      ([at, one]) =>
        at.sparse !== true ||
        Object.keys(one).every(
          (member) => (at.required ?? []).includes(member) || propertiesOf(at)?.[member]?.lasting === true,
        ),
    );
    const changes = changesOf(definition, {
      ...{ program: lessWants, live },
      lastProgram: { [name]: program[name] },
    });
    expect(name in changes).toBe(isSparse && !isLasting);
  });
});

test("fields of more than ten kinds are sent whole", () => {
  expect(new Set(fields.map(([kind]) => kind)).size).toBeGreaterThan(8);
});
