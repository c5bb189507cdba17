import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** Every file below some folders, its bytes as text. */
export async function contentOf(roots: string[]): Promise<{ file: string; text: string }[]> {
  const found: { file: string; text: string }[] = [];
  for (const root of roots) {
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isFile()) found.push({ file, text: await readFile(file, "latin1") });
    }
  }
  return found;
}

/** What base64 makes of a text, wherever it begins; the ends, which depend on what stands beside it, cut off. */
export function base64Forms(text: string): string[] {
  return [0, 1, 2].map((shift) =>
    Buffer.from(" ".repeat(shift) + text)
      .toString("base64")
      .replace(/=+$/, "")
      .slice(shift === 0 ? 0 : 4, -2),
  );
}
