import type { Seed } from "../../src/emulator";
import type { Switches } from "../../src/emulator/console/rules/switches";
import { type JsonObject, stableText } from "../../src/provider/schema/json";
import { type Desk, type Item, openDesk } from "../emulator/desk";
import { emptyTeam } from "../laws/furniture";
import { type Case, nameOf } from "./cases";
import { type Deviation, deviationOf } from "./exceptions";
import { differences, pick, settled, withIds } from "./plan";
import { type Tool, tools } from "./tools";

/** One object of a kind, made and kept as another tool does. */
export interface Handled {
  readonly made: Item;
  /** Sends the same again, with the ids of what was read. */
  update(read: JsonObject): Promise<void>;
  read(): Promise<JsonObject>;
}

/**
 * Makes the object of a case, reads it, sends the same again and reads it again.
 * @throws an error that says where a plan shows something, but for what is known to be so.
 */
export async function handleCase(one: Case, behaviour: Switches): Promise<void> {
  const api = await openDesk({ behaviour, seed: furnitureOf(one) });
  const known = deviationOf(nameOf(one), behaviour) ?? {};
  try {
    const refusal = await planTwice(api, one, known).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (known.refusal === undefined ? refusal === undefined : refusal?.includes(known.refusal)) return;
    throw new Error(refusal ?? `taken, and it was to be refused: ${known.refusal}`);
  } finally {
    await api.close();
  }
}

async function planTwice(api: Desk, one: Case, known: Deviation): Promise<void> {
  const { kind, body, made = {}, reads, isFinal } = one;
  const tool: Tool = tools[kind];
  const object = await handle(api, tool, body, made);
  const shown = { ...pick(body, (name) => tool.unread?.includes(name) !== true), ...reads };
  const first = await object.read();
  mustBe(known.first ?? [], differences(shown, first), "the first plan");
  if (isFinal !== true) await object.update(first);
  const second = await object.read();
  const moved = differences(shown, second);
  mustBe(known.again ?? known.first ?? [], moved, "the plan after an update");
  const isMeant = (name: string) => !moved.some((line) => line.startsWith(`${name}:`));
  const [before, after] = [first, second].map((read) => stableText(pick(settled(read), isMeant)));
  mustBe([before ?? ""], [after ?? ""], "an update changed what was not sent");
}

function mustBe(known: readonly string[], found: readonly string[], when: string): void {
  const [expected, got] = [known, found].map((lines) => lines.toSorted().join("\n"));
  if (expected !== got) throw new Error(`${when}:\n${got}\n${expected === "" ? "" : `and not\n${expected}`}`);
}

export async function handle(api: Desk, tool: Tool, body: JsonObject, instead: JsonObject): Promise<Handled> {
  const { creates, later = [], fixed = [], part, make } = tool;
  const atCreate = pick(body, (name) => creates?.includes(name) ?? !later.includes(name));
  const made = make === undefined ? ({} as Item) : await api.must("POST", make, { ...atCreate, ...instead });
  const update = async (read: JsonObject) => {
    if (part !== undefined && body[part[1]] === undefined) return;
    const again = withIds(body, read) as JsonObject;
    const rest = pick(again, (name) => !fixed.includes(name));
    const sent = part === undefined ? rest : part[1] === "ids" ? { ids: body.ids } : again[part[1]];
    await api.must(tool.update, `${tool.at(made)}${part?.[0] ?? ""}`, sent);
  };
  const isWhole =
    make !== undefined &&
    Object.keys(atCreate).length === Object.keys(body).length &&
    Object.keys(instead).length === 0;
  if (!isWhole) await update(made);
  return { made, update, read: () => readOf(api, tool, made) };
}

async function readOf(api: Desk, tool: Tool, made: Item): Promise<JsonObject> {
  if (tool.read === "list") {
    const all = await api.list(`${tool.make}?limit=100&page=1`);
    return all.find(({ name }) => name === made.name) ?? {};
  }
  if (tool.read === "none") return {};
  const read = await api.must("GET", tool.at(made));
  return tool.part?.[1] === "ids"
    ? { ...read, ...(await api.must("GET", `${tool.at(made)}/id_list`)) }
    : read;
}

/** What is there already, and that the cases name. */
export const fixtures: Seed = {
  gates: [{ name: "beta", id: "beta" }],
  segments: [{ name: "staff", id: "staff", type: "rule_based" }],
  dynamic_configs: [{ name: "colours", id: "colours" }],
  experiments: [
    {
      ...{ name: "button", id: "button" },
      groups: [
        { id: "control", name: "Control", size: 50, parameterValues: {} },
        { id: "test", name: "Test", size: 50, parameterValues: {} },
      ],
    },
  ],
  layers: [{ name: "shop", idType: "userID" }],
  holdouts: [{ name: "held" }],
  release_pipelines: [{ name: "careful", id: "careful" }],
  param_stores: [{ name: "texts", displayName: "Texts", description: "" }],
  tags: [{ name: "checkout", description: "" }],
  target_apps: [{ name: "web", id: "web", description: "" }],
  teams: [{ ...emptyTeam, name: "Shop", id: "team-1" }],
  unit_id_types: [{ name: "stableID", description: "" }],
};

/** As much of it as a case names: by a name or an id in its body, or as what it is a part of. */
export function furnitureOf({ kind, body, made }: Case): Seed {
  const path = "make" in tools[kind] ? "" : tools[kind].at({} as never);
  const text = JSON.stringify([body, made, path.split("/")]);
  const isNamed = (item: unknown) => {
    const { name, id = name } = item as Item;
    return [name, id].some((one) => text.includes(JSON.stringify(one)));
  };
  return Object.fromEntries(Object.entries(fixtures).map(([list, items]) => [list, items.filter(isNamed)]));
}
