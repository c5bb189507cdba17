import { hash } from "node:crypto";
import { isObject } from "../schema/json";
import { memoized } from "../schema/memoized";

/** Most ids of which state holds the hashes, some 200 kB; of more it holds their number and one hash of all. */
export const mostHashes = 24_576;

/** Bytes of a hash. Two of a million ids have the same one in one of 560 lists, which then counts one id less. */
export const hashBytes = 6;

/**
 * The part of a set of ids that state holds, never the ids. `hash` differs where the sets differ. `__hashes`: base64 of the hashes of up
 * to {@link mostHashes} ids, else empty. With the ids of one side they show which ids were added and removed since.
 */
export interface IdDigest {
  readonly count: number;
  readonly hash: string;
  readonly __hashes: string;
}

/** The first 48 bits of the SHA-256 of each id, in ascending order, each once. */
export type Hashes = Float64Array<ArrayBuffer>;

/** Hashes of the ids in which two sets differ, in ascending order. */
export interface IdDifference {
  readonly added: Hashes;
  readonly removed: Hashes;
}

/** The digest of a set of ids; an array must not be changed afterwards. Order and repetitions have no meaning. */
export function digestOf(ids: Iterable<unknown>): IdDigest {
  return Array.isArray(ids) ? digestOfArray(ids) : digestOfEach(ids);
}

const digestOfArray = memoized((ids: readonly unknown[]) => digestOfEach(ids));

function digestOfEach(ids: Iterable<unknown>): IdDigest {
  const hashes = hashesOf(ids);
  const { length: count } = hashes;
  const bytes = packed(hashes);
  const whole = hash("sha256", Buffer.concat([bytes, Buffer.from(String(count))]));
  const isLarge = count > mostHashes;
  return {
    count,
    hash: whole.slice(0, isLarge ? 32 : 16),
    __hashes: isLarge ? "" : bytes.toString("base64"),
  };
}

/** True for a large digest of an earlier version, which hashed something else: only its number can be compared. */
export function isFormerDigest(value: unknown): value is Pick<IdDigest, "count"> {
  return isObject(value) && Number(value.count) > mostHashes && String(value.hash).length === 16;
}

/** True for a digest, as it stands in state. */
export function isDigest(value: unknown): value is IdDigest {
  return isObject(value) && typeof value.hash === "string" && typeof value.__hashes === "string";
}

/** The hashes of some ids. They are gone through one by one, so that a million need not be there at once. */
export function hashesOf(ids: Iterable<unknown>): Hashes {
  let hashes = new Float64Array(1024);
  let count = 0;
  for (const id of ids) {
    if (count === hashes.length) hashes = enlarged(hashes);
    hashes[count++] = hashOf(id);
  }
  return unique(hashes.subarray(0, count).sort());
}

function enlarged(hashes: Hashes): Hashes {
  const larger = new Float64Array(hashes.length * 2);
  larger.set(hashes);
  return larger;
}

/** The hash of one id. */
function hashOf(id: unknown): number {
  // One character for each byte: ten times as fast as a buffer of its own.
  const bytes = hash("sha256", String(id), "binary");
  let number = 0;
  for (let index = 0; index < hashBytes; index += 1) number = number * 256 + bytes.charCodeAt(index);
  return number;
}

/** The ids that belong to some hashes, each once, in the order in which they come. */
export function* idsFor(ids: Iterable<unknown>, hashes: Hashes): Generator<string> {
  if (hashes.length === 0) return;
  const taken = new Uint8Array(hashes.length);
  for (const id of ids) {
    const place = placeOf(hashes, hashOf(id));
    if (place === undefined || taken[place] === 1) continue;
    taken[place] = 1;
    yield String(id);
  }
}

/** Hashes of the first that are not among the second. */
export function without(hashes: Hashes, others: Hashes): Hashes {
  return hashes.filter((one) => placeOf(others, one) === undefined);
}

function placeOf(hashes: Hashes, wanted: number): number | undefined {
  let [low, high] = [0, hashes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hashes[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === wanted ? low : undefined;
}

/** In which ids a list differs from a digest; undefined where state does not hold the hashes of the digest. */
export function differenceOf(old: IdDigest, hashes: Hashes): IdDifference | undefined {
  if (old.count > mostHashes || (old.count > 0 && old.__hashes === "")) return undefined;
  const before = unpacked(Buffer.from(old.__hashes, "base64"));
  return { added: without(hashes, before), removed: without(before, hashes) };
}

function unique(sorted: Hashes): Hashes {
  let kept = 0;
  for (const one of sorted) if (kept === 0 || sorted[kept - 1] !== one) sorted[kept++] = one;
  return kept === sorted.length ? sorted : sorted.slice(0, kept);
}

function packed(hashes: Hashes): Buffer {
  const bytes = Buffer.alloc(hashes.length * hashBytes);
  hashes.forEach((one, index) => {
    bytes.writeUIntBE(one, index * hashBytes, hashBytes);
  });
  return bytes;
}

function unpacked(bytes: Buffer): Hashes {
  return Float64Array.from({ length: Math.floor(bytes.length / hashBytes) }, (_, index) =>
    bytes.readUIntBE(index * hashBytes, hashBytes),
  );
}
