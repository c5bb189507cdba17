import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createRouteClient } from "../../src/provider/client/client";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { callingArgument } from "../../src/provider/schema/object-id";
import { allOf } from "../support/raw-client";
import { kinds, type Subject, startSubject, without } from "./subject";
import { waivedLaws, waiverOf } from "./waivers";

const laws = new Set<string>();

test("only laws are waived", () => {
  expect(waivedLaws.filter((title) => !laws.has(title))).toEqual([]);
});

describe.each(kinds)("%s", (_, definition: ResourceDefinition) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await startSubject(definition);
  });
  afterEach(() => subject.close());

  const law = (title: string, work: () => Promise<void>) => {
    laws.add(title);
    if (waiverOf(definition, title) === undefined) test(title, work);
  };

  const { smallest, fullest } = definition.samples;
  const samples: [string, JsonObject][] = Object.entries({ smallest, fullest });

  test.each(samples)("the %s sample passes check, and check again changes nothing", async (_name, sample) => {
    const once = await subject.checked(sample);
    expect(await subject.checked(once, once)).toEqual(once);
  });

  test.each(samples)(
    "created from the %s sample, it is quiet in diff and refresh, and no write follows",
    async (_name, sample) => {
      const made = await subject.up(sample);
      expect(await subject.diff(made, sample)).toEqual({ quiet: true, replaces: [] });
      subject.emulator.clearRequests();
      const refreshed = await subject.refresh(made);
      expect(refreshed?.outputs).toEqual(made.outputs);
      expect(await subject.diff(refreshed ?? made, sample)).toEqual({ quiet: true, replaces: [] });
      expect(subject.writes()).toEqual([]);
    },
  );

  law(
    "check and diff ask nothing of the console, but for one look where another object is to be, and one for its name",
    async () => {
      const made = await subject.up(definition.samples.fullest);
      subject.emulator.clearRequests();
      const argument = callingArgument(definition) ?? "";
      const sameIdentity = {
        ...definition.samples.smallest,
        [argument]: definition.samples.fullest[argument],
      };
      await subject.diff(made, sameIdentity).catch(() => undefined);
      // The id of such a kind is made of more than one argument.
      const looks = definition.identity.how === "template" ? 1 : 0;
      // A name beside the key, or of which the id is made, may be another object's.
      const names = definition.fields.key === undefined && definition.identity.how !== "slug" ? 0 : 1;
      expect(subject.emulator.requests.length).toBeLessThanOrEqual(looks + names);
      await subject.diff(made, definition.samples.smallest).catch(() => undefined);
      const asked = subject.emulator.requests.map(({ method }) => method);
      expect(asked.every((method) => method === "GET")).toBe(true);
      expect(asked.length).toBeLessThanOrEqual(looks + names + 1 + names);
    },
  );

  // Where the console thinks ids up, names are free to change and to be the same.
  const thoughtUp = definition.identity.how === "server";

  law("a change of identity plans a replacement", async () => {
    const made = await subject.up(definition.samples.fullest);
    const argument = callingArgument(definition) ?? "";
    // The old object has its name until the new one is there.
    const name = definition.fields.name === undefined ? {} : { name: "another_name" };
    const diff = await subject.diff(made, {
      ...{ ...definition.samples.fullest, ...name },
      [argument]: "another_name",
    });
    expect(diff.quiet).toBe(false);
    expect(diff.replaces.filter((one) => one === argument)).toEqual(thoughtUp ? [] : [argument]);
  });

  law("from the smallest to the fullest in place, and back: every clearable field is cleared", async () => {
    const argument = callingArgument(definition) ?? "";
    const isOnlyOne = definition.lifecycle.create.how === "claim";
    const identity = isOnlyOne ? {} : { [argument]: definition.samples.smallest[argument] };
    const fixed = Object.keys(definition.fields).filter(
      (name) => definition.fields[name]?.facts.fixed === true,
    );
    const held = Object.fromEntries(
      fixed
        .filter((name) => name in definition.samples.fullest)
        .map((name) => [name, definition.samples.fullest[name]]),
    );
    const small = { ...definition.samples.smallest, ...held };
    const full = { ...definition.samples.fullest, ...identity };
    const made = await subject.up(small);
    expect((await subject.diff(made, full)).quiet).toBe(false);
    const filled = await subject.update(made, full);
    expect(await subject.diff(filled, full)).toEqual({ quiet: true, replaces: [] });
    expect((await subject.diff(filled, small)).quiet).toBe(false);
    const emptied = await subject.update(filled, small);
    expect(await subject.diff(emptied, small)).toEqual({ quiet: true, replaces: [] });
    for (const name of Object.keys(full)) {
      const facts = definition.fields[name]?.facts;
      if (facts === undefined || name in small || !("clearWith" in facts) || facts.remembered) continue;
      const left = emptied.outputs[name];
      expect([name, isEmpty(left) || left === facts.clearWith]).toEqual([name, true]);
    }
  });

  law("deleting twice is fine", async () => {
    const made = await subject.up({ ...definition.samples.smallest, onDelete: "delete" });
    await subject.destroy(made);
    await subject.destroy(made);
    expect(await subject.refresh(made)).toBeUndefined();
  });

  law("destroyed by default, the next up brings it back under the same id", async () => {
    const made = await subject.up(definition.samples.fullest);
    await subject.destroy(made);
    const again = await subject.up(definition.samples.fullest);
    expect(again.id === made.id).toBe(!thoughtUp);
    expect(await subject.diff(again, definition.samples.fullest)).toEqual({ quiet: true, replaces: [] });
  });

  law("what exists already is not taken without a word, and is taken with adopt", async () => {
    const made = await subject.up(definition.samples.fullest);
    const second = { ...definition.samples.fullest, __program: { name: "second" } };
    if (thoughtUp) {
      expect((await subject.up(second)).id).not.toBe(made.id);
      return;
    }
    // The same program's second resource of that key is refused even where everything is equal.
    await expect(subject.up(second)).rejects.toThrow(/of this program|exists already/);
    expect((await subject.refresh(made))?.id).toBe(made.id);
  });

  law("created again as if it had never been recorded, it is the same object", async () => {
    const made = await subject.up(definition.samples.fullest);
    const again = await subject.up(definition.samples.fullest);
    expect(again.id).toBe(made.id);
    expect(await subject.diff(again, definition.samples.fullest)).toEqual({ quiet: true, replaces: [] });
    await subject.destroy(again);
  });

  law("refused twice with 429, a create looks like any other", async () => {
    subject.emulator.addFaults([{ method: "POST", status: 429, retryAfter: 0, times: 2 }]);
    const made = await subject.up(definition.samples.fullest);
    expect(await subject.diff(made, definition.samples.fullest)).toEqual({ quiet: true, replaces: [] });
  });

  law("the answer to a create got lost: one object, and it is ours", async () => {
    subject.emulator.addFaults([{ method: "POST", reset: "after", times: 1 }]);
    const made = await subject.up(definition.samples.fullest);
    expect(await subject.diff(made, definition.samples.fullest)).toEqual({ quiet: true, replaces: [] });
    const { read } = definition.lifecycle;
    const list = read.how === "remember" ? undefined : definition.routes[read.list ?? ""];
    const client = createRouteClient({ profile: "custom", baseUrl: subject.emulator.url, apiKey: "x" });
    if (list !== undefined) expect(await allOf(client.items(list, {}))).toHaveLength(1);
    // An address leads to one object: a second request for it was refused, or none was sent.
    else expect(subject.writes().filter(({ status }) => status < 300)).toHaveLength(1);
  });

  law("a set in another order is quiet", async () => {
    const full = definition.samples.fullest;
    const made = await subject.up(full);
    const shuffled = Object.fromEntries(
      Object.entries(full).map(([name, value]) => {
        const unordered = definition.fields[name]?.facts.unordered && Array.isArray(value);
        return [name, unordered ? [...value].reverse() : value];
      }),
    );
    expect(await subject.diff(made, shuffled)).toEqual({ quiet: true, replaces: [] });
  });

  law("removing one clearable field is seen and clears it; the rest stays", async () => {
    const full = definition.samples.fullest;
    let resource = await subject.up(full);
    for (const name of Object.keys(full)) {
      const facts = definition.fields[name]?.facts;
      if (facts === undefined || !("clearWith" in facts) || facts.fixed || facts.remembered) continue;
      const less = without(full, name);
      expect([name, (await subject.diff(resource, less)).quiet]).toEqual([name, false]);
      const cleared = await subject.update(resource, less);
      const left = cleared.outputs[name];
      expect([name, isEmpty(left) || left === facts.clearWith]).toEqual([name, true]);
      resource = await subject.update(cleared, full);
      expect(await subject.diff(resource, full)).toEqual({ quiet: true, replaces: [] });
    }
  });
});

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    (isObject(value) && Object.keys(value).length === 0)
  );
}
