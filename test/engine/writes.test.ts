import { describe, expect, test } from "@jest/globals";
import { observeRequests } from "../../src/emulator/http/ingress";
import { NoAnswer, type Transport, type WireRequest } from "../../src/provider/client/transport";
import { catalog, managed, parts } from "../../src/provider/definitions";
import { create, read, update } from "../../src/provider/engine";
import { notApplied } from "../../src/provider/engine/not-applied";
import type { WriteTarget } from "../../src/provider/engine/send";
import { digestOf } from "../../src/provider/id-lists/digest";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { managedMember } from "../../src/provider/values/managed";
import { FakeClock, FakeTransport, json, type Reply } from "../client/fakes";
import { expectQuiet, fault, live, rule, shares, start, staysQuiet, subject } from "../laws/harness";
import { without } from "../laws/subject";
import { samples, samplesOf } from "../samples";
import { partialOf } from "../support/driver";
import { configFor, startProcess } from "../support/in-process";
import { allOf } from "../support/raw-client";
import { startRelease } from "../support/release";

/** An engine whose console is a function, and the writes that were sent to it. */
function engineOver(answer: (request: WireRequest) => Reply) {
  const writes: WireRequest[] = [];
  const transport = {
    async send(request: WireRequest) {
      if (request.method !== "GET") writes.push(request);
      return new FakeTransport(answer(request)).send(request);
    },
  };
  const clock = new FakeClock();
  const ports = { folder: undefined, transport, now: Date.now, sleep: (ms: number) => clock.sleep(ms) };
  const context = startProcess(configFor({ url: "https://console.test" }), ports).context();
  return { context, writes };
}

const lost = new NoAnswer("ECONNRESET", false);
const target = (program: JsonObject, state: JsonObject = {}) => ({ id: String(program.key), program, state });

describe("an update whose answers are lost", () => {
  const gate = { id: "g", name: "g", description: "old", isEnabled: true, status: "In Progress" };
  /** Over a console that shows a description, and answers writes in one way. */
  const play = (description: string, answer: Reply) => {
    let shown = "old";
    const { context, writes } = engineOver(({ method }) => {
      if (method === "GET") return json(200, { data: { ...gate, description: shown } });
      shown = description;
      return answer;
    });
    return {
      writes,
      work: update({ context, definition: catalog.gate, ...target({ key: "g", description: "new" }, gate) }),
    };
  };

  test.each<[string, string, Reply, object]>([
    ["is done when a look shows the change", "new", lost, { description: "new" }],
    [
      "says at last that no answer came",
      "old",
      lost,
      { error: { category: "unreachable", uncertain: true } },
    ],
    [
      "says that the console held the change back when every answer was a success",
      ...(["old", json(200, { data: gate }), { error: { category: "not-taken" } }] as const),
    ],
  ])("%s", async (_, description, answer, outcome) => {
    const { work, writes } = play(description, answer);
    expect(await work.catch((error: unknown) => error)).toMatchObject(outcome);
    if (answer === lost) expect(writes).toHaveLength(description === "new" ? 1 : 3);
  });
});

describe("ids that no read shows", () => {
  const segment = json(200, { data: { id: "s", name: "s", type: "user_store_id_list" } });
  const program = { key: "s", name: "s", type: "user_store_id_list", ids: ["a", "b"] };
  const state = { ...program, [managedMember]: Object.keys(program) };

  test("are no drift in a refresh, also of a state that an earlier version wrote", async () => {
    const { context } = engineOver(() => segment);
    const ids = digestOf(["b", "a"]);
    const digested = { ...state, ids };
    for (const known of [digested, state])
      expect(await read({ context, definition: catalog.segment, id: "s", state: known })).toMatchObject({
        ...{ state: digested, inputs: { ...program, ids } },
      });
  });

  test("are changed from what the state knows, also after a lost answer", async () => {
    const replies: Reply[] = [lost];
    const { context, writes } = engineOver(({ method }) =>
      method === "GET" ? segment : (replies.shift() ?? json(200, { message: "ok" })),
    );
    await update({ context, definition: catalog.segment, ...target({ ...program, ids: ["b", "c"] }, state) });
    const sent = writes.map(
      ({ method, url, body }) => `${method} ${new URL(url).pathname.slice(11)} ${body}`,
    );
    expect(sent).toEqual([
      'PATCH /segments/s/add_ids {"ids":["c"]}',
      'PATCH /segments/s/add_ids {"ids":["c"]}',
      'PATCH /segments/s/remove_ids {"ids":["a"]}',
    ]);
  });
});

