import type { TextlintRuleModule } from "@textlint/kernel";
import { SentenceSplitterSyntax, split } from "sentence-splitter";

/** The longest sentence, in words. A name in code type is one word. */
const longestSentence = 30;

/** A rule of language: a pattern that no sentence has, and what to write instead. */
interface Habit {
  readonly pattern: RegExp;
  readonly instead: string;
}

const habits: Readonly<Record<string, Habit>> = {
  "bare-subject": {
    pattern: /^(?:What|Whoever|One that)\b(?!.*\?$)/s,
    instead: "begin with a noun",
  },
  tell: {
    pattern: /\b(?:tells?|told|telling)\b/i,
    instead: "programs set, previews show, messages report, the console stores and returns",
  },
  say: {
    pattern: /\b(?:says?|said|saying)\b/i,
    instead: "programs set, previews show, messages report, the console stores and returns",
  },
  somebody: {
    pattern: /\b(?:somebody|nobody(?! passes))\b/i,
    instead: "name the person or the program",
  },
  filler: { pattern: /\b(?:simply|just|easily)\b/i, instead: "leave it out" },
};

/** The parts of a document that are read as sentences. */
interface TextNode {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly TextNode[];
}

/** The rules that a machine can hold, as one rule of textlint. It reports the name of the habit and the sentence. */
export const sentenceRule: TextlintRuleModule = ({ Syntax, RuleError, getSource, locator, report }) => {
  const check = (node: Parameters<typeof report>[0]) => {
    const text = plainText(node as unknown as TextNode);
    for (const { value, start } of sentencesOf(text)) {
      const lines = text.slice(0, start).split("\n").length - 1;
      for (const finding of findingsIn(value))
        report(node, new RuleError(finding, { padding: locator.at(lineStart(getSource(node), lines)) }));
    }
  };
  return { [Syntax.Paragraph]: check, [Syntax.Header]: check, TableCell: check };
};

/** What is wrong with a sentence. */
export function findingsIn(sentence: string): string[] {
  const shown = JSON.stringify(sentence.replaceAll(/\s+/g, " "));
  const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}`]/u.test(word)).length;
  const found = Object.entries(habits)
    .filter(([, { pattern }]) => pattern.test(sentence))
    .map(([name, { instead }]) => `${name} (${instead}): ${shown}`);
  return words > longestSentence
    ? [...found, `length (${words} words, at most ${longestSentence}): ${shown}`]
    : found;
}

function sentencesOf(text: string): { value: string; start: number }[] {
  return split(text)
    .filter(({ type }) => type === SentenceSplitterSyntax.Sentence)
    .map(({ raw, range: [start] }) => ({ value: raw, start }));
}

/** The words of a node, a line for each of its lines. Code is one word without full stops. */
function plainText(node: TextNode): string {
  if (node.type === "Code") return "`code`";
  if (node.type === "Break") return "\n";
  if (node.type === "Html" || node.type === "Image") return "";
  return node.children === undefined ? (node.value ?? "") : node.children.map(plainText).join("");
}

function lineStart(source: string, line: number): number {
  let at = 0;
  for (let passed = 0; passed < line; passed += 1) {
    const next = source.indexOf("\n", at);
    if (next < 0) return at;
    at = next + 1;
  }
  return at;
}
