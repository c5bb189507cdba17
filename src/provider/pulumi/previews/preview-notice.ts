import { unknownAdopter } from "../../decisions/claim";
import { takenOverText } from "../../engine";
import { urnParts } from "../../schema/urn";
import { argumentName, assignment } from "../../texts/argument-names";
import { countOf, listText } from "../../texts/count-text";
import { isForGood } from "../../values/options";
import { inUseText } from "../../words/replacement-text";
import { willFail } from "../../words/text";
import {
  type DeclaredResource,
  endedState,
  findUsers,
  type GoneResource,
  goneResources,
  isGuarded,
  type PreviewFacts,
} from "./gone-resources";

/** Most objects that one notice names, and most notices of one sort. */
export const most = 20;

/**
 * Notices at the end of a preview, about what no provider is asked about: objects that have another resource in the program than in
 * state, and those that it does not declare any more and that nothing brings back. One text each. None says that something
 * will be deleted: whether a run is limited to some resources, or a resource is retained, no program can see.
 */
export function noticesOf(facts: PreviewFacts): string[] {
  const gone = goneResources(facts);
  const renamed = gone.flatMap((one) =>
    one.successors
      .filter((successor) => isRenamed(successor, facts) && facts.absent?.has(one.urn) !== true)
      .map((successor) => renamedText(one, successor)),
  );
  const leaving = gone.filter(({ successors }) => successors.length === 0);
  const open = leaving.filter(({ urn }) => facts.takers?.has(urn) !== true);
  const usersOf = findUsers(gone, facts);
  const left = open.map((one) => ({ one, users: isGuarded(one) ? usersOf(one) : [] }));
  const inUse = left.filter((each) => each.users.length > 0);
  const free = left.filter((each) => each.users.length === 0).map(({ one }) => one);
  return [
    ...bounded(
      renamed,
      (count) =>
        `${countOf(count, "more object")} ${count === 1 ? "has" : "have"} another resource in state.`,
    ),
    ...bounded(
      inUse.map(({ one, users }) => willFail(inUseText(one, users))),
      (count) =>
        willFail(`of what is no longer in the program, others use ${countOf(count, "more object")}.`),
    ),
    ...finalTexts(free.filter(({ definition, how }) => isForGood(definition, how))),
    ...endTexts(free),
    ...bounded(
      takenTexts(leaving, facts.takers),
      (count) => `Other stacks took over ${countOf(count, "more object")} that this program no longer has.`,
    ),
    ...keptTexts(leaving),
    ...adoptionTexts(free),
  ];
}

/** True for a new resource that means an object which another one has, and does not say that it takes it over. */
export function isRenamed(
  { isStored, takesOver, urn }: DeclaredResource,
  { state }: Pick<PreviewFacts, "state">,
): boolean {
  return !isStored && !takesOver && !state.has(urn);
}

function renamedText({ urn, label }: GoneResource, successor: DeclaredResource): string {
  const isNameAlone = urnParts(urn).place === urnParts(successor.urn).place;
  const [where, done] = isNameAlone ? ["resource name", "renamed"] : ["URN", "moved"];
  const [before, after] = isNameAlone
    ? [urnParts(urn).name, urnParts(successor.urn).name]
    : [urn, successor.urn];
  const alias = isNameAlone ? `{ name: "${before}" }` : `"${before}"`;
  return willFail(
    `${label}: state has it under the ${where} "${before}", the program under "${after}". ` +
      `If it was ${done}, set aliases: [${alias}].`,
  );
}

/** Says that nobody has looked who in the console uses what goes, and why. */
export function unknownUsersText(gone: readonly GoneResource[], why: string): string {
  const names = gone.map(({ label }) => label);
  return `Not known who else in the console refers to ${listText(names, most)}, no longer in the program: ${why}`;
}

const verbs = { archive: "Archiving", delete: "Deleting" } as const;

