import { equalJson, type JsonObject } from "../../src/provider/schema/json";
import { drawnAnew, points } from "./gate-effects";
import {
  around,
  everywhere,
  type Ground,
  isOn,
  nameEverybody,
  namesIn,
  ruleIn,
  rulesOf,
  type Sentence,
  type Side,
  saysOwn,
  seesOldState,
  type Verdict,
} from "./ground";
import {
  alsoSays,
  letIn,
  nameBefore,
  ruleFor,
  ruleLetsIn,
  ruleSays,
  shareMoves,
  unreached,
} from "./rule-sentences";
import { type Environment, environments, environmentsIn, shareOf, slack } from "./users";

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
      ruleIn(ground.before, name) !== undefined && !seesOldState(ground)
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
  [like("(?:down to nobody: )?([+−])([\\d.]+) percentage points? for (.+?) ", where, cause), points],
  [
    like("from 0 % to 100 % in one step: \\+100 percentage points for (.+?) ", where, cause),
    (parts, ground) => points(["+", "100", ...parts], ground),
  ],
  [
    /^no effect while it is (?:off|launched): (nobody|everyone) passes, before (?:or|and) after$/,
    ([who], ground) =>
      everywhere(ground, ({ before, after }) =>
        [before, after].every(({ passes }) => passes.every((one) => one === (who === "everyone"))),
      )
        ? undefined
        : `not ${who} passes`,
  ],
  [
    /^it is archived: no unit gets it, before or after$/,
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
    /^(?:is launched: everyone gets it|launched to everyone: its rules are ignored)$/,
    (_, ground) =>
      everywhere(ground, ({ after }) => !after.passes.includes(false)) ? undefined : "not everyone passes",
  ],
  [
    /^(?:is switched (on|off)|is launched|comes back)(?:: (.+))?$/,
    ([state, effect], ground) =>
      state !== undefined && isOn(ground.after) !== (state === "on")
        ? `it is ${isOn(ground.after) ? "on" : "off"}`
        : effect && passingMoves(effect, ground),
  ],
  [
    /^no effect while it is launched$/,
    (_, ground) =>
      everywhere(ground, ({ after }) => !after.passes.includes(false)) ? undefined : "not everyone passes",
  ],
  [/^its rules take effect$/, (_, { after }) => (isOn(after) ? undefined : "it is off")],
  [/^it is switched off$/, (_, { after }) => (isOn(after) ? "it is on" : undefined)],
  [/^rules? ("[^"]+"(?: and "[^"]+")*) unchanged$/, ([all = ""], ground) => unchanged(ground, namesIn(all))],
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
  [/^rule "(.+?)" .+, and no unit gains or loses by that$/, () => undefined],
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

function sameRules({ before, after }: Ground): readonly JsonObject[] {
  const bare = ({ id: _, baseID: _b, ...rule }: JsonObject) => rule;
  return rulesOf(after).filter((rule) => rulesOf(before).some((old) => equalJson(bare(old), bare(rule))));
}

function unchanged(ground: Ground, names: readonly string[]): Verdict {
  const same = sameRules(ground).map(({ name }) => name);
  const other = names.find((name) => !same.includes(name));
  return other === undefined ? undefined : `rule "${other}" changed`;
}

/** `everyone → nobody`, of the whole object. */
function passingMoves(effect: string, ground: Ground): Verdict {
  const [from = "", to = ""] = effect.split(" → ");
  return passes(ground, "before", from) ?? passes(ground, "after", to) ?? nameEverybody(ground);
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
  // A report that may not ask the console does not know a share that is the console's.
  if (/ \(share not known yet\)$/.test(words)) return ground.played.drawn.offline ? undefined : "it is known";
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
