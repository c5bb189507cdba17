import type { SpecDocument } from "../../src/emulator/evaluation/specs";
import { managed } from "../../src/provider/definitions";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import type { Review } from "../../src/tools/review";
import { ann } from "../world/console";
import { request } from "../world/people";
import { type Declared, declared, urnOf } from "../world/programs";
import type { Act, Stack } from "../world/stage";
import { type Answers, askAll, EditLog } from "./answers";
import type { Case, Deed } from "./draw";
import { type Evaluation, evaluate } from "./users";
import { type Code, type Command, World } from "./world";

/** Objects of a console by kind and id, archived ones too. */
export type Snapshot = ReadonlyMap<string, JsonObject>;

/** The console at one moment, and what users get of its gates. */
export interface Moment {
  readonly objects: Snapshot;
  readonly document: SpecDocument;
  readonly evaluation: Evaluation;
}

/** A case that was played: what was said, and what then happened. */
export interface Played {
  readonly drawn: Case;
  /** What people did before the preview, in words. */
  readonly told: readonly string[];
  /** State before the preview, which puts the arguments of what stays the same into its own. */
  readonly state: Stack["state"];
  readonly review: Review;
  readonly preview: Command;
  readonly update: Act;
  /** Resources that a preview after a good update still shows as changing: `update gate "flag_one"`. */
  readonly unsettled: readonly string[];
  readonly answers: Answers | undefined;
  readonly before: Moment;
  readonly after: Moment;
}

export const kinds = ["gate", "dynamicConfig", "experiment", "segment", "layer"] as const;

/** The console as it is now. `known`: a moment before, of which users keep the answers of what has not changed since. */
async function momentOf(world: World, known?: Moment): Promise<Moment> {
  const objects = new Map<string, JsonObject>();
  for (const kind of kinds) {
    const listed = world.raw[kind].list(
      kind === "layer" ? {} : { query: { includeArchived: true } },
    ) as AsyncIterable<JsonObject>;
    for await (const item of listed) objects.set(`${kind} ${String(item.id)}`, item);
  }
  const document = world.console.flags();
  return { objects, document, evaluation: await evaluate(document, known) };
}

/** Plays a case; undefined where its own programs cannot be applied. */
export async function play(drawn: Case, code: Code): Promise<Played | undefined> {
  const world = new World(code, drawn.seed);
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
    world.console.wait(3_600_000);
  }
  const told: string[] = [];
  const log = new EditLog(world.console);
  for (const deed of drawn.deeds) {
    if (perform(world, deed))
      told.push(`${deed.signed ? "a person" : "a key"}: ${deed.how} ${deed.kind} ${deed.id} ${deed.share}`);
    world.console.wait(3_600_000);
  }
  if (drawn.runsAfter !== undefined) {
    const { run } = await world.up(stack, drawn.runsAfter);
    told.push(`a pipeline runs: ${run.error ?? "done"}`);
    world.console.wait(3_600_000);
  }
  if (await adoptElsewhere(world, stack, drawn.adoptedElsewhere))
    told.push(`another stack adopts ${drawn.adoptedElsewhere}`);
  if (drawn.refreshes) await world.refresh(stack);
  if (drawn.freshCheckout) stack.folder = world.newFolder();
  if (drawn.oldState) stack.state = states.at(-2) ?? stack.state;
  world.console.wait(3_600_000);
  const replaced = drawn.program.find(({ name }) => name === drawn.replace);
  const replace = replaced === undefined ? [] : [urnOf(stack.name, replaced.kind, replaced.name)];
  const options = { refresh: false, replace };
  const preview = drawn.crashes ? crashed(stack) : await world.preview(stack, drawn.program, options);
  const { state } = stack;
  const review = await world.report(stack, preview, drawn.offline);
  const before = await momentOf(world);
  const answers =
    drawn.asks && preview.run.error === undefined
      ? await askAll(world, { stack, preview, drawn, log })
      : undefined;
  const update = drawn.crashes ? preview : await world.up(stack, drawn.program, options);
  const after = await momentOf(world, before);
  const unsettled = update.run.error === undefined ? await unsettledIn(world, stack, drawn.program) : [];
  return { drawn, told, state, review, preview, update, unsettled, answers, before, after };
}

/** A preview, or an update, of a program that has no entry point: Pulumi asks no provider. */
function crashed({ state }: Stack): Command {
  const error = "Error: Cannot find module './index.ts'";
  const run = { ...{ state, steps: [], refreshed: [], error }, failed: undefined, killed: false };
  return { run, lines: [], requests: [], warnings: [], takes: new Map() };
}

async function unsettledIn(world: World, stack: Stack, program: readonly Declared[]): Promise<string[]> {
  const { run } = await world.preview(stack, program);
  return run.steps
    .filter(({ op }) => op !== "same")
    .map(({ op, kind, name }) => `${op} ${managed[kind as keyof typeof managed].title} "${name}"`);
}

/** What a person does; false where the console refuses it. */
function perform({ console }: World, { how, kind, id, share, signed }: Deed): boolean {
  const actor = signed ? ann : "person";
  const send = (route: string, body?: JsonObject) => {
    const answer = request(console, { kind, id }, route, body, actor);
    return answer !== undefined && answer.status < 400;
  };
  const make = (gate: JsonObject) => console.ask(actor, "POST", "/gates", gate).status < 400;
  const editRules = (edit: (rules: readonly JsonObject[]) => JsonObject[]) => {
    const { rules = [] } = (request(console, { kind, id }, "get")?.body.data ?? {}) as {
      rules?: JsonObject[];
    };
    const value = isObject(rules[0]?.returnValue) ? { returnValue: rules[0].returnValue } : {};
    return rules.length > 0 && send("patch", { rules: edit(rules).map((rule) => ({ ...value, ...rule })) });
  };
  switch (how) {
    case "share":
      return editRules(([first, ...rest]) => [{ ...first, passPercentage: share }, ...rest]);
    case "rename rule":
      return editRules(([first, ...rest]) => [{ ...first, name: "By hand" }, ...rest]);
    case "remove rule":
      return editRules((rules) => rules.slice(1));
    case "add rule":
      return editRules((rules) => [{ ...byHand, passPercentage: share }, ...rules]);
    case "describe":
      return send("patch", { description: "By hand" });
    case "make":
    case "make archived":
      return make(theirs(id, share)) && (how === "make" || send("archive", {}));
    case "ask":
      return make(asking(id));
    default:
      return send(how);
  }
}

function theirs(id: string, share: number): JsonObject {
  const rules = share === 0 ? [] : [{ ...byHand, conditions: [{ type: "public" }], passPercentage: share }];
  return { ...{ id, name: id, description: "Another team's" }, rules };
}

function asking(id: string): JsonObject {
  const conditions = [{ type: "passes_gate", targetValue: [id] }];
  return { ...{ id: "theirs", name: "theirs" }, rules: [{ name: "Asks", passPercentage: 100, conditions }] };
}

const byHand = {
  name: "On call",
  conditions: [{ type: "country", operator: "any", targetValue: ["DE"] }],
};

async function adoptElsewhere(world: World, stack: Stack, name: string | undefined): Promise<boolean> {
  if (name === undefined) return false;
  const other = { ...world.newStack("other"), folder: stack.folder };
  const program: Declared[] = [declared("gate", name, { adopt: true })];
  const { run } = await world.up(other, program);
  return run.error === undefined;
}