describe("a tag", () => {
  const { fullest: tag } = samples.tag;
  const tags = () => allOf(subject.raw.tag.list());
  const emptyYes = { method: "DELETE", status: 200, body: "" } as const;

  test("whose create got no answer is found, though the first look fails", async () => {
    await start(catalog.tag);
    const page = { status: 200, body: "<html>", contentType: "text/html" };
    fault({ method: "POST", reset: "after" }, { method: "GET", path: "/tags/**", after: 1, ...page });
    await expectQuiet(await subject.up(tag), tag);
  });

  test("whose delete was answered with nothing is deleted again unless it is gone", async () => {
    await start(catalog.tag);
    for (const [more, deletes] of [
      [{}, 2],
      [{ carriedOut: true }, 1],
    ] as const) {
      const made = await subject.up(tag);
      subject.emulator.clearRequests();
      fault({ ...emptyYes, ...more });
      await subject.destroy(made);
      expect(await tags()).toEqual([]);
      expect(subject.writes()).toHaveLength(deletes);
      subject.nextRun();
    }
  });
});

test.each<[string, { status: number; retryAfter?: number }]>([
  ["503 with a delay", { status: 503, retryAfter: 1 }],
  ["409", { status: 409 }],
])(
  "a create that was put off with %s and was carried out all the same is this run's own",
  async (_, answer) => {
    for (const definition of [catalog.gate, catalog.tag, catalog.segment, catalog.layer]) {
      await start(definition);
      const { smallest } = samplesOf(definition);
      fault({ method: "POST", carriedOut: true, ...answer });
      await expectQuiet(await subject.up(smallest), smallest);
    }
  },
);

test("a create that was put off finds what another has made meanwhile, and leaves it alone", async () => {
  await start(catalog.gate);
  fault({ method: "POST", status: 503, retryAfter: 1 });
  const theirs = { id: "flag_one", name: "flag_one", description: "Theirs" };
  let isMade = false;
  const stop = observeRequests(({ method, status }) => {
    if (method !== "POST" || status !== 503 || isMade) return;
    isMade = true;
    void subject.raw.gate.create({ body: theirs });
  });
  await expect(subject.up({ key: "flag_one", description: "Ours" })).rejects.toThrow(/exists already/);
  stop();
  expect(await live("flag_one")).toMatchObject({ description: "Theirs" });
});

test("where the router of an older console does not know a route, nothing counts as gone: neither in a refresh nor in a destroy", async () => {
  await start(catalog.tag);
  const made = await subject.up(samples.tag.fullest);
  const unknown = (method: "GET" | "DELETE") => ({
    ...{ method, path: "/tags/*", status: 404, body: { message: `Cannot ${method} /console/v1/tags/a` } },
  });
  fault(unknown("DELETE"));
  await expect(subject.destroy(made)).rejects.toThrow(/answered 404: Cannot DELETE/);
  fault({ ...unknown("GET"), times: 9 }, { ...unknown("GET"), path: "/tags", times: 9 });
  await expect(subject.refresh(made)).rejects.toThrow(/answered 404: Cannot GET/);
});

test("an action whose answer got lost is not refused for having been carried out", async () => {
  await start(managed.releaseRollout);
  const { trigger } = await startRelease(subject.raw, false);
  fault({ method: "PUT", reset: "after" });
  expect((await subject.up({ trigger })).outputs.status).toBe("COMPLETED");
});

test("a console that answers about another gate is not believed, by a read, a create or an update: the other stays untouched", async () => {
  const other = { message: "ok", data: { id: "another", name: "another", description: "Not this one" } };
  await start(catalog.gate);
  await subject.raw.gate.create({ body: { id: "another", name: "another" } });
  fault({ method: "POST", path: "/gates", body: other });
  const args = { key: "flag_one", description: "This one" };
  const made = await subject.up(args);
  expect(made.id).toBe("flag_one");
  expect(await live("another")).toMatchObject({ description: "" });
  fault({ method: "PATCH", path: "/gates/flag_one", body: other });
  await expect(subject.update(made, { ...args, tags: ["shop"] })).rejects.toThrow(
    'did not make it: tags is nothing and not ["shop"]. A required review or a policy',
  );
  fault({ method: "PATCH", path: "/gates/flag_one", body: other, carriedOut: true });
  subject.emulator.clearRequests();
  const changed = await subject.update(made, { ...args, tags: ["shop"] });
  expect(changed.outputs).toMatchObject({ ...args, name: "flag_one", tags: ["shop"] });
  expect(subject.writes()).toHaveLength(1);
  fault({ method: "GET", path: "/gates/flag_one", body: other });
  await expect(subject.refresh(made)).rejects.toThrow(
    'Cannot read gate "flag_one": The console was asked for "flag_one" and answered with an object whose id is "another"',
  );
  expect((await subject.refresh(made))?.outputs).toMatchObject(args);
});

