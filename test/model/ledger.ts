import type { Actor, Received, SharedConsole } from "../world/console";

/** What is true about an object, whoever knows it. */
export interface Fact {
  /** Who made it. */
  readonly maker: Actor;
  /** Who last did something to it. */
  readonly last: Actor;
  /** Everybody who did something to it. */
  readonly actors: ReadonlySet<Actor>;
  /** Who took it out of use; undefined while it is in use. */
  readonly archivedBy: Actor | undefined;
  /** Who brought it back after that; undefined while it is out of use or has never been. */
  readonly revivedBy: Actor | undefined;
  readonly gone: boolean;
}

/** By the key of the object. */
export type Facts = ReadonlyMap<string, Fact>;

/** Who made, changed and removed what: the truth, which no stack can look up. */
export class Ledger {
  readonly #facts = new Map<string, Fact>();
  readonly #console: SharedConsole;

  constructor(console: SharedConsole) {
    this.#console = console;
  }

  /** Notes a request that was carried out. */
  note({ actor, touched }: Received): void {
    for (const key of touched) {
      const before = this.#facts.get(key);
      const now = this.#console.find(key);
      if (now === undefined) {
        if (before !== undefined) this.#facts.set(key, { ...before, last: actor, gone: true });
        continue;
      }
      const isNew = before === undefined || before.gone;
      const wasArchived = !isNew && before.archivedBy !== undefined;
      this.#facts.set(key, {
        maker: isNew ? actor : before.maker,
        last: actor,
        actors: new Set([...(isNew ? [] : before.actors), actor]),
        archivedBy: now.archived ? (wasArchived ? before.archivedBy : actor) : undefined,
        revivedBy: now.archived ? undefined : wasArchived ? actor : isNew ? undefined : before.revivedBy,
        gone: false,
      });
    }
  }

  /** What is true now. */
  facts(): Facts {
    return new Map(this.#facts);
  }
}
