import { readFileSync } from "node:fs";
import path from "node:path";
import { stateRead } from "../../policy/src/pack";
import { type Example, type Finding, type Parameter, parametersOf, type Rule } from "../../policy/src/rule";
import { rules } from "../../policy/src/rules";
import { typePrefix } from "../../src/provider/pulumi/stored-names";
import { kindOfType } from "../../src/tools/facts";
import { section, table, withPart } from "./markdown";

/** The day on which the examples of the page are judged. */
const someDay = new Date("2026-11-22T15:00:00Z");

/** What a rule says of an example. */
export function judgedExample(rule: Rule, example: Example, now: Date = someDay): readonly Finding[] {
  const kind = kindOfType(`${typePrefix}${example.kind}`);
  if (kind === undefined) throw new Error(`there is no kind ${example.kind}`);
  const parameters = parametersOf(rule, example.parameters ?? {});
  const circumstances = { now, environment: example.environment ?? {} };
  const { args, before, leaves } = example;
  const name = "checkout";
  if (leaves === undefined)
    return rule.judge?.({ name, kind, args, before, isChanged: true }, parameters, circumstances) ?? [];
  const leaving = { name, kind, state: { ...before }, how: "archive", ...leaves } as const;
  return rule.judgeLeaving?.(leaving, parameters, circumstances) ?? [];
}

/** The page that tells of the policy pack, among what people write. */
export const policiesFile = "docs/policies.md";

/** That page as it has to be. */
export function policiesText(root: string): string {
  const page = readFileSync(path.join(root, policiesFile), "utf8");
  return withPart(page, { file: policiesFile, part: "rules" }, rulesText(rules));
}

/** A table of all rules, and a part for each. */
function rulesText(rules: readonly Rule[]): string {
  const rows = rules.map(({ name, description, level, needs }) => [
    `[\`${name}\`](#${name})`,
    description,
    level,
    needs === "state" ? "the state" : "the program alone",
  ]);
  const last = [`\`${stateRead}\``, "The state of the stack can be read.", "mandatory", "the state"];
  return (
    table(["rule", "requirement", "default level", "reads"], [...rows, last]) + rules.map(ruleText).join("")
  );
}

function ruleText(rule: Rule): string {
  const parameters = Object.entries<Parameter>(rule.parameters).map(([name, parameter]) => [
    `\`${name}\``,
    parameter.description,
    `\`${JSON.stringify(parameter.default)}\``,
  ]);
  const messages = judgedExample(rule, rule.examples.violated).flatMap((finding) =>
    "message" in finding ? [`> ${finding.message}\n`] : [],
  );
  return section(
    `### ${rule.name}`,
    messages.join(">\n"),
    table(["parameter", "meaning", "default"], parameters),
  );
}
