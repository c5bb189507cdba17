import { managed } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { equalJson, isObject, type JsonObject, objectsIn } from "../../src/provider/schema/json";
import { propertyPath, valueAt } from "../../src/provider/schema/path";
import type { Held } from "../world/programs";
import { type Item, kindCalled, ruleIn, rulesOf, type SentenceOf, type Verdict, verdictBy } from "./ground";
import { asksTogether, type Fate, fateOf } from "./object-sentences";
import type { kinds, Played } from "./play";

/** What a line of a preview is held against. */
interface LineGround {
  readonly played: Played;
  /** All that the line says of it. */
  readonly said: string;
  /** The object as the program says, in state before the update, and in the console before and after it. */
  readonly wanted: Item;
  readonly stored: Item;
  readonly before: Item;
  readonly after: Item;
}

type LineSentence = SentenceOf<LineGround>;

/** An object as lines of previews name it, and what they report of it. */
const line = /^(gate|dynamic config|experiment|segment|layer) "([^"]+)":? (.+)$/;

/** Of a line that does not begin with an object. */
const wholeSentences: readonly SentenceOf<Played>[] = [
  [/^This update will fail: /, (_, { update }) => (update.run.error === undefined ? "it ran" : undefined)],
  [
    /^(?:1 new object not|\d+ new objects not|Not every new object is) checked/,
    (_, { drawn }) => (drawn.program.length > 0 ? undefined : "it has none"),
  ],
  [/^API key not verified: /, () => undefined],
  [
    /^(.+) ask for (\d+) % of layer "shop" together: whichever starts last gets only the rest\.$/,
    ([names = "", percent], played) =>
      played.update.run.error === undefined ? asksTogether(played, names, percent) : undefined,
  ],
  [
    /^(.+?) is no longer in the program\. The journal shows that another stack .+: "pulumi up" leaves it as it is\.$/,
    ([name = ""], played) => unlessAll(played, name, ["same"]),
  ],
  [
    /^(.+?) (?:is|are) no longer in the program(?:\.|, nor is ".+", which (?:its|their) deletedWith names:) "pulumi up" forgets (?:it|them) and leaves /,
    ([names = ""], played) => unlessAll(played, names, ["same", "nothing"]),
  ],
  [
    /^(.+?) (?:is|are) no longer in the program, and this preview cannot know whether another stack has adopted (?:it|them)\./,
    ([names = ""], played) =>
      isInJournal(played, names)
        ? "the journal of this folder shows that one has"
        : unlessAll(played, names, ["gone", "archived", "same", "nothing"]),
  ],
  [
    /^(.+?) (?:is|are) no longer in the program\. (?:Archiving|Deleting) (?:it|them) is for good: /,
    ([names = ""], played) => unlessAll(played, names, ["gone", "nothing"]),
  ],
  [
    /^(.+?) (?:is|are) no longer in the program\. Archiving ends (?:it|them) for good: /,
    ([names = ""], played) => unlessAll(played, names, ["archived", "same", "nothing"]),
  ],
];

/** True for a value as a line shows it: of an object the members that a program sets. */
function holds(value: unknown, shown: string): boolean {
  if (!isObject(value)) return JSON.stringify(value) === shown;
  const members = Object.entries(JSON.parse(shown) as JsonObject);
  return members.every(([name, one]) => equalJson(value[name], one));
}

/** What a line reports of one object. */
const lineSentences: readonly LineSentence[] = [
  [/^rules: (.+)$/, ([is = ""], ground) => firstOf(partsOf(is), (one) => verdictOn(ruleParts, one, ground))],
  [
    /^exists: matches the program$/,
    (_, ground) => (ground.before === undefined ? "nothing is there" : unlessFate(ground, "same")),
  ],
  [
    /^([\w.[\]]+): (?:(?:.+? → )(.+?)|(null) \(new\))(?: \(if the program sets this null, .+\))?$/,
    ([place = "", is, isNew], { after }) => {
      const value = valueAt(after, propertyPath(place) ?? []);
      const said = is ?? isNew;
      const shown = value === undefined ? "removed" : JSON.stringify(value);
      return shown === said || said?.endsWith("...") ? undefined : `it is ${shown}`;
    },
  ],
  [/^has deletedWith: when the other resource goes, .+$/, (_, ground) => unlessFate(ground, "made")],
  [/^\d+ more nulls change$/, (_, ground) => unlessFate(ground, "changed")],
  [
    /^exists already(?: and is archived)?: whether this update will fail is not known yet\.?$/,
    () => undefined,
  ],
  [/^exists: (?:would|may) change .+$/, (_, ground) => unlessFate(ground, "changed")],
  [
    /^(?:it )?is archived: would be brought back(?: and (?:would|may) change .+)?$/,
    (_, ground) => unlessFate(ground, "back"),
  ],
  [
    /^is gone: would be created anew\.$/,
    (_, ground) => (ground.before === undefined ? unlessFate(ground, "made") : "it is there"),
  ],
  [
    /^is changed in place: a key can have one object at a time(?:\. deleteBeforeReplace: .+|, and an archived one .+)$/,
    (_, ground) => (["same", "changed"].includes(fateOf(ground)) ? undefined : `it is ${fateOf(ground)}`),
  ],
  [
    /^stays with (\w+): (.+): the program no longer sets \w+\..*$/,
    ([name = "", value = ""], { before, after }) =>
      [before, after].every((item) => holds(item?.[name], value)) ? undefined : JSON.stringify(after?.[name]),
  ],
  [
    /^this decision changes the default of (.+) in layer "([^"]+)", which the program sets otherwise\. Leave out .+$/,
    ([names = "", layer = ""], ground) =>
      unlessOverruled(ground, JSON.parse(`[${names}]`) as string[], layer),
  ],
  [
    /^stays (?:Disabled|In Progress|Archived|Launched|setup|active|decision_made|abandoned|archived): the program no longer .+$/,
    (_, { before, after }) =>
      ["isEnabled", "status"].every((name) => before?.[name] === after?.[name]) ? undefined : "it does not",
  ],
];

