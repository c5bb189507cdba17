import { describe, expect, test } from "@jest/globals";
import { changesOf } from "../../src/provider/decisions/plan";
import { encoded } from "../../src/provider/engine/send";
import { inputNames, type ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Node, propertiesOf, treeOf } from "../../src/provider/schema/tree";
import { canonicalAll } from "../../src/provider/values/compare";
import { eachObject, withoutUnsaid } from "./objects";
import { kinds } from "./subject";

/** A member that the console may have tomorrow. */
const stranger = "addedByTheConsole";

/** Fields with objects inside, which are sent whole. */
const fields = kinds.flatMap(([kind, definition]) =>
  inputNames(definition)
    .filter((name) => definition.fields[name]?.mode === "input")
    .flatMap((name): [string, string, ResourceDefinition, Node][] => {
      const node = treeOf(definition)[name]?.node ?? {};
      let holds = 0;
      eachObject(node, definition.samples.fullest[name], name, (_, value) => {
        holds += 1;
        return value;
      });
      return holds === 0 ? [] : [[kind, name, definition, node]];
    }),
);

const pathsOf = (
  node: Node,
  value: unknown,
  name: string,
  isMeant: (one: JsonObject) => boolean,
): string[] => {
  const found: string[] = [];
  eachObject(node, value, name, (_, one, path) => {
    if (isMeant(one)) found.push(path);
    return one;
  });
  return found.sort();
};

describe.each(fields)("%s: %s, sent whole", (_, name, definition, node) => {
  const wants = canonicalAll(definition, definition.samples.fullest);
  const said = wants[name];

  test("carries what the console has in each element and this version does not know", () => {
    const live = eachObject(node, said, name, (_node, one) => ({ ...one, [stranger]: 1 }));
    const sent = Object.values(encoded(definition, { [name]: said }, { [name]: live }))[0];
    const wire = encoded(definition, { [name]: said }, {});
    const every = pathsOf(node, said, name, () => true).length;
    expect(every).toBeGreaterThan(0);
    expect(JSON.stringify(sent).split(`"${stranger}":1`).length - 1).toBe(every);
    // Nothing else is added.
    const stripped = eachObject(node, sent, name, (_node, { [stranger]: _stranger, ...rest }) => rest);
    expect(JSON.parse(JSON.stringify(stripped).replaceAll(`"${stranger}":1,`, ""))).toEqual(
      Object.values(wire)[0],
    );
  });

  test("carries what a program leaves to the console, and clears what it says no more", () => {
    const less = withoutUnsaid(node, said);
    const lessWants = { ...wants, [name]: less };
    // A changed element makes the whole list go out.
    const live = { ...wants };
    expect(changesOf(definition, live, lessWants, [])).not.toHaveProperty([name]);
    const dropped = Object.keys(changesOf(definition, live, lessWants, [name], wants)).filter(
      (one) => one === name,
    );
    const isSparse = JSON.stringify(less) !== JSON.stringify(said);
    expect(dropped).toEqual(isSparse && !isLasting(node, said, name) ? [name] : []);
  });
});

/** True where all that a program can leave out stays, also when it was said before. */
function isLasting(node: Node, said: unknown, name: string): boolean {
  let all = true;
  eachObject(node, said, name, (at, one) => {
    const properties = propertiesOf(at) ?? {};
    if (at.sparse === true)
      for (const member of Object.keys(one))
        if (!(at.required ?? []).includes(member) && properties[member]?.lasting !== true) all = false;
    return one;
  });
  return all;
}

test("fields of more than ten kinds are sent whole", () => {
  expect(new Set(fields.map(([kind]) => kind)).size).toBeGreaterThan(8);
});