function finalTexts(gone: readonly GoneResource[]): string[] {
  return Object.entries(verbs).flatMap(([how, verb]) => {
    const names = gone.filter((one) => one.how === how).map(({ label }) => label);
    return goneText(
      names,
      ({ it }) =>
        `. ${verb} ${it} is for good: the console cannot bring ${it} back. ${retainText(it, "there")}`,
    );
  });
}

function endTexts(gone: readonly GoneResource[]): string[] {
  const names = gone.flatMap((one) => {
    const state = endedState(one);
    return state === undefined ? [] : [`${one.label} (${state})`];
  });
  return goneText(
    names,
    ({ it, its }) =>
      `. Archiving ends ${it} for good: nothing starts ${it} again, and ${its} results stay in the archive. ${retainText(it, "running")}`,
  );
}

/** Pulumi shows a delete of them, and no provider carries it out. */
function keptTexts(gone: readonly GoneResource[]): string[] {
  const kept = gone.flatMap((one) => (one.kept === undefined ? [] : { kept: one.kept, label: one.label }));
  return [...Map.groupBy(kept, (one) => JSON.stringify(one.kept)).values()].flatMap((alike) => {
    const [{ kept } = {}] = alike;
    if (kept === undefined) return [];
    const names = alike.map(({ label }) => label);
    return goneText(names, ({ it, its }) => {
      const stays = `"pulumi up" forgets ${it} and leaves ${it} in the console as ${it === "it" ? "it is" : "they are"}`;
      if (kept.option !== "deletedWith")
        return `. ${stays}, because of ${kept.option === "onDelete" ? retention() : argumentName("retainOnDelete")}.`;
      return (
        `, nor is "${urnParts(kept.urn).name}", which ${its} ${argumentName("deletedWith")} names: ${stays}. ` +
        `To ${kept.how} ${it}, put ${it} back without ${argumentName("deletedWith")}, run "pulumi up", then take ${it} out.`
      );
    });
  });
}

/** Objects that another stack has taken over, as the journals in the project's folder show. */
function takenTexts(gone: readonly GoneResource[], takers: PreviewFacts["takers"]): string[] {
  return gone.flatMap((one) => {
    const taker = one.how === "retain" ? undefined : takers?.get(one.urn);
    if (taker === undefined) return [];
    return goneText(
      [one.label],
      () => `. The journal shows that ${takenOverText(taker)}: "pulumi up" leaves it as it is.`,
    );
  });
}

/** No journal of this folder shows whether a stack elsewhere has taken an object over, and a delete asks no other stack. */
function adoptionTexts(gone: readonly GoneResource[]): string[] {
  const names = gone.filter(({ how }) => how !== "retain").map(({ label }) => label);
  return goneText(
    names,
    ({ it, itIs }) =>
      `, and ${unknownAdopter} ${it}. If ${itIs} to stay, run "pulumi state move" or "pulumi state delete" before "pulumi up"; ` +
      `${retention()} counts once an "up" has put it into state.`,
  );
}

/** One text about everything of these names: that it is gone, and what follows. */
function goneText(names: readonly string[], rest: (words: Pronouns) => string): string[] {
  if (names.length === 0) return [];
  const words = names.length === 1 ? singular : plural;
  return [`${listText(names, most)} ${words.is} no longer in the program${rest(words)}`];
}

type Pronouns = Readonly<Record<"is" | "it" | "its" | "itIs", string>>;

const singular: Pronouns = { is: "is", it: "it", its: "its", itIs: "it is" };
const plural: Pronouns = { is: "are", it: "them", its: "their", itIs: "they are" };

const retention = () => assignment("onDelete", "retain");

function retainText(it: string, how: string): string {
  return `To leave ${it} ${how}, put ${it} back with ${retention()}, run "pulumi up", then take ${it} out.`;
}

function bounded(texts: readonly string[], rest: (count: number) => string): string[] {
  const more = texts.length - most;
  return [...texts.slice(0, most), ...(more > 0 ? [rest(more)] : [])];
}
