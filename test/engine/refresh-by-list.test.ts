import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { deskOf } from "../emulator/desk";
import { type Resource, type Subject, startSubject } from "../laws/subject";
import { sampleOf } from "../support/sample";

let subject: Subject;
afterEach(() => subject.close());

/** Makes objects of a kind by the raw API and as resources, and forgets the requests. */
async function many(
  kind: "gate" | "layer" | "assignmentSource" | "segment" | "alert",
  count: number,
): Promise<Resource[]> {
  subject = await startSubject(catalog[kind]);
  const { smallest } = catalog[kind].samples;
  const { argument } = catalog[kind].identity;
  const made: Resource[] = [];
  for (let index = 0; index < count; index += 1)
    made.push(await subject.up({ ...smallest, name: `flag_${index}`, [argument]: `flag_${index}` }));
  subject.emulator.clearRequests();
  return made;
}

/** The first page of all gates, as the console answers it. */
async function pageOfGates(): Promise<{ body: JsonObject }> {
  const { body } = await deskOf(subject.emulator).ask("GET", "/gates");
  subject.emulator.clearRequests();
  return { body };
}

/** Refreshes like the engine: eight at a time. */
async function refreshAll(resources: Resource[]): Promise<(Resource | undefined)[]> {
  const found: (Resource | undefined)[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < resources.length; index = next++) {
      const resource = resources[index];
      found[index] = resource && (await subject.refresh(resource));
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return found;
}

test.each([
  ["gate", 250, 5],
  ["layer", 250, 5],
  ["segment", 250, 5],
  ["assignmentSource", 250, 5],
] as const)(
  "a refresh of %s, %i of them, makes at most %i requests",
  async (kind, count, most) => {
    const found = await refreshAll(await many(kind, count));
    expect(found.every((resource, index) => resource?.id === `flag_${index}`)).toBe(true);
    expect(subject.emulator.requests.length).toBeLessThanOrEqual(most);
  },
  60_000,
);

test("a refresh of many gates makes a request for each hundred, and few more", async () => {
  const count = sampleOf(1000, 5000);
  const made = await many("gate", 1);
  const [first] = made as [Resource];
  // A state that does not say when its object was made.
  const { createdTime: _, ...outputs } = first.outputs;
  const rest = Array.from({ length: count - 1 }, (_, index) => ({
    ...first,
    outputs,
    id: `flag_${index + 1}`,
  }));
  for (const { id } of rest) await subject.raw.gate.create({ body: { id, name: id } });
  subject.emulator.clearRequests();
  const found = await refreshAll([first, ...rest]);
  expect(found.map((gate) => gate?.id)).toEqual([first, ...rest].map(({ id }) => id));
  expect(subject.emulator.requests.length).toBeLessThanOrEqual(count / 100 + 2);
}, 120_000);

test("what the list lacks is read by itself: each of a kind whose list shows less, and whatever a page has left out", async () => {
  const alerts = await many("alert", 5);
  await refreshAll(alerts);
  expect(subject.emulator.requests.map(({ route }) => route)).toEqual(Array(5).fill("get"));
  await subject.close();
  const gates = await many("gate", 10);
  const { body } = await pageOfGates();
  const short = { ...body, data: (body.data as JsonObject[]).slice(0, 8) };
  subject.emulator.addFaults([{ method: "GET", path: "/gate*s", body: short, times: 1 }]);
  const found = await refreshAll(gates);
  expect(found.filter((gate) => gate !== undefined)).toHaveLength(10);
  const single = subject.emulator.requests.filter(({ route }) => route === "get").map(({ path }) => path);
  expect(single.sort().map((path) => path.split("/").at(-1))).toEqual(["flag_0", "flag_8", "flag_9"]);
});

test("a console that gives smaller pages than were asked for is read to its end all the same", async () => {
  const gates = await many("gate", 25);
  const { body } = await pageOfGates();
  const all = body.data as JsonObject[];
  const pages = [0, 10, 20].map((from) => ({
    message: "ok",
    data: all.slice(from, from + 10),
    pagination: { itemsPerPage: 10, pageNumber: from / 10 + 1, nextPage: from < 20 ? "?page=next" : null },
  }));
  subject.emulator.addFaults(
    pages.map((page) => ({ method: "GET", path: "/gate*s", body: page, times: 1 }) as const),
  );
  const found = await refreshAll(gates);
  expect(found.map((gate) => gate?.id)).toEqual(gates.map(({ id }) => id));
  const routes = subject.emulator.requests.map(({ route }) => route);
  expect(routes.filter((route) => route === "list")).toHaveLength(3);
  expect(routes.filter((route) => route === "get")).toHaveLength(1);
});

test("one object alone is asked for by itself", async () => {
  const [gate] = await many("gate", 1);
  await refreshAll(gate === undefined ? [] : [gate]);
  expect(subject.emulator.requests.map(({ route }) => route)).toEqual(["get"]);
});

test("what is gone is found to be gone, what is archived is there, drift is seen", async () => {
  const gates = await many("gate", 30);
  await subject.raw.gate.delete({ id: "flag_3" });
  await subject.raw.gate.archive({ id: "flag_4", body: {} });
  await subject.raw.gate.patch({ id: "flag_5", body: { name: "Drift" } });
  const found = await refreshAll(gates);
  expect(found[3]).toBeUndefined();
  expect(found[4]?.outputs.status).toBe("Archived");
  expect(found[5]?.inputs.name).toBe("Drift");
  expect(found.filter((resource) => resource !== undefined)).toHaveLength(29);
});

test("a few objects in a project of many cost little more than asking for each", async () => {
  const gates = await many("gate", 600);
  const mine = [gates[599], gates[450], gates[301], gates[202]].flatMap((gate) => gate ?? []);
  await refreshAll(mine);
  expect(subject.emulator.requests.length).toBeLessThanOrEqual(mine.length + 6);
}, 60_000);

test("after a write of one's own, and after a list that failed, nothing old is believed and nothing is called gone", async () => {
  const gates = await many("gate", 20);
  await refreshAll(gates);
  const first = gates[0] as Resource;
  const changed = await subject.update(first, { ...(first.inputs as JsonObject), description: "New" });
  expect((await refreshAll(gates))[0]?.outputs.description).toBe("New");
  subject.emulator.addFaults([{ method: "GET", path: "/gate*s", status: 400, times: 3 }]);
  await subject.update(changed, { ...(first.inputs as JsonObject), description: "Newer" });
  const found = await refreshAll(gates);
  expect(found.filter((resource) => resource !== undefined)).toHaveLength(20);
});

// One host may read, see the console changed behind its back, and read again.

test("a second refresh sees what was changed since the first", async () => {
  subject = await startSubject(catalog.gate);
  const keys = ["one", "two", "three", "four", "five", "six"].map((name) => `gate_${name}`);
  const gates = await Promise.all(keys.map((key) => subject.up({ key, name: key, description: "Old" })));
  await refreshAll(gates);
  await subject.raw.gate.patch({ id: "gate_one", body: { description: "New" } });
  await subject.raw.gate.delete({ id: "gate_two" });
  const [one, two, three] = await refreshAll(gates);
  expect([one?.outputs.description, two, three?.outputs.description]).toEqual(["New", undefined, "Old"]);
});

test("the same where only a list shows an object", async () => {
  subject = await startSubject(catalog.assignmentSource);
  const source = await subject.up(catalog.assignmentSource.samples.smallest);
  expect(await subject.refresh(source)).toBeDefined();
  await subject.raw.assignmentSource.delete({ name: source.id });
  expect(await subject.refresh(source)).toBeUndefined();
});

test("what a refresh found gone may be created again", async () => {
  subject = await startSubject(catalog.gate);
  const made = await subject.up({ key: "gate_one" });
  await subject.raw.gate.delete({ id: "gate_one" });
  expect(await subject.refresh(made)).toBeUndefined();
  expect((await subject.up({ key: "gate_one" })).id).toBe("gate_one");
});

test("what somebody archived is brought back", async () => {
  subject = await startSubject(catalog.gate);
  await subject.up({ key: "gate_one" });
  await subject.raw.gate.archive({ id: "gate_one" });
  const again = await subject.up({ key: "gate_one" });
  expect(again.outputs.status).toBe("In Progress");
});
