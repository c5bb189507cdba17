import { type JournalEntry, takenSince } from "../../engine";
import { consoleMember, projectMember, selfMember, stackMember } from "../../schema/internal";
import { fileJournal } from "../runs/journal";
import { journalOfProject } from "../runs/project-journal";
import { type GoneResource, titleOf } from "./gone-resources";

/**
 * Which of the resources that are gone have objects that another stack has taken over, by URN, as far as the journals in the
 * project's folder show it; `home`: another folder than the one that the program runs in. @public Loaded when needed.
 */
export async function takersOf(
  gone: readonly GoneResource[],
  home = "",
): Promise<ReadonlyMap<string, JournalEntry>> {
  const takers = new Map<string, JournalEntry>();
  for (const { urn, facts, outputs } of gone) {
    const [console, stack, self] = [consoleMember, stackMember, selfMember].map((name) => outputs[name]);
    const id = outputs[facts.identity[0] ?? ""];
    if ([console, stack, self, id].some((value) => typeof value !== "string")) continue;
    const ports = { home, stack: () => String(stack), now: Date.now };
    const { [projectMember]: stored } = outputs;
    const project = typeof stored === "string" ? stored : undefined;
    const here = { known: () => project, ask: () => Promise.resolve(project) };
    const journal = journalOfProject(fileJournal(String(console), ports), here);
    const object = titleOf(facts, outputs);
    const others = (await journal.entriesOfOthers?.(object)) ?? [];
    const held = { id: String(id), self: String(self) };
    const taker = takenSince(held, await journal.find(object), others);
    if (taker !== undefined) takers.set(urn, taker);
  }
  return takers;
}
