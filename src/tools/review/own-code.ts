import {
  codeOf,
  foreignCode,
  foreignCodeAdvice,
  foreignCodeText,
  otherCode,
  otherCodeAdvice,
  otherCodeText,
} from "../../provider/pulumi/runs/foreign-code";
import type { PreviewResult } from "./preview-json";

/** @throws Error where the state that a preview shows holds code of somebody else: nothing that it says can be relied on. */
export function requireOwnCode({ steps }: PreviewResult): void {
  const states = steps.flatMap(({ oldState }) => (oldState === undefined ? [] : [oldState]));
  const urns = foreignCode(states);
  if (urns.length > 0) throw new Error(`${foreignCodeText(urns)} ${foreignCodeAdvice}`);
}

/** Code in the state that neither this package nor the program brings, as a preview shows it, in one note; none where it reports it itself. */
export function otherCodeNotes({ steps, diagnostics }: PreviewResult): string[] {
  const states = steps.flatMap(({ oldState }) => (oldState === undefined ? [] : [oldState]));
  const registered = steps.flatMap(({ newState }) => {
    const text = newState?.inputs?.__provider;
    // A secret is not shown, so nobody can compare it.
    return newState === undefined || typeof text !== "string" || isHiddenText(text)
      ? []
      : [codeOf(newState.type, text)];
  });
  const urns = otherCode(states, new Set(registered));
  if (urns.length === 0) return [];
  const note = `${otherCodeText(urns, true)} ${otherCodeAdvice}`;
  return diagnostics.some(({ message }) => message === note) ? [] : [note];
}

/** What Pulumi shows in the place of a secret. */
const isHiddenText = (text: string): boolean => text === "[secret]";