const five = (share: number) =>
  ["R0", "R1", "R2", "R3", "R4"].map((name) => ({
    name,
    passPercentage: name === "R4" ? share : 1,
    conditions: [],
  }));
const long = "A sentence that is as long as descriptions are: ".repeat(4);

// What the console stores, what the program sets, and what the failed update reports.
test.each<[string, JsonObject, JsonObject, string]>([
  [
    "rounded",
    { rules: five(8) },
    { rules: five(7.5) },
    'rules[4].passPercentage of "R4" is 8 and not 7.5 (rounded)',
  ],
  [
    "trimmed",
    { description: "Shop" },
    { description: " Shop " },
    'description is "Shop" and not " Shop " (they differ in blanks alone)',
  ],
  [
    "other line ends",
    { description: "a\nb" },
    { description: "a\r\nb" },
    'description is "a\\nb" and not "a\\r\\nb" (they differ in line ends alone)',
  ],
  [
    "lower case",
    { tags: ["a", "shop"] },
    { tags: ["Shop", "a"] },
    'tags is ["a","shop"] and not ["Shop","a"] (they differ in case alone)',
  ],
  [
    "composed",
    { description: "\u00e9" },
    { description: "e\u0301" },
    "(they differ in the Unicode form alone)",
  ],
  ["two forms", { description: "shop" }, { description: "Shop " }, "(they differ in blanks, case alone)"],
  [
    "the end of a long text",
    { description: long.trim() },
    { description: long },
    `description is "...${long.trim().slice(-30)}" and not`,
  ],
])(
  "a console that stores it %s: the failed update names the place, both values and the form",
  (_, stored, program, told) => {
    const error = notApplied(writeOf(stored, program), Object.keys(program));
    expect(error.message).toContain(told);
    expect(error.message).toMatch(
      /^The console stores gate "flag_one" in another form: .* Set in the program what it stores\.$/,
    );
  },
);

test.each<[string, JsonObject, JsonObject, string]>([
  [
    "another share",
    { rules: five(8) },
    { rules: five(75) },
    'rules[4].passPercentage of "R4" is 8 and not 75.',
  ],
  [
    "a missing rule",
    { rules: five(8).slice(0, 4) },
    { rules: five(8) },
    'rules["R4"] is nothing and not {"name":"R4","passPercentage":8}.',
  ],
  ["a value that was to go", { description: "Old" }, {}, 'description is "Old" and not empty.'],
  [
    "several",
    { rules: five(8), description: "a" },
    { rules: five(75), description: "a " },
    'is 8 and not 75; description is "a" and not "a " (they differ in blanks alone).',
  ],
])("a console that does not make a change, %s: a review may hold it back", (_, stored, program, told) => {
  const error = notApplied(writeOf(stored, program), Object.keys({ ...stored, ...program }));
  expect(error.message).toContain(`did not make it: `);
  expect(error.message).toContain(`${told} A required review or a policy of the project may hold it back`);
});

/** A gate after a write: the console stores `live`, the program sets `program`. */
function writeOf(live: JsonObject, program: JsonObject): WriteTarget {
  const context = { isSecret: () => false } as unknown as WriteTarget["context"];
  return { context, definition: catalog.gate, id: "flag_one", program, live };
}

test("a 404 that is not the console's own is no reason to call an object gone", async () => {
  await start(catalog.gate);
  const made = await subject.up({ key: "flag_one" });
  fault({ method: "GET", path: "/gates/flag_one", status: 404, body: { error: "no route" } });
  await expect(subject.refresh(made)).rejects.toThrow(/feature-console:baseUrl is the address of the API/);
});

test("an assignment source whose list is empty text, no list, or has an element without a name, is not called gone", async () => {
  await start(catalog.assignmentSource);
  const made = await subject.up(samples.assignmentSource.smallest);
  const of = (data: unknown) => ({ message: "ok", data });
  for (const body of ["", of(null), of("text"), of([null]), of([{ sql: "select 1" }])]) {
    subject.nextRun();
    // The first read is that of the project; a page that cannot be had is asked for once more.
    fault({ method: "GET", after: 1, status: 200, body, times: 2 });
    await expect(subject.refresh(made)).rejects.toThrow(
      /answered 200 with nothing|holds no list of objects|whose name is nothing/,
    );
    expect(await subject.refresh(made)).toBeDefined();
  }
});

