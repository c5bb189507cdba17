import { type KindCount, type Loss, lossIn, lossText } from "../../decisions/missing-objects";
import {
  countKind,
  type EngineContext,
  isAlwaysThere,
  isCountable,
  isListed,
  type StateObject,
} from "../../engine";
import type { ResourceDefinition } from "../../schema/define";
import { ConsoleError, isConsoleError } from "../../schema/errors";

/** Time between two looks whether other reads are still under way, milliseconds. */
const betweenLooksMs = 50;

/** What a look at the absences of a refresh works with. */
export interface AbsencePorts {
  readonly context: () => EngineContext;
  /** What the state has beside an object, of the same console; undefined where nobody can tell. */
  readonly stored: (object: StateObject) => Promise<readonly StateObject[] | undefined>;
  /** How many reads of the refresh are under way, those that are held back here among them. */
  readonly underWay: () => number;
  /** What to type where the objects are gone for good. */
  readonly goOn: string;
}

/** What the reads of a refresh have shown of one kind. */
interface Reads {
  readonly definition: ResourceDefinition;
  found: number;
  missing: number;
}

/**
 * A wrong address, another key, or a permission that is lost look to a refresh as if a person had deleted everything. Before the first
 * absent object leaves the state, this counts what the state has against what the console shows.
 */
export class Absences {
  readonly #ports: AbsencePorts;
  /** Objects that this refresh has asked for: who asks for one again is another refresh. */
  readonly #asked = new Set<string>();
  readonly #reads = new Map<string, Reads>();
  readonly #counts = new Map<string, Promise<KindCount | undefined>>();
  #held = 0;
  #left = 0;
  #hasTold = false;

  constructor(ports: AbsencePorts) {
    this.#ports = ports;
  }

  /** Runs a read of a refresh. `isThere`: what it has found. */
  async read<T>(object: StateObject, work: () => Promise<T>, isThere: (found: T) => boolean): Promise<T> {
    const name = `${object.definition.name} ${object.id}`;
    if (this.#asked.has(name)) this.#begin();
    this.#asked.add(name);
    const found = await work();
    const { definition } = object;
    const reads = this.#reads.get(definition.name) ?? { definition, found: 0, missing: 0 };
    this.#reads.set(definition.name, reads);
    reads[isThere(found) ? "found" : "missing"] += 1;
    return found;
  }

  #begin(): void {
    this.#asked.clear();
    this.#reads.clear();
    this.#counts.clear();
    this.#left = 0;
    this.#hasTold = false;
  }

  /** False for an object that stays in state because too much is missing. @throws ConsoleError "refused" for the first one. */
  async mayLeave(object: StateObject): Promise<boolean> {
    const { permissions } = this.#ports.context();
    const loss = permissions.acceptGone ? undefined : await this.#lossAround(object);
    if (loss === undefined) {
      this.#left += 1;
      return true;
    }
    if (this.#hasTold) return false;
    this.#hasTold = true;
    throw new ConsoleError(lossText(loss, this.#ports.goOn, this.#left), { category: "refused" });
  }

  async #lossAround(object: StateObject): Promise<Loss | undefined> {
    const stored = await this.#ports.stored(object);
    return stored === undefined ? this.#lossByReads() : this.#lossByState(object, stored);
  }

  /** Kinds that have no list take a request for each object: those of other kinds are counted when one of theirs is missing. */
  async #lossByState(object: StateObject, stored: readonly StateObject[]): Promise<Loss | undefined> {
    const { definition: own } = object;
    const one = { title: own.title, stored: 1, found: 0, missing: 1, hasNoList: true };
    const counts: KindCount[] = isAlwaysThere(own) ? [one] : [];
    for (const definition of new Set(stored.map((one) => one.definition))) {
      const isOwn = definition === object.definition;
      if (!isCountable(definition) || !(isOwn || isListed(definition))) continue;
      const objects = stored.filter((one) => one.definition === definition);
      const count = await this.#count(definition, objects, isOwn);
      if (count !== undefined) counts.push(count);
    }
    return lossIn(counts);
  }

  #count(definition: ResourceDefinition, objects: readonly StateObject[], isOwn: boolean) {
    const known = this.#counts.get(definition.name);
    if (known !== undefined) return known;
    const counting = countKind(this.#ports.context(), definition, objects).catch((error: unknown) => {
      // The reads of another kind will report its failure.
      if (!isOwn && isConsoleError(error)) return undefined;
      throw error;
    });
    this.#counts.set(definition.name, counting);
    return counting;
  }

  /** Where the state cannot be exported, an absent object waits for the other reads that are under way. */
  async #lossByReads(): Promise<Loss | undefined> {
    this.#held += 1;
    try {
      while (this.#ports.underWay() > this.#held) await this.#ports.context().sleep(betweenLooksMs);
      const counts = [...this.#reads.values()]
        .filter(({ definition }) => isCountable(definition))
        .map(({ definition: { title }, found, missing }) => ({
          ...{ title, found, missing },
          ...{ stored: found + missing, hasNoList: false },
        }));
      return lossIn(counts);
    } finally {
      this.#held -= 1;
    }
  }
}
