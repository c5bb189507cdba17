import { equalJson, isObject, type JsonObject, objectsIn } from "../../src/provider/schema/json";
import { type Ground, type Item, isOn, ruleIn, type Sentence, seesOldState, type Verdict } from "./ground";
import type { Played, Snapshot } from "./play";
import { answersOf, everybody, shareOf, slack } from "./users";

export type Fate = "made" | "gone" | "archived" | "back" | "changed" | "same" | "nothing";

/** Members that every write of the console changes by itself, or that only it sets. */
const ownMembers = /^(?:lastModif|version|created|permalink|checksPerHour|status$)/;

export function fateOf({ before, after }: Pick<Ground, "before" | "after">): Fate {
  if (before === undefined) return after === undefined ? "nothing" : "made";
  if (after === undefined) return "gone";
  if (isOut(before) !== isOut(after)) return isOut(after) ? "archived" : "back";
  return equalJson(bare(before), bare(after)) ? "same" : "changed";
}

function bare(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !ownMembers.test(name)));
}

function isOut({ status, isArchived }: JsonObject): boolean {
  return String(status).toLowerCase() === "archived" || isArchived === true;
}

/** What must have become of an object of which a report says that this happens to it. */
export const actFates: Readonly<Record<string, readonly Fate[]>> = {
  create: ["made"],
  adopt: ["changed", "same"],
  update: ["changed", "same"],
  replace: ["changed", "same", "made"],
  restore: ["back"],
  archive: ["archived"],
  delete: ["gone"],
  release: ["same", "nothing"],
};

const isFate =
  (...fates: readonly Fate[]) =>
  (_: readonly string[], ground: Ground): Verdict =>
    fates.includes(fateOf(ground)) ? undefined : `it is ${fateOf(ground)}`;