test("rules of a segment that the console refuses as a bare array go once more in an object", async () => {
  await start(catalog.segment);
  const segment = { key: "staff", type: "rule_based" };
  const made = await subject.up(segment);
  const conditions = [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }];
  fault({ method: "POST", path: "/segments/staff/conditional", status: 400, body: { message: "No object" } });
  await subject.update(made, { ...segment, rules: [rule("one", 100, { conditions })] });
  expect(await shares("staff")).toEqual([["one", 100]]);
});

const apps = () => allOf(subject.raw.targetApp.list());
const app = { name: "shop", description: "Old" };

describe("a read that shows what was there before the last write", () => {
  const stale = { method: "GET", stale: true } as const;

  test("does not undo a change whose answer shows little: it is looked at twice", async () => {
    await start(catalog.targetApp);
    const made = await subject.up(app);
    fault({ ...stale, path: "/target_app/*", after: 1 });
    const renamed = await subject.update(made, { ...app, name: "shop two" });
    expect(renamed.outputs.name).toBe("shop two");
  });

  test("after a lost answer adds no rule a second time", async () => {
    await start(catalog.gate);
    const gate = await subject.up({ key: "gate_g", rules: [rule("one", 10)] });
    fault(
      { method: "POST", path: "/gates/gate_g/rule", reset: "after" },
      { ...stale, path: "/gates/*", after: 1 },
    );
    await subject.update(gate, { key: "gate_g", rules: [rule("one", 10), rule("two", 10)] });
    expect((await shares("gate_g")).map(([name]) => name)).toEqual(["one", "two"]);
  });

  test("after a lost create does not make a second app", async () => {
    await start(catalog.targetApp);
    fault(
      { method: "POST", path: "/target_app", reset: "after" },
      { ...stale, path: "/target_app", after: 1, times: 2 },
    );
    await expect(subject.up(app)).rejects.toThrow("run the same command again");
    expect(await apps()).toHaveLength(1);
  });

  test("makes no second alert, and a refresh keeps what one such read does not show", async () => {
    await start(catalog.alert);
    fault({ method: "POST", reset: "after" }, { stale: true });
    const made = await subject.up(samples.alert.fullest);
    expect(await allOf(subject.raw.alert.list())).toHaveLength(1);
    fault({ stale: true });
    expect((await subject.refresh(made))?.id).toBe(made.id);
  });

  test("is no change in the console where it shows what was before the update's own last write", async () => {
    await start(parts.gateOverrides);
    const gate = "overridden_gate";
    const passing = (...passingUserIDs: string[]) => ({ gate, passingUserIDs });
    const made = await subject.up(passing("qa_1"));
    // The next update reads in time; the one after it sees what was there before, twice.
    fault({ ...stale, path: `/gates/${gate}/overrides`, after: 1, times: 2 });
    const changed = await subject.update(made, passing("qa_1", "qa_2"));
    const all = ["qa_1", "qa_2", "qa_3"];
    const last = await subject.update(changed, passing(...all));
    expect(last.outputs).toMatchObject({ passingUserIDs: all });
    expect(await subject.raw.gate.getOverrides({ id: gate })).toMatchObject({ passingUserIDs: all });
    expect(subject.lines.filter((line) => line.includes("changed in the console"))).toEqual([]);
  });

  test("is no change in the console either where the next read, later still, finds nothing", async () => {
    await start(catalog.gate);
    const described = (description: string, share: number) => ({
      ...{ key: "gate_g", description, rules: [rule("one", share)] },
    });
    const made = await subject.up(described("Old", 10));
    const changed = await subject.update(made, described("New", 10));
    const nothing = { status: 404, body: { status: 404, message: "Not found." } };
    fault(
      { ...stale, path: "/gates/gate_g", times: 1 },
      { method: "GET", path: "/gates/gate_g", after: 1, times: 1, ...nothing },
    );
    const last = await subject.update(changed, described("New", 20));
    expect(last.outputs).toMatchObject({ description: "New" });
    expect(subject.lines.filter((line) => line.includes("changed in the console"))).toEqual([]);
  });
});

