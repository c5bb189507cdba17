import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Resource, type Subject, startSubject } from "../laws/subject";

// Somebody changes a value in the console, and the program changes the same one: which of the two counts, a person says.

const everyone = [{ type: "public" }];
const rule = (name: string, passPercentage: number, more: JsonObject = {}): JsonObject => ({
  name,
  passPercentage,
  conditions: everyone,
  ...more,
});

let subject: Subject;
afterEach(() => subject.close());

/** A gate of the program, then what somebody does in the console: state knows nothing of it. */
async function edited(
  program: JsonObject,
  edit: JsonObject,
  definition: ResourceDefinition = catalog.gate,
): Promise<Resource> {
  subject = await startSubject(definition);
  const made = await subject.up({ key: "checkout_v2", ...program });
  const raw = definition.kind === "DynamicConfig" ? subject.raw.dynamicConfig : subject.raw.gate;
  await raw.patch({ id: made.id, body: edit });
  subject.emulator.clearRequests();
  return made;
}

const live = async () => (await subject.raw.gate.get({ id: "checkout_v2" })) as JsonObject;
const shares = async () =>
  ((await live()).rules as JsonObject[]).map(({ name, passPercentage }) => [name, passPercentage]);

describe("a share that somebody set to 0 % and that the program raises", () => {
  const from = { rules: [rule("Staff", 100), rule("Everyone", 50)] };
  const to = { key: "checkout_v2", rules: [rule("Staff", 100), rule("Everyone", 80)] };
  const byHand = { rules: [rule("Staff", 100), rule("Everyone", 0)] };

  test("is refused before any write, with place, values, who, when and the ways on", async () => {
    const made = await edited(from, byHand);
    await expect(subject.update(made, to)).rejects.toThrow(
      /^Cannot update gate "checkout_v2": gate "checkout_v2" changed in the console since it was last seen, where this update changes it too \(last change: a key, \d{4}-\d\d-\d\d \d\d:\d\d UTC\): rules\[1\]\.passPercentage of "Everyone" was 50, is 0 now, and the program sets 80\. Nothing was sent\. To keep what the console has, set it in the program \(TypeScript: "npx feature-console drift --accept resource"\); to decide anew, type "pulumi refresh" and look at the preview again\.$/,
    );
    expect(subject.writes()).toEqual([]);
    expect(await shares()).toEqual([
      ["Staff", 100],
      ["Everyone", 0],
    ]);
  });

  test("and nothing else of the object is written, and all that is asked is the read that an update makes anyway", async () => {
    const made = await edited(from, byHand);
    const more = { ...to, description: "More", rules: [...to.rules, rule("New", 5)] };
    await expect(subject.update(made, more)).rejects.toThrow(/rules\[1\]\.passPercentage/);
    expect(subject.emulator.requests.map(({ method }) => method)).toEqual(["GET"]);
  });

  test("goes after a refresh, and is nothing to do where the program takes what the console has", async () => {
    const made = await edited(from, byHand);
    const accepted = await subject.update(made, { ...to, rules: byHand.rules });
    expect(subject.writes()).toEqual([]);
    expect((await subject.diff(accepted, { ...to, rules: byHand.rules })).quiet).toBe(true);
    const seen = (await subject.refresh(made)) as Resource;
    await subject.update(seen, to);
    expect(await shares()).toEqual([
      ["Staff", 100],
      ["Everyone", 80],
    ]);
  });

  test("is overwritten where the resource says so, and a line says what went", async () => {
    const made = await edited(from, byHand);
    const updated = await subject.update(made, { ...to, overwriteConsoleEdits: true });
    expect(await shares()).toEqual([
      ["Staff", 100],
      ["Everyone", 80],
    ]);
    expect(subject.lines).toEqual([
      expect.stringMatching(
        /rules\[1\]\.passPercentage of "Everyone" was 50, is 0 now, and the program sets 80\. Overwritten, because overwriteConsoleEdits is set\.$/,
      ),
    ]);
    expect((await subject.diff(updated, { ...to, overwriteConsoleEdits: true })).quiet).toBe(true);
    expect((await subject.diff(updated, to)).quiet).toBe(true);
  });

  test("is left to the console that owns it", async () => {
    const owns = { rollout: "console" };
    const made = await edited({ ...from, owns }, byHand);
    await subject.update(made, { ...to, owns, description: "Other" });
    expect(await shares()).toEqual([
      ["Staff", 100],
      ["Everyone", 0],
    ]);
    expect(subject.lines).toEqual([]);
  });

  test("is no conflict where this stack itself had written it, and was killed before it could say so", async () => {
    const made = await edited(from, to);
    await subject.update(made, { ...to, description: "Other" });
    expect(await live()).toMatchObject({ description: "Other" });
    expect(subject.lines).toEqual([]);
  });
});