/** Of a decision: parameters of a layer have the values of its group afterwards, and the program sets others. */
function unlessOverruled({ played, wanted }: LineGround, names: readonly string[], layer: string): Verdict {
  const program = played.drawn.program.find((one) => one.kind === "layer" && one.args.name === layer)?.args;
  const live = [...played.after.objects].find(
    ([key, item]) => key.startsWith("layer ") && item.name === layer,
  );
  const group = objectsIn(wanted?.groups).find(({ name }) => name === wanted?.launchedGroup);
  const shipped = (group?.parameterValues ?? {}) as JsonObject;
  for (const name of names) {
    const [own, after] = [program, live?.[1]].map(
      (item) => objectsIn(item?.parameters).find((one) => one.name === name)?.defaultValue,
    );
    if (!equalJson(after, shipped[name])) return `the default of "${name}" is ${JSON.stringify(after)}`;
    if (own === undefined || equalJson(own, after)) return `the program sets "${name}" so, or not at all`;
  }
  return undefined;
}

const places = "(?:outside )?(?:production|staging|development)(?:, (?:production|staging|development))*";

/** What a line reports of the rules of one object: of former values no more than shares. */
const ruleParts: readonly LineSentence[] = [
  [new RegExp(`^${places}: (.+)$`), ([said = ""], ground) => verdictOn(ruleParts, said, ground)],
  [/^\d+ more changes?$/, () => undefined],
  [
    /^no effect while it is (?:off|launched)$/,
    // Without a read a preview has the state, also of what is gone.
    (_, { stored, before = stored, after }) =>
      ["Archived", after?.status].includes(before?.status) ? undefined : "its state changes",
  ],
  [
    /^rules? ((?:"[^"]+"(?: and )?)+) unchanged$/,
    ([names = ""], ground) => unlessSame(ground, names.split(" and ").length),
  ],
  [/^(\d+) other rules unchanged$/, ([count], ground) => unlessSame(ground, Number(count))],
  [
    /^new rule "([^"]+)": .+$/,
    ([name = ""], ground) =>
      placeOf(ground.stored, name) !== 0 ? "state has it" : unlessPlaced(ground, name, undefined),
  ],
  [
    /^rule "([^"]+)" is removed$/,
    ([name = ""], { stored, after }) =>
      placeOf(after, name) !== 0
        ? "it is there after"
        : placeOf(stored, name) === 0
          ? "state has none of that name"
          : undefined,
  ],
  [
    /^([\d.]+) % → ([\d.]+) % of (.+?)(?: \(rule "([^"]+)"\))?(?:, rule "[^"]+" (.+))?$/,
    ([was, is, whom = "", named, more], ground) => {
      const name = named ?? ruleFor(ground.wanted, whom);
      return (
        unlessShare(ruleIn(ground.stored, nameBefore(ground, name)), name, was, "in state") ??
        unlessShare(ruleAfter(ground, name), name, is, "after") ??
        (more === undefined ? undefined : ruleBecomes(ground, name, more))
      );
    },
  ],
  [
    /^now .+ \(rule "([^"]+)"(?:, [\d.]+ %)?\)(?:, rule "[^"]+" (.+))?$/,
    ([name = "", more = ""], ground) => ruleBecomes(ground, name, more),
  ],
  [/^the conditions of rule "([^"]+)" change$/, ([name = ""], ground) => ruleBecomes(ground, name, "")],
  [/^rule "([^"]+)" (.+)$/, ([name = "", said = ""], ground) => ruleBecomes(ground, name, said)],
];

