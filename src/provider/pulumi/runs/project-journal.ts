import type { CreateJournal, JournalEntry } from "../../engine";

/** The project of a run: as far as an answer has shown it, or asked for. */
export interface JournalProject {
  readonly known: () => string | undefined;
  readonly ask: () => Promise<string | undefined>;
}

/**
 * A journal of which only entries of the same project count: the keys of one address may lead to several. Entries without a project,
 * as of earlier versions, count anywhere. Asks only where an entry names a project.
 */
export function journalOfProject(journal: CreateJournal, { known, ask }: JournalProject): CreateJournal {
  const isOther = async (entry: JournalEntry): Promise<boolean> => {
    if (entry.project === undefined) return false;
    const here = known() ?? (await ask());
    return here !== undefined && here !== entry.project;
  };
  return {
    async find(...which) {
      const entry = await journal.find(...which);
      return entry !== undefined && (await isOther(entry)) ? undefined : entry;
    },
    async entriesOfOthers(...which) {
      const here: JournalEntry[] = [];
      for (const entry of await journal.entriesOfOthers(...which))
        if (!(await isOther(entry))) here.push(entry);
      return here;
    },
    write(object, entry, ...stack) {
      const project = known();
      return journal.write(object, { ...entry, ...(project === undefined ? {} : { project }) }, ...stack);
    },
    drop: (...which) => journal.drop(...which),
  };
}
