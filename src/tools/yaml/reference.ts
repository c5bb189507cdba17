import { type Path, pathText } from "../../provider/schema/path";

/** A reference such as `${staff.id}` or `${limits["a b"].texts[0]}`. */
export interface Reference {
  /** The config value, variable or resource. */
  readonly root: string;
  readonly path: Path;
}

/** A part of a text: as it stands, or a reference. */
export type Part = string | Reference;

/** `$$` is a `$`. A name in quotes may hold any character. */
const token = /\$\$|\$\{((?:\["(?:\\"|[^"])*"\]|[^}"])*)\}|\$\{|\$|[^$]+/g;
const accessor = /\["((?:\\"|[^"])*)"\]|\[(\d+)\]|([^.[\]]+)/g;

/** The parts of a text, as Pulumi's YAML reads it. @throws Error for a reference that does not end or names nothing. */
export function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  let plain = "";
  for (const [whole, access] of text.matchAll(token)) {
    if (whole === "${") throw new Error(`a reference does not end: ${text}`);
    if (access === undefined) {
      plain += whole === "$$" ? "$" : whole;
      continue;
    }
    if (plain !== "") parts.push(plain);
    plain = "";
    parts.push(referenceTo(access));
  }
  return plain === "" && parts.length > 0 ? parts : [...parts, plain];
}

function referenceTo(access: string): Reference {
  const [root, ...path] = [...access.matchAll(accessor)].map(([, quoted, index, name = ""]) =>
    index === undefined ? (quoted?.replaceAll('\\"', '"') ?? name) : Number(index),
  );
  if (typeof root !== "string") throw new Error(`a reference names nothing: \${${access}}`);
  return { root, path };
}

/** The reference as a user writes it. */
export function referenceText({ root, path }: Reference): string {
  return `\${${pathText([root, ...path])}}`;
}