/** What else becomes of a rule that stays: its place, its former name, where it holds and what it gives. */
function ruleBecomes(ground: LineGround, name: string, said: string): Verdict {
  const former = nameBefore(ground, name);
  if (placeOf(ground.stored, former) === 0) return "state has no such rule";
  // What is not known yet may turn out to be as it was: then nothing is sent, even to an object that is gone.
  if (ground.before === undefined && ground.said.includes("not known yet")) return undefined;
  const [, from, to] = /moves from place (\d+) to (\d+)/.exec(said) ?? [];
  return (from && unlessPlace(ground.stored, former, from, "in state")) || unlessPlaced(ground, name, to);
}

/** The rule whose name is its audience. */
function ruleFor(item: Item, whom: string): string {
  const bare = whom.replace(/ else$/, "");
  const found = rulesOf(item).find(({ name }) => String(name).toLowerCase() === bare);
  return String(found?.name);
}

function unlessSame({ played, stored, before, after }: LineGround, count: number): Verdict {
  // A change made by hand stays where the program changes nothing; an old state holds other rules than the console.
  if (played.drawn.oldState) return undefined;
  const isSame = (rule: JsonObject) => [stored, before].some((one) => sameRule(ruleIn(one, rule.name), rule));
  // So does what somebody removed.
  const isOut = ({ name }: JsonObject) =>
    ruleIn(before, name) === undefined && ruleIn(after, name) === undefined;
  const same = rulesOf(after).filter(isSame).length + rulesOf(stored).filter(isOut).length;
  return same >= count ? undefined : `${same} are`;
}

/** Lines of a preview, each with the reason why it is not so. */
export function judgedLines(played: Played): { readonly sentence: string; readonly because: Verdict }[] {
  const { lines, warnings } = played.preview;
  return [...lines, ...warnings]
    .flatMap((text) => text.split("\n"))
    .filter((text) => !/^ {4}[~+-] /.test(text))
    .map((sentence) => ({ sentence, because: verdictOnLine(sentence, played) }));
}

/** Arguments that programs set no more and that the console keeps: the preview says so, and shows no update for them alone. */
export function judgedRemovals(played: Played): ReturnType<typeof judgedLines> {
  const { preview, state, update, before, after, drawn } = played;
  if (update.run.error !== undefined) return [];
  return preview.run.steps.flatMap(({ op, urn, kind, id }) => {
    const held = state.find((one) => one.urn === urn);
    const wanted = drawn.program.find((one) => one.kind === kind && one.name === held?.name)?.args;
    if (held === undefined || wanted === undefined || !["same", "update"].includes(op)) return [];
    const [was, is] = [before, after].map(({ objects }) => objects.get(`${kind} ${id}`));
    const { fields } = managed[kind as (typeof kinds)[number]] as ResourceDefinition;
    const isKept = (name: string) =>
      equalJson(was?.[name], held.inputs[name]) &&
      equalJson(was?.[name], is?.[name]) &&
      !equalJson(was?.[name], fields[name]?.traits.serverDefault);
    const gone = Object.keys(held.inputs).filter((name) => name in fields && !(name in wanted));
    const states = ["isEnabled", "status"];
    const kept = gone
      .filter((name) => isKept(name) && !(states.includes(name) && states.some((one) => one in wanted)))
      .filter((name) => !["key", "name"].includes(name));
    const isAlone = Object.keys(wanted).every((name) => equalJson(wanted[name], held.inputs[name]));
    const isTold = (name: string) => preview.lines.some((text) => text.includes(`no longer sets ${name}`));
    const silent = kept.filter((name) => !isTold(name));
    const isIdle = op === "update" && isAlone && kept.length > 0 && kept.length === gone.length;
    return [
      ...silent.map((name) => ({ sentence: `(${kind} ${id}: ${name} stays)`, because: "no line says so" })),
      ...(isIdle ? [{ sentence: `(${op} ${kind} ${id})`, because: `nothing of ${gone} changes` }] : []),
    ];
  });
}

const unknown = "no check is for such a line";

function verdictOnLine(text: string, played: Played): Verdict {
  const whole = verdictBy(wholeSentences, text, played, unknown);
  if (whole !== unknown) return whole;
  const [, title = "", id = "", said = ""] = line.exec(text) ?? [];
  const kind = kindCalled(title);
  if (kind === undefined) return unknown;
  // How far an update that failed has come, its preview does not report.
  if (played.update.run.error !== undefined) return undefined;
  const isMeant = (held: Held) => held.kind === kind && held.id === id;
  const stored = played.state.find(isMeant)?.outputs;
  const wanted = played.drawn.program.find((one) => one.kind === kind && one.name === id)?.args;
  const [before, after] = [played.before, played.after].map(({ objects }) => objects.get(`${kind} ${id}`));
  return verdictOn(lineSentences, said, { played, said, wanted, stored, before, after });
}

