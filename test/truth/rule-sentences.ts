import { isObject } from "../../src/provider/schema/json";
import { around, type Ground, isOn, ruleIn, rulesOf, type Side, saysOwn, type Verdict } from "./ground";
import { type Audience, audienceOf, environments, environmentsIn, isOpen } from "./users";

/** What a rule itself says: `all users in NZ`, `10 % of everyone else`. */
export function ruleLetsIn(ground: Ground, side: Side, name: string | undefined, text: string): Verdict {
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
export function letIn(words: string): { share: number; audience: Audience } | undefined {
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
export function ruleFor(ground: Ground, words: string): string | undefined {
  const whom = words
    .replace(/,? (?:which )?gets? most \d+$/, "")
    .replace(/^(?:all|none of|[\d.]+ % of) /, "")
    .replace(/^nobody/, "everyone")
    .replace(/ else$/, "");
  return rulesOf(ground.after)
    .map(({ name }) => String(name))
    .find((name) => name.toLowerCase() === whom);
}

export function shareMoves(
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

export function nameBefore(more: string): string | undefined {
  return /was called "(.+?)"/.exec(more)?.[1];
}

/** What follows in the same sentence. */
export function alsoSays(ground: Ground, more: string): Verdict {
  for (const part of more
    .split(/, (?=rule "|where nobody|and it |without effect)/)
    .filter((one) => one !== "")) {
    const [, name, said] = /^rule "(.+?)" (.+)$/.exec(part) ?? [];
    const verdict = name === undefined || said === undefined ? undefined : ruleSays(ground, name, said);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

/** True where a rule is on that side of another one now, and was not before, when it may have had another name. */
function comesPast(
  { before, after }: Ground,
  [was, is]: readonly [string, string],
  other: string,
  isAfter: boolean,
): boolean {
  const isBehind = (item: Ground["before"], name: string) => {
    const names = rulesOf(item).map((rule) => rule.name);
    return names.indexOf(name) > names.indexOf(other);
  };
  return isBehind(after, is) === isAfter && isBehind(before, was) !== isAfter;
}

export function ruleSays(ground: Ground, name: string, said: string): Verdict {
  const [was, is] = [ruleIn(ground.before, name), ruleIn(ground.after, name)];
  const moved = /moves from place (\d+) to (\d+)/.exec(said);
  if (moved !== null && rulesOf(ground.after).findIndex((one) => one.name === name) !== Number(moved[2]) - 1)
    return "it has another place";
  const past = /now comes (after|before) rule "(.+?)"/.exec(said);
  const called = nameBefore(said);
  if (past !== null && !comesPast(ground, [called ?? name, name], past[2] ?? "", past[1] === "after"))
    return "their order is another";
  const held = /holds in (.+?) instead of (.+?)(?:,|$)/.exec(said);
  if (held !== null && !isSameSet(is?.environments, environmentsIn(held[1] ?? "")))
    return "it holds elsewhere";
  if (called !== undefined && ruleIn(ground.before, called) === undefined) return "no rule was called so";
  if (/where nobody reaches it|nobody reaches rule/.test(said)) return unreached(ground, name);
  const reaches = /(no longer|now) reaches (.+?)(?: too)?(?= and (?:no longer|now) reaches|$)/g;
  for (const [, how, whom = ""] of said.matchAll(reaches)) {
    const verdict = reachesNow(ground, { was: called ?? name, is: name }, how === "now", whom);
    if (verdict !== undefined) return verdict;
  }
  return is === undefined && was === undefined ? "there is no such rule" : undefined;
}

function isSameSet(one: unknown, other: readonly string[] | undefined): boolean {
  const names = Array.isArray(one) && one.length > 0 ? one : environments;
  return other !== undefined && [...names].sort().join() === [...other].sort().join();
}

/** Whom a rule decides for now and did not before, or the reverse. `names`: its name on each side. */
function reachesNow(
  ground: Ground,
  names: { readonly was: string; readonly is: string },
  now: boolean,
  words: string,
): Verdict {
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
      return audience.group.some((at) => {
        const isOfIt = after.rules[at] === names.is;
        return isOfIt === now && (before.rules[at] === names.was) !== isOfIt;
      });
    });
    // An object that is off has no rule that decides.
    // Whether anybody is in gate "circle" and in NZ, only who knows that gate can tell.
    if (!found && audience.group.length > 0 && !audience.isRest && isOn(ground.before) && isOn(ground.after))
      return `nobody of ${part}`;
  }
  return undefined;
}

/** Nobody gets what a rule gives after the update. */
export function unreached(ground: Ground, name: string): Verdict {
  const reached = environments.some((environment) => around(ground, environment).after.rules.includes(name));
  return reached ? `rule "${name}" decides for somebody` : undefined;
}
