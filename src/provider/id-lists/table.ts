/**
 * An invertible Bloom lookup table: every hash is put into three cells, each of which knows how many hashes it holds and
 * the XOR of them. What two tables have in common goes when one is subtracted from the other, and as long as the rest is
 * smaller than about four fifths of the cells, it can be read off. Source: Goodrich and Mitzenmacher, "Invertible Bloom
 * Lookup Tables", 2011.
 */
export interface Table {
  /** Numbers of hashes, modulo 256. */
  readonly counts: Uint8Array;
  /** XOR of the lower 32 bits of the hashes. */
  readonly low: Uint32Array;
  /** XOR of the upper 16 bits, and below them of 16 bits by which a lone hash is told from a sum of several. */
  readonly high: Uint32Array;
}

/** Hashes by the side that they are on. */
interface Peeled {
  readonly added: number[];
  readonly removed: number[];
}

/** Bytes of a hash. Two of a million ids have the same one in one of 560 lists, which then counts one id less. */
export const hashBytes = 6;

/** Bytes of a cell: one of the count, four of each sum. */
const cellBytes = 9;

/** The smallest table. Up to as many hashes as take no more room, the hashes themselves are kept. */
const leastCells = 2 ** 14;

/** Ids for each cell: a change of two per cent can be told exactly, and a million ids take 295 kB. */
const idsPerCell = 31;

/** Cells of the table for that many hashes; 0: none, the hashes are kept themselves. A multiple of three. */
export function cellsIn(count: number): number {
  if (count * hashBytes <= leastCells * cellBytes) return 0;
  const least = Math.max(leastCells, count / idsPerCell);
  return 3 * Math.ceil(2 ** Math.ceil(Math.log2(least)) / 3);
}

/** The table of some hashes. */
export function tableOf(hashes: Float64Array, cells: number): Table {
  const table = empty(cells);
  for (const hash of hashes) put(table, hash, 1);
  return table;
}

/** What the first table holds more, and with counts below zero what it holds less. */
export function subtracted(left: Table, right: Table): Table {
  return {
    counts: left.counts.map((count, cell) => count - (right.counts[cell] ?? 0)),
    low: left.low.map((sum, cell) => sum ^ (right.low[cell] ?? 0)),
    high: left.high.map((sum, cell) => sum ^ (right.high[cell] ?? 0)),
  };
}

/** Reads every hash off a difference, which is empty afterwards; undefined when it holds too many. */
export function peeled(table: Table): Peeled | undefined {
  const found: Peeled = { added: [], removed: [] };
  const open = Array.from(table.counts.keys());
  // Where a sum of several passes for one hash, taking it out could go on for ever.
  const most = table.counts.length;
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    const hash = lone(table, cell);
    if (hash === undefined) continue;
    const added = table.counts[cell] === 1;
    (added ? found.added : found.removed).push(hash);
    if (found.added.length + found.removed.length > most) return undefined;
    put(table, hash, added ? -1 : 1);
    open.push(...places(table, hash));
  }
  const isEmpty = (sums: Uint8Array | Uint32Array) => sums.every((sum) => sum === 0);
  return [table.counts, table.low, table.high].every(isEmpty) ? found : undefined;
}

/**
 * About how many hashes a difference holds that cannot be read off: each adds one to or takes one from three cells, so
 * their counts scatter the more, the more there are. `grown`: by how many one side is larger.
 */
export function spread({ counts }: Table, grown: number): number {
  const mean = (3 * grown) / counts.length;
  const squares = counts.reduce((sum, count) => sum + signed(count - mean) ** 2, 0);
  return squares / 3;
}

function signed(count: number): number {
  const rest = ((count % 256) + 256) % 256;
  return rest < 128 ? rest : rest - 256;
}

/** A table as bytes: the counts, then both sums of each cell. */
export function toBytes({ counts, low, high }: Table): Buffer {
  const bytes = Buffer.alloc(counts.length * cellBytes);
  bytes.set(counts);
  for (let cell = 0; cell < counts.length; cell += 1) {
    const at = counts.length + cell * 8;
    bytes.writeUInt32BE(low[cell] ?? 0, at);
    bytes.writeUInt32BE(high[cell] ?? 0, at + 4);
  }
  return bytes;
}

/** The table that was written as bytes. */
export function fromBytes(bytes: Buffer): Table {
  const table = empty(Math.floor(bytes.length / cellBytes));
  const cells = table.counts.length;
  table.counts.set(bytes.subarray(0, cells));
  for (let cell = 0; cell < cells; cell += 1) {
    table.low[cell] = bytes.readUInt32BE(cells + cell * 8);
    table.high[cell] = bytes.readUInt32BE(cells + cell * 8 + 4);
  }
  return table;
}

function empty(cells: number): Table {
  return { counts: new Uint8Array(cells), low: new Uint32Array(cells), high: new Uint32Array(cells) };
}

const lowRange = 2 ** 32;

function put(table: Table, hash: number, sign: 1 | -1): void {
  const [low, high] = halves(hash);
  for (const cell of places(table, hash)) {
    table.counts[cell] = (table.counts[cell] ?? 0) + sign;
    table.low[cell] = (table.low[cell] ?? 0) ^ low;
    table.high[cell] = (table.high[cell] ?? 0) ^ high;
  }
}

/** The hash of a cell that holds exactly one. */
function lone({ counts, low, high }: Table, cell: number): number | undefined {
  if (counts[cell] !== 1 && counts[cell] !== 255) return undefined;
  const [lower = 0, upper = 0] = [low[cell], high[cell]];
  const hash = (upper >>> 16) * lowRange + lower;
  if (halves(hash)[1] !== upper) return undefined;
  return places({ counts }, hash).includes(cell) ? hash : undefined;
}

function halves(hash: number): [low: number, high: number] {
  const low = hash % lowRange;
  const high = (hash - low) / lowRange;
  return [low, ((high << 16) | (mixed(low, high, 0) & 0xffff)) >>> 0];
}

/** One cell in each third, so that they are never the same. */
function places({ counts }: Pick<Table, "counts">, hash: number): [number, number, number] {
  const third = counts.length / 3;
  const low = hash % lowRange;
  const high = (hash - low) / lowRange;
  return [
    mixed(low, high, 1) % third,
    third + (mixed(low, high, 2) % third),
    2 * third + (mixed(low, high, 3) % third),
  ];
}

/** 32 bits that depend on all of the hash; the last steps are those of MurmurHash3. */
function mixed(low: number, high: number, seed: number): number {
  let bits = Math.imul(low ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(high + seed, 0xc2b2ae35);
  bits ^= bits >>> 16;
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
