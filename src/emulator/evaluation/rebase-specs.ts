import { equalJson } from "../../provider/schema/json";
import { keptIn } from "../../provider/schema/memoized";
import { reachedFrom } from "../../provider/schema/references";
import { nameIn } from "../../provider/words";
import { gatesAskedBy } from "../sdk/spec/spec";
import { type Forms, type LayerShare, rebasedExperiment, sharesOf, withShare } from "./rebase-experiment";
import {
  askedBy,
  byName,
  isOwnRule,
  type List,
  lists,
  type Rule,
  resalted,
  type Spec,
  type SpecDocument,
  specDrawnByNames,
} from "./specs";

/** Objects whose shares depend on their own salts. Buckets of the others are known to the service alone. */
const rebasable: ReadonlySet<string> = new Set([
  ...["feature_gate", "dynamic_config", "segment", "experiment", "holdout", "layer"],
]);

/** Data about objects that no document has. */
interface RebaseOptions {
  /** Words of people for an object. */
  readonly title: (spec: Spec) => string;
  /** True where the rehearsal has every override and every holdout of an object. */
  readonly knowsBeside: (spec: Spec) => boolean;
}

/**
 * Carries a change of one document over to another that has salts and ids of its own: `before` and `after` say how a rehearsal
 * changed, `live` what users get now. Rules that stay keep what `live` has of them.
 * @returns the document after the change, and what of it is not known
 */
export function rebaseSpecs(
  live: SpecDocument,
  before: SpecDocument,
  after: SpecDocument,
  { title, knowsBeside }: RebaseOptions,
) {
  /** Parts of each object that only the update draws, by list and name: `rule "New"`, `experiment "colour"`. */
  const drawn = new Map<string, readonly string[]>();
  /** Objects whose change is left out, each with the reason. */
  const left: { place: string; title: string; why: string }[] = [];
  /** Objects that change, by list and name: `feature_gates/checkout`. */
  const changed = new Set<string>();
  const around = { shares: layerShares(live, after), knowsBeside };
  const specs = Object.fromEntries(
    lists.map((list) => {
      const [now, was, will] = [byName(live[list]), byName(before[list]), byName(after[list])];
      for (const name of new Set([...was.keys(), ...will.keys()])) {
        const place = `${list}/${name}`;
        const spec = will.get(name) ?? was.get(name);
        if (spec === undefined || sameForUsers(was.get(name), will.get(name))) continue;
        const forms = { live: now.get(name), before: was.get(name), after: will.get(name) };
        const result = rebasedSpec(forms, around);
        if ("why" in result) left.push({ place, title: title(spec), why: result.why });
        else {
          changed.add(place);
          const draws = result.drawn === "whole" ? [title(spec)] : result.drawn;
          if (draws.length > 0) drawn.set(place, draws);
          if (result.spec === undefined) now.delete(name);
          else now.set(name, specDrawnByNames(result.spec, now.get(name)));
        }
      }
      return [list, [...now.values()]];
    }),
  ) as Record<List, Spec[]>;
  const doubts = Object.entries(after.not_known_here ?? {}).filter(
    ([place]) => before.not_known_here?.[place] === undefined,
  );
  const not_known_here = { ...live.not_known_here, ...Object.fromEntries(doubts) };
  const document = withAsked({ ...live, ...specs, not_known_here }, changed, after);
  return { ...{ changed, drawn, left }, document };
}

/** Shares of the experiments of layers that are live, and of new ones in them. */
function layerShares(live: SpecDocument, after: SpecDocument): Map<string, LayerShare> {
  const layers = byName(live.layer_configs);
  return new Map(
    after.layer_configs.flatMap((will) => {
      const now = layers.get(will.name);
      return now === undefined ? [] : [...sharesOf(now, will)];
    }),
  );
}

/** An object that is new, in the live buckets of its layer. */
const inLayer = (spec: Spec, shares: ReadonlyMap<string, LayerShare>): Spec => ({
  ...spec,
  rules: spec.rules.map((rule) => ({
    ...rule,
    conditions: rule.conditions.map((one) => withShare(one, shares.get(spec.name))),
  })),
});

/** Data around the objects of a change. */
interface Around extends Pick<RebaseOptions, "knowsBeside"> {
  readonly shares: ReadonlyMap<string, LayerShare>;
}

/** Rules that are drawn, each by its name, or the whole object. */
type Drawn = readonly string[] | "whole";

type Rebased = { readonly spec: Spec | undefined; readonly drawn: Drawn } | { readonly why: string };

/** Each change counts a version, which no user sees. */
function sameForUsers(one: Spec | undefined, other: Spec | undefined): boolean {
  return equalJson({ ...one, version: 0 }, { ...other, version: 0 });
}

