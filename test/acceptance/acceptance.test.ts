import { afterEach, expect, test } from "@jest/globals";
import type { JsonObject } from "../../src/core/json";
import { type Desk, type Item, openDesk } from "../emulator/desk";
import type { Case } from "./cases";
import { experimentCases } from "./experiment-cases";
import { flagCases } from "./flag-cases";
import { furniture } from "./furniture";
import { measureCases } from "./measure-cases";
import { differences, pick, settled, withIds } from "./plan";
import { projectCases } from "./project-cases";
import { type Tool, type ToolKind, tools } from "./tools";

let desk: Desk;
afterEach(() => desk.close());

const cases: readonly Case[] = [...flagCases, ...experimentCases, ...measureCases, ...projectCases];

/** One object of a kind, made and kept as another tool does. */
interface Handled {
  readonly made: Item;
  /** Sends the same again, with the ids of what was read. */
  update(read: JsonObject): Promise<void>;
  read(): Promise<JsonObject>;
}

async function readOf(tool: Tool, made: Item): Promise<JsonObject> {
  if (tool.read === "list") {
    const all = await desk.list(`${tool.make}?limit=100&page=1`);
    return all.find(({ name }) => name === made.name) ?? {};
  }
  const read = await desk.must("GET", tool.at(made));
  return tool.part?.[1] === "ids"
    ? { ...read, ...(await desk.must("GET", `${tool.at(made)}/id_list`)) }
    : read;
}

async function handle(tool: Tool, body: JsonObject): Promise<Handled> {
  const { creates, later = [], fixed = [], part, make } = tool;
  const atCreate = pick(body, (name) => creates?.includes(name) ?? !later.includes(name));
  const made = make === undefined ? ({} as Item) : await desk.must("POST", make, atCreate);
  const update = async (read: JsonObject) => {
    if (part !== undefined && body[part[1]] === undefined) return;
    const again = withIds(body, read) as JsonObject;
    const rest = pick(again, (name) => !fixed.includes(name));
    const sent = part === undefined ? rest : part[1] === "ids" ? { ids: body.ids } : again[part[1]];
    const { status, body: answer } = await desk.ask(tool.update, `${tool.at(made)}${part?.[0] ?? ""}`, sent);
    if (status >= 300) throw new Error(`${tool.update} ${tool.at(made)}: ${JSON.stringify(answer)}`);
  };
  const isWhole = make !== undefined && Object.keys(atCreate).length === Object.keys(body).length;
  if (!isWhole) await update(made);
  return { made, update, read: () => readOf(tool, made) };
}

test.each(cases.map((one) => [`${one.kind}: ${one.what}`, one] as const))(
  "acceptance: %s",
  async (_, { kind, body, reads }) => {
    desk = await openDesk({ seed: furniture });
    const tool: Tool = tools[kind];
    const object = await handle(tool, body);
    const shown = { ...pick(body, (name) => tool.unread?.includes(name) !== true), ...reads };
    const first = await object.read();
    expect(differences(shown, first)).toEqual([]);
    await object.update(first);
    const second = await object.read();
    expect(differences(shown, second)).toEqual([]);
    expect(settled(second)).toEqual(settled(first));
  },
);

test("acceptance: every kind has cases, a hundred or more in all, each with a name of its own", () => {
  desk = { close: async () => undefined } as Desk;
  const kinds = Object.keys(tools) as ToolKind[];
  expect(kinds.filter((kind) => !cases.some((one) => one.kind === kind))).toEqual([]);
  const names = cases.map(({ kind, what }) => `${kind}: ${what}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(100);
});

test.each<[string, JsonObject, JsonObject, string]>([
  ["another value", { a: 1 }, { a: 2 }, "a: sent 1, read 2"],
  ["nothing read", { a: "x" }, {}, 'a: sent "x", read undefined'],
  ["something where nothing was sent", { a: "" }, { a: "x" }, 'a: sent "", read "x"'],
  ["an element less", { a: [{ b: 1 }] }, { a: [] }, 'a: sent [{"b":1}], read []'],
  [
    "a value more inside what people put there",
    { returnValue: { a: 1 } },
    { returnValue: { a: 1, b: 2 } },
    'returnValue: sent {"a":1}, read {"a":1,"b":2}',
  ],
  [
    "no id where one is to be filled in",
    { rules: [{ id: "" }] },
    { rules: [{}] },
    'rules[0].id: sent "", read undefined',
  ],
])("acceptance: a plan shows %s", (_, sent, read, line) => {
  desk = { close: async () => undefined } as Desk;
  expect(differences(sent, read)).toEqual([line]);
});
