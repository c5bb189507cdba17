import { unknownAdopter } from "../../decisions/claim";
import type { JournalEntry } from "../../engine";
import { type GoneResource, type PreviewFacts, titleOf } from "./gone-resources";

/** What a preview reports of removals whose objects another stack has taken over, as the journals in the folder show. */
export function takenTexts(gone: readonly GoneResource[], takers: PreviewFacts["takers"]): string[] {
  return gone.flatMap((one) => {
    const taker = one.how === "retain" ? undefined : takers?.get(one.urn);
    return taker === undefined ? [] : [takenText(one, taker)];
  });
}

function takenText({ facts, outputs }: GoneResource, { did, at }: JournalEntry): string {
  const what = did === "create" ? "created it anew" : "took it over";
  return (
    `${titleOf(facts, outputs)} is no longer in the program. The journal shows that another stack ${what} on ` +
    `${new Date(at).toISOString().slice(0, 10)}: "pulumi up" leaves it as it is.`
  );
}

/** Whether a stack elsewhere has taken an object over, no journal of this folder shows, and a delete asks nobody. */
export function adoptionTexts(
  removals: readonly GoneResource[],
  listText: (names: readonly string[]) => string,
): string[] {
  const gone = removals.filter(({ how }) => how !== "retain");
  if (gone.length === 0) return [];
  const [is, it, they] = gone.length === 1 ? ["is", "it", "it is"] : ["are", "them", "they are"];
  const names = listText(gone.map(({ facts, outputs }) => titleOf(facts, outputs)));
  return [
    `${names} ${is} no longer in the program, and ${unknownAdopter} ${it}. ` +
      `If ${they} to stay, run "pulumi state move" or "pulumi state delete" before "pulumi up"; ` +
      'onDelete: "retain" counts once an "up" has put it into state.',
  ];
}