function rebasedSpec(given: Forms<Spec | undefined>, { shares, knowsBeside }: Around): Rebased {
  const { live, before, after } = given;
  const entity = (after ?? before)?.entity ?? "";
  if (!rebasable.has(entity)) return { why: bucketsUnknown };
  if (before !== undefined && live === undefined) return { why: "the flags that are live do not have it" };
  if (before === undefined && live !== undefined)
    return { why: "the flags that are live have it already, and the stack does not" };
  if (after === undefined) return { spec: undefined, drawn: [] };
  if (before === undefined || live === undefined)
    return { spec: inLayer(after, shares), drawn: newDraws(after) };
  const forms = { live, before, after };
  if (entity === "experiment") return rebasedGroups(forms, shares.get(after.name));
  if (entity === "layer") return rebasedLayer(forms, shares);
  if (entity === "holdout") return rebasedHoldout(forms);
  if (!agree(own(live), own(before))) return { why: othersLive };
  const shared = { ...live, ...membersOf(forms) };
  const state = stateRules(forms, knowsBeside(after));
  if (state === "not known") return { why: othersDecide };
  if (state !== undefined) {
    const spec = { ...shared, rules: state };
    return { spec, drawn: newDraws(spec) };
  }
  const { rules, drawn } = rebasedRules(forms, own);
  const beside = equalJson(rest(before), rest(after)) ? rest(live) : rest(after);
  return { spec: { ...shared, rules: [...beside, ...rules] }, drawn };
}

/** A holdout has no rules of people: its overrides and its share pair by their places and salts. */
function rebasedHoldout(forms: Forms): Rebased {
  if (!agree(forms.live.rules, forms.before.rules)) return { why: othersLive };
  const { rules, drawn } = rebasedRules(forms, (spec) => spec.rules);
  return { spec: { ...forms.live, ...membersOf(forms), rules }, drawn: drawn.length > 0 ? "whole" : [] };
}

const bucketsUnknown = "its buckets are drawn in the console, and are not known here";

const othersDecide =
  "which overrides and holdouts decide beside its rules after the change is not known here";

const othersLive =
  "its live rules are not those that the stack's state makes; if that is so after `pulumi refresh` too, this is not known here";

function rebasedGroups(forms: Forms, share: LayerShare | undefined): Rebased {
  const rebased = rebasedExperiment(forms, share);
  if (rebased === undefined) return { why: othersLive };
  const spec = { ...forms.live, ...membersOf(forms), rules: rebased.rules };
  return { spec, drawn: rebased.isDrawn ? "whole" : [] };
}

const notDelegating = ({ rules }: Spec): Rule[] =>
  rules.filter(({ configDelegate }) => configDelegate === undefined);

/** A layer with the shares of its experiments, which know whether the update draws their users. */
function rebasedLayer(forms: Forms, shares: ReadonlyMap<string, LayerShare>): Rebased {
  const { live, before, after } = forms;
  const delegating = ({ rules }: Spec) => rules.filter(({ configDelegate }) => configDelegate !== undefined);
  const experiments = (spec: Spec) => delegating(spec).map(({ configDelegate }) => configDelegate);
  if (!equalJson(experiments(live), experiments(before)))
    return { why: "the experiments that are live in it are not those of the stack" };
  const [now, was, will] = [live, before, after].map(notDelegating) as [Rule[], Rule[], Rule[]];
  const withoutValues = (rules: readonly Rule[]) =>
    rules.map((rule) => ({ ...rule, returnValue: undefined }));
  const isSame = equalJson(withoutValues(was), withoutValues(will));
  if (isSame ? now.length !== was.length : !sameBeside(now, was)) return { why: othersDecide };
  const pairs = [
    ...delegating(before).map((rule, at) => [rule, delegating(live)[at] as Rule] as const),
    ...(isSame ? was.map((rule, at) => [rule, now[at] as Rule] as const) : []),
  ];
  const rules = after.rules.map((rule) => {
    const at = pairs.findIndex(([one]) => one.id === rule.id && one.configDelegate === rule.configDelegate);
    const [pair] = at < 0 ? [] : pairs.splice(at, 1);
    const now = pair === undefined ? rule : { ...pair[1], ...changesOf(pair[0], rule, rule) };
    const share = shares.get(rule.configDelegate ?? "");
    return { ...now, conditions: now.conditions.map((one) => withShare(one, share)) };
  });
  return { spec: { ...live, ...membersOf(forms), rules }, drawn: [] };
}

const own = (spec: Spec): Rule[] => spec.rules.filter(isOwnRule);
const rest = (spec: Spec): Rule[] => spec.rules.filter((rule) => !isOwnRule(rule));

/**
 * The rules of a state that passes over everything else, such as off or launched; undefined where the rules of people stay in force.
 * An object that is off looks as one without rules: what only the console has beside them tells the two apart, or nothing does.
 * `knowsBeside`: the rehearsal has every override and holdout.
 */
function stateRules({ live, before, after }: Forms, knowsBeside: boolean) {
  const isSame = equalJson(rest(before), rest(after));
  if (after.rules.length === 0 && (rest(live).length === 0 || !isSame))
    return rest(live).length <= rest(before).length ? [] : "not known";
  const isForAll = ({ conditions }: Rule): boolean => conditions.every(({ type }) => type === "public");
  if (!isSame && own(after).length === 0 && after.rules.every(isForAll)) return after.rules;
  const comesOn = after.rules.length > 0 && live.rules.length === 0 && before.rules.length === 0;
  if (comesOn) return knowsBeside ? after.rules : "not known";
  if (isSame) return after.rules.length === 0 ? "not known" : undefined;
  return before.rules.length > 0 && sameBeside(rest(live), rest(before)) ? undefined : "not known";
}

