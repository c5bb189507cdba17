import { isObject, type JsonObject } from "../../src/provider/schema/json";
import type { Review } from "../../src/tools/review";
import { type Declared, declared, urnOf } from "../world/programs";
import type { Case, Deed } from "./draw";
import { type Evaluation, evaluate } from "./users";
import { type Code, type Command, type Stack, World } from "./world";

/** Objects of a console by kind and id, archived ones too. */
export type Snapshot = ReadonlyMap<string, JsonObject>;

/** The console at one moment, and what users get of its gates. */
export interface Moment {
  readonly objects: Snapshot;
  readonly evaluation: Evaluation;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A case that was played: what was said, and what then happened. */
export interface Played {
  readonly drawn: Case;
  /** What people did before the preview, in words. */
  readonly told: readonly string[];
  readonly review: Review;
  readonly preview: Command;
  readonly update: Command;
  readonly before: Moment;
  readonly after: Moment;
}

const kinds = ["gate", "dynamicConfig", "experiment", "segment", "layer"] as const;

/** The console as it is now. */
async function momentOf(world: World): Promise<Moment> {
  const objects = new Map<string, JsonObject>();
  for (const kind of kinds) {
    const listed = world.raw[kind].list(
      kind === "layer" ? {} : { query: { includeArchived: true } },
    ) as AsyncIterable<JsonObject>;
    for await (const item of listed) objects.set(`${kind} ${String(item.id)}`, item);
  }
  return { objects, evaluation: await evaluate(world.emulator), at: world.now };
}

/** Plays a case; undefined where its own programs cannot be applied. */
export async function play(drawn: Case, code: Code): Promise<Played | undefined> {
  const world = new World(code);
  try {
    return await playIn(world, drawn);
  } finally {
    await world.close();
  }
}

async function playIn(world: World, drawn: Case): Promise<Played | undefined> {
  const stack = world.newStack("dev");
  const states: Stack["state"][] = [];
  for (const program of drawn.history) {
    const { run } = await world.up(stack, program);
    if (run.error !== undefined) return undefined;
    states.push(stack.state);
    world.wait(3_600_000);
  }
  const told: string[] = [];
  for (const deed of drawn.deeds) {
    if (await perform(world, deed)) told.push(`a person: ${deed.how} ${deed.kind} ${deed.id} ${deed.share}`);
    world.wait(3_600_000);
  }
  if (await adoptElsewhere(world, stack, drawn.adoptedElsewhere))
    told.push(`another stack adopts ${drawn.adoptedElsewhere}`);
  if (drawn.refreshes) await world.refresh(stack);
  if (drawn.freshCheckout) stack.folder = world.newFolder();
  if (drawn.oldState) stack.state = states.at(-2) ?? stack.state;
  world.wait(3_600_000);
  const replaced = drawn.program.find(({ name }) => name === drawn.replace);
  const replace = replaced === undefined ? [] : [urnOf(stack.name, replaced.kind, replaced.name)];
  const options = { refresh: false, replace };
  const preview = await world.preview(stack, drawn.program, options);
  const review = await world.report(stack, preview, drawn.offline);
  const before = await momentOf(world);
  const update = await world.up(stack, drawn.program, options);
  const after = await momentOf(world);
  return { drawn, told, review, preview, update, before, after };
}

/** What a person does; false where the console refuses it. */
async function perform({ raw }: World, { how, kind, id, share }: Deed): Promise<boolean> {
  const room = raw[kind as "gate"];
  try {
    switch (how) {
      case "share":
        return await editRules(room, id, ([first, ...rest]) => [
          { ...first, passPercentage: share },
          ...rest,
        ]);
      case "rename rule":
        return await editRules(room, id, ([first, ...rest]) => [{ ...first, name: "By hand" }, ...rest]);
      case "remove rule":
        return await editRules(room, id, (rules) => rules.slice(1));
      case "add rule":
        return await editRules(room, id, (rules) => [{ ...byHand, passPercentage: share }, ...rules]);
      case "launch":
        if (kind !== "gate") return false;
        await raw.gate.launch({ id });
        return true;
      case "disable":
      case "enable":
      case "unarchive":
      case "archive":
        await room[how]({ id, ...(how === "archive" ? { body: {} } : {}) });
        return true;
      case "describe":
        await room.patch({ id, body: { description: "By hand" } });
        return true;
      case "delete":
        await room.delete({ id });
        return true;
      case "make":
      case "make archived":
        await raw.gate.create({ body: { id, name: id, description: "Another team's" } });
        if (how === "make archived") await raw.gate.archive({ id, body: {} });
        return true;
      case "ask":
        await raw.gate.create({ body: asking(id) });
        return true;
    }
  } catch {
    return false;
  }
}

function asking(id: string): JsonObject {
  const conditions = [{ type: "passes_gate", targetValue: [id] }];
  return { ...{ id: "theirs", name: "theirs" }, rules: [{ name: "Asks", passPercentage: 100, conditions }] };
}

const byHand = {
  name: "On call",
  conditions: [{ type: "country", operator: "any", targetValue: ["DE"] }],
};

async function editRules(
  room: World["raw"]["gate"],
  id: string,
  edit: (rules: readonly JsonObject[]) => JsonObject[],
): Promise<boolean> {
  const item = (await room.get({ id })) as JsonObject;
  const rules = item.rules as JsonObject[];
  if (rules.length === 0) return false;
  const value = isObject(rules[0]?.returnValue) ? { returnValue: rules[0].returnValue } : {};
  await room.patch({ id, body: { rules: edit(rules).map((rule) => ({ ...value, ...rule })) } });
  return true;
}

async function adoptElsewhere(world: World, stack: Stack, name: string | undefined): Promise<boolean> {
  if (name === undefined) return false;
  const other = { ...world.newStack("other"), folder: stack.folder };
  const program: Declared[] = [declared("gate", name, { adopt: true })];
  const { run } = await world.up(other, program);
  return run.error === undefined;
}
