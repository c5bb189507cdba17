import { describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { deskOf } from "../emulator/desk";
import { edit, expectQuiet, fault, live, refreshed, rule, shares, start, subject } from "../laws/harness";
import type { Resource } from "../laws/subject";

// Somebody changes a value in the console, and the program changes the same one: which of the two counts, a person says.

const key = "checkout_v2";

/** A gate of the program, then what somebody does in the console: state knows nothing of it. */
async function edited(
  program: JsonObject,
  byHand: JsonObject,
  definition: ResourceDefinition = catalog.gate,
): Promise<Resource> {
  await start(definition);
  const made = await subject.up({ key, ...program });
  await edit(key, byHand);
  subject.emulator.clearRequests();
  return made;
}

/** Refused with a text, and nothing is written. */
async function expectRefused(work: Promise<unknown>, text: RegExp | string): Promise<void> {
  await expect(work).rejects.toThrow(text);
  expect(subject.writes()).toEqual([]);
}

describe("a share that somebody set to 0 % and that the program raises", () => {
  const of = (share: number) => ({ rules: [rule("Staff", 100), rule("Everyone", share)] });
  const [from, byHand, to] = [of(50), of(0), { key, ...of(80) }];
  const sharesAre = async (share: number) =>
    expect(await shares(key)).toEqual([
      ["Staff", 100],
      ["Everyone", share],
    ]);

  test("is refused after one read, before any write, with place, values, who, when and the ways on, which are open", async () => {
    const made = await edited(from, byHand);
    await expectRefused(
      subject.update(made, { ...to, description: "More", rules: [...to.rules, rule("New", 5)] }),
      /^Cannot update gate "checkout_v2": gate "checkout_v2" changed in the console since it was last seen, where this update changes it too \(last change: a key, \d{4}-\d\d-\d\d \d\d:\d\d UTC\): rules\[1\]\.passPercentage of "Everyone" was 50, is 0 now, and the program sets 80\. Nothing was sent\. To keep what the console has, set it in the program \(TypeScript: "npx feature-console drift --accept resource"\); to decide anew, type "pulumi refresh" and look at the preview again\.$/,
    );
    expect(subject.emulator.requests.map(({ method }) => method)).toEqual(["GET"]);
    await sharesAre(0);
    // What the program takes from the console is nothing to do, and after a refresh it decides anew.
    const accepted = await subject.update(made, { ...to, ...byHand });
    expect(subject.writes()).toEqual([]);
    await expectQuiet(accepted, { ...to, ...byHand });
    await subject.update(await refreshed(made), to);
    await sharesAre(80);
  });

  test("is refused with the person who set it, after an update of another value by a key; without versions, with the last change", async () => {
    const personKey = ["ada", "key"].join("-");
    await start(catalog.gate, { people: { [personKey]: "ada@example.com" } });
    const made = await subject.up({ key, ...from });
    const person = deskOf(subject.emulator, { "SERVICE-API-KEY": personKey });
    await person.must("PATCH", `/gates/${key}`, byHand);
    const next = { key, ...from, description: "Next" };
    const kept = await subject.update(made, next);
    await edit(key, { tags: ["theirs"] });
    subject.emulator.clearRequests();
    const by =
      /last seen, where this update changes it too \(changed by ada@example\.com, [^)]* UTC\): rules\[1\]/;
    await expectRefused(subject.update(kept, { ...next, ...to }), by);
    const guarded = { ...next, ...to, protectConcurrentEdits: true };
    await expectRefused(
      subject.update(made, guarded),
      /since the last refresh \(a key, .* and ada@example\.com, /,
    );
    fault({ path: "/gates/checkout_v2/versions", status: 403, times: 9 });
    await expectRefused(subject.update(kept, { ...next, ...to }), "changes it too (last change: a key, ");
    await sharesAre(0);
  });

  test("is overwritten where the resource says so, and a line says what went", async () => {
    const made = await edited(from, byHand);
    const updated = await subject.update(made, { ...to, overwriteConsoleEdits: true });
    await sharesAre(80);
    expect(subject.lines).toEqual([
      expect.stringMatching(
        /rules\[1\]\.passPercentage of "Everyone" was 50, is 0 now, and the program sets 80\. Overwritten, because overwriteConsoleEdits is set\.$/,
      ),
    ]);
    await expectQuiet(updated, { ...to, overwriteConsoleEdits: true });
    await expectQuiet(updated, to);
  });

  test("is no conflict where this stack itself had written it, and was killed before it could say so", async () => {
    const made = await edited(from, of(80));
    await subject.update(made, { ...to, description: "Other" });
    expect(await live(key)).toMatchObject({ description: "Other" });
    expect(subject.lines).toEqual([]);
  });
});

test("the control group that the console chose once a lost answer had left the groups there is no edit", async () => {
  await start(catalog.experiment);
  const groups = ["Control", "Test"].map((name) => ({ name, size: 50, parameterValues: {} }));
  const made = await subject.up({ name: "colours" });
  await edit(made.id, { groups });
  expect((await live(made.id)).controlGroupID).toBeTruthy();
  await subject.update(made, { name: "colours", groups, controlGroup: "Test" });
  const { controlGroupID, groups: found } = await live(made.id);
  expect((found as JsonObject[]).find(({ id }) => id === controlGroupID)?.name).toBe("Test");
});

test("the default that the program leaves to the console is no edit, when another parameter of the layer goes", async () => {
  await start(catalog.layer);
  const page = (...parameters: JsonObject[]) => ({ name: "page", idType: "userID", parameters });
  const colour = { name: "colour", type: "string", defaultValue: "blue" };
  const columns = { name: "columns", type: "number" };
  const voucher = { name: "voucher", type: "boolean", defaultValue: false };
  const made = await subject.up(page(colour, { ...columns, defaultValue: 2 }, voucher));
  // As a decision of an experiment changes it.
  await edit(made.id, { parameters: [colour, { ...columns, defaultValue: 3 }, voucher] });
  const next = await subject.update(await refreshed(made), page(colour, columns));
  await subject.update(next, page(columns));
  expect(subject.lines).toEqual([]);
  expect(await live(made.id)).toMatchObject({ parameters: [{ ...columns, defaultValue: 3 }] });
});

test("a gate that somebody archived since the last refresh stays archived", async () => {
  const made = await edited({ description: "Was" }, {});
  await subject.raw.gate.archive({ id: made.id, body: {} });
  await expect(subject.update(made, { key, description: "Now" })).rejects.toThrow(
    "was archived in the console since the last refresh: left as it is",
  );
  expect(await live(key)).toMatchObject({ status: "Archived", description: "Was" });
});

test("values that both add to a set, and take away, stay side by side", async () => {
  const made = await edited({ tags: ["a", "b"] }, { tags: ["b", "c"] });
  await subject.update(made, { key, tags: ["a", "d"] });
  expect(new Set((await live(key)).tags as string[])).toEqual(new Set(["c", "d"]));
});

/** A text in which "…" stands for anything. */
const pattern = (text: string) => new RegExp(text.replace(/[.[\]]/g, "\\$&").replaceAll("…", ".*"));

describe("what both changed is refused:", () => {
  const [a, b, b0, b3, c] = [rule("A", 1), rule("B", 2), rule("B", 0), rule("B", 3), rule("C", 3)];
  const rules = (...all: JsonObject[]) => ({ rules: all });
  const asking = (type: string, operator: string) =>
    rules(rule("A", 10, { conditions: [{ type, operator, targetValue: [type] }] }));
  const says = (description: string) => ({ description, tags: [] });
  const silent = { tags: [] };
  const [on, off, launched] = [{ isEnabled: true }, { isEnabled: false }, { status: "Launched" }];
  const json = (x: unknown) => ({ defaultValue: { x, gone: null } });

  // The text, what the program set, what somebody set, and what the program sets now.
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'description was "Was", is "Now" now, and the program sets "Ours"',
      says("Was"),
      says("Now"),
      says("Ours"),
    ],
    ['description was "Was", is "Now" now, and the program removes it', says("Was"), says("Now"), silent],
    ['description was …, is "Now" now, and the program sets "Ours"', silent, says("Now"), says("Ours")],
    [
      'the order of rules was ["A","B","C"], is ["C","A","B"] now, and the program sets ["B","A","C"]',
      rules(a, b, c),
      rules(c, a, b),
      rules(b, a, c),
    ],
    [
      'rules[1] of "B" was …age":2…, is …age":0… now, and the program removes it',
      rules(a, b),
      rules(a, b0),
      rules(a),
    ],
    ['rules[1] of "B" was …, is nothing now, and the program sets …', rules(a, b), rules(a), rules(a, b3)],
    ['rules[1] of "B" was nothing, is … now, and the program sets …', rules(a), rules(a, b), rules(a, b3)],
    [
      'rules[0].conditions[0] of "A" was …',
      asking("email", "any"),
      asking("country", "none"),
      asking("ip_address", "any"),
    ],
    ['status was "In Progress", is "Disabled" now, and the program sets "Launched"', on, off, launched],
    [": defaultValue.x was 1, is 2 now, and the program sets 3. Nothing", json(1), json(2), json(3)],
    ["defaultValue.x[1] was 2, is 3 now, and the program sets 4", json([1, 2]), json([1, 3]), json([1, 4])],
    [
      "defaultValue.x was [1,2], is [1,2,3] now, and the program sets [2]",
      json([1, 2]),
      json([1, 2, 3]),
      json([2]),
    ],
    ["defaultValue.x.a was 1, is 2 now, and the program removes", json({ a: 1 }), json({ a: 2 }), json({})],
  ])("%s", async (text, from, byHand, to) => {
    const made = await edited(from, byHand, "defaultValue" in to ? catalog.dynamicConfig : catalog.gate);
    await expectRefused(subject.update(made, { key, ...to }), pattern(text));
    await subject.update(await refreshed(made), { key, ...to });
    expect(subject.writes().length).toBeGreaterThan(0);
  });

  test("the ids of a segment, of which the message shows how many there are", async () => {
    await start(catalog.segment);
    const of = (...ids: string[]) => ({ key, type: "id_list", idType: "userID", ids });
    const made = await subject.up(of("a", "b"));
    await subject.update(made, of("a", "b", "c"));
    subject.emulator.clearRequests();
    await expectRefused(subject.update(made, of("a")), /ids was 2 ids.*, is 3 ids.* now/);
  });
});

