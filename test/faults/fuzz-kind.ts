import type { ConsoleClient } from "../../src/provider/client";
import { routeTo } from "../../src/provider/engine/context";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { equalJson, type JsonObject } from "../../src/provider/schema/json";
import { callingArgument, expectedId, idMember, secretOf } from "../../src/provider/schema/object-id";
import { canGo } from "../../src/provider/values/options";
import { type Driver, partialOf, type Resource } from "../support/driver";
import { allOf } from "../support/raw-client";
import { firstArguments, otherArguments } from "./fuzz-arguments";
import type { Recipe } from "./fuzz-recipes";
import type { Front, Given } from "./fuzz-relay";
import { messageFaults, messageOf, saysGone, stateFaults } from "./fuzz-verdict";

/** What one wrong answer led to. */
export interface Outcome {
  readonly kind: string;
  readonly verb: string;
  readonly recipe: Recipe;
  /** Absent when the verb ended before it asked so often. */
  readonly given: Pick<Given, "method" | "path"> | undefined;
  readonly ended: "done" | "refused" | "gone";
  readonly faults: readonly string[];
}

/** What a kind is driven with. */
export interface FuzzedKindPorts {
  readonly definition: ResourceDefinition;
  readonly driver: Driver;
  /** The same in another process: `pulumi destroy` is a run of its own. */
  readonly destroyer: Driver;
  readonly raw: ConsoleClient;
  readonly front: Front;
  readonly group: string;
  readonly key: string;
  /** The lookups for programs, by the names of their functions. They ask the front. */
  readonly lookups: Readonly<Record<string, (args?: JsonObject) => Promise<unknown>>>;
}

interface Slot {
  name: string;
  resource: Resource | undefined;
  args: JsonObject;
}

type Raw = Record<string, Record<string, (input?: JsonObject) => unknown>>;

/**
 * One kind and a few objects of it, which go through their verbs over the host. One answer of each verb is wrong; then
 * everything is put right with right answers, as the next `up` would, and compared with the console by its own API.
 */
export class FuzzedKind {
  readonly #tools: FuzzedKindPorts;
  readonly #slots: Slot[] = [];
  #made = 0;

  constructor(tools: FuzzedKindPorts) {
    this.#tools = tools;
    const count = tools.definition.lifecycle.create.how === "claim" ? 1 : 3;
    for (let index = 0; index < count; index += 1) this.#slots.push(this.#fresh());
  }

  /** True where a delete looks through the lists of other kinds: it would meet the wrong answers that are meant for theirs. */
  get looksAtOthers(): boolean {
    return this.#tools.definition.lifecycle.delete.remove?.usedBy !== undefined;
  }

  /** Carries a verb out with a wrong answer in it, and puts things right. */
  async meet(recipe: Recipe): Promise<Outcome> {
    const slot = this.#slots[recipe.verb % this.#slots.length] as Slot;
    const verb = this.#verbFor(slot, recipe);
    const present = this.#slots.filter(({ resource }) => resource !== undefined);
    if (verb === "refresh together") return this.#together(present, recipe);
    if (verb === "look up") return this.#lookUp(slot.resource as Resource, recipe);
    return this.#alone(slot, verb, recipe);
  }

