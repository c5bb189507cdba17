import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";

const guides = path.join(repositoryRoot, "docs", "guides");

/** A code block of a page. */
export interface Block {
  readonly kind: string;
  readonly text: string;
}

/** The pages of docs/guides. */
export const guidePages: readonly string[] = readdirSync(guides);

export const textOfGuide = (page: string): string => readFileSync(path.join(guides, page), "utf8");

/** The code blocks of a page, in their order. */
export function blocksOf(page: string): Block[] {
  return [...textOfGuide(page).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, kind = "", text = ""]) => ({
    kind,
    text,
  }));
}

/** Blanks say nothing. */
const bare = (line: string): string => line.replaceAll(/\s+/g, " ").trim();

/** The shown lines that were not printed, in this order; they may be parts of lines, and … stands for anything. */
export function missing(shown: string, printed: string): string[] {
  const lines = printed.split("\n").map(bare);
  let at = 0;
  return shown
    .split("\n")
    .map(bare)
    .filter((line) => {
      if (line === "") return false;
      const found = lines.findIndex((one, index) => index >= at && matches(one, line));
      if (found >= 0) at = found + 1;
      return found < 0;
    });
}

function matches(printed: string, shown: string): boolean {
  let at = 0;
  return shown.split("…").every((part) => {
    const found = printed.indexOf(part.trim(), at);
    at = found + part.trim().length;
    return found >= 0;
  });
}
