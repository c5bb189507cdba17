import { type Check, violation } from "./check";
import { isAction, type KindPlay, kinds } from "./kinds";
import { holds, means, objectOf } from "./ownership";

/** Rule: a removal leaves what another stack has adopted since. */
const leavesWhatWasAdopted: Check = ({ adoptedAway, update, start, end, before, others }) =>
  (update?.run.steps ?? []).flatMap((step) => {
    const held = before.find(({ urn, id }) => urn === step.urn && id === step.id);
    if (step.op !== "delete" || held === undefined || kinds[step.kind]?.definition.identity.how !== "key")
      return [];
    const key = objectOf(held);
    const [was, now] = [start.get(key), end.get(key)];
    if (!adoptedAway.has(key) || !holds(others, key) || was === undefined || was.archived) return [];
    if (now !== undefined && !now.archived) return [];
    const text = `is ${now === undefined ? "deleted" : "archived"}, and the other stack has adopted it`;
    return [violation("a removal leaves what another stack has adopted since", key, text)];
  });

const stacksReason = /^Archived by the Pulumi stack /;

/** Rule: what a stack archived comes back from any checkout, where the console shows the reason: of gates. */
const bringsBackItsOwn: Check = ({ update, factsBefore, start, stack }) => {
  const step = update?.run.steps.find(({ urn }) => urn === update.run.failed);
  if (step === undefined || step.kind !== "gate" || isAction(kinds[step.kind] as KindPlay)) return [];
  return [...start.values()].flatMap((stored) => {
    const fact = factsBefore.get(stored.key);
    const isOwn = stored.archived && fact?.archivedBy === stack && fact.last === stack && means(step, stored);
    if (!isOwn || !stacksReason.test(String(stored.item.archiveReason))) return [];
    if (!/exists already and is archived/.test(update?.run.error ?? "")) return [];
    const rule = "what a stack archived comes back from any checkout";
    return [violation(rule, stored.key, update?.run.error ?? "")];
  });
};

/** Looks at whose an object is: what another stack adopted, and what this one archived. */
export const claimChecks: readonly Check[] = [leavesWhatWasAdopted, bringsBackItsOwn];
