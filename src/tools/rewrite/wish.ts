import { idList } from "../../provider/id-lists/value-type";
import { isObject } from "../../provider/schema/json";
import { treeOf } from "../../provider/schema/tree";
import { countOf } from "../../provider/texts/count-text";
import { quote, visible } from "../../provider/texts/issue-text";
import { isNothing } from "../../provider/values/compare";
import { differingPlaces, type Place } from "../../provider/values/places";
import type { Section } from "../render/report";
import { isSecret, objectOf, type Resource } from "../stack/resources";
import { type Position, placeText } from "../stack/source-places";
import type { Advice } from "./edits";
import { expressible, literalText, styleOf } from "./literal-text";

/** An argument, and the value that the program is to set. */
export interface NewValue {
  readonly name: string;
  /** Undefined: it sets no more. */
  readonly live: unknown;
  /** The argument in whose place it stands: of two with one meaning a program sets one. */
  readonly instead?: string;
  /** It is to be set even where silence means the same: the program takes it over from the console. */
  readonly isExplicit?: boolean;
  /** The program has changed it too and was not applied. */
  readonly isMixed?: boolean;
}

/** Values of a resource that are to go into the program. */
export interface Wish {
  readonly resource: Resource;
  readonly values: readonly NewValue[];
  /** Of an object that is gone: no value can go into the program. */
  readonly gone?: "deleted" | "another object has its id";
}

/** Places of an argument at which the program is to set another value. */
export function placesOf({ definition, wanted }: Resource, { name, live }: NewValue): Place[] {
  return differingPlaces(definition, name, { live, program: wanted?.[name] });
}

/** Result for one argument that was to be taken over into the program. */
export type Outcome = (Labels & { readonly how: "accepted" }) | Refused;

interface Labels {
  /** `gate "checkout_v2"`. */
  readonly object: string;
  readonly urn: string;
  /** The argument, or the places in it. */
  readonly label: string;
  /** Undefined for an object as a whole, and for a setting. */
  readonly argument?: string;
  readonly place?: Position;
}

/** A person has to say it: nothing of it was written. */
export interface Refused extends Labels {
  readonly how: "refused";
  readonly why: string;
  /** Text to type there, as TypeScript; undefined where nothing is to be typed. */
  readonly type?: string;
  /** Another step, such as to remove the argument; with a text to type, the one before it. */
  readonly todo?: string;
}

/** Why something is not written, what to type there as TypeScript, and where. */
export type Refusal = {
  readonly why: string;
  readonly advice?: Advice;
  readonly place?: Position;
  /** The place makes other resources too: text typed there would count for all of them. */
  readonly isShared?: true;
};

/** Labels of an argument in an outcome. */
function labelsOf(resource: Resource, value: NewValue): Labels {
  const places = placesOf(resource, value).map(({ label }) => label);
  const label = places.length === 0 ? value.name : places.join(", ");
  return { object: objectOf(resource), urn: resource.urn, label, argument: value.name };
}

/** The outcome of an argument that is written. */
export function accepted(resource: Resource, value: NewValue, place: Position): Outcome {
  return { ...labelsOf(resource, value), how: "accepted", place };
}

/** The outcome of an argument that is not written. */
export function refused(resource: Resource, value: NewValue, refusal: Refusal): Refused {
  const { why, advice, place, isShared } = refusal;
  const isHidden = isSecret(resource, [value.name]) && !isNothing(value.live);
  const own = advice ?? (isHidden ? { type: "it" } : adviceFor(resource, value));
  const todo = isShared ? apart(resource, own) : own;
  return { ...labelsOf(resource, value), how: "refused", why, ...todo, ...(place && { place }) };
}

/** The advice for one of several resources that a call makes. */
function apart({ name }: Resource, advice: Advice): Pick<Refused, "type" | "todo"> {
  const first = `make ${quote(name)} in a call of its own`;
  return "type" in advice ? { ...advice, todo: first } : { todo: `${first}, and ${advice.todo} there` };
}

/** The outcome of an object that is gone. */
export function refusedWhole(
  resource: Resource,
  gone: NonNullable<Wish["gone"]>,
  place: Position | undefined,
): Refused {
  const isOther = gone === "another object has its id";
  const todo = isOther
    ? 'type "pulumi refresh", then set adopt: true, or remove the resource from the program'
    : resource.wanted === undefined
      ? 'the program does not have it either: "pulumi up" takes it out of state'
      : 'remove the resource from the program, or run "pulumi up --refresh", which makes it again';
  return {
    ...{ object: objectOf(resource), urn: resource.urn, label: "(the whole of it)", how: "refused" },
    why: isOther ? "it is another object than the one in state" : "it was deleted in the console",
    ...{ todo, ...(place && { place }) },
  };
}

/** Longest text to type, characters. */
const longest = 1000;

/** Advice about an argument; a long value is cut. */
export function adviceFor({ definition }: Resource, { name, live }: NewValue): Advice {
  if (isNothing(live)) return { todo: `remove ${name}` };
  const schema = treeOf(definition)[name]?.node ?? {};
  if (schema.valueType === idList) {
    const ids = isObject(live) ? countOf(Number(live.count), "id") : "the ids";
    return { type: `${name}: the list of ${ids}, which is too long to show` };
  }
  const value = isObject(live) || Array.isArray(live) ? expressible(schema, live) : live;
  const text = `${name}: ${literalText(value, styleOf(""))}`;
  return { type: text.length > longest ? `${text.slice(0, longest - 3)}...` : text };
}

/** The resources of which something was written, or refused. */
export function urnsOf(outcomes: readonly Outcome[], how: Outcome["how"]): ReadonlySet<string> {
  return new Set(outcomes.flatMap((one) => (one.how === how ? [one.urn] : [])));
}

/** One line of what became of an argument. */
export function outcomeText(outcome: Outcome): string {
  const what = `${outcome.object} ${outcome.label}`;
  const place = outcome.place === undefined ? "" : ` ${placeText(outcome.place)}`;
  if (outcome.how === "accepted") return visible(`accepted${place}  ${what}`);
  const { todo: step } = outcome;
  const type = outcome.type && onOneLine(outcome.type);
  const typed = step === undefined ? `type ${type}` : `${step}, and type ${type} there`;
  const todo = type === undefined ? (step ?? "look at it") : typed;
  return visible(`refused ${place}  ${what}: ${outcome.why}; ${todo}`);
}

/** A literal on one line. Line ends in its texts are escaped. */
function onOneLine(literal: string): string {
  return literal.replaceAll(/,?\n *(?=[\]}])/g, " ").replaceAll(/\n */g, " ");
}

/** The outcomes that a person has to carry out; none where all were written. */
export function refusedPart(outcomes: readonly Outcome[], stack: string): Section[] {
  const refused = outcomes.filter(({ how }) => how === "refused").map(outcomeText);
  if (refused.length === 0) return [];
  const advice = `Where several stacks run this program, change what it reads for ${stack} instead: typed text would count for all of them.`;
  return [{ title: "Not written into the program:", parts: [...refused, advice] }];
}
