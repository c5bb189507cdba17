import { textOf } from "../schema/json";
import { kindInWords } from "../schema/references";
import { UNKNOWN, unknownText } from "../schema/unknown";
import { quote, visible } from "../texts/issue-text";
import { hiddenValue } from "../texts/secret-texts";

export { hiddenValue, unknownText };

/** First words of each line of a preview that foretells a failure: reports know such lines by them. */
const failureMark = "This update will fail: ";

/** A line of a preview about a reason for which the update will fail. */
export function willFail(reason: string): string {
  return `${failureMark}${reason}`;
}

/** The reason in such a line; undefined for any other line. */
export function failureIn(line: string): string | undefined {
  return line.startsWith(failureMark) ? line.slice(failureMark.length) : undefined;
}

/** Letters, digits and what stands in addresses, versions and dates: such a text needs no quotes. */
const plainText = /^[\p{L}\p{N}@$*_.+:/#%-][\p{L}\p{N}@$*_.+:/#%\- ]{0,58}$/u;

/** A value in a sentence: a plain text as it is, any other quoted and cut. */
export function textIn(value: unknown): string {
  if (value === UNKNOWN) return unknownText;
  if (
    value === hiddenValue ||
    (typeof value === "string" && plainText.test(value) && visible(value) === value)
  )
    return value;
  return typeof value === "string" || typeof value === "object" ? quote(value) : textOf(value);
}

/** A name in a sentence, always in quotes. */
export function nameIn(name: unknown): string {
  return quote(name);
}

/** `12.5 %`; the console keeps two decimals. */
export function percentText(share: number): string {
  return `${Number(share.toFixed(2))} %`;
}

/** `2026-11-22 10:03 UTC`, of milliseconds since 1970. */
export function timeText(time: number): string {
  // No calendar holds such a time.
  if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) return String(time);
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** The name of an argument in a sentence: `target apps` for `targetApps`. */
export function argumentText(name: string): string {
  return kindInWords(name);
}
