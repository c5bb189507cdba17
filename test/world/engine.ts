import { managed } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { type PartialState, partialOf } from "../support/driver";
import { Turns } from "./dice";
import {
  changedNames,
  copy,
  type Declared,
  type Held,
  nameOf,
  referencesIn,
  substituted,
  textOf,
  urnOf,
} from "./programs";
import type { KindProvider } from "./provider";
import type { Op, Run, Setting, Step, UpOptions } from "./steps";

class Killed extends Error {}
class Failed extends Error {}
/** Another step has failed: what has not begun does not begin. */
class Stopped extends Error {}

/** What is left to do for a resource when it is clear what that is. */
type Chain = () => Promise<void>;

/**
 * Pulumi's engine as far as resources of either adapter see it: which calls it makes, in which order, and what it keeps of the
 * answers. Checks and diffs come one after the other; what follows from them, resource by resource, while others are
 * checked, if dice are given. Source: step_generator.go, step.go and step_executor.go of pulumi/pkg 3.259.0.
 */
export class EngineRun {
  readonly #setting: Setting;
  readonly #turns: Turns | undefined;
  #state: Held[];
  /** As the program reads them in the state of before. */
  readonly #consoles: readonly JsonObject[];
  readonly #steps: Step[] = [];
  /** URNs that had their turn, and those deleted because what they depend on was replaced. */
  readonly #done = new Set<string>();
  readonly #deleted = new Set<string>();
  /** What is known of an id when another resource takes it, and the work that tells it. */
  readonly #ids = new Map<string, { urn: string; id: string }>();
  readonly #refreshed: Held[] = [];
  readonly #chains = new Map<string, Promise<void>>();
  #stop: { readonly error: unknown; readonly urn: string | undefined } | undefined;
  #calls = 0;

  constructor(setting: Setting, state: readonly Held[]) {
    this.#setting = setting;
    this.#state = [...state];
    this.#consoles = consolesIn(state);
    this.#turns = setting.dice && new Turns(setting.dice);
  }

  /** `pulumi up`, or its preview. */
  up(program: readonly Declared[], options: UpOptions): Promise<Run> {
    return this.#run(async () => {
      if (options.refresh) await this.#refreshAll();
      for (const declared of program) await this.#declare(declared, options);
      await Promise.all(this.#chains.values());
      if (this.#stop === undefined) await this.#deleteRest();
    });
  }

  /** `pulumi destroy`, or its preview. */
  destroy(): Promise<Run> {
    return this.#run(() => this.#deleteRest());
  }

  /** `pulumi refresh`. */
  refresh(): Promise<Run> {
    return this.#run(() => this.#refreshAll());
  }

  async #run(work: () => Promise<void>): Promise<Run> {
    await this.#guard(undefined, work);
    await Promise.all(this.#chains.values());
    const { error, urn } = this.#stop ?? { error: undefined, urn: undefined };
    const run = { state: this.#state, steps: this.#steps, failed: urn, refreshed: this.#refreshed };
    if (error instanceof Killed) return { ...run, error: undefined, killed: true };
    return { ...run, error: error instanceof Failed ? error.message : undefined, killed: false };
  }

  /** Notes the first failure, by which everything stops. */
  async #guard(urn: string | undefined, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof Stopped) return;
      if (!(error instanceof Failed || error instanceof Killed)) throw error;
      // A kill comes last, whatever failed before.
      if (this.#stop === undefined || error instanceof Killed) this.#stop = { error, urn };
    }
  }

  async #declare(declared: Declared, options: UpOptions): Promise<void> {
    // A program goes on when it has the outputs that it needs.
    for (const name of referencesIn(declared.args)) await this.#chains.get(name);
    if (this.#stop !== undefined) return;
    const urn = urnOf(this.#setting.stack, declared.kind, declared.name);
    await this.#guard(urn, async () => {
      const chain = await this.#register(declared, urn, options);
      const work = this.#guard(urn, chain);
      this.#chains.set(nameOf(declared), work);
      if (this.#turns === undefined) await work;
    });
  }

