import { GO_VERSION } from "./versions";

/** A folder with `pulumi` and `pulumi-language-nodejs` in it, or two folders where they lie apart. */
export interface Binaries {
  /** Folders to put on PATH. */
  folders: readonly string[];
  /** Where they came from, for people. */
  source: string;
}

/** One way to get the Pulumi CLI. */
export interface Finder {
  name: string;
  /** The binaries, or why this way leads nowhere. */
  find(): Promise<Binaries | { why: string }>;
}

/** No way led to a Pulumi CLI; the message says what was tried and what to do. */
export class PulumiCliMissing extends Error {
  constructor(attempts: readonly string[]) {
    super(
      [
        "No Pulumi CLI could be found or made. Tried:",
        ...attempts.map((attempt) => `  - ${attempt}`),
        `Install Pulumi (3.216 or later, with its Node.js language host), or Go ${GO_VERSION} or later, or pip, which fetches a Go, and run this again.`,
      ].join("\n"),
    );
    this.name = "PulumiCliMissing";
  }
}

/** Asks each finder in turn; the first that has the binaries wins. */
export async function discover(finders: readonly Finder[]): Promise<Binaries> {
  const attempts: string[] = [];
  for (const finder of finders) {
    const outcome = await finder.find().catch((error: unknown) => ({ why: messageOf(error) }));
    if ("folders" in outcome) return outcome;
    attempts.push(`${finder.name}: ${outcome.why}`);
  }
  throw new PulumiCliMissing(attempts);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