/** True where the same overrides and holdouts decide beside the rules of people, in one order. */
function sameBeside(live: readonly Rule[], before: readonly Rule[]): boolean {
  const decisive = ({ conditions, passPercentage, returnValue }: Rule) => ({
    ...{ passPercentage, returnValue },
    asked: conditions.map(({ type, operator, targetValue, field }) => ({
      type,
      operator,
      targetValue,
      field,
    })),
  });
  return equalJson(live.map(decisive), before.map(decisive));
}

/** True where live rules have the names and percentages of the stack's: else the change is another one. */
function agree(live: readonly Rule[], before: readonly Rule[]): boolean {
  const shown = ({ groupName, passPercentage }: Rule) => ({ groupName, passPercentage });
  return equalJson(live.map(shown), before.map(shown));
}

/** The members beside rules that change; the others stay as they are live. */
function membersOf({ live, before, after }: Forms): Partial<Spec> {
  const names = (["idType", "defaultValue", "enabled"] as const).filter(
    (name) => !equalJson(before[name], after[name]) || live[name] === undefined,
  );
  return Object.fromEntries(names.map((name) => [name, after[name]]));
}

/** Rules of one salt are the variants of one rule: they pair in their order. `rulesOf`: those that count. */
function rebasedRules(forms: Forms, rulesOf: (spec: Spec) => readonly Rule[]) {
  const [live, before, after] = [forms.live, forms.before, forms.after].map(rulesOf) as [
    Rule[],
    Rule[],
    Rule[],
  ];
  const salts = new Map(before.map(({ salt }, at) => [salt, live[at]?.salt]));
  const free = new Set(before.keys());
  const drawn: string[] = [];
  const rules = after.map((rule) => {
    const at = [...free].find((place) => before[place]?.salt === rule.salt);
    if (at !== undefined) free.delete(at);
    const [was, now] = at === undefined ? [] : [before[at], live[at]];
    const known = salts.get(rule.salt);
    if (known === undefined) drawn.push(...drawnOf([rule]));
    const will = resalted(rule, (salt) => salts.get(salt));
    return was === undefined || now === undefined ? will : { ...now, ...changesOf(was, will, rule) };
  });
  return { rules, drawn };
}

/** Changed members of a rule that stays. */
function changesOf(was: Rule, will: Rule, asRehearsed: Rule): Partial<Rule> {
  const names = (["groupName", "passPercentage", "returnValue", "conditions"] as const).filter(
    (name) => !equalJson(was[name], asRehearsed[name]),
  );
  return Object.fromEntries(names.map((name) => [name, will[name]]));
}

/** Objects without rules of people. */
const drawnWhole: ReadonlySet<string | undefined> = new Set(["experiment", "holdout", "layer"]);

function newDraws({ rules, entity }: Spec): Drawn {
  const drawn = drawnOf(rules);
  return drawn.length > 0 && drawnWhole.has(entity) ? "whole" : drawn;
}

/** Rules whose share is drawn: everybody and nobody need no draw. */
function drawnOf(rules: readonly Rule[]): string[] {
  const isDrawn = ({ passPercentage, conditions }: Rule): boolean =>
    (passPercentage > 0 && passPercentage < 100) || conditions.some(({ type }) => type === "user_bucket");
  return rules.filter(isDrawn).map(({ groupName, id }) => `rule ${nameIn(groupName ?? id)}`);
}

/** Adds what changed rules ask and the live flags do not have, such as the gate between several segments of one condition. */
function withAsked(document: SpecDocument, changed: ReadonlySet<string>, after: SpecDocument): SpecDocument {
  const known = new Set(document.feature_gates.map(({ name }) => name));
  const asked = new Map(after.feature_gates.map((spec) => [spec.name, gatesAskedBy(spec)]));
  const missing = (names: readonly string[]): string[] => names.filter((name) => !known.has(name));
  const specs = lists.flatMap((list) => document[list].filter(({ name }) => changed.has(`${list}/${name}`)));
  const added = reachedFrom(missing(specs.flatMap(gatesAskedBy)), (name) => missing(asked.get(name) ?? []));
  const gates = after.feature_gates.filter(({ name }) => added.has(name));
  return { ...document, feature_gates: [...document.feature_gates, ...gates] };
}

/** The places of some objects, and of all that ask them, maybe by way of others. */
export function askersOf(documents: readonly SpecDocument[], places: Iterable<string>): Set<string> {
  const askers = new Map<string, string[]>();
  for (const document of documents)
    for (const list of lists)
      for (const spec of document[list])
        for (const asked of askedBy(spec)) keptIn(askers, asked, () => []).push(`${list}/${spec.name}`);
  return reachedFrom(places, (place) => askers.get(place) ?? []);
}
