import { isObject, type JsonObject } from "../../src/core/json";
import type { Ground, Sentence, Verdict } from "./ground";
import {
  type Audience,
  answersAround,
  audienceOf,
  environmentsIn,
  type Group,
  isOpen,
  shareOf,
  slack,
  type TwoAnswers,
} from "./people";
import { type Environment, environments, users } from "./users";

type Side = "before" | "after";

const places = "(?:production|staging|development)(?:, (?:production|staging|development))*";
const where = `(in all environments|in no environment|in ${places}|outside ${places})`;
/** What a sentence about a rule may go on with. */
const more = '((?:, (?:rule "|where |and it |without ).+)?)';
const cause = "(?:: (.+))?";
const like = (...parts: readonly string[]): RegExp => new RegExp(`^${parts.join("")}$`);

/** What reports and the SDK say of the rules of a gate, and of who passes it. */
export const gateSentences: readonly Sentence[] = [
  [
    /^rule "(.+?)" is removed \(it let in (.+)\)$/,
    ([name = "", share = ""], ground) =>
      ruleIn(ground.after, name) === undefined ? ruleLetsIn(ground, "before", name, share) : "it is there",
  ],
  [
    /^new rule "(.+?)": (.+?)(, where nobody .+)?$/,
    ([name = "", share = "", nobody], ground) =>
      ruleIn(ground.before, name) !== undefined
        ? "it was there"
        : (ruleLetsIn(ground, "after", name, share) ?? (nobody && unreached(ground, name))),
  ],
  [
    like(
      "([\\d.]+) % of (.+?) ",
      where,
      " as before, but drawn anew, so that some gain and others lose",
      cause,
    ),
    drawnAnew,
  ],
  [like("(?:down to nobody: )?([\\d.]+) points? (more|fewer) of (.+?) ", where, cause), points],
  [
    like("from nobody to all in one step: 100 points more of (.+?) ", where, cause),
    (parts, ground) => points(["100", "more", ...parts], ground),
  ],
  [
    /^no effect while it is (?:off|launched): (nobody|everyone) is let in before (?:or|and) after/,
    ([who], ground) =>
      everywhere(ground, ({ before, after }) =>
        [before, after].every(({ passes }) => passes.every((one) => one === (who === "everyone"))),
      )
        ? undefined
        : `not ${who} passes`,
  ],
  [
    /^it is (?:off|archived): nobody before or after$/,
    (_, ground) =>
      everywhere(ground, ({ before, after }) => [before, after].every(({ passes }) => !passes.includes(true)))
        ? undefined
        : "somebody passes",
  ],
  [
    /^(?:is switched off: nobody passes|no effect while it is off)$/,
    (_, ground) => passesNobody(ground, "after"),
  ],
  [
    /^(?:is switched (on|off)|is launched|comes back)(?:: (.+))?$/,
    ([state, effect], ground) =>
      state !== undefined && isOn(ground.after) !== (state === "on")
        ? `it is ${isOn(ground.after) ? "on" : "off"}`
        : effect && passingMoves(effect, ground),
  ],
  [/^its rules count from now on$/, (_, { after }) => (isOn(after) ? undefined : "it is off")],
  [/^it is switched off$/, (_, { after }) => (isOn(after) ? "it is on" : undefined)],
  [
    /^rules? ("[^"]+"(?: and "[^"]+")*) unchanged$/,
    ([names = ""], ground) => unchanged(ground, namesIn(names)),
  ],
  [
    /^(\d+) other rules unchanged$/,
    ([count = ""], ground) =>
      sameRules(ground).length >= Number(count) ? undefined : `${sameRules(ground).length} are`,
  ],
  [
    /^nobody (?:reaches|can match) rule "(.+?)"(?: any more)?: (.+)$/,
    ([name = ""], ground) => unreached(ground, name),
  ],
  [/^whom rule "(.+?)" lets in is not known yet$/, (_, ground) => nameEverybody(ground)],
  [/^rule "(.+?)" .+, and nobody gains or loses by that$/, () => undefined],
  [like('([\\d.]+) % → ([\\d.]+) % of (.+?)(?: \\(rule "(.+?)"\\))?', more), shareMoves],
  [
    like('(.+?) → (.+?) \\(rule "(.+?)"\\)', more),
    ([was = "", is = "", name = "", more = ""], ground) =>
      ruleLetsIn(ground, "before", nameBefore(more) ?? name, was) ??
      ruleLetsIn(ground, "after", name, is) ??
      alsoSays(ground, more),
  ],
  [/^rule "(.+?)" (.+)$/, ([name = "", said = ""], ground) => ruleSays(ground, name, said)],
  [
    /^(?:who is let in: )?(.+? → .+?)(?:; no checks in the last hour)?$/,
    ([effect = ""], ground) => passingMoves(effect, ground),
  ],
  [/^no rules$/, (_, { after }) => (rulesOf(after).length === 0 ? undefined : "it has rules")],
  [
    /^((?:everyone|nobody)(?: else)?|all .+?|none of .+?|[\d.]+ % of .+?|(?:everyone|nobody)(?: else)? gets? most \d+)(?: \(rule "(.+?)"\))?$/,
    ([share = "", name], ground) => ruleLetsIn(ground, "after", name ?? ruleFor(ground, share), share),
  ],
];