test("the control group that the console chose once a lost answer had left the groups there is no edit", async () => {
  subject = await startSubject(catalog.experiment);
  const layout = ["Control", "Test"].map((name) => ({ name, size: 50, parameterValues: {} }));
  const made = await subject.up({ name: "colours" });
  await subject.raw.experiment.patch({ id: made.id, body: { groups: layout } });
  expect((await subject.raw.experiment.get({ id: made.id })).controlGroupID).toBeTruthy();
  await subject.update(made, { name: "colours", groups: layout, controlGroup: "Test" });
  const { groups, controlGroupID } = await subject.raw.experiment.get({ id: made.id });
  const named = groups as { id: string; name: string }[];
  expect(named.find(({ id }) => id === controlGroupID)?.name).toBe("Test");
});

test("a gate that somebody archived since the last refresh stays archived", async () => {
  const made = await edited({ description: "Was" }, {});
  await subject.raw.gate.archive({ id: made.id, body: {} });
  await expect(subject.update(made, { key: "checkout_v2", description: "Now" })).rejects.toThrow(
    "was archived in the console since the last refresh: left as it is",
  );
  expect(await live()).toMatchObject({ status: "Archived", description: "Was" });
});

test("values that both add to a set, and take away, stay side by side", async () => {
  const of = (...tags: string[]) => ({ tags });
  const made = await edited(of("a", "b"), of("b", "c"));
  await subject.update(made, { key: "checkout_v2", ...of("a", "d") });
  const { tags } = await live();
  expect(new Set(tags as string[])).toEqual(new Set(["c", "d"]));
});

const country = (operator: string, ...targetValue: string[]) => ({ type: "country", operator, targetValue });
const email = (...targetValue: string[]) => ({ type: "email", operator: "any", targetValue });
const ruled = (...conditions: JsonObject[]) => ({ rules: [rule("A", 10, { conditions })] });

