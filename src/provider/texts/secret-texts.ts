import { hash } from "node:crypto";
import type { JsonObject } from "../schema/json";
import { type Path, valueAt } from "../schema/path";
import { quote } from "./issue-text";

/** Text in the place of a secret, as in Pulumi's own previews. */
export const hiddenValue = "[secret]";

/** A secret text of fewer characters may well be part of a word that has nothing to do with it. */
const short = 6;

/** In a message a value is quoted, or stands as it is. */
interface Shown {
  readonly text: string;
  /** True for what counts as the secret only where it stands by itself. */
  readonly alone: boolean;
}

/** Texts of secrets that a message must hide. Longest first, because one may be part of another. */
export type SecretTexts = readonly Shown[];

/**
 * Texts for values that are secrets in any of several sets of arguments: at a path, below it, and around it. `paths`: places of secrets.
 */
export function secretTexts(sets: readonly JsonObject[], paths: readonly Path[]): SecretTexts {
  const texts = new Map<string, Shown>();
  const note = (value: unknown) => {
    for (const one of shownAs(value)) texts.set(one.text, one);
  };
  for (const args of sets) {
    for (const path of paths) {
      const value = valueAt(args, path);
      if (value === undefined) continue;
      path.forEach((_, depth) => {
        if (depth > 0) note(valueAt(args, path.slice(0, depth)));
      });
      for (const inner of allIn(value)) note(inner);
    }
  }
  return [...texts.values()].sort((a, b) => b.text.length - a.text.length);
}

/** A message without the secrets. */
export function withoutSecrets(message: string, secrets: SecretTexts): string {
  return secrets.reduce((left, { text, alone }) => {
    if (!alone) return left.replaceAll(text, hiddenValue);
    return left.replace(
      new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(text)}(?![\\p{L}\\p{N}_])`, "gu"),
      hiddenValue,
    );
  }, message);
}

function shownAs(value: unknown): Shown[] {
  const quoted = quote(value);
  if (typeof value !== "string")
    return [{ text: quoted, alone: typeof value !== "object" || value === null }];
  const plain = value === "" ? [] : [{ text: value, alone: value.length < short }];
  return [{ text: quoted, alone: false }, ...plain];
}

function* allIn(value: unknown): Generator<unknown> {
  yield value;
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) yield* allIn(inner);
}

/** A text for a pattern that matches it. */
export function escaped(text: string): string {
  // Not a hyphen: patterns of Unicode texts refuse one that is escaped.
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** A text that tells a secret from others and leads nobody back to it: 128 bits of its SHA-256, in hexadecimal digits. */
export function secretDigest(secret: string): string {
  return hash("sha256", secret).slice(0, 32);
}

/** A digest of any text, in twelve characters: enough to tell the few values of one field apart. */
export function textDigest(text: string): string {
  return hash("sha256", text).slice(0, 12);
}