function passesNobody(ground: Ground, side: Side): Verdict {
  const isSo = everywhere(ground, (answers) => !answers[side].passes.includes(true));
  return isSo ? undefined : `somebody passes ${side}`;
}

function rulesOf(item: JsonObject | undefined): readonly JsonObject[] {
  return Array.isArray(item?.rules) ? item.rules.filter(isObject) : [];
}

function ruleIn(item: JsonObject | undefined, name: string): JsonObject | undefined {
  return rulesOf(item).find((rule) => rule.name === name);
}

export function isOn(item: JsonObject | undefined): boolean {
  return item?.isEnabled === true;
}

function around(ground: Ground, environment: Environment): TwoAnswers {
  const { before, after } = ground.played;
  return answersAround(String(ground.change.called), environment, before.evaluation, after.evaluation);
}

function everywhere(ground: Ground, holds: (answers: TwoAnswers) => boolean): boolean {
  return environments.every((environment) => holds(around(ground, environment)));
}

/** What a rule itself says: `all users in NZ`, `10 % of everyone else`. */
function ruleLetsIn(ground: Ground, side: Side, name: string | undefined, text: string): Verdict {
  const rule = name === undefined ? undefined : ruleIn(ground[side], name);
  if (rule === undefined)
    return side === "before" && saysOwn(ground) ? undefined : `there is no rule "${name}" ${side}`;
  const [, words = "", most] = /^(.+?)(?:,? (?:which )?gets? most (\d+))?$/.exec(text) ?? [];
  if (isOpen(words)) return undefined;
  const said = letIn(words);
  const given = isObject(rule.returnValue) ? rule.returnValue.most : undefined;
  if (most !== undefined && given !== Number(most)) return `rule "${name}" gives ${String(given)} ${side}`;
  if (said === undefined) return `no check is for the words "${words}"`;
  if (rule.passPercentage !== said.share && !(side === "before" && saysOwn(ground)))
    return `rule "${name}" has ${String(rule.passPercentage)} % ${side}`;
  return undefined;
}

/** How many of whom: `all users in NZ` is 100 percent of them. */
function letIn(words: string): { share: number; audience: Audience } | undefined {
  const [, percent, whom] = /^([\d.]+) % of (.+)$/.exec(words) ?? [];
  const [, every] = /^all ((?:other )?users .+)$/.exec(words) ?? [];
  const [, none] = /^none of (.+)$/.exec(words) ?? [];
  const nobody = /^nobody( else)?$/.exec(words);
  const text = whom ?? every ?? none ?? (nobody ? `everyone${nobody[1] ?? ""}` : words);
  const audience = audienceOf(text);
  if (audience === undefined) return undefined;
  const share = percent === undefined ? (none !== undefined || nobody !== null ? 0 : 100) : Number(percent);
  return { share, audience };
}

