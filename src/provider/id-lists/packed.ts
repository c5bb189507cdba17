import { deflateRawSync } from "node:zlib";

/**
 * Members in which the class of a resource hands ids over as one text, as JSON or packed lines, so that nothing walks a
 * million values.
 */
export const listMember = "__ids";
export const textMember = "__lines";

/** Member of outputs beside a set of ids that holds its hashes. Not of inputs: previews compare and print those. */
export function hashesMember(name: string): string {
  return `__${name}`;
}

/** From this many on, ids travel as one text. */
const many = 1000;

/** Ids for the way through Pulumi; few, and what is no array of texts, stay as they are. */
export function packedIds(value: unknown): unknown {
  if (!Array.isArray(value) || value.length < many || !value.every((id) => typeof id === "string"))
    return value;
  return value.every(isLine) ? packedLines(value.join("\n")) : { [listMember]: JSON.stringify(value) };
}

/** True for an id that is the same when it is read from a line of its own. */
function isLine(id: string): boolean {
  return id !== "" && id.trim() === id && !id.includes("\n");
}

/** One id a line for the way through Pulumi, which copies it several times: half as long, and often a tenth. */
export function packedLines(text: string): object {
  return { [textMember]: packedBytes(text).toString("base64") };
}

/** Text as it waits for its use. */
export function packedBytes(text: string): Buffer {
  return deflateRawSync(text, { level: 1 });
}