  async #register(declared: Declared, urn: string, { replace }: UpOptions): Promise<Chain> {
    const old = this.#adoptAlias(urn, declared);
    const { news, takes } = this.#goal(declared, urn);
    const goal: Goal = { declared, urn, news, takes };
    const targeted = old !== undefined && replace.includes(old.urn);
    const fresh = old === undefined || targeted || this.#deleted.has(urn);
    const inputs = await this.#check(goal, fresh ? undefined : old.inputs);
    this.#done.add(urn);
    if (old === undefined) {
      this.#step("create", goal, undefined, inputs);
      return () => this.#make(goal, inputs);
    }
    if (this.#deleted.has(urn)) {
      this.#step("replace", goal, old.id, inputs);
      return () => this.#make(goal, inputs, "goes");
    }
    return this.#compare(goal, inputs, old, targeted);
  }

  /** The resource of that name in state, or of a name that it had. */
  #adoptAlias(urn: string, { kind, name, aliases }: Declared): Held | undefined {
    const find = (one: string) => this.#state.find((held) => held.urn === one && !held.condemned);
    const direct = find(urn);
    if (direct !== undefined) return direct;
    for (const alias of aliases) {
      const old = find(urnOf(this.#setting.stack, kind, alias));
      if (old === undefined || this.#done.has(old.urn)) continue;
      const renamed = { ...old, urn, name };
      this.#put(old, renamed);
      return renamed;
    }
    return undefined;
  }

  async #compare(goal: Goal, inputs: JsonObject, old: Held, targeted: boolean): Promise<Chain> {
    const diff = targeted ? forced : await this.#diff(old, inputs, goal.declared.replaceOnChanges);
    if (diff.replaces || old.makingRoom) {
      // The engine asks for the defaults of a new resource, unless it has done so.
      const anew = targeted ? inputs : await this.#check(goal, undefined);
      return this.#replace(goal, anew, old, goal.declared.deleteBeforeReplace ?? diff.deletesFirst);
    }
    if (diff.some || old.unfinished) {
      this.#step("update", goal, old.id, inputs);
      return () => this.#update(goal, inputs, old);
    }
    this.#step("same", goal, old.id, inputs);
    this.#put(old, { ...old, inputs, ...stored(goal) });
    this.#know(goal, old.id);
    return async () => {};
  }

  async #replace(goal: Goal, inputs: JsonObject, old: Held, deletesFirst: boolean): Promise<Chain> {
    const dependents = deletesFirst ? await this.#dependents(old) : [];
    for (const { urn } of dependents) this.#deleted.add(urn);
    this.#step("replace", goal, old.id, inputs);
    if (!deletesFirst) return () => this.#make(goal, inputs, "is condemned");
    return async () => {
      for (const dependent of dependents) await this.#deleteForRoom(dependent);
      if (!old.makingRoom) await this.#deleteForRoom(old);
      await this.#make(goal, inputs, "goes");
    };
  }

  /** Creates. `predecessor`: what becomes of the resource that has the URN now. */
  async #make(goal: Goal, inputs: JsonObject, predecessor?: "goes" | "is condemned"): Promise<void> {
    const { declared, urn } = goal;
    if (this.#setting.preview) {
      this.#know(goal, UNKNOWN);
      return;
    }
    const record = (id: string, outputs: JsonObject, unfinished: boolean) => {
      const { kind, name } = declared;
      const old = this.#state.find((held) => held.urn === urn && !held.condemned);
      if (old !== undefined) this.#put(old, predecessor === "goes" ? undefined : { ...old, condemned: true });
      const made = { urn, kind, name, id, inputs, outputs, ...stored(goal), unfinished };
      this.#state.push({ ...made, condemned: false, makingRoom: false });
      this.#know(goal, id);
    };
    await this.#write(
      async () => {
        const { id, outs = {} } = await this.#of(declared.kind).create(copy(inputs), { urn });
        return () => record(id, { ...copy(outs), ...textOf(inputs) }, false);
      },
      ({ id, properties }) => record(id, copy(properties), true),
    );
  }

  async #update(goal: Goal, inputs: JsonObject, old: Held): Promise<void> {
    this.#know(goal, old.id);
    if (this.#setting.preview) return;
    const record = (outputs: JsonObject, unfinished: boolean) =>
      this.#put(old, { ...old, inputs, ...stored(goal), outputs, unfinished });
    await this.#write(
      async () => {
        const { outs = {} } = await this.#of(old.kind).update(old.id, copy(old.outputs), copy(inputs), old);
        return () => record({ ...copy(outs), ...textOf(inputs) }, false);
      },
      ({ properties }) => record(copy(properties), true),
    );
  }

  async #deleteForRoom(old: Held): Promise<void> {
    if (this.#setting.preview) return;
    await this.#delete(old, () => this.#put(old, { ...old, makingRoom: true }));
  }

  /** What the program no longer has, and what was replaced: those that take outputs of others go before these. */
  async #deleteRest(): Promise<void> {
    const goes = ({ condemned, urn }: Held) => condemned || !this.#done.has(urn);
    const left = this.#state.filter(goes).reverse();
    for (const { urn, kind, name, id } of left) {
      // What is replaced now goes as a part of that; what an earlier run replaced and left is a step of its own.
      if (this.#steps.some((step) => step.urn === urn && step.op === "replace" && step.id === id)) continue;
      this.#steps.push({ urn, op: "delete", kind, name, id, inputs: undefined, imports: undefined });
    }
    if (this.#setting.preview) return;
    const works = new Map<Held, Promise<void>>();
    for (const held of left) {
      const isTaken = (other: Held) => Object.values(other.takes).some((urns) => urns.includes(held.urn));
      const takers = left.filter(isTaken).map((other) => works.get(other));
      const work = this.#guard(held.urn, async () => {
        await Promise.all(takers);
        if (held.makingRoom) this.#put(held, undefined);
        else await this.#delete(held, () => this.#put(held, undefined));
      });
      works.set(held, work);
      if (this.#turns === undefined) await work;
    }
    await Promise.all(works.values());
  }

  #delete(held: Held, record: () => void): Promise<void> {
    return this.#write(async () => {
      if (!held.retainOnDelete) await this.#of(held.kind).delete(held.id, copy(held.outputs), held);
      return record;
    });
  }

  /** All at the same time, as the engine does: what answers one read may answer others. */
  async #refreshAll(): Promise<void> {
    const looked = this.#state.filter(({ makingRoom }) => !makingRoom);
    await Promise.all(looked.map((held) => this.#guard(held.urn, () => this.#refreshOne(held))));
    if (this.#stop !== undefined) throw new Stopped();
  }

  async #refreshOne(held: Held): Promise<void> {
    const found = await this.#atOnce(() => this.#of(held.kind).read(held.id, copy(held.outputs), held));
    if (found.id === undefined || found.id === "") {
      this.#put(held, undefined);
      this.#refreshed.push(held);
      return;
    }
    const { id } = found;
    const text = textOf(held.outputs);
    const outputs = { ...copy(found.props ?? {}), ...text };
    const inputs = found.inputs === undefined ? held.inputs : { ...copy(found.inputs), ...text };
    // The roles are exchanged; what comes of it is only shown.
    const called = { urn: held.urn, inputs };
    await this.#atOnce(() => this.#of(held.kind).diff(id, copy(outputs), copy(held.inputs), called));
    this.#put(held, { ...held, id, outputs, inputs });
    this.#refreshed.push(held);
  }

  /**
   * Resources that take outputs of one that is to be replaced and would have to be replaced with it, the last one first.
   * The engine asks for the diff of all that have not had their turn, with unknown values in the place of what they take.
   */
  async #dependents(root: Held): Promise<Held[]> {
    const replaced = new Set([root.urn]);
    const found: Held[] = [];
    for (const held of [...this.#state]) {
      if (held.urn === root.urn || this.#done.has(held.urn) || this.#deleted.has(held.urn)) continue;
      const takes = (name: string) => held.takes[name]?.some((urn) => replaced.has(urn));
      const unknown = Object.keys(held.takes).flatMap((name) =>
        takes(name) ? [[name, UNKNOWN] as const] : [],
      );
      if (unknown.length === 0) continue;
      const diff = await this.#diff(held, { ...held.inputs, ...Object.fromEntries(unknown) }, []);
      if (!diff.replaces) continue;
      found.unshift(held);
      replaced.add(held.urn);
    }
    return found;
  }

  async #check({ declared, urn, news }: Goal, olds: JsonObject | undefined): Promise<JsonObject> {
    const { inputs, failures = [] } = await this.#ask(() =>
      this.#of(declared.kind).check(copy(olds ?? {}), copy(news), { urn, inputs: olds }),
    );
    if (failures.length === 0) return copy(inputs);
    const told = failures.map(({ property, reason }) => `${property}: ${reason}`);
    throw new Failed(`${nameOf(declared)}: ${told.join("; ")}`);
  }

  async #diff(old: Held, inputs: JsonObject, replaceOnChanges: readonly string[]): Promise<Difference> {
    const {
      changes,
      replaces = [],
      deleteBeforeReplace,
    } = await this.#ask(() => this.#of(old.kind).diff(old.id, copy(old.outputs), copy(inputs), old));
    // Only where the provider leaves it open, the engine compares arguments and knows which of them changed.
    const changed = changes === undefined ? changedNames(old.inputs, inputs) : [];
    const some = changes === true || changed.length > 0;
    const asked = changed.some((name) => replaceOnChanges.includes(name));
    return {
      some,
      replaces: some && (replaces.length > 0 || asked),
      deletesFirst: deleteBeforeReplace === true,
    };
  }

  /** Arguments as the program's class hands them over. */
  #goal(declared: Declared, urn: string) {
    const { kind, name, args, imports, deleteBeforeReplace, retainOnDelete } = declared;
    const { code, preview, adapter } = this.#setting;
    const takes: Record<string, string[]> = {};
    const sources: JsonObject = {};
    const known = (name: string) => {
      const one = this.#ids.get(name);
      if (one === undefined) throw new Error(`${name} is not declared before it is used`);
      return one;
    };
    for (const [argument, value] of Object.entries(args)) {
      const names = referencesIn({ value });
      const [first, ...more] = names.map((one) => one.split(/\.(.*)/s) as [keyof typeof managed, string]);
      if (names.length > 0) takes[argument] = names.map((one) => known(one).urn);
      if (first !== undefined && more.length === 0)
        sources[argument] = `${managed[first[0]].kind} ${first[1]}`;
    }
    const news = substituted(args, (one) => known(one).id);
    const told = code.told({
      ...{ kind, name, urn, preview, imports, deleteBeforeReplace, retainOnDelete, adapter, sources },
      consoles: this.#consoles,
    });
    return { takes, news: { ...news, ...told } };
  }

  #know({ declared, urn }: Goal, id: string): void {
    this.#ids.set(nameOf(declared), { urn, id });
  }

  #step(op: Op, { declared, urn }: Goal, id: string | undefined, inputs: JsonObject): void {
    const { kind, name, imports } = declared;
    this.#steps.push({ urn, op, kind, name, id, inputs, imports });
  }

  /** Puts a resource in the place of the one of the same URN and object, or none. */
  #put(old: Held, next: Held | undefined): void {
    const isIt = (held: Held) =>
      held.urn === old.urn && held.id === old.id && held.condemned === old.condemned;
    this.#state = this.#state.flatMap((held) => (isIt(held) ? (next ?? []) : held));
  }

  #of(kind: string): KindProvider {
    return this.#setting.process(kind);
  }

  async #write(work: () => Promise<() => void>, partly?: (failure: PartialState) => void): Promise<void> {
    try {
      await this.#ask(async () => {
        const { cut } = this.#setting;
        const isCut = cut?.call === this.#calls;
        this.#calls += 1;
        if (isCut && cut?.when === "before") throw new Killed();
        const record = await work();
        if (isCut && cut?.when === "unrecorded") throw new Killed();
        record();
        if (isCut) throw new Killed();
      });
    } catch (error) {
      if (error instanceof Failed && error.cause !== undefined) partly?.(error.cause as PartialState);
      throw error;
    }
  }

  /** A call to the provider, in its turn. */
  #ask<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns === undefined ? this.#atOnce(work) : this.#turns.take(() => this.#atOnce(work));
  }

  /** A call to the provider, until it answers or its process dies. */
  async #atOnce<T>(work: () => Promise<T>): Promise<T> {
    if (this.#stop !== undefined) throw new Stopped();
    const dead = this.#setting.death.then(() => Promise.reject(new Killed()));
    try {
      return await Promise.race([work(), dead]);
    } catch (error) {
      const known = error instanceof Killed || error instanceof Stopped;
      if (known || !(error instanceof Error)) throw error;
      throw new Failed(error.message, { cause: partialOf(error) });
    }
  }
}

function consolesIn(state: readonly Held[]): JsonObject[] {
  return state.flatMap(({ kind, id, outputs }) => {
    const { __console: console, __project: project } = outputs;
    return console === undefined ? [] : [{ object: `${kind} "${id}"`, console, project }];
  });
}

interface Goal {
  readonly declared: Declared;
  readonly urn: string;
  readonly news: JsonObject;
  readonly takes: Held["takes"];
}

/** What state keeps of a goal beside its values. */
function stored({ takes, declared: { retainOnDelete } }: Goal): Pick<Held, "takes" | "retainOnDelete"> {
  return { takes, ...(retainOnDelete === undefined ? {} : { retainOnDelete }) };
}

interface Difference {
  readonly some: boolean;
  readonly replaces: boolean;
  readonly deletesFirst: boolean;
}

/** `--replace` asks no diff, and so nobody says that the old object has to go first. */
const forced: Difference = { some: true, replaces: true, deletesFirst: false };
