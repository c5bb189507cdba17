import { everyKind, type KindName, managedKind } from "../../provider/definitions";
import { type EngineContext, routeTo } from "../../provider/engine/context";
import { wholeList } from "../../provider/engine/listing";
import { type Category, type ConsoleError, isConsoleError } from "../../provider/schema/errors";
import type { JsonObject } from "../../provider/schema/json";

/** Most writes of one run, removals included. */
export const mostWrites = 400;

/** The start of the name of every object that is made here. */
export const namePrefix = "fcverify_";

/** Kinds of which objects are made here, in the order in which they are removed. */
const madeKinds = [
  "holdout",
  "experiment",
  "layer",
  "gate",
  "releasePipeline",
  "dynamicConfig",
  "segment",
  "metric",
  "tag",
  "targetApp",
] as const;

/** The name of a kind of which objects are made here. */
export type MadeKind = (typeof madeKinds)[number];

/** The answer to a write: the object, or that the console refuses it. */
export type Reply =
  | { readonly isRefused: false; readonly item: JsonObject }
  | { readonly isRefused: true; readonly status: number | undefined; readonly category: Category };

/** An object that was made here. */
export interface Made {
  readonly kind: MadeKind;
  readonly id: string;
}

/** Refusals of a request by the console for what it asks. */
const refusals: ReadonlySet<Category> = new Set(["refused", "exists", "not-found"]);

/** True for the answer about a kind that the account or the key does not have. */
export function isLacking(error: unknown): error is ConsoleError {
  return isConsoleError(error) && ["forbidden", "not-found", "refused"].includes(error.category);
}

/** The reason why a question stays open. */
export class Undecided extends Error {}

/** Makes, changes, reads and removes throw-away objects. Changes no other object. */
export class ProbeSession {
  readonly #client: EngineContext["client"];
  readonly #sleep: EngineContext["sleep"];
  readonly #run: string;
  readonly #made: Made[] = [];
  #writes = 0;
  #forbidden = 0;
  #names = 0;

  /** `run`: tells the objects of this run from those of others: letters and digits. */
  constructor({ client, sleep }: EngineContext, run: string) {
    this.#client = client;
    this.#sleep = sleep;
    this.#run = run;
  }

  /** Counts the objects of a list, read by pages of this size. */
  async count([route, input]: ReturnType<typeof wholeList>, limit: number): Promise<number> {
    const items = this.#client.items(route, { ...input, query: { ...input.query, limit } });
    return (await Array.fromAsync(items)).length;
  }

  /** Looks as often as a refresh. @returns the moment at which a look finds what it looks for: at once, late, or later than the last one. */
  async soon(look: () => Promise<boolean>): Promise<"at-once" | "late" | "later"> {
    for (let looks = 0; looks < 3; looks += 1) {
      if (looks > 0) await this.#sleep(500);
      if (await look()) return looks === 0 ? "at-once" : "late";
    }
    return "later";
  }

  /** Writes that were sent, removals included. */
  get writes(): number {
    return this.#writes;
  }

  /** True where the console refused the first writes with 403, and took none: the key may not write. */
  get isForbidden(): boolean {
    return this.#forbidden >= 3 && this.#forbidden === this.#writes;
  }

  /** A name that nothing has. */
  newName(): string {
    this.#names += 1;
    return `${namePrefix}${this.#run}_${this.#names}`;
  }

  /** Makes an object of a new name, which it answers; a refusal is a reply. @throws ConsoleError for any other failure. */
  async make(kind: MadeKind, body: JsonObject = {}): Promise<Reply & { readonly id: string }> {
    const name = this.newName();
    const reply = await this.write(kind, "create", "", { name, ...body });
    const id = reply.isRefused ? name : String(reply.item.id ?? name);
    // Before the answer is looked at: what exists has to go.
    if (!reply.isRefused) this.remember(kind, id);
    return { ...reply, id };
  }

  /** The same; without it the question stays open. @throws Undecided where the console refuses it. */
  async made(kind: MadeKind, body: JsonObject = {}): Promise<JsonObject & { readonly id: string }> {
    const reply = await this.make(kind, body);
    return { ...accepted(kind, "create", reply), id: reply.id };
  }

