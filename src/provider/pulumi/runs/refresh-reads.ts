import { type KindCount, type Loss, lossIn, lossText } from "../../decisions/missing-objects";
import {
  countKind,
  type EngineContext,
  isAlwaysThere,
  isCountable,
  isListed,
  isMissing,
  nameOf,
  type read,
  type StateObject,
} from "../../engine";
import type { ResourceDefinition } from "../../schema/define";
import {
  type ConsoleError,
  changeRefused,
  isConsoleError,
  reworded,
  withoutAnswer,
} from "../../schema/errors";
import { keptIn } from "../../schema/memoized";
import { countOf } from "../../texts/count-text";

/** Time between two looks whether other reads are still under way, milliseconds. */
const betweenLooksMs = 50;

/** Time without a further read, or one under way, before the first failure is reported, milliseconds. */
const lullMs = 300;

/** Access of a refresh to the console and the state. */
export interface RefreshPorts {
  readonly context: () => EngineContext;
  /** The objects that the state has beside one, of the same console; undefined where nobody can tell. */
  readonly stored: (object: StateObject) => Promise<readonly StateObject[] | undefined>;
  readonly sleep: (ms: number) => Promise<void>;
  /** The text to type where the objects are gone for good. */
  readonly goOn: string;
}

/** Stands for all kinds. */
const everyKind = "";

type Found = Awaited<ReturnType<typeof read>>;

/** Reads of one kind so far. */
interface Reads {
  readonly definition: ResourceDefinition;
  found: number;
  missing: number;
}

/**
 * The reads of a refresh, which Pulumi asks for one by one. A console that cannot be reached, or refuses the key, fails every one: it is
 * reported once, and the rest is counted. A wrong address, another key, or a permission that is lost look as if a person had deleted
 * everything: before the first absent object leaves the state, this counts the objects of the state against those of the console.
 */
export class RefreshReads {
  readonly #ports: RefreshPorts;
  /** Objects that this refresh has asked for: the second read of one begins another refresh. */
  readonly #asked = new Set<string>();
  readonly #reads = new Map<string, Reads>();
  readonly #counts = new Map<string, Promise<KindCount | undefined>>();
  #underWay = 0;
  /** Absent objects that wait for the other reads. */
  #held = 0;
  #left = 0;
  /** Kinds of which no further object is read; `everyKind`: of none. */
  readonly #failed = new Map<string, { skipped: number }>();
  #hasToldLoss = false;

  constructor(ports: RefreshPorts) {
    this.#ports = ports;
  }

  /**
   * Reads an object. @returns undefined for one that stays in state as it is: another read has failed, or too much is missing.
   * @throws ConsoleError for the first of them.
   */
  async read(object: StateObject, work: () => Promise<Found>): Promise<Found | undefined> {
    const name = nameOf(object.definition, object.id);
    if (this.#asked.has(name)) this.#begin();
    this.#asked.add(name);
    if (this.#skips(object)) return undefined;
    try {
      return await this.#working(object, work);
    } catch (error) {
      const scope = isConsoleError(error) ? this.#scopeOf(error, object) : undefined;
      if (scope === undefined || !isConsoleError(error)) throw error;
      if (this.#skips(object)) return undefined;
      const failed = { skipped: 0 };
      this.#failed.set(scope, failed);
      throw await this.#withCount(error, failed);
    }
  }

  #begin(): void {
    for (const all of [this.#asked, this.#reads, this.#counts, this.#failed]) all.clear();
    this.#left = 0;
    this.#hasToldLoss = false;
  }

  /** Counts an object that a failure of another read leaves unread. */
  #skips({ definition }: StateObject): boolean {
    const failed = this.#failed.get(everyKind) ?? this.#failed.get(definition.name);
    if (failed !== undefined) failed.skipped += 1;
    return failed !== undefined;
  }

  /**
   * Kind of the reads that meet the same failure: every one after a refused key, or a connection that never came about; that of the object
   * after an outage that outlasted the retries, where none of its kind was read before. Undefined for any other: one lost answer says
   * nothing of the next.
   */
  #scopeOf({ category, uncertain }: ConsoleError, { definition: { name } }: StateObject): string | undefined {
    if (["unauthorized", "settings"].includes(category) || (category === "unreachable" && !uncertain))
      return everyKind;
    return category === "unavailable" && this.#reads.get(name) === undefined ? name : undefined;
  }

  async #working(object: StateObject, work: () => Promise<Found>): Promise<Found | undefined> {
    this.#underWay += 1;
    try {
      const found = await work();
      const { definition } = object;
      const reads = keptIn(this.#reads, definition.name, () => ({ definition, found: 0, missing: 0 }));
      reads[isMissing(found) ? "missing" : "found"] += 1;
      return !isMissing(found) || (await this.#mayLeave(object)) ? found : undefined;
    } finally {
      this.#underWay -= 1;
    }
  }

  async #withCount(error: ConsoleError, failed: { readonly skipped: number }): Promise<ConsoleError> {
    for (let before = -1; before !== failed.skipped || this.#underWay > 0; ) {
      before = failed.skipped;
      await this.#ports.sleep(lullMs);
    }
    if (failed.skipped === 0) return error;
    const stays =
      failed.skipped === 1
        ? "was not read and stays in state as it is"
        : "were not read and stay in state as they are";
    return reworded(error, `${error.message} ${countOf(failed.skipped, "more object")} ${stays}.`);
  }

  /** False for an object that stays in state because too much is missing. @throws ConsoleError "refused" for the first one. */
  async #mayLeave(object: StateObject): Promise<boolean> {
    const { permissions } = this.#ports.context();
    const loss = permissions.acceptGone ? undefined : await this.#lossAround(object);
    if (loss === undefined) {
      this.#left += 1;
      return true;
    }
    if (this.#hasToldLoss) return false;
    this.#hasToldLoss = true;
    throw changeRefused(lossText(loss, this.#ports.goOn, this.#left));
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
    return keptIn(this.#counts, definition.name, () => {
      const count = countKind({ context: this.#ports.context(), definition }, objects);
      // The reads of another kind will report its failure.
      return isOwn ? count : count.catch(withoutAnswer(undefined));
    });
  }

  /** Without an export of the state, an absent object waits for the other reads that are under way. */
  async #lossByReads(): Promise<Loss | undefined> {
    this.#held += 1;
    try {
      while (this.#underWay > this.#held) await this.#ports.sleep(betweenLooksMs);
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
