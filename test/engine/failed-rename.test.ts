import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { adapters, type Subject, startSubject } from "../laws/subject";

// With --continue-on-error Pulumi goes on after a create that failed, and removes what the program no longer has.

let subject: Subject;
afterEach(() => subject.close());

describe.each(adapters)(
  "a resource is renamed without an alias, and the run continues on errors, %s",
  (adapter) => {
    test.each([
      ["a gate", catalog.gate, { key: "checkout" }],
      ["a segment", catalog.segment, { key: "staff", type: "rule_based" }],
      ["a tag", catalog.tag, { name: "shop", description: "Shop" }],
      [
        "an alert, whose id the console generates,",
        catalog.alert,
        { ...catalog.alert.samples.smallest, name: "Slow", onDelete: "delete" },
      ],
    ] as const)("%s stays as it is, and in state", async (_, definition, args) => {
      subject = await startSubject(definition, { adapter });
      const said = (name: string): JsonObject => ({ ...args, __program: { name } });
      const old = await subject.up(said("old"));
      subject.nextRun();
      const { routes, lifecycle } = definition;
      const create =
        lifecycle.create.how === "send" ? routes[lifecycle.create.route as keyof typeof routes] : undefined;
      const { method, path } = create as { method: "POST"; path: string };
      subject.emulator.addFaults([{ method, path, status: 403, times: 1 }]);
      subject.emulator.clearRequests();
      await expect(subject.up(said("renamed"))).rejects.toThrow();
      await expect(subject.destroy(old)).rejects.toThrow(
        /stays: the resource "renamed" of this program declares it, and could not be created\. Nothing was removed\. If it is the same resource, renamed or moved, set aliases there/,
      );
      expect(subject.writes().filter((one) => one.method !== method)).toEqual([]);
      subject.nextRun();
      expect((await subject.refresh(old))?.id).toBe(old.id);
    });
  },
);