/** The rule whose name is its audience. */
function ruleFor(ground: Ground, words: string): string | undefined {
  const whom = words
    .replace(/,? (?:which )?gets? most \d+$/, "")
    .replace(/^(?:all|none of|[\d.]+ % of) /, "")
    .replace(/^nobody/, "everyone")
    .replace(/ else$/, "");
  return rulesOf(ground.after)
    .map(({ name }) => String(name))
    .find((name) => name.toLowerCase() === whom);
}

function shareMoves(
  [from = "", to = "", whom = "", named, more = ""]: readonly string[],
  ground: Ground,
): Verdict {
  const name = named ?? ruleFor(ground, whom);
  const was = ruleIn(ground.before, nameBefore(more) ?? name ?? "")?.passPercentage;
  const is = ruleIn(ground.after, name ?? "")?.passPercentage;
  if (audienceOf(whom) === undefined) return `no check is for the words "${whom}"`;
  if (was !== Number(from) && !saysOwn(ground)) return `the console had ${String(was)} %`;
  if (is !== Number(to)) return `it has ${String(is)} %`;
  return alsoSays(ground, more);
}

/** True where the report says that it does not know what the console has. */
function saysOwn({ change }: Ground): boolean {
  return change.inConsole === "not known";
}

function nameBefore(more: string): string | undefined {
  return /was called "(.+?)"/.exec(more)?.[1];
}

