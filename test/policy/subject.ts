import { type Example, type Finding, parametersOf, type Rule } from "../../policy/src/rule";
import { type JsonObject, kindOfType } from "../../src/facts";
import { typePrefix } from "../../src/pulumi/stored-names";

const now = new Date("2026-11-22T15:00:00Z");

/** What a rule says of an object. Left out of `parameters`: their defaults. */
export function judged(rule: Rule, example: Example, at: Date = now): readonly Finding[] {
  const kind = kindOfType(`${typePrefix}${example.kind}`);
  if (kind === undefined) throw new Error(`there is no kind ${example.kind}`);
  const parameters = parametersOf(rule, example.parameters ?? {});
  const circumstances = { now: at, environment: example.environment ?? {} };
  const { args, before, leaves } = example;
  if (leaves !== undefined) {
    const state: JsonObject = { ...before };
    const leaving = { name: "checkout", kind, state, how: "archive", ...leaves } as const;
    return rule.judgeLeaving?.(leaving, parameters, circumstances) ?? [];
  }
  return (
    rule.judge?.({ name: "checkout", kind, args, before, isChanged: true }, parameters, circumstances) ?? []
  );
}

/** The messages alone. */
export function messagesOf(rule: Rule, example: Example, at: Date = now): string[] {
  return judged(rule, example, at).flatMap((finding) => ("message" in finding ? [finding.message] : []));
}
