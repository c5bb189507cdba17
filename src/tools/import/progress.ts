import type { ResourceDefinition } from "../../provider/schema/define";
import { pluralOf } from "../../provider/texts/count-text";
import type { ReadProgress } from "./reading";

/** Milliseconds between two lines, so that they can be read. */
const betweenLinesMs = 2000;

/** Progress in lines such as `gates: 300 listed` and `segments: 40 of 120 read, about 6 s left`. */
export function progressLines(report: (line: string) => void, now: () => number): ReadProgress {
  const begun = new Map<string, number>();
  let saidAt = now();
  const say = (line: string) => {
    if (now() - saidAt < betweenLinesMs) return;
    saidAt = now();
    report(line);
  };
  return {
    listed: (definition, count) => say(`${nameOf(definition)}: ${count} listed`),
    detailed(definition, done, of) {
      const since = begun.get(definition.name) ?? now();
      begun.set(definition.name, since);
      const seconds = Math.ceil(((now() - since) / Math.max(done, 1)) * ((of - done) / 1000));
      say(`${nameOf(definition)}: ${done} of ${of} read, about ${seconds} s left`);
    },
  };
}

function nameOf({ title }: ResourceDefinition): string {
  return pluralOf(title);
}
