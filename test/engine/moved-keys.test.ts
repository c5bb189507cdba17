import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { adapters, type Resource, type Subject, startSubject } from "../laws/subject";

// A key that moves onto another object of the same program, which has to give it up first.

let subject: Subject;
afterEach(() => subject.close());

describe.each(adapters)("of two gates, %s", (adapter) => {
  const said = (name: string, key: string, preview: boolean): JsonObject => ({
    ...{ key, name: `${name} gate`, __program: { name, preview } },
  });
  const start = async () => {
    subject = await startSubject(catalog.gate, { adapter });
    const left = await subject.up(said("left", "left_key", false));
    const right = await subject.up(said("right", "right_key", false));
    subject.emulator.clearRequests();
    return { left, right };
  };
  /** What a run says of both, as the engine asks: each is checked and compared, whichever comes first. */
  const problemsOf = async (wanted: readonly (readonly [Resource, JsonObject])[]) => {
    subject.nextRun();
    const said: string[] = [];
    for (const [resource, args] of wanted) {
      const found = await subject.problems(args, resource.inputs);
      said.push(...found.map(({ reason }) => reason));
      if (found.length > 0) continue;
      const inputs = await subject.checked(args, resource.inputs);
      const failed = await subject
        .calls()
        .diff(resource.id, resource.outputs, inputs)
        .then(
          () => [],
          (error: Error) => [error.message],
        );
      said.push(...failed);
    }
    return said;
  };

  test.each([
    ["swap their keys", "right_key", "left_key", true],
    ["swap their keys", "right_key", "left_key", false],
    ["move one onto the other, which moves on", "right_key", "free_key", true],
    ["move one onto the other, which moves on", "right_key", "free_key", false],
  ])(
    "a program that lets them %s (%s and %s) is refused, in a preview: %s",
    async (_, one, other, preview) => {
      const { left, right } = await start();
      const wanted = [
        [left, said("left", one, preview)],
        [right, said("right", other, preview)],
      ] as const;
      for (const order of [wanted, wanted.toReversed()])
        expect((await problemsOf(order)).join("\n")).toMatch(
          /gate "(left|right)_key" (exists already: .*stays as it is|goes only at the end of the update|is what the resource "(left|right)" gives up)/,
        );
      expect(subject.writes()).toEqual([]);
    },
  );
});
