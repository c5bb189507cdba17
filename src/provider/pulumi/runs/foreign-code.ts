import type { JsonObject } from "../../schema/json";
import { countOf } from "../../texts/count-text";
import { visible } from "../../texts/issue-text";
import { typePrefix } from "../stored-names";

/** A resource as a state has it. */
interface Stored {
  readonly urn: string;
  readonly type: string;
  readonly inputs?: JsonObject | undefined;
  readonly outputs?: JsonObject | undefined;
}

const ownText = /^exports\.handler = \(\) => require\("pulumi-feature-console\/dynamic\/v1"\)\.\w+;$/;

/**
 * URNs of resources of this package whose state holds another provider text than its own. Pulumi evaluates that text in a refresh and
 * in a destroy: who writes it runs code there, with the key of that run.
 */
export function foreignCode(resources: Iterable<Stored>): string[] {
  return [...resources].flatMap(({ urn, type, inputs, outputs }) => {
    return type.startsWith(typePrefix) && !textsIn({ inputs, outputs }).every(isOwn) ? [urn] : [];
  });
}

/** Types of the resources whose provider Pulumi takes from the state, in programs of whichever language. */
const dynamicType = /^pulumi-(?:nodejs|python):/;

/**
 * URNs of dynamic resources of other types whose stored code would run and is not this package's. `known`: what the program itself
 * registers ({@link codeOf}), which is its own affair.
 */
export function otherCode(resources: Iterable<Stored>, known: ReadonlySet<string> = new Set()): string[] {
  return [...resources].flatMap(({ urn, type, inputs, outputs }) => {
    if (!dynamicType.test(type) || type.startsWith(typePrefix)) return [];
    const isKnown = (text: unknown) => isOwn(text) || known.has(codeOf(type, text));
    return textsIn({ inputs, outputs }).every(isKnown) ? [] : [urn];
  });
}

/** The code of a provider and the type of its resource, as one text. */
export function codeOf(type: string, text: unknown): string {
  return `${type}\n${typeof text === "string" ? text : JSON.stringify(text)}`;
}

function textsIn({ inputs, outputs }: Pick<Stored, "inputs" | "outputs">): unknown[] {
  return [inputs?.__provider, outputs?.__provider].filter((text) => text !== undefined);
}

function isOwn(text: unknown): boolean {
  return typeof text === "string" && ownText.test(text);
}

/** Most resources that one text names. */
const mostNamed = 50;

/** Warning of code in a state that is not this package's. `isCompared`: it was looked for in what the program registers. */
export function otherCodeText(urns: readonly string[], isCompared: boolean): string {
  const whose = isCompared ? "neither this package's nor this program's" : "not this package's";
  const more = urns.length > mostNamed ? ` and ${countOf(urns.length - mostNamed, "more resource")}` : "";
  return (
    `The state holds code that is ${whose}, as the provider of ${urns.slice(0, mostNamed).map(visible).join(", ")}${more}: ` +
    "a refresh, also with --preview-only, a removal and a destroy run it with the key of that run."
  );
}

/** Advice about it. */
export const otherCodeAdvice: string =
  "Unless a version of the program wrote it: run nothing with a key, and put a state from before in its place with pulumi stack import.";

/** Notice of a preview about it: the report leaves out what the preview has printed. */
export function otherCodeNotice(urns: readonly string[]): string {
  return `${otherCodeText(urns, true)} ${otherCodeAdvice}`;
}

/** Warning of a preview that could not look for such code. */
export function codeUncheckedText(why: string): string {
  return `The state was not read (${why}): not known whether it holds code that is not this package's, which a refresh or a destroy would run.`;
}

/** Warning of such code in a state. */
export function foreignCodeText([urn = "", ...others]: readonly string[]): string {
  const more = others.length === 0 ? "" : ` and of ${others.length} more`;
  return `The state holds code that is not this package's as the provider of ${urn}${more}: a refresh or a destroy would run it with the key of that run.`;
}

/** Advice about it. */
export const foreignCodeAdvice: string =
  "Run nothing with a key; find out who could write the state, and put a state from before in its place with pulumi stack import.";
