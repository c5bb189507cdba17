import { everyKind } from "../../definitions";
import { type ObjectDefinition, routeOf } from "../../schema/define";
import { isConsoleError } from "../../schema/errors";
import type { JsonObject } from "../../schema/json";
import { quote } from "../../texts/issue-text";
import { nameOf } from "../context";
import type { WriteTarget } from "../send";

/** Reports, after an object was written, that the change waits for an approval, and how to give it. One read, where changes are staged. */
export async function reportWaiting({ context, definition, id, live }: WriteTarget): Promise<void> {
  const { staging } = definition.lifecycle;
  if (staging === undefined || typeof live[staging.field] !== "string" || live[staging.field] === "") return;
  const { by, waiting, stage, approval } = staging;
  const kind: ObjectDefinition = everyKind[staging.kind as keyof typeof everyKind];
  const fits = (one: JsonObject) =>
    one[by] === id && Object.entries(waiting).every(([member, value]) => one[member] === value);
  try {
    for await (const one of context.client.items(routeOf(kind, staging.list), {
      query: { [by]: id, ...waiting },
    })) {
      if (!fits(one)) continue;
      const args = `{ ${approval.change}: ${quote(one.id)}, ${approval.stage}: ${quote(one[stage.id])} }`;
      context.report(
        `${nameOf(definition, id)} waits for approval of ${quote(one[stage.name])}, trigger ${quote(one.id)}. ` +
          `Approve it in the console, or with new fc.${approval.kind}("NAME", ${args}).`,
      );
    }
  } catch (error) {
    // The change is made: that nobody can be told how it goes on is no failure of it.
    if (!isConsoleError(error)) throw error;
    context.report(
      `${nameOf(definition, id)}: not known whether its change waits for an approval: ${error.message}`,
    );
  }
}
