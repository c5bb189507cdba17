import type { Behaviour } from "../../src/emulator/console/behaviour";
import { type ConsoleSettings, handle } from "../../src/emulator/console/console";
import { mildest } from "../../src/emulator/console/rules/switches";
import type { SpecDocument } from "../../src/emulator/evaluation/specs";
import { brokenOff, textReply } from "../../src/emulator/http/delivery";
import { createRouter } from "../../src/emulator/http/routing";
import { behaviours } from "../../src/emulator/kinds/index";
import { keepBuckets } from "../../src/emulator/sdk/spec/buckets";
import { bodyOf, documentText } from "../../src/emulator/sdk/spec/documents";
import { specsOf } from "../../src/emulator/sdk/spec/specs";
import { isArchived } from "../../src/emulator/store/items";
import { openStore } from "../../src/emulator/store/sqlite-store";
import type { Store, World } from "../../src/emulator/store/store";
import { profiles } from "../../src/provider/client/profile";
import type { Transport } from "../../src/provider/client/transport";
import { everyKind } from "../../src/provider/definitions";
import type { ObjectDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { idMember } from "../../src/provider/schema/object-id";
import type { Dice } from "./dice";

/** Who asks the console for something: a stack by its name, a `person` with a machine's key, or {@link ann} with her own. */
export type Actor = string;

/** A person whose key the console knows: it shows her as the author. */
export const ann = "ann@example.com";

/** Those of them that are no stack. */
export const people: ReadonlySet<Actor | undefined> = new Set(["person", ann]);

export interface Stored {
  /** Kind and id, such as `gate flag_one`. */
  readonly key: string;
  readonly kind: string;
  readonly id: string;
  readonly item: JsonObject;
  /** All of it as text: two that are equal have the same. */
  readonly text: string;
  readonly archived: boolean;
}

export type Snapshot = ReadonlyMap<string, Stored>;

/** What happens to a request on its way. */
export type Passage = "pass" | "refused" | "lost before" | "lost after" | "killed before" | "killed after";

export interface Received {
  readonly actor: Actor;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly touched: readonly string[];
}

const router = createRouter(Object.values(behaviours));
/** The project itself is no object of anybody. */
const kinds = (Object.values(everyKind) as readonly ObjectDefinition[]).filter(
  ({ name }) => name !== everyKind.project.name,
);
const byName = new Map(kinds.map(({ name }) => [name, behaviours[name as keyof typeof behaviours]]));

export function keyOf(kind: string, id: string): string {
  return `${kind} ${id}`;
}

/** A console in this process that stacks and a person share, with a clock that moves when something is asked of it. */
export class SharedConsole {
  readonly received: Received[] = [];
  /** Told of every request that changed something, when it has. */
  onWrite: (received: Received) => void = () => {};
  #now = Date.UTC(2026, 0, 1);
  #touched = new Set<string>();
  readonly #store: Store;
  readonly #settings: ConsoleSettings;

  /** `other`: whose objects it has too. */
  constructor(dice: Dice, project = "model_project", other?: SharedConsole) {
    this.#store = other === undefined ? openStore(":memory:") : other.#store.copy();
    if (other !== undefined) this.#now = other.#now;
    const { name } = everyKind.project;
    this.#store.transaction("write", (world) => {
      world.clear(name);
      world.put(name, project, { id: project });
    });
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const makeId = () => Array.from({ length: 12 }, () => letters[dice.below(letters.length)]).join("");
    this.#settings = {
      profile: profiles.custom,
      key: undefined,
      people: new Map([[ann, ann]]),
      readOnlyKey: undefined,

      needsKey: false,
      specifiedForm: false,
      switches: mildest,
      ports: { clock: () => this.#now, makeId, idListDelayMs: 0, mostIds: 10_000_000 },
      overLimit: () => false,
    };
  }

  now = (): number => this.#now;

  wait(ms: number): void {
    this.#now += ms;
  }

  /** The door for a process of a stack; `passage` is asked about every request. */
  transport(actor: Actor, passage: (method: string) => Passage, died: () => void): Transport {
    return {
      send: async ({ method, url, headers, body }) => {
        const how = passage(method);
        if (how === "lost before") throw brokenOff();
        if (how === "killed before") return this.#never(died);
        if (how === "refused") return refusal;
        const target = url.replace(/^[a-z]+:\/\/[^/]*/, "");
        const reply = this.#answer(actor, method, target, body, headers);
        if (how === "lost after") throw brokenOff();
        return how === "killed after" ? this.#never(died) : reply;
      },
    };
  }

  /** A request of somebody by the console's own API. */
  ask(actor: Actor, method: string, path: string, body?: JsonObject): { status: number; body: JsonObject } {
    const headers = actor === ann ? { [profiles.custom.keyHeader.toLowerCase()]: ann } : {};
    const { status, text } = this.#answer(actor, method, `/console/v1${path}`, JSON.stringify(body), headers);
    return { status, body: JSON.parse(text) as JsonObject };
  }

  snapshot(): Snapshot {
    return this.#store.transaction("read", (world) => {
      const found = new Map<string, Stored>();
      for (const [kind, behaviour] of byName) {
        for (const item of world.list(kind, true)) {
          const stored = storedOf(world, kind, behaviour, item);
          found.set(stored.key, stored);
        }
      }
      return found;
    });
  }

  find(key: string): Stored | undefined {
    const [kind = "", id = ""] = key.split(/ (.*)/s);
    const behaviour = byName.get(kind);
    if (behaviour === undefined) return undefined;
    return this.#store.transaction("read", (world) => {
      const item = world.get(kind, id);
      return item && storedOf(world, kind, behaviour, item);
    });
  }

  usersOf({ kind, id }: Stored): string[] {
    return this.#store.transaction("read", (world) =>
      [...byName.keys()].flatMap((user) =>
        world
          .referrers(`${kind}:${id}`, user)
          .filter((one) => user !== kind || one !== id)
          .map((one) => keyOf(user, one)),
      ),
    );
  }

  /** What server SDKs would evaluate now. */
  flags(): SpecDocument {
    const specs = this.#store.transaction("write", (world) => {
      const found = specsOf(world, this.#now, Number.POSITIVE_INFINITY);
      keepBuckets(world, found.newAllocations);
      return found;
    });
    return JSON.parse(documentText(bodyOf(specs, "v1", undefined), this.#now)) as SpecDocument;
  }

  #never(died: () => void): Promise<never> {
    died();
    return new Promise<never>(() => {});
  }

  #answer(
    actor: Actor,
    method: string,
    target: string,
    body: string | undefined,
    headers: Readonly<Record<string, string>>,
  ) {
    this.#now += 5;
    this.#touched = new Set();
    const watched = {
      ...this.#store,
      transaction: <T>(mode: "read" | "write", work: (world: World) => T) =>
        this.#store.transaction(mode, (world) => work(this.#watched(world))),
    };
    const reply = textReply(handle(watched, router, this.#settings, { method, target, headers, body }));
    const path = target.replace("/console/v1", "");
    const received = { actor, method, path, status: reply.status, touched: [...this.#touched] };
    this.received.push(received);
    if (received.touched.length > 0 && reply.status < 400) this.onWrite(received);
    return reply;
  }

  /** A world that notes what is done to it. Other collections hold names and former forms. */
  #watched(world: World): World {
    const note = (kind: string, id: string) => {
      if (byName.has(kind)) this.#touched.add(keyOf(kind, id));
    };
    const noteSet = (set: string) => {
      const [, id] = /^ids of segment (.*)$/s.exec(set) ?? [];
      if (id !== undefined) note("segment", id);
    };
    return {
      ...world,
      put(kind, id, content, marks) {
        note(kind, id);
        world.put(kind, id, content, marks);
      },
      rename(kind, from, to) {
        note(kind, from);
        note(kind, to);
        world.rename(kind, from, to);
      },
      remove(kind, id) {
        note(kind, id);
        world.remove(kind, id);
      },
      addMembers(set, ids) {
        noteSet(set);
        return world.addMembers(set, ids);
      },
      removeMembers(set, ids) {
        noteSet(set);
        return world.removeMembers(set, ids);
      },
      clearMembers(set) {
        noteSet(set);
        world.clearMembers(set);
      },
    };
  }
}

const refusal = {
  status: 403,
  headers: { "content-type": "application/json" },
  text: JSON.stringify({ status: 403, message: "not now" }),
};

function storedOf(world: World, kind: string, behaviour: Behaviour, item: JsonObject): Stored {
  const { definition } = behaviour;
  const { identity } = definition;
  const id = identity.how === "singleton" ? identity.id : String(item[idMember(definition)]);
  const ids = item.type === "id_list" ? world.members(`ids of segment ${id}`) : [];
  const whole = ids.length === 0 ? item : { ...item, ids };
  const text = JSON.stringify(whole);
  return { key: keyOf(kind, id), kind, id, item: whole, text, archived: isArchived(behaviour, item) };
}
