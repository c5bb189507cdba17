import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

let collect: Collect | undefined;

/**
 * Clears memory that is no longer used, and keeps the part of it small in which new values begin. Left to itself, Node
 * waits until there is much more of it than a runner in a small container has: with a million ids every request and answer
 * leaves tens of megabytes behind, and the part for new values alone grows to 128 MB. No other file sets flags of V8:
 * without these two a million ids take more than the 512 MB that they may, by the figures in docs/architecture.md. Source:
 * V8's flags and the options of its `gc`; measured by `npm run prove -- ids`.
 */
export function tidy(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    setFlagsFromString("--semi-space-growth-factor=1");
    collect = runInNewContext("gc") as Collect;
  }
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
