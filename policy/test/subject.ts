import { judgedExample } from "../../scripts/generate/policies";
import type { Example, Rule } from "../src/rule";

/** The messages of a rule about an object. */
export function messagesOf(rule: Rule, example: Example, now?: Date): string[] {
  return judgedExample(rule, example, now).flatMap((finding) =>
    "message" in finding ? [finding.message] : [],
  );
}