describe("what both changed is refused:", () => {
  test.each<[string, JsonObject, JsonObject, JsonObject, RegExp]>([
    [
      "a text",
      { description: "Was" },
      { description: "Theirs" },
      { description: "Ours" },
      /description was "Was", is "Theirs" now, and the program sets "Ours"/,
    ],
    [
      "a text that the program removes",
      { description: "Was", tags: [] },
      { description: "Theirs" },
      { tags: [] },
      /description was "Was", is "Theirs" now, and the program removes it/,
    ],
    [
      "a text that the program had not set before",
      { tags: [] },
      { description: "Theirs" },
      { tags: [], description: "Ours" },
      /description was (nothing|""), is "Theirs" now, and the program sets "Ours"/,
    ],
    [
      "the order of rules",
      { rules: [rule("A", 1), rule("B", 2), rule("C", 3)] },
      { rules: [rule("C", 3), rule("A", 1), rule("B", 2)] },
      { rules: [rule("B", 2), rule("A", 1), rule("C", 3)] },
      /the order of rules was \["A","B","C"\], is \["C","A","B"\] now, and the program sets \["B","A","C"\]/,
    ],
    [
      "a rule that the program removes and somebody changed",
      { rules: [rule("A", 1), rule("B", 2)] },
      { rules: [rule("A", 1), rule("B", 0)] },
      { rules: [rule("A", 1)] },
      /rules\[1\] of "B" was .*"passPercentage":2.*, is .*"passPercentage":0.* now, and the program removes it/,
    ],
    [
      "a rule that the program changes and somebody removed",
      { rules: [rule("A", 1), rule("B", 2)] },
      { rules: [rule("A", 1)] },
      { rules: [rule("A", 1), rule("B", 3)] },
      /rules\[1\] of "B" was .*, is nothing now, and the program sets /,
    ],
    [
      "a rule that both added, each otherwise",
      { rules: [rule("A", 1)] },
      { rules: [rule("A", 1), rule("B", 2)] },
      { rules: [rule("A", 1), rule("B", 3)] },
      /rules\[1\] of "B" was nothing, is .* now, and the program sets /,
    ],
    [
      "a condition that both rewrote",
      ruled(email("a@example.com")),
      ruled(country("none", "NZ")),
      ruled(country("any", "AU")),
      /rules\[0\]\.conditions\[0\] of "A" was /,
    ],
  ])("%s", async (_, from, byHand, to, named) => {
    const made = await edited(from, byHand);
    await expect(subject.update(made, { key: "checkout_v2", ...to })).rejects.toThrow(named);
    expect(subject.writes()).toEqual([]);
    const seen = (await subject.refresh(made)) as Resource;
    await subject.update(seen, { key: "checkout_v2", ...to });
    expect(subject.writes().length).toBeGreaterThan(0);
  });

  test("a gate that somebody switched off and the program launches", async () => {
    const made = await edited({ isEnabled: true }, { isEnabled: false });
    await expect(subject.update(made, { key: "checkout_v2", status: "Launched" })).rejects.toThrow(
      /status was "In Progress", is "Disabled" now, and the program sets "Launched"/,
    );
    expect(subject.writes()).toEqual([]);
  });

  test("a value inside the JSON of a config", async () => {
    const made = await edited(
      { defaultValue: { limit: 1, color: "red", gone: null } },
      { defaultValue: { limit: 2, color: "blue", gone: null } },
      catalog.dynamicConfig,
    );
    await expect(
      subject.update(made, { key: "checkout_v2", defaultValue: { limit: 3, color: "red", gone: null } }),
    ).rejects.toThrow(/: defaultValue\.limit was 1, is 2 now, and the program sets 3\. Nothing/);
  });

  test.each<[string, unknown, unknown, unknown, RegExp]>([
    [
      "one value of a list",
      [1, 2],
      [1, 3],
      [1, 4],
      /defaultValue\.list\[1\] was 2, is 3 now, and the program sets 4/,
    ],
    [
      "a list of another length",
      [1, 2],
      [1, 2, 3],
      [2],
      /defaultValue\.list was \[1,2\], is \[1,2,3\] now, and the program sets \[2\]/,
    ],
    [
      "what the program removes",
      { a: 1 },
      { a: 2 },
      {},
      /defaultValue\.list\.a was 1, is 2 now, and the program removes/,
    ],
  ])("in JSON: %s", async (_, from, byHand, to, named) => {
    const of = (list: unknown) => ({ defaultValue: { list } });
    const made = await edited(of(from), of(byHand), catalog.dynamicConfig);
    await expect(subject.update(made, { key: "checkout_v2", ...of(to) })).rejects.toThrow(named);
    expect(subject.writes()).toEqual([]);
  });

  test("the ids of a segment, of which the message shows how many there are", async () => {
    subject = await startSubject(catalog.segment);
    const of = (ids: string[]) => ({ key: "beta", type: "id_list", idType: "userID", ids });
    const made = await subject.up(of(["a", "b"]));
    await subject.update(made, of(["a", "b", "c"]));
    subject.emulator.clearRequests();
    await expect(subject.update(made, of(["a"]))).rejects.toThrow(/ids was 2 ids.*, is 3 ids.* now/);
    expect(subject.writes()).toEqual([]);
  });
});

describe("a gate that somebody switched off, and whose share the program raises", () => {
  test.each<[string, JsonObject]>([
    ["on", { isEnabled: true }],
    ["nothing of it", {}],
  ])(
    "where the program says %s: the update says that it is off, leaves it off, and state keeps what was seen",
    async (_, said) => {
      const made = await edited({ rules: [rule("Everyone", 50)], ...said }, { isEnabled: false });
      const to = { key: "checkout_v2", rules: [rule("Everyone", 80)], ...said };
      const updated = await subject.update(made, to);
      expect(subject.lines).toContain(
        'gate "checkout_v2" is off in the console, and this update leaves it off: no user gets it, before or after.',
      );
      expect(await live()).toMatchObject({ isEnabled: false, status: "Disabled" });
      expect(await shares()).toEqual([["Everyone", 80]]);
      expect(updated.outputs).toMatchObject({ isEnabled: true });
      expect((await subject.diff(updated, to)).quiet).toBe(true);
      const seen = (await subject.refresh(updated)) as Resource;
      expect(seen.outputs).toMatchObject({ isEnabled: false, status: "Disabled" });
    },
  );
});
