import { beforeEach, describe, expect, test } from "@jest/globals";
import { experiment } from "../../src/provider/definitions/flags/experiment";
import { experimentMachine } from "../../src/provider/definitions/parts/experiments/experiment-machine";
import type { JsonObject } from "../../src/provider/schema/json";
import type { Move } from "../../src/provider/schema/verbs";
import type { Desk, Item, Reply } from "./desk";
import { desksOfTests } from "./test-desk";

/*
 * Two tables speak of the states of experiments: the catalog's is what the provider plans by, the emulator's is what a
 * console does. Neither is made of the other, or a mistake in one would agree with itself. Here each is held against the
 * other, request by request.
 */

const { states, edit, locked, restored } = experimentMachine;
const moves: readonly Move[] = experimentMachine.moves;
type State = keyof typeof states;
const all = Object.keys(states) as State[];
const undo = experiment.lifecycle.archived.undo;
const routeNames = [...new Set([...moves.map(({ route }) => route), undo])];

const path = "/experiments/colours";
const groups = ["Control", "Test"].map((name) => ({ name, size: 50, parameterValues: {} }));
const seed = {
  experiments: ["experiment_stopped", "assignment_stopped"].map((status) => ({
    name: status,
    status,
    groups,
  })),
};

const open = desksOfTests();
let api: Desk;
beforeEach(async () => {
  api = await open({ seed });
  await api.must("POST", "/experiments", { name: "colours", groups });
});

/** Whole bodies of the moves. */
async function bodyOf(route: string, place: string): Promise<JsonObject> {
  const [, shipped] = (await api.must("GET", place)).groups as Item[];
  const abandon = { decisionReason: "Because" };
  const bodies: Record<string, JsonObject> = { abandon, makeDecision: { ...abandon, id: shipped?.id } };
  return bodies[route] ?? {};
}

async function take(name: string, place: string, body?: JsonObject): Promise<Reply> {
  const routes: Readonly<Record<string, { method: string; path: string }>> = experiment.routes;
  const route = routes[name];
  if (route === undefined) throw new Error(`no route ${name}`);
  const target = route.path.replace("/experiments/{id}", place);
  return api.ask(route.method, target, body ?? (await bodyOf(name, place)));
}

const ways: Partial<Record<State, readonly string[]>> = {
  active: ["start"],
  decision_made: ["start", "makeDecision"],
  abandoned: ["start", "abandon"],
  archived: ["archive"],
};

/** Brings an experiment to a state; returns its path. Two states are reached by no operation: those come of the seed. */
async function bringTo(state: State): Promise<string> {
  const place = seed.experiments.some(({ status }) => status === state) ? `/experiments/${state}` : path;
  for (const step of ways[state] ?? []) await take(step, place);
  expect((await api.must("GET", place)).status).toBe(state);
  return place;
}

/** Where the catalog's table says that a route leads from a state: nowhere, where it says nothing. */
function expected(state: State, route: string, live: JsonObject): string {
  if (route === undo && state === "archived") return restored.of(live);
  return moves.find((one) => one.route === route && one.from.includes(state))?.to ?? state;
}

const pairs = all.flatMap((state) => routeNames.map((route): [State, string] => [state, route]));

test("every state and every move of the catalog is asked for", () => expect(pairs).toHaveLength(7 * 6));

test.each(pairs)("from %s, %s leads where the catalog says, and nowhere else", async (state, route) => {
  const place = await bringTo(state);
  const before = await api.must("GET", place);
  const to = expected(state, route, before);
  const { status } = await take(route, place);
  const after = await api.must("GET", place);
  expect(after.status).toBe(to);
  if (to !== state) expect(status).toBeLessThan(300);
  // Where it leads nowhere it changes nothing, whether it is refused or, as an archive of what is archived, taken.
  else
    expect({ ...after, version: before.version, lastModifiedTime: before.lastModifiedTime }).toEqual(before);
});

test.each(all.filter((state) => state !== "archived"))(
  "what was %s comes back from the archive as the catalog says",
  async (state) => {
    const place = await bringTo(state);
    await take("archive", place);
    const archived = await api.must("GET", place);
    await take(undo, place);
    const { status } = await api.must("GET", place);
    expect(status).toBe(restored.of(archived));
    expect(restored.to).toContain(status);
  },
);

const needed = moves.flatMap(({ from, route, body = {}, needs = [] }) =>
  Object.entries(body).flatMap(([member, argument]): [State, string, string][] =>
    needs.includes(argument) ? [[from[0] as State, route, member]] : [],
  ),
);

test.each(needed)("from %s, %s without %s is refused, as the catalog says", async (state, route, member) => {
  const place = await bringTo(state);
  const { [member]: _, ...rest } = await bodyOf(route, place);
  expect((await take(route, place, rest)).status).toBe(400);
  expect((await api.must("GET", place)).status).toBe(state);
});

describe("fields can change where the catalog says", () => {
  // Of these states the catalog is careful and the console is not: what they allow is unstated.
  const unstated = seed.experiments.map(({ status }) => status);

  test.each(all.filter((state) => !unstated.includes(state)))("in %s", async (state) => {
    const { edits } = states[state];
    const place = await bringTo(state);
    const isTaken = async (body: JsonObject) => (await take(edit, place, body)).status < 300;
    expect(await isTaken({ description: "New" })).toBe(edits !== "none");
    for (const field of locked)
      expect([field, await isTaken({ [field]: "companyID" })]).toEqual([field, edits === "all"]);
  });
});