  /** Has an object removed at the end that the console made by itself. */
  remember(kind: MadeKind, id: string): void {
    this.#made.push({ kind, id });
  }

  /**
   * Sends a write by a route of the kind. `respectsReviews`: asks the console to hold it to its review settings. `mayBeForbidden`: a 403
   * is a refusal of this write too, not only of the key.
   */
  async write(
    kind: MadeKind,
    route: string,
    id: string,
    body?: JsonObject | readonly JsonObject[],
    { respectsReviews = false, mayBeForbidden = false } = {},
  ): Promise<Reply> {
    // Each object needs another write to be removed.
    if (this.#writes + this.#made.length >= mostWrites - 1)
      throw new Undecided(`${mostWrites} writes are sent`);
    this.#writes += 1;
    const { route: target, params } = routeTo(managedKind(kind), route, id);
    try {
      const item = await this.#client.maybeItem(target, {
        params,
        respectsReviews,
        ...(body === undefined ? {} : { body }),
      });
      return { isRefused: false, item: item ?? {} };
    } catch (error) {
      if (isConsoleError(error, "forbidden")) this.#forbidden += 1;
      const isReply = (category: Category) =>
        refusals.has(category) || (mayBeForbidden && category === "forbidden");
      if (!isConsoleError(error) || !isReply(error.category)) throw error;
      return { isRefused: true, status: error.status, category: error.category };
    }
  }

  /** Sends a write without which the question stays open. @throws Undecided where the console refuses it. */
  async must(kind: MadeKind, route: string, id: string, body: JsonObject): Promise<void> {
    accepted(kind, route, await this.write(kind, route, id, body));
  }

  /** A new object after a change, as a read shows it. */
  async changed(kind: MadeKind, body: JsonObject, change: JsonObject): Promise<JsonObject> {
    const { id } = await this.made(kind, body);
    await this.must(kind, "patch", id, change);
    return this.read(kind, id);
  }

  /** An object as a read of it alone shows it, or what another route of the kind shows of it. */
  async read(kind: KindName, id: string, shownBy = "get"): Promise<JsonObject> {
    const { route, params } = routeTo(managedKind(kind), shownBy, id);
    return this.#client.item(route, { params });
  }

  /** Every object of a kind, archived ones too, as lists show them. */
  list(kind: keyof typeof everyKind): Promise<JsonObject[]> {
    return Array.fromAsync(this.#client.items(...wholeList(everyKind[kind], "list")));
  }

  /** Finds the objects that an interrupted run of this command left, by their names. */
  async leftovers(): Promise<Made[]> {
    const found: Made[] = [];
    for (const kind of madeKinds) {
      const items = await this.list(kind).catch((error) => {
        // A kind that this account lacks has none. Any other failure hides what is left.
        if (isLacking(error)) return [];
        throw error;
      });
      for (const { id, name } of items)
        if (String(name ?? id).startsWith(namePrefix)) found.push({ kind, id: String(id ?? name) });
    }
    return found;
  }

  /** Removes what was made, the newest first. @returns what stays: archived, or refused. */
  async clear(leftovers: readonly Made[] = []): Promise<Made[]> {
    const order = (one: Made) => madeKinds.indexOf(one.kind);
    const all = [...leftovers, ...this.#made.splice(0).toReversed()].sort((a, b) => order(a) - order(b));
    const left: Made[] = [];
    for (const one of all) if (!(await this.#remove(one))) left.push(one);
    return left;
  }

  async #remove({ kind, id }: Made): Promise<boolean> {
    const { remove, archive } = managedKind(kind).lifecycle.delete;
    for (const way of [remove?.route, archive?.route]) {
      if (way === undefined) continue;
      const { route, params } = routeTo(managedKind(kind), way, id);
      this.#writes += 1;
      try {
        await this.#client.maybeItem(route, { params, ...(route.body === undefined ? {} : { body: {} }) });
        return way === remove?.route;
      } catch (error) {
        if (isConsoleError(error, "not-found")) return true;
        if (!isConsoleError(error)) throw error;
      }
    }
    return false;
  }
}

function accepted(kind: MadeKind, route: string, reply: Reply): JsonObject {
  if (!reply.isRefused) return reply.item;
  throw new Undecided(`the console refused "${route}" of a ${managedKind(kind).title} (${reply.status})`);
}
