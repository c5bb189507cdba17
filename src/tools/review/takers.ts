import { type JournalEntry, takenOverText } from "../../provider/engine";
import { saidOf } from "./changes/outcome";
import type { Subject } from "./subjects";

/** What becomes of an object that another stack has taken over, when its resource goes. */
export function takerText(entry: Pick<JournalEntry, "did" | "at">): string {
  return `${takenOverText(entry)}: ${outcome}`;
}

const outcome = "it stays as it is, and this stack forgets it";

/** A notice of the preview about an object that another stack has taken over (`provider/pulumi/previews/preview-notice.ts`). */
const notice =
  /^ is no longer in the program\. The journal shows that (another stack .+? on \d{4}-\d\d-\d\d):/;

/** The same, as the preview shows it; undefined where it shows no other stack. */
export function announcedTaker(subject: Subject, messages: readonly string[]): string | undefined {
  const said = messages.flatMap((message) => saidOf(subject, message) ?? []);
  const [, taken] = notice.exec(said.find((one) => notice.test(one)) ?? "") ?? [];
  return taken === undefined ? undefined : `${taken}: ${outcome}`;
}