/** True where another stack has adopted one of these objects from the same checkout. */
function isInJournal({ told, drawn: { adoptedElsewhere, freshCheckout } }: Played, names: string): boolean {
  const isTold = told.some((line) => line.startsWith("another stack adopts"));
  return isTold && !freshCheckout && names.includes(`"${adoptedElsewhere}"`);
}

/** Of each object that is named, one of these became. */
function unlessAll({ before, after, update }: Played, names: string, fates: readonly Fate[]): Verdict {
  if (update.run.error !== undefined) return undefined;
  for (const [, title = "", id = ""] of names.matchAll(/(\w[\w ]*?) "([^"]+)"/g)) {
    const key = `${kindCalled(title)} ${id}`;
    const fate = fateOf({ before: before.objects.get(key), after: after.objects.get(key) });
    if (!fates.includes(fate)) return `${title} "${id}" is ${fate}`;
  }
  return undefined;
}

function verdictOn(table: readonly LineSentence[], text: string, ground: LineGround): Verdict {
  return verdictBy(table, text, ground, `no check is for "${text}"`);
}

/** Names may hold a semicolon as well as what stands between parts. */
function partsOf(text: string): string[] {
  return text.match(/(?:"[^"]*"|[^;"])+/g)?.map((part) => part.trim()) ?? [];
}

function firstOf(parts: readonly string[], verdict: (part: string) => Verdict): Verdict {
  for (const part of parts) {
    const because = verdict(part);
    if (because !== undefined) return because;
  }
  return undefined;
}

function unlessFate(ground: LineGround, wanted: ReturnType<typeof fateOf>): Verdict {
  const fate = fateOf(ground);
  return fate === wanted ? undefined : `it is ${fate}`;
}

/** From 1; 0: none. */
function placeOf(item: Item, name: string): number {
  return rulesOf(item).findIndex((rule) => rule.name === name) + 1;
}

function unlessPlace(item: Item, name: string, place: string | undefined, when: string): Verdict {
  const at = placeOf(item, name);
  return at === Number(place) ? undefined : `"${name}" is at ${at} ${when}`;
}

/** What a rule was called, where the same line says so. */
function nameBefore({ said }: LineGround, name: string): string {
  const renames = [
    ...said.matchAll(/rule "([^"]+)" (?:[^"]*(?:(?:before|after) rule "[^"]+")?, )?was called "([^"]+)"/g),
  ];
  return renames.find(([, is]) => is === name)?.[2] ?? name;
}

/** Places that a preview names are those of the program: the console may have other rules between, and keeps their order. */
function unlessPlaced(ground: LineGround, name: string, place: string | undefined): Verdict {
  const { wanted, stored, before, after } = ground;
  // A preview without a refresh does not know what somebody removed, and the update leaves it out.
  const isRemoved = ruleIn(stored, name) !== undefined && ruleIn(before, name) === undefined;
  const isOrdered = (item: Item, other: Item) => {
    const [one, two] = [[item, other] as const, [other, item] as const].map(([list, known]) =>
      rulesOf(list).flatMap((rule) => (ruleIn(known, rule.name) === undefined ? [] : [rule.name])),
    );
    return equalJson(one, two);
  };
  if (ruleAfter(ground, name) === undefined) return isRemoved ? undefined : `there is no "${name}" after`;
  // Nor an order that somebody made: the update keeps it where the program leaves the order as it was.
  const isKept = place === undefined && !isOrdered(stored, before);
  if (!isKept && !isOrdered(wanted, after)) return "their order is another";
  return place === undefined ? undefined : unlessPlace(wanted, name, place, "in the program");
}

function unlessShare(rule: Item, name: string, share: string | undefined, when: string): Verdict {
  const has = rule?.passPercentage;
  return has === Number(share) ? undefined : `"${name}" has ${String(has)} % ${when}`;
}

/** A rule after the update, also one that has another name in the console, which neither state nor the program knows: that stays. */
function ruleAfter({ wanted, stored, after }: LineGround, name: string): Item {
  const isOther = (rule: JsonObject) =>
    [wanted, stored].every((known) => ruleIn(known, rule.name) === undefined);
  return ruleIn(after, name) ?? rulesOf(after).find(isOther);
}

/** What users feel of a rule. */
function sameRule(one: Item, other: JsonObject): boolean {
  const felt = ({ passPercentage, environments = null }: JsonObject) =>
    JSON.stringify([passPercentage, environments]);
  return one !== undefined && felt(one) === felt(other);
}