/** What follows in the same sentence. */
function alsoSays(ground: Ground, more: string): Verdict {
  for (const part of more
    .split(/, (?=rule "|where nobody|and it |without effect)/)
    .filter((one) => one !== "")) {
    const [, name, said] = /^rule "(.+?)" (.+)$/.exec(part) ?? [];
    const verdict = name === undefined || said === undefined ? undefined : ruleSays(ground, name, said);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

/** True where a rule is on that side of another one now, and was not before. */
function comesPast({ before, after }: Ground, name: string, other: string, isAfter: boolean): boolean {
  const [was, is] = [before, after].map((item) => {
    const names = rulesOf(item).map((rule) => rule.name);
    return names.indexOf(name) > names.indexOf(other);
  });
  return is === isAfter && was !== isAfter;
}

function ruleSays(ground: Ground, name: string, said: string): Verdict {
  const [was, is] = [ruleIn(ground.before, name), ruleIn(ground.after, name)];
  const moved = /moves from place (\d+) to (\d+)/.exec(said);
  if (
    moved !== null &&
    rulesOf(ground.after).findIndex((rule) => rule.name === name) !== Number(moved[2]) - 1
  )
    return "it has another place";
  const past = /now comes (after|before) rule "(.+?)"/.exec(said);
  if (past !== null && !comesPast(ground, name, past[2] ?? "", past[1] === "after"))
    return "their order is another";
  const held = /holds in (.+?) instead of (.+?)(?:,|$)/.exec(said);
  if (held !== null && !isSameSet(is?.environments, environmentsIn(held[1] ?? "")))
    return "it holds elsewhere";
  const called = nameBefore(said);
  if (called !== undefined && ruleIn(ground.before, called) === undefined) return "no rule was called so";
  if (/where nobody reaches it|nobody reaches rule/.test(said)) return unreached(ground, name);
  const reaches = /(no longer|now) reaches (.+?)(?: too)?(?= and (?:no longer|now) reaches|$)/g;
  for (const [, how, whom = ""] of said.matchAll(reaches)) {
    const verdict = reachesNow(ground, name, how === "now", whom);
    if (verdict !== undefined) return verdict;
  }
  return is === undefined && was === undefined ? "there is no such rule" : undefined;
}

function isSameSet(one: unknown, other: readonly string[] | undefined): boolean {
  const names = Array.isArray(one) && one.length > 0 ? one : environments;
  return other !== undefined && [...names].sort().join() === [...other].sort().join();
}

/** Whom a rule decides for now and did not before, or the reverse. */
function reachesNow(ground: Ground, name: string, now: boolean, words: string): Verdict {
  if (/ and others$/.test(words)) return undefined;
  for (const part of words.split(/ and (?=users |other users |everyone)/)) {
    const [, whom = "", place] = /^(.+?)(?: (in [a-z, ]+|outside [a-z, ]+))?$/.exec(part) ?? [];
    const isCountry = place !== undefined && environmentsIn(place) === undefined;
    const audience = audienceOf(isCountry ? part : whom);
    if (isOpen(part)) continue;
    if (audience === undefined) return `no check is for the words "${part}"`;
    const where = place === undefined || isCountry ? environments : (environmentsIn(place) ?? []);
    const found = where.some((environment) => {
      const { before, after } = around(ground, environment);
      const [with_, without] = now ? [after, before] : [before, after];
      return audience.group.some((at) => with_.rules[at] === name && without.rules[at] !== name);
    });
    // An object that is off has no rule that decides.
    if (!found && !audience.isRest && isOn(ground.before) && isOn(ground.after)) return `nobody of ${part}`;
  }
  return undefined;
}

/** Nobody gets what a rule gives after the update. */
function unreached(ground: Ground, name: string): Verdict {
  const reached = environments.some((environment) => around(ground, environment).after.rules.includes(name));
  return reached ? `rule "${name}" decides for somebody` : undefined;
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
}

function sameRules({ before, after }: Ground): readonly JsonObject[] {
  const bare = ({ id: _, baseID: _b, ...rule }: JsonObject) => JSON.stringify(rule);
  return rulesOf(after).filter((rule) => rulesOf(before).some((old) => bare(old) === bare(rule)));
}

function unchanged(ground: Ground, names: readonly string[]): Verdict {
  const same = sameRules(ground).map(({ name }) => name);
  const other = names.find((name) => !same.includes(name));
  return other === undefined ? undefined : `rule "${other}" changed`;
}

/** `everyone → nobody`, of the whole object. */
function passingMoves(effect: string, ground: Ground): Verdict {
  const [from = "", to = ""] = effect.split(" → ");
  const verdict = passes(ground, "before", from) ?? passes(ground, "after", to);
  if (verdict === undefined)
    for (const environment of environments)
      nameAll(
        ground,
        environment,
        users.map((_, at) => at),
      );
  return verdict;
}

function passes(ground: Ground, side: Side, words: string): Verdict {
  if (side === "before" && saysOwn(ground)) return undefined;
  const answersIn = (environment: Environment) => around(ground, environment)[side].passes;
  if (words === "nobody" || words === "everyone") {
    const all = words === "everyone";
    const isSo = environments.every((environment) => answersIn(environment).every((one) => one === all));
    return isSo ? undefined : `not ${words} ${side}`;
  }
  if (/^whom \d+ rules let in, such as /.test(words)) return undefined;
  for (const part of words.split(/ and (?=all |none |[\d.]+ %|everyone)/)) {
    const [, share = "", place] =
      /^(.+?)(?: (in (?:production|staging|development)[a-z, ]*|outside [a-z, ]+))?$/.exec(part) ?? [];
    const said = letIn(share);
    const where = place === undefined ? environments : environmentsIn(place);
    if (said === undefined || where === undefined) return `no check is for the words "${part}"`;
    if (said.audience.isRest) continue;
    for (const environment of where) {
      const counted = shareOf(said.audience.group, around(ground, environment)[side]);
      if (Math.abs(counted - said.share) > slack(said.share, said.audience.group.length))
        return `${counted.toFixed(1)} % of them in ${environment} ${side}`;
    }
  }
  return undefined;
}

/** Users of one environment for whom one rule decided before, and one decides after; undefined: none. */
interface Decided {
  readonly group: Group;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Users of an audience by the rules that decide for them: before and after an update. */
function decidedIn(ground: Ground, { group }: Audience, environment: Environment): Decided[] {
  const { before, after } = around(ground, environment);
  const found = new Map<string, { group: number[]; before: string | undefined; after: string | undefined }>();
  for (const at of group) {
    const [was, is] = [before.rules[at], after.rules[at]];
    const known = found.get(`${was}\n${is}`) ?? { group: [], before: was, after: is };
    known.group.push(at);
    found.set(`${was}\n${is}`, known);
  }
  return [...found.values()];
}

/** True for users whose rules are those that a cause names. */
function isCaused({ before, after }: Decided, cause: string): boolean {
  const [first, second] = namesIn(cause);
  if (cause === "") return true;
  if (cause.startsWith("by ")) return before === undefined && after === first;
  if (second !== undefined) return after === first && before === second;
  return before === first && after === undefined;
}

/** The percentage by which a rule decides; undefined stands for no rule. */
function shareBy(ground: Ground, side: Side, name: string | undefined): number {
  const item = ground[side];
  if (item?.status === "Launched") return 100;
  const share = name === undefined || !isOn(item) ? 0 : ruleIn(item, name)?.passPercentage;
  return typeof share === "number" ? share : 0;
}

function points(
  [count = "", more, whom = "", place = "", why = ""]: readonly string[],
  ground: Ground,
): Verdict {
  return effect({ whom, place, why, said: Number(count) * (more === "more" ? 1 : -1) }, ground);
}

function drawnAnew([, whom = "", place = "", why = ""]: readonly string[], ground: Ground): Verdict {
  return effect({ whom, place, why, said: 0 }, ground);
}

interface Effect {
  readonly whom: string;
  readonly place: string;
  readonly why: string;
  /** Points more of them; fewer, where it is negative. */
  readonly said: number;
}

/** So many points more or fewer of an audience pass, where the sentence says. */
function effect({ whom, place, why, said }: Effect, ground: Ground): Verdict {
  const audience = audienceOf(whom);
  const found = environmentsIn(place);
  if (audience === undefined || found === undefined) return `no check is for the words "${whom} ${place}"`;
  for (const environment of found) {
    const { before, after } = around(ground, environment);
    const decided = decidedIn(ground, audience, environment).filter((one) => isCaused(one, why));
    const fits = (one: Decided): boolean => {
      const [from, to] = [shareBy(ground, "before", one.before), shareBy(ground, "after", one.after)];
      const count = one.group.length;
      return (
        Math.abs(to - from - said) < 0.01 &&
        Math.abs(shareOf(one.group, before) - from) <= slack(from, count) &&
        Math.abs(shareOf(one.group, after) - to) <= slack(to, count)
      );
    };
    const fitting = decided.filter(fits);
    const isAll = fitting.reduce((sum, { group }) => sum + group.length, 0) === audience.group.length;
    // What is asked of a rest, the first rule that decides says: here only that there is such a rule.
    const isSo = decided.length === 0 || (audience.isRest || why !== "" ? fitting.length > 0 : isAll);
    if (!isSo && !saysOwn(ground)) {
      const shares = decided.map(
        (one) =>
          `${shareOf(one.group, before).toFixed(0)} → ${shareOf(one.group, after).toFixed(0)} % of ${one.group.length} (rule ${one.before} → ${one.after})`,
      );
      return `in ${environment} ${shares.join("; ")}`;
    }
    for (const { group } of fitting) nameAll(ground, environment, group);
  }
  return undefined;
}

function nameEverybody(ground: Ground): Verdict {
  for (const environment of environments)
    nameAll(
      ground,
      environment,
      users.map((_, at) => at),
    );
  return undefined;
}

function nameAll({ named }: Ground, environment: Environment, group: Group): void {
  const known = named.get(environment) ?? new Set<number>();
  for (const at of group) known.add(at);
  named.set(environment, known);
}

/** Somebody of whom no sentence says that they gain or lose, and who does. */
export function unnamedChange(ground: Ground): Verdict {
  for (const environment of environments) {
    const { before, after } = around(ground, environment);
    const others = users.flatMap((_, at) =>
      before.passes[at] !== after.passes[at] && !ground.named.get(environment)?.has(at) ? [at] : [],
    );
    const [first = 0] = others;
    if (others.length > 0)
      return `${others.length} users in ${environment}, such as ${JSON.stringify(users[first])}, ${after.passes[first] ? "gain" : "lose"} it (rule ${before.rules[first]} → ${after.rules[first]})`;
  }
  return undefined;
}
