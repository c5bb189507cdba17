import { readFileSync } from "node:fs";
import path from "node:path";
import { stateRead } from "../../policy/src/pack";
import { type Example, type Finding, type Parameter, parametersOf, type Rule } from "../../policy/src/rule";
import { rules } from "../../policy/src/rules";
import { typePrefix } from "../../src/provider/pulumi/stored-names";
import { kindOfType } from "../../src/tools/facts";
import { list, names, section, withPart } from "./markdown";

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

/** A part for each rule. */
function rulesText(rules: readonly Rule[]): string {
  const described = new Map<string, string>();
  const parts = rules.map((rule) => ruleText(rule, described));
  const last = section(`### ${stateRead}`, "The state of the stack can be read. *Mandatory.*\n");
  return [...parts, last].join("").trimStart();
}

function ruleText(rule: Rule, described: Map<string, string>): string {
  const messages = judgedExample(rule, rule.examples.violated).flatMap((finding) =>
    "message" in finding ? [`> ${finding.message}\n`] : [],
  );
  const level = rule.level === "mandatory" ? "Mandatory" : "Advisory";
  return section(
    `### ${rule.name}`,
    `${rule.description} *${level}${rule.needs === "state" ? "; reads the state" : ""}.*\n`,
    messages.join(">\n"),
    parametersText(rule, described),
  );
}

/** `described`: the rule that describes a parameter, by its text. A later rule with the same parameter refers to it. */
function parametersText(rule: Rule, described: Map<string, string>): string {
  const parameters = Object.entries<Parameter>(rule.parameters).map(([name, parameter]) => {
    const text = `\`${name}\` (\`${JSON.stringify(parameter.default)}\`): ${parameter.description}`;
    const elsewhere = described.get(text);
    described.set(text, elsewhere ?? rule.name);
    return { name, text, elsewhere };
  });
  const same = (other: string) => parameters.filter(({ elsewhere }) => elsewhere === other);
  const others = [...new Set(parameters.flatMap(({ elsewhere }) => elsewhere ?? []))];
  return list([
    ...parameters.flatMap(({ text, elsewhere }) => (elsewhere === undefined ? [text] : [])),
    ...others.map(
      (other) => `${names(same(other).map(({ name }) => name))}: as for [\`${other}\`](#${other})`,
    ),
  ]);
}