  async #alone(slot: Slot, verb: string, recipe: Recipe): Promise<Outcome> {
    const { front, group, definition } = this.#tools;
    const before = slot.resource;
    const args = verb === "update" ? otherArguments(this.#tools.definition, slot) : slot.args;
    front.arm(group, recipe);
    const result = await attempt(() => this.#carryOut(slot, verb, args));
    const given = front.disarm(group);
    slot.args = args;
    const faults = this.#judge(slot, verb, result, before, given);
    const ended = endOf(result, verb);
    faults.push(...(await this.#putRight(slot, verb, ended)));
    return { kind: definition.kind, verb, recipe, given: asked(given), ended, faults };
  }

  async #together(slots: Slot[], recipe: Recipe): Promise<Outcome> {
    const { front, group, definition } = this.#tools;
    front.arm(group, recipe);
    const before = slots.map(({ resource }) => resource);
    const results = await Promise.all(
      slots.map((slot) => attempt(() => this.#carryOut(slot, "read", slot.args))),
    );
    const given = front.disarm(group);
    await this.#forgetLists();
    const faults: string[] = [];
    for (const [index, slot] of slots.entries()) {
      const result = results[index] as Result;
      faults.push(...this.#judge(slot, "read", result, before[index], given));
      faults.push(...(await this.#putRight(slot, "read", endOf(result, "read"))));
    }
    const ends = results.map((result) => endOf(result, "read"));
    const ended = ends.find((one) => one !== "done") ?? "done";
    return { kind: definition.kind, verb: "refresh together", recipe, given: asked(given), ended, faults };
  }

  async #lookUp({ id }: Resource, recipe: Recipe): Promise<Outcome> {
    const { front, group, definition, lookups, key } = this.#tools;
    const { kind, plural = `${kind}s`, routes, title } = definition;
    const names = [routes.get && `get${kind}`, routes.list && `list${plural}`].filter(
      (name) => name !== undefined,
    );
    const name = names[recipe.at % names.length] as string;
    front.arm(group, recipe);
    const args = name.startsWith("get") ? routeTo(definition, "get", id).params : {};
    const result = await attempt(async () => ({
      id,
      inputs: {},
      outputs: { found: await lookups[name]?.(args) },
    }));
    const given = front.disarm(group);
    const ended = result.error === undefined ? "done" : "refused";
    const faults =
      result.error === undefined
        ? stateFaults(id, result.made?.outputs, key)
        : messageFaults(messageOf(result.error), `look up ${title}`, key);
    const found = result.made?.outputs.found;
    if (name.startsWith("get") && ended === "done" && (found as JsonObject | undefined)?.id !== id)
      faults.push(`a lookup of ${id} found another one`);
    return { kind, verb: "look up", recipe, given: asked(given), ended, faults };
  }

  /** The next run is another process, which knows no list that this one has read; so does this one after a write. */
  async #forgetLists(): Promise<void> {
    const { driver, definition } = this.#tools;
    const secret = secretOf(definition);
    const led = secret === undefined ? {} : { [secret]: "not-there" };
    const named = { ...definition.samples.smallest, [callingArgument(definition) ?? ""]: "not_there" };
    const id = definition.identity.how === "address" ? String(expectedId(definition, named)) : "not_there";
    await driver.destroy({ id, inputs: {}, outputs: { __provider: driver.text, ...led } });
  }

  #verbFor(slot: Slot, { verb }: Recipe): string {
    if (slot.resource === undefined) return "create";
    const { definition } = this.#tools;
    const stays = this.#slots.length === 1 || !canGo(definition);
    // What shows secrets has no lookups, nor has what nothing reads.
    const isRead = definition.lifecycle.read.how !== "remember";
    const looks = secretOf(definition) === undefined && isRead ? ["look up"] : [];
    const verbs = ["read", "refresh together", "update", "update", ...looks, ...(stays ? [] : ["delete"])];
    return verbs[(verb >> 4) % verbs.length] as string;
  }

  async #carryOut(slot: Slot, verb: string, args: JsonObject): Promise<Resource | undefined> {
    const { driver, destroyer } = this.#tools;
    const { resource } = slot;
    if (resource === undefined) return driver.up(args);
    if (verb === "update") return driver.update(resource, args);
    if (verb === "read") return driver.refresh(resource);
    await destroyer.destroy(resource);
    return undefined;
  }

  /** Takes a result over as the engine would, and says what is wrong with it. */
  #judge(
    slot: Slot,
    verb: string,
    { made, error }: Result,
    before: Resource | undefined,
    given: Given | undefined,
  ): string[] {
    const { definition, key } = this.#tools;
    if (error === undefined) {
      const gone = verb === "delete" || (verb === "read" && made === undefined);
      // What every project has does not go: in another process it would be claimed again.
      slot.resource = gone ? (this.#slots.length === 1 ? before : undefined) : made;
      if (gone && verb === "read")
        return given !== undefined && before !== undefined && saysGone(definition, before.id, given)
          ? []
          : ["called gone without an answer that says so"];
      return gone ? [] : stateFaults(made?.id, made?.outputs, key);
    }
    const faults = messageFaults(messageOf(error), `${verb} ${definition.title} "`, key);
    const partial = partialOf(error);
    if (partial === undefined) return faults;
    slot.resource = { id: partial.id, inputs: slot.resource?.inputs ?? {}, outputs: partial.properties };
    if (before !== undefined && partial.id !== before.id) faults.push("a failed update changed the id");
    return [...faults, ...stateFaults(partial.id, partial.properties, key)];
  }

  /** What the next run does, with right answers; then the console must hold what the program says, once. */
  async #putRight(slot: Slot, verb: string, ended: Outcome["ended"]): Promise<string[]> {
    const result = await attempt(() => this.#nextRun(slot, verb, ended));
    if (result.error !== undefined) {
      const about = `after ${verb}, the next run fails: ${messageOf(result.error).slice(0, 600)}`;
      await this.#retire(slot);
      return [about];
    }
    if (ended === "gone" || verb === "delete") {
      const left = verb === "delete" ? await this.#inUse(slot.name) : 0;
      await this.#retire(slot);
      return left === 0 ? [] : [`after delete, the console still has ${left}`];
    }
    const faults = await this.#compare(slot, verb);
    if (faults.length > 0 || (verb === "create" && ended !== "done")) await this.#retire(slot);
    return faults;
  }

  async #nextRun(slot: Slot, verb: string, ended: Outcome["ended"]): Promise<undefined> {
    const { driver } = this.#tools;
    if (ended === "gone") return;
    if (verb === "delete") {
      if (slot.resource !== undefined) await this.#tools.destroyer.destroy(slot.resource);
      return;
    }
    if (slot.resource === undefined) {
      slot.resource = await driver.up(slot.args);
      return;
    }
    const { resource } = slot;
    const inputs =
      Object.keys(resource.inputs).length === 0 ? await driver.checked(slot.args) : resource.inputs;
    const seen = await driver.refresh({ ...resource, inputs });
    if (seen === undefined) throw new Error("the refresh finds nothing");
    const { quiet, replaces } = await driver.diff(seen, slot.args);
    if (replaces.length > 0) throw new Error(`the diff replaces because of ${replaces.join(", ")}`);
    slot.resource = quiet ? seen : await driver.update(seen, slot.args);
  }

  async #compare(slot: Slot, verb: string): Promise<string[]> {
    const { driver, definition } = this.#tools;
    const resource = slot.resource as Resource;
    const seen = (await driver.refresh(resource)) ?? { ...resource, outputs: {} };
    const { quiet } = await driver.diff(seen, slot.args);
    // What changes by itself, and what other kinds add to, may differ.
    const volatile = (name: string) => {
      const facts = definition.fields[name]?.facts;
      return facts?.volatile === true || facts?.growsWhile !== undefined;
    };
    const steady = (bag: JsonObject) =>
      Object.fromEntries(Object.entries(bag).filter(([name]) => !volatile(name) && !name.startsWith("__")));
    const faults = [
      !quiet && "after the next run, the diff is not quiet",
      !equalJson(steady(resource.outputs), steady(seen.outputs)) &&
        `after the next run, state and console differ: ${differing(steady(resource.outputs), steady(seen.outputs))}`,
    ].filter((fault) => fault !== false);
    // Only a create can make too many.
    const ids = verb === "create" ? await this.#idsOf(slot.name) : undefined;
    if (ids !== undefined && !equalJson(ids, [resource.id]))
      faults.push(`the console has ${JSON.stringify(ids)}, the state ${JSON.stringify(resource.id)}`);
    return faults;
  }

  /** Ids of the objects of a name, by the console's own API; undefined where there is no list, or where they are secrets. */
  async #idsOf(name: string): Promise<unknown[] | undefined> {
    const { definition, raw } = this.#tools;
    const { read } = definition.lifecycle;
    if (read.how === "remember" || read.list === undefined || secretOf(definition) !== undefined)
      return undefined;
    const query = definition.routes[read.list]?.query?.includes("includeArchived")
      ? { includeArchived: true }
      : {};
    const list = (raw as unknown as Raw)[definition.name]?.[read.list];
    const items = list === undefined ? [] : await allOf(list({ query }) as AsyncIterable<JsonObject>);
    return items.filter((item) => item.name === name).map((item) => item[idMember(definition)]);
  }

