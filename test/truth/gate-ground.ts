import { isObject, type JsonObject } from "../../src/provider/schema/json";
import type { Ground, Verdict } from "./ground";
import { answersAround, type Group, type TwoAnswers } from "./people";
import { type Environment, environments, users } from "./users";

export type Side = "before" | "after";

export function rulesOf(item: JsonObject | undefined): readonly JsonObject[] {
  return Array.isArray(item?.rules) ? item.rules.filter(isObject) : [];
}

export function ruleIn(item: JsonObject | undefined, name: string): JsonObject | undefined {
  return rulesOf(item).find((rule) => rule.name === name);
}

export function isOn(item: JsonObject | undefined): boolean {
  return item?.isEnabled === true && item.status !== "Archived";
}

export function around(ground: Ground, environment: Environment): TwoAnswers {
  const { before, after } = ground.played;
  return answersAround(String(ground.change.called), environment, before.evaluation, after.evaluation);
}

export function everywhere(ground: Ground, holds: (answers: TwoAnswers) => boolean): boolean {
  return environments.every((environment) => holds(around(ground, environment)));
}

/** True where the report says that it does not know what the console has. */
export function saysOwn({ change }: Ground): boolean {
  return change.inConsole === "not known";
}

export function namesIn(text: string): string[] {
  return [...text.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
}

export function nameAll({ named }: Ground, environment: Environment, group: Group): void {
  const known = named.get(environment) ?? new Set<number>();
  for (const at of group) known.add(at);
  named.set(environment, known);
}

export function nameEverybody(ground: Ground): Verdict {
  for (const environment of environments)
    nameAll(
      ground,
      environment,
      users.map((_, at) => at),
    );
  return undefined;
}
