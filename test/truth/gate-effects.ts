import {
  around,
  type Ground,
  isOn,
  nameAll,
  namesIn,
  ruleIn,
  rulesOf,
  type Sentence,
  type Side,
  saysOwn,
  type Verdict,
  verdictBy,
} from "./ground";
import {
  type Audience,
  audienceOf,
  type Environment,
  environments,
  environmentsIn,
  type Group,
  shareOf,
  slack,
  users,
} from "./users";

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

/** What a cause says of the rules, apart from whom they are for. */
const causes: readonly Sentence[] = [
  [
    /^by (the new )?rule "(.+)"$/,
    ([fresh, name = ""], { before }) =>
      fresh !== undefined && ruleIn(before, name) !== undefined ? "it is not new" : undefined,
  ],
  [/^rule ".+" decides for them, and no longer rule ".+"$/, () => undefined],
  [/^rule ".+" is no longer for them, and no other rule is$/, () => undefined],
  [
    /^rule "(.+)" is gone, and (none is left|no other rule is for them)$/,
    ([name = "", rest], { after }) => {
      if (ruleIn(after, name) !== undefined) return "it is there";
      return (rest === "none is left") === (rulesOf(after).length === 0) ? undefined : "not so many are left";
    },
  ],
];

function causeSays(ground: Ground, cause: string): Verdict {
  if (cause === "") return undefined;
  return verdictBy(causes, cause, ground, `no check is for the words "${cause}"`);
}

/** True for the rest of an audience whose members only another object knows, where nobody is left of them. */
function isUnheard(ground: Ground, whom: string, decided: readonly Decided[]): boolean {
  const isStill = ({ before, after }: Decided) =>
    before === after && shareBy(ground, "before", before) === shareBy(ground, "after", after);
  const [, asked] = /^other users .*in (?:gate|segment) ("[^"]+")/.exec(whom) ?? [];
  if (asked === undefined) return false;
  const asking = (side: Side) =>
    rulesOf(ground[side])
      .filter(({ conditions }) => JSON.stringify(conditions).includes(asked))
      .map(({ name }) => name);
  const [former, present] = [asking("before"), asking("after")];
  const isOthers = ({ before, after }: Decided) =>
    !present.includes(after) || (before !== undefined && !former.includes(before));
  return decided.every(isStill) || (present.length > 0 && decided.every(isOthers));
}

/** The percentage by which a rule decides; undefined stands for no rule. */
function shareBy(ground: Ground, side: Side, name: string | undefined): number {
  const item = ground[side];
  if (item?.status === "Launched") return 100;
  const share = name === undefined || !isOn(item) ? 0 : ruleIn(item, name)?.passPercentage;
  return typeof share === "number" ? share : 0;
}

export function points(
  [sign, count = "", whom = "", place = "", why = ""]: readonly string[],
  ground: Ground,
): Verdict {
  return effect({ whom, place, why, said: Number(count) * (sign === "+" ? 1 : -1) }, ground);
}

export function drawnAnew([, whom = "", place = "", why = ""]: readonly string[], ground: Ground): Verdict {
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
  const untrueCause = saysOwn(ground) ? undefined : causeSays(ground, why);
  if (untrueCause !== undefined) return untrueCause;
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
    const isSo =
      decided.length === 0 ||
      isUnheard(ground, whom, decided) ||
      (audience.isRest || why !== "" ? fitting.length > 0 : isAll);
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
