import { keptIn } from "../../schema/memoized";

/** Joins identical reads that are under way at the same time. A write ends the joining: what it changed is read anew. */
export class Coalescer {
  readonly #flights = new Map<string, Promise<unknown>>();
  #epoch = 0;

  /** Runs `read`, or joins one of the same key that started after the last write. */
  read<T>(key: string, read: () => Promise<T>): Promise<T> {
    const flight = `${this.#epoch} ${key}`;
    const started = () => read().finally(() => this.#flights.delete(flight));
    return keptIn<string, Promise<unknown>>(this.#flights, flight, started) as Promise<T>;
  }

  /** Counts what {@link wrote} was told. */
  get writes(): number {
    return this.#epoch;
  }

  /** Says that something was or may have been written. */
  wrote(): void {
    this.#epoch += 1;
  }
}
