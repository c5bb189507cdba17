import type { JournalEntry } from "../../provider/engine";
import { saidOf } from "./changes/outcome";
import type { Subject } from "./subjects";

/** What becomes of an object that another stack has taken over, when its resource goes. */
export function takerText({ did, at }: Pick<JournalEntry, "did" | "at">): string {
  return text(did === "create" ? "created it anew" : "took it over", new Date(at).toISOString().slice(0, 10));
}

/** A notice of the preview about an object that another stack has taken over (`provider/pulumi/previews/preview-notice.ts`). */
const notice =
  /^ is no longer in the program\. The journal shows that another stack (took it over|created it anew) on (\d{4}-\d\d-\d\d):/;

/** The same, as the preview shows it; undefined where it shows no other stack. */
export function announcedTaker(subject: Subject, messages: readonly string[]): string | undefined {
  const said = messages.flatMap((message) => saidOf(subject, message) ?? []);
  const [, did, day] = notice.exec(said.find((one) => notice.test(one)) ?? "") ?? [];
  return did === undefined || day === undefined ? undefined : text(did, day);
}

function text(did: string, day: string): string {
  return `another stack ${did} on ${day}: it stays as it is, and this stack forgets it`;
}
