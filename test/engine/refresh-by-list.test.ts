import { expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { deskOf } from "../emulator/desk";
import { fault, live, start, subject } from "../laws/harness";
import type { Resource } from "../laws/subject";
import { samples } from "../samples";
import { caseCount } from "../support/sample";

type Kind = "gate" | "layer" | "assignmentSource" | "segment" | "alert";

/** Objects of a kind, the first made by a program, and those of a state that does not say when its object was made. */
async function many(kind: Kind, count: number): Promise<Resource[]> {
  await start(catalog[kind]);
  const { smallest } = samples[kind];
  const { argument } = catalog[kind].identity;
  const args = (index: number) => ({ ...smallest, name: `flag_${index}`, [argument]: `flag_${index}` });
  const first = await subject.up(args(0));
  const { createdTime: _, ...outputs } = first.outputs;
  const all = [first];
  for (let index = 1; index < count; index += 1) {
    const { key, ...body }: JsonObject = args(index);
    const made = await (subject.raw[kind] as typeof subject.raw.gate).create({ body: { ...body, id: key } });
    all.push({ ...first, outputs, id: kind === "alert" ? String(made.id) : `flag_${index}` });
  }
  subject.emulator.clearRequests();
  return all;
}

const allGates = async () => (await deskOf(subject.emulator).ask("GET", "/gates")).body;

/** Refreshes like the engine, eight at a time, and counts the requests. */
async function refreshAll(resources: Resource[]): Promise<(Resource | undefined)[]> {
  subject.emulator.clearRequests();
  const found: (Resource | undefined)[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < resources.length; index = next++)
      found[index] = await subject.refresh(resources[index] as Resource);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return found;
}

const idsOf = (resources: readonly (Resource | undefined)[]) => resources.map((one) => one?.id);
const asked = (route: string) => subject.emulator.requests.filter((one) => one.route === route);

test.each<[Kind, number]>([
  ["gate", caseCount(350, 5000)],
  ["layer", 120],
  ["segment", 120],
  ["assignmentSource", 120],
])("a refresh of %s, %i of them, makes a request for each hundred, and few more", async (kind, count) => {
  const resources = await many(kind, count);
  expect(idsOf(await refreshAll(resources))).toEqual(idsOf(resources));
  expect(subject.emulator.requests.length).toBeLessThanOrEqual(Math.ceil(count / 100) + 2);
});

test("what the list lacks is read by itself: each of a kind whose list shows less, and whatever a page has left out", async () => {
  await refreshAll(await many("alert", 5));
  expect(asked("get")).toHaveLength(5);
  expect(subject.emulator.requests).toHaveLength(5);
  const gates = await many("gate", 10);
  const body = await allGates();
  fault({ method: "GET", path: "/gate*s", body: { ...body, data: (body.data as JsonObject[]).slice(0, 8) } });
  expect(idsOf(await refreshAll(gates))).toEqual(idsOf(gates));
  const single = asked("get").map(({ path }) => path.split("/").at(-1));
  expect(single.sort()).toEqual(["flag_0", "flag_8", "flag_9"]);
});

test("a console that gives smaller pages than were asked for is read to its end all the same", async () => {
  const gates = await many("gate", 25);
  const all = (await allGates()).data as JsonObject[];
  const pages = [0, 10, 20].map((from) => ({
    message: "ok",
    data: all.slice(from, from + 10),
    pagination: { itemsPerPage: 10, pageNumber: from / 10 + 1, nextPage: from < 20 ? "?page=next" : null },
  }));
  fault(...pages.map((body) => ({ method: "GET", path: "/gate*s", body }) as const));
  expect(idsOf(await refreshAll(gates))).toEqual(idsOf(gates));
  expect([asked("list").length, asked("get").length]).toEqual([3, 1]);
});

test("one object alone is asked for by itself, and a few in a project of many cost little more than asking for each", async () => {
  const gates = await many("gate", 600);
  await refreshAll(gates.slice(0, 1));
  expect(subject.emulator.requests.map(({ route }) => route)).toEqual(["get"]);
  subject.nextRun();
  const mine = [599, 450, 301, 202].map((index) => gates[index] as Resource);
  await refreshAll(mine);
  expect(subject.emulator.requests.length).toBeLessThanOrEqual(mine.length + 6);
});

test("what is gone is found to be gone, what is archived is there, drift is seen; a second refresh sees what changed since", async () => {
  const gates = await many("gate", 30);
  const { gate } = subject.raw;
  await gate.delete({ id: "flag_3" });
  await gate.archive({ id: "flag_4", body: {} });
  await gate.patch({ id: "flag_5", body: { name: "Drift" } });
  const found = await refreshAll(gates);
  expect(found[3]).toBeUndefined();
  expect(found[4]?.outputs.status).toBe("Archived");
  expect(found[5]?.inputs.name).toBe("Drift");
  expect(found.filter((one) => one !== undefined)).toHaveLength(29);
  // One host may read, see the console changed behind its back, and read again.
  await gate.patch({ id: "flag_1", body: { description: "New" } });
  await gate.delete({ id: "flag_2" });
  const [, one, two, three] = await refreshAll(gates);
  expect([one?.outputs.description, two, three]).toEqual(["New", undefined, undefined]);
  // What a refresh found gone may be created again.
  expect((await subject.up({ key: "flag_2", __program: { name: "two" } })).id).toBe("flag_2");
});

test("after a write of one's own, and after a list that failed, nothing old is believed and nothing is called gone", async () => {
  const gates = await many("gate", 20);
  await refreshAll(gates);
  const first = gates[0] as Resource;
  const changed = await subject.update(first, { ...first.inputs, description: "New" });
  expect((await refreshAll(gates))[0]?.outputs.description).toBe("New");
  fault({ method: "GET", path: "/gate*s", status: 400, times: 3 });
  await subject.update(changed, { ...first.inputs, description: "Newer" });
  expect(idsOf(await refreshAll(gates))).toEqual(idsOf(gates));
  expect(await live(first.id)).toMatchObject({ description: "Newer" });
});

test("what only a list shows is found to be gone by a second refresh, too", async () => {
  await start(catalog.assignmentSource);
  const source = await subject.up(samples.assignmentSource.smallest);
  expect(await subject.refresh(source)).toBeDefined();
  await subject.raw.assignmentSource.delete({ name: source.id });
  expect(await subject.refresh(source)).toBeUndefined();
});