test.each<JsonObject>([{ isEnabled: true }, {}])(
  "a gate that somebody switched off, and whose share a program with %j raises, stays off, and a line says so",
  async (said) => {
    const made = await edited({ rules: [rule("Everyone", 50)], ...said }, { isEnabled: false });
    const to = { key, rules: [rule("Everyone", 80)], ...said };
    const updated = await subject.update(made, to);
    expect(subject.lines).toContain(
      'gate "checkout_v2" is off in the console, and this update leaves it off: no user gets it, before or after.',
    );
    expect(await live(key)).toMatchObject({ isEnabled: false, status: "Disabled" });
    expect(await shares(key)).toEqual([["Everyone", 80]]);
    // State keeps what was seen.
    expect(updated.outputs).toMatchObject({ isEnabled: true });
    await expectQuiet(updated, to);
    expect((await refreshed(updated)).outputs).toMatchObject({ isEnabled: false, status: "Disabled" });
  },
);

describe("a gate whose concurrent edits are refused", () => {
  const rules = [rule("A", 10), rule("B", 20)];
  const program = (more: JsonObject = {}) => ({
    ...{ key, description: "Ours", rules, protectConcurrentEdits: true },
    ...more,
  });
  const describedBy = (description: string) => edit(key, { description });

  // Each kind, with an update, a removal and a refresh: test/laws/console-edits.test.ts.
  test.each<[string, () => Promise<unknown>, RegExp]>([
    ["a field of the program", () => describedBy("Theirs"), /version 1 to 2.*differs in description\./s],
    ["another field", () => edit(key, { tags: ["theirs"] }), /differs in tags\./],
    [
      "and put back",
      () => describedBy("Theirs").then(() => describedBy("Ours")),
      /version 1 to 3\)\. Nothing was sent/,
    ],
  ])("edited in the console, %s: an update is refused with who and when", async (_, byHand, named) => {
    await start(catalog.gate);
    const made = await subject.up(program());
    await byHand();
    subject.emulator.clearRequests();
    const who =
      /Cannot update gate "checkout_v2": gate "checkout_v2" was changed in the console since the last refresh \(a key, \d{4}-\d\d-\d\d \d\d:\d\d UTC/;
    for (const text of [named, who])
      await expectRefused(subject.update(made, program({ isEnabled: false })), text);
  });

  test("that is gone or archived already may go", async () => {
    await start(catalog.gate);
    const made = await subject.up(program());
    await subject.raw.gate.archive({ id: key, body: { archiveReason: "" } });
    await subject.destroy(made);
    await subject.raw.gate.delete({ id: key });
    await subject.destroy(made);
  });

  test("is not held up by a ramp, where the console owns the rollout", async () => {
    await start(catalog.gate);
    const owned = program({ owns: { rollout: "console" } });
    const made = await subject.up(owned);
    await edit(key, { rules: [rule("A", 50), rules[1]] });
    const resource = await subject.update(made, { ...owned, isEnabled: false });
    await edit(key, { rules: [rule("A", 60), rules[1]], description: "Theirs" });
    subject.emulator.clearRequests();
    await expectRefused(subject.update(resource, { ...owned, isEnabled: true }), /differs in description\./);
  });

  test("was not before: what an update compares then are values, and from then on versions", async () => {
    await start(catalog.gate);
    const plain = program({ protectConcurrentEdits: undefined });
    const made = await subject.up(plain);
    expect(made.outputs).not.toHaveProperty("__seen");
    await describedBy("Theirs");
    subject.emulator.clearRequests();
    await expectRefused(subject.update(made, program()), /differs in description/);
    await describedBy("Ours");
    const on = await subject.update(made, program());
    expect(on.outputs).toHaveProperty("__seen", 3);
    expect((await subject.update(on, plain)).outputs).not.toHaveProperty("__seen");
  });

  test("otherwise an update reads once, and a removal once to know its object", async () => {
    await start(catalog.gate);
    const made = await subject.up({ key, description: "Ours" });
    subject.emulator.clearRequests();
    await subject.update(made, { key, description: "New" });
    await subject.destroy(made);
    expect(subject.emulator.requests.map(({ method }) => method)).toEqual(["GET", "PATCH", "GET", "PUT"]);
  });
});