describe("equal target apps", () => {
  test("that two resources create at the same time are two", async () => {
    await start(catalog.targetApp);
    fault({ method: "POST", path: "/target_app", byteEveryMs: 20 });
    const both = ["one", "other"].map((name) => subject.up({ ...app, __program: { name } }));
    const [one, other] = await Promise.all(both);
    expect(one?.id).not.toBe(other?.id);
    expect(await apps()).toHaveLength(2);
  });

  test.each([false, true])(
    "of a create that arrives twice are refused: state has one, nothing is deleted (answer lost: %s)",
    async (isLost) => {
      let isFirst = true;
      const through = ({ send }: Transport): Transport => ({
        async send(request) {
          const isTwice = request.method === "POST" && isFirst;
          if (isTwice) isFirst = false;
          if (isTwice) await send(request);
          const answer = await send(request);
          if (isTwice && isLost) throw lost;
          return answer;
        },
      });
      await start(catalog.targetApp, { through });
      const error = await subject.up(app).catch((thrown: unknown) => thrown);
      const { id = "", properties = {} } = partialOf(error) ?? {};
      const named = `2 target apps are named "shop": delete one in the console. State keeps target app "${id}".`;
      expect(error).toMatchObject({ message: expect.stringContaining(named) });
      expect(subject.writes().map(({ method }) => method)).toEqual(["POST", "POST"]);
      const [other] = (await apps()).filter((one) => one.id !== id);
      await subject.raw.targetApp.delete({ id: String(other?.id) });
      subject.nextRun();
      const inputs = await subject.checked(app);
      await staysQuiet(await subject.update({ id, inputs, outputs: properties }, app), app);
      expect(await apps()).toHaveLength(1);
    },
  );
});

const kinds = [catalog.metricSource, catalog.metric, catalog.assignmentSource].map(
  (definition): [string, ResourceDefinition] => [definition.kind, definition],
);

describe.each(kinds)("%s with validate: true", (_, definition) => {
  const program: JsonObject = { ...samplesOf(definition).smallest, validate: true };

  /** Creates it at a console that has none. Some writes are answered as given, the others are stored. */
  const creating = (replies: Reply[] = [], args: JsonObject = program) => {
    const { context, writes } = engineOver(({ method, url, body = "{}" }) => {
      if (method === "GET")
        return /list|sources\?/.test(url) ? json(200, { data: [] }) : json(404, { message: "Not found." });
      const { dryRun: _dryRun, ...stored } = JSON.parse(body) as JsonObject;
      return replies.shift() ?? json(201, { data: { id: `${program.name}::${program.type}`, ...stored } });
    });
    const bodies = () => writes.map(({ body = "{}" }) => JSON.parse(body) as JsonObject);
    return { work: create({ context, definition, program: args }), bodies };
  };

  test("sends the same body twice, first for the check; once where it is off", async () => {
    const { work, bodies } = creating();
    await work;
    const [check, write] = bodies();
    expect(bodies()).toHaveLength(2);
    expect(check).toEqual({ ...write, dryRun: true });
    expect(write).not.toHaveProperty("dryRun");
    expect(write).not.toHaveProperty("validate");
    const off = creating([], { ...program, validate: false });
    await off.work;
    expect(off.bodies()).toHaveLength(1);
  });

  test("asks again when the answer to a check is lost, and takes nothing for its own because of that", async () => {
    const { work, bodies } = creating([lost, lost]);
    await work;
    expect(bodies().map(({ dryRun }) => dryRun)).toEqual([true, true, true, undefined]);
    const never = creating(Array<Reply>(20).fill(lost));
    await expect(never.work).rejects.toMatchObject({
      ...{ uncertain: false, message: expect.stringContaining("nothing was stored") },
    });
    expect(never.bodies().every(({ dryRun }) => dryRun === true)).toBe(true);
  });

  test("makes one check and one write of each create and each change", async () => {
    await start(definition);
    const statuses = () => {
      const sent = subject.writes().map(({ status }) => status);
      subject.emulator.clearRequests();
      return sent;
    };
    // Whom it belongs to is settled by a further write where a create does not take it.
    const fullest = without(samplesOf(definition).fullest, "owner");
    const made = await subject.up({ ...fullest, validate: true });
    expect(statuses()).toEqual([201, 201]);
    const changed = { ...fullest, description: "Another", validate: true };
    const after = await subject.update(made, changed);
    expect(statuses()).toEqual([200, 200]);
    expect(after.outputs).toMatchObject({ description: "Another" });
    await expectQuiet(after, { ...changed, validate: false });
  });
});

test("what the console refuses in a check is told in its words and not stored, and a later change is refused as well", async () => {
  await start(catalog.metricSource);
  const good = { ...samples.metricSource.smallest, validate: true };
  const bad = { ...good, sql: "" };
  const refused = "The query is empty and no table is named";
  await expect(subject.up(bad)).rejects.toThrow(refused);
  expect(subject.writes()).toHaveLength(1);
  expect(await subject.objects()).toEqual([]);
  const made = await subject.up(good);
  const reasons = [expect.stringContaining(refused)];
  await expect(subject.update(made, bad)).rejects.toMatchObject({ reasons });
  expect(await subject.objects()).toMatchObject([{ sql: good.sql }]);
  await expectQuiet(made, good);
});
