import type { JsonObject } from "../../schema/json";
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
    const texts = [inputs?.__provider, outputs?.__provider].filter((text) => text !== undefined);
    const isOwn = texts.every((text) => typeof text === "string" && ownText.test(text));
    return type.startsWith(typePrefix) && !isOwn ? [urn] : [];
  });
}

/** What to tell where a state holds such code. */
export function foreignCodeText([urn = "", ...others]: readonly string[]): string {
  const more = others.length === 0 ? "" : ` and of ${others.length} more`;
  return `The state holds code that is not this package's as the provider of ${urn}${more}: a refresh or a destroy would run it with the key of that run.`;
}

/** What to do about it. */
export const foreignCodeAdvice: string =
  "Run nothing with a key; find out who could write the state, and put a state from before in its place with pulumi stack import.";
