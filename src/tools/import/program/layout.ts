/** Code, and how it is laid out where it does not fit on one line. */
export type Laid =
  | string
  | { readonly open: string; readonly parts: readonly Laid[]; readonly close: string };

const width = 90;

/** A list of parts in brackets. */
export function bracketed(open: string, parts: readonly Laid[], close: string): Laid {
  return { open, parts, close };
}

/** The same with more before it, and behind it. */
export function around(before: string, code: Laid, after = ""): Laid {
  if (typeof code === "string") return `${before}${code}${after}`;
  return bracketed(`${before}${code.open}`, code.parts, `${code.close}${after}`);
}

/** The text of code: on one line where it fits, otherwise each part on its own. `step`: of the indentation. */
export function laidOut(code: Laid, step: string, indent = ""): string {
  if (typeof code === "string") return code;
  const { open, parts, close } = code;
  const flat = flatOf(code);
  if (parts.length === 0 || (!flat.includes("\n") && indent.length + flat.length <= width)) return flat;
  const inner = indent + step;
  const lines = parts.map((part) => `${inner}${laidOut(part, step, inner)},\n`);
  return `${open}\n${lines.join("")}${indent}${close}`;
}

function flatOf(code: Laid): string {
  return typeof code === "string" ? code : `${code.open}${code.parts.map(flatOf).join(", ")}${code.close}`;
}