export const objectSentences: readonly Sentence[] = [
  [/^new$/, isFate("made")],
  [/^to the archive$/, isFate("archived")],
  [/^back from the archive$/, isFate("back")],
  [/^it comes back from the archive$/, isFate("back")],
  [/^(?:deleted for good|it is deleted for good, with its history)$/, isFate("gone")],
  [/^on delete (?:removed \(was .+\)|(?:\w+ → )?(\w+))$/, ([is], ground) => onDeleteSays(ground, is)],
  [
    /^owns rollout console$/,
    (_, { change: { urn }, played }) =>
      isObject(argumentsOf(played, urn)?.owns) ? undefined : "the program does not set it",
  ],
  [/^left to the console$/, isFate("same", "nothing")],
  [
    /^(?:changed in place|[\w ]+ ".+" is changed in place: a key can have one object at a time[.,] .+)$/,
    isFate("changed", "same"),
  ],
  [/^to the archive and back$/, isFate("changed", "same")],
  [/^it goes to the archive and comes back as the program sets it: meanwhile .+$/, isFate("changed", "same")],
  [/^(?:taken over from the console.*|as it is)$/, isFate("changed", "same")],
  [
    /^an object that exists comes under the program, which overwrites what differs$/,
    isFate("changed", "same"),
  ],
  [
    /^its present values are not known: the report did not ask the console$/,
    (_, { played }) => (played.drawn.offline ? undefined : "it did"),
  ],
  [
    /^it goes to the archive, from which the console can bring it back$/,
    (parts, ground) =>
      // An experiment comes back from the archive in its first state, not running.
      ground.change.kind === "Experiment" && ground.before?.status === "active" && !seesOldState(ground)
        ? "it does not come back running"
        : isFate("archived")(parts, ground),
  ],
  [/^(?:exists|exists, archived)$/, (_, { before }) => (before === undefined ? "none is there" : undefined)],
  [
    /^(?:nothing happens: )?it is already archived$/,
    (_, { before }) => (before && isOut(before) ? undefined : "it is in use"),
  ],
  [
    /^(?:nothing happens: )?it is gone from the console(?: already)?$/,
    (_, { before }) => (before === undefined ? undefined : "it is there"),
  ],
  [
    /^it is archived: no unit gets it, before or after$/,
    (_, { before }) => (before && isOut(before) ? undefined : "it is in use"),
  ],
  [
    /^(?:this update will fail: .+|will fail)$/,
    (_, { played }) => (played.update.run.error === undefined ? "it did not" : undefined),
  ],
  [
    /^(?:nothing happens: )?another stack (?:took it over|created it anew) on .+: it stays as it is, and this stack forgets it$/,
    (parts, ground) =>
      ground.played.told.some((line) => line.startsWith("another stack adopts"))
        ? isFate("same")(parts, ground)
        : "no other stack did",
  ],
  [
    /^(?:nothing happens: )?it is another object than the one in state: it stays as it is, and this stack forgets it$/,
    (parts, ground) => {
      const deeds = ground.played.drawn.deeds.map(({ how }) => how);
      return deeds.includes("delete") ? isFate("same")(parts, ground) : "nobody deleted it";
    },
  ],
  [
    /^(?:nothing happens: )?resource ".+" takes its place: only its former resource goes$/,
    isFate("back", "same", "changed", "made"),
  ],
  [/^whether this update will fail is not known: .+$/, () => undefined],
  [
    /^console now: .+$/,
    (_, { change }) => (change.outcome.what === "not known" ? undefined : "the update did not fail"),
  ],
  [
    /^it stays in the console as it is, and no program manages it any more(?:: its deletedWith names .+, which goes too)?$/,
    isFate("same", "nothing"),
  ],
  [/^(?:nothing happens: )?the console has it already$/, isFate("same", "changed")],
  [/^whoever gets no value by a rule gets another one$/, isFate("changed", "back")],
  [
    /^everyone gets another value: no rule gives one$/,
    (parts, ground) =>
      objectsIn(ground.after?.rules).length > 0 ? "a rule does" : isFate("changed", "back")(parts, ground),
  ],
  [
    /^layer id (?:.+ → )?(.+)$/,
    ([is], { after }) => ([after?.layerID, "not known yet"].includes(is) ? undefined : "it has another"),
  ],
  [
    /^(?:id type userID|parameters colour \{"name":"colour","type":"string","defaultValue":"grey"\})$/,
    isFate("made", "back"),
  ],
  [/^code falls back to its own values$/, isFate("archived", "gone")],
  [/^hypothesis (?:.+ → )?(.+)$/, ([is], { after }) => (after?.hypothesis === is ? undefined : "another")],
  [/^groups Control 50 %, Test 50 %$/, isFate("made", "back")],
  [/^no argument changes: an earlier update that failed is finished$/, isFate("changed", "same")],
  [/^the program sets .+ from now on, as state has it$/, isFate("changed", "same")],
  [
    /^changed in the console since this stack last read it(?:, by .+?)?, .+$/,
    (_, { played: { told, drawn } }) =>
      told.length > 0 || drawn.oldState ? undefined : "nobody did anything",
  ],
  [/^description (?:.+? → )?(.+)$/, ([is = ""], { after }) => descriptionSays(after, is)],
  [/^default value:? most (?:(\d+) → )?(\d+)$/, ([, is], { after }) => valueSays(after?.defaultValue, is)],
  [
    /^(?:rule "(.+?)" )?gives most (\d+) → (\d+)$/,
    ([name, , is], { after }) => valueSays(ruleIn(after, name)?.returnValue, is),
  ],
  [
    /^is switched (on|off): every unit gets the default value$/,
    ([state], { after }) => (isOn(after) === (state === "on") ? undefined : "it is not"),
  ],
  [
    /^share of (?:units|the layer's units) that take part:(?: (\d+) % →)? (\d+) %$/,
    ([, is], { after }) =>
      after?.allocation === Number(is) ? undefined : `it is ${String(after?.allocation)} %`,
  ],
  [
    /^share of (?:units|the layer's units) that take part: (?:down to nobody: )?([+−])(\d+) percentage points?(, without effect until it starts)?$/,
    ([sign, count, idle], ground) => {
      if (idle !== undefined) return ground.after?.status === "active" ? "it runs" : undefined;
      return asksFor(ground, Number(count) * (sign === "+" ? 1 : -1)) ?? takesPart(ground);
    },
  ],
  [
    /^share of the layer's units that take part: it asks for ([+−])(\d+) percentage points?, and (?:gets|had) only the rest if it start(?:s|ed) last$/,
    ([sign, count], ground) => asksFor(ground, Number(count) * (sign === "+" ? 1 : -1)),
  ],
  [
    /^(.+) ask for (\d+) % of layer "shop" together: whichever starts last gets only the rest$/,
    ([names = "", percent], { played }) => asksTogether(played, names, percent),
  ],
  [
    /^(?:ends for good, its results stay in the archive: no unit is in a group of it any more|it ends for good and cannot run again: its results stay in the archive)$/,
    isFate("archived"),
  ],
  [
    /^no effect while it is off: every unit gets the default value before and after$/,
    (_, { before, after }) => (isOn(before) || isOn(after) ? "it is on" : undefined),
  ],
  [/^its rules count no more, and code may fall back to its own value$/, isFate("archived", "gone")],
  [
    /^.+ gets? (?:another value by rule "(.+?)"|what rule "(.+?)" gives instead of .+|the default value instead of .+)$/,
    ([changed, given], { after }) => {
      const name = changed ?? given;
      return name === undefined || ruleIn(after, name) !== undefined ? undefined : "there is no such rule";
    },
  ],
  [
    /^(.+?) depends? on it$/,
    ([names = ""], { change: { dependents } }) =>
      dependents.every(({ object }) => names.includes(object)) ? undefined : "others do",
  ],
  [/^starts$/, (_, { after }) => (after?.status === "active" ? undefined : `it is ${String(after?.status)}`)],
  [
    /^units are assigned to its groups$/,
    (_, { after }) => (after?.status === "active" ? undefined : `it is ${String(after?.status)}`),
  ],
  [
    /^no unit is in a group of it any more$/,
    (_, { after }) => (after === undefined || isOut(after) ? undefined : "it runs"),
  ],
];

/** What is said of a segment beside that: whom it holds the judges know by heart. */
export const segmentSentences: readonly Sentence[] = [
  [/^(?:who is let in: )?all users .+ → nobody$/, isFate("archived", "gone")],
];

/** Running experiments of the layer, by key, and the shares for which they ask. */
function askersOf(objects: Snapshot): { readonly key: string; readonly share: number }[] {
  return [...objects].flatMap(([key, item]) =>
    item.layerID === "shop" && item.status === "active" ? [{ key, share: Number(item.allocation) }] : [],
  );
}

/** Percent of the layer for which its running experiments ask together. */
export function layerShares(objects: Snapshot): number {
  return askersOf(objects).reduce((sum, { share }) => sum + share, 0);
}

/** These, and no others, ask for so much of the layer together: in the console, or in the program, beside which edits may stay. */
export function asksTogether({ after, update }: Played, names: string, percent: string | undefined): Verdict {
  const declared = update.run.state.map(({ kind, name, inputs }) => [`${kind} ${name}`, inputs] as const);
  const found = [after.objects, new Map(declared)].find((one) => layerShares(one) === Number(percent));
  if (found === undefined) return `they ask for ${layerShares(after.objects)} %`;
  const isNamed = ({ key }: { readonly key: string }) => names.includes(`"${key.split(" ")[1]}"`);
  return askersOf(found).every(isNamed) ? undefined : "others do";
}

/** So many points more or fewer than before. */
function asksFor({ before, after }: Ground, points: number): Verdict {
  const moved = Number(after?.allocation) - Number(before?.allocation);
  return moved === points ? undefined : `${moved} points`;
}

/** As many users are in a group as the experiment asks for. */
function takesPart({ change, before, after, played }: Ground): Verdict {
  const sides = [
    [before, played.before],
    [after, played.after],
  ] as const;
  for (const [item, { evaluation }] of sides) {
    if (item?.status !== "active") continue;
    const counted = shareOf(everybody, answersOf(evaluation, String(change.called), "production"));
    const asked = Number(item.allocation);
    if (Math.abs(counted - asked) > slack(asked, everybody.length))
      return `${counted.toFixed(1)} % take part`;
  }
  return undefined;
}

/** The arguments of a resource after the update. */
function argumentsOf({ update }: Played, urn: string): JsonObject | undefined {
  const name = urn.split("::").at(-1);
  return update.run.state.find((held) => held.name === name)?.inputs;
}

function onDeleteSays({ change: { urn }, played }: Ground, is: string | undefined): Verdict {
  const has = argumentsOf(played, urn)?.onDelete;
  return has === is ? undefined : `it is ${String(has)}`;
}

function descriptionSays(item: Item, words: string): Verdict {
  const text = words === '""' ? "" : words;
  return item?.description === text ? undefined : `it is "${String(item?.description)}"`;
}

function valueSays(value: unknown, most: string | undefined): Verdict {
  return isObject(value) && value.most === Number(most) ? undefined : `it is ${JSON.stringify(value)}`;
}