  async #inUse(name: string): Promise<number> {
    return (await this.#idsOf(name))?.length ?? 0;
  }

  /** Leaves an object alone: what this process remembers of it is not what another run would. */
  async #retire(slot: Slot): Promise<void> {
    if (this.#slots.length === 1) return;
    Object.assign(slot, this.#fresh());
  }

  #fresh(): Slot {
    const { definition } = this.#tools;
    this.#made += 1;
    const name = `fuzz ${definition.name} ${this.#made}`.replaceAll(" ", "_");
    const args = firstArguments(definition, name, this.#made % 2 === 0 ? "fullest" : "smallest");
    return { name, resource: undefined, args };
  }
}

interface Result {
  readonly made?: Resource | undefined;
  readonly error?: unknown;
}

async function attempt(work: () => Promise<Resource | undefined>): Promise<Result> {
  try {
    return { made: await work() };
  } catch (error) {
    return { error };
  }
}

/** Answers of megabytes are not kept. */
function asked(given: Given | undefined): Outcome["given"] {
  return given && { method: given.method, path: given.path };
}

function endOf({ made, error }: Result, verb: string): Outcome["ended"] {
  if (error !== undefined) return "refused";
  return verb === "read" && made === undefined ? "gone" : "done";
}

function differing(left: JsonObject, right: JsonObject): string {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const differ = names.filter((name) => !equalJson(left[name], right[name]));
  return differ
    .map(
      (name) =>
        `${name} ${JSON.stringify(left[name])?.slice(0, 80)} / ${JSON.stringify(right[name])?.slice(0, 80)}`,
    )
    .join(", ");
}
