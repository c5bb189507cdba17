import { auditOf } from "../../../provider/schema/audit";
import type { ResourceDefinition } from "../../../provider/schema/define";
import { isObject, type JsonObject } from "../../../provider/schema/json";
import { isStatusOfConsole } from "../../../provider/values/console-owned";
import { refreshFinds } from "../../../provider/values/managed";
import { hiddenValue } from "../../../provider/words";

/**
 * True where somebody changed an object in the console since state was last read, and a refresh would show what. What is left to
 * the console is no such change: a refresh passes it over, and keeps the time of the last change as it was.
 */
export function hasUnreadEdit(definition: ResourceDefinition, state: JsonObject, live: JsonObject): boolean {
  const [known, now] = [state, live].map((values) => auditOf(definition, values).changed);
  if (known === undefined || now === undefined || now <= known) return false;
  return refreshFinds(definition, state, comparable(definition, state, live));
}

/** The live object as a list shows it, with what the state alone holds, and without what is the console's own or hidden. */
export function comparable(definition: ResourceDefinition, state: JsonObject, live: JsonObject): JsonObject {
  const values = Object.keys(definition.fields).map((name) => {
    const isOfState = live[name] === undefined || isStatusOfConsole(definition, name, state, live);
    return [name, isOfState ? state[name] : withSecretsOf(state[name], live[name])];
  });
  return { ...live, ...Object.fromEntries(values) };
}

/** A live value that is hidden where the state hides it: whether a secret changed, nobody can tell. */
function withSecretsOf(known: unknown, live: unknown): unknown {
  if (known === hiddenValue) return known;
  if (Array.isArray(known) && Array.isArray(live))
    return live.map((one: unknown, at) => withSecretsOf(known[at], one));
  if (!isObject(known) || !isObject(live)) return live;
  return Object.fromEntries(
    Object.entries(live).map(([name, value]) => [name, withSecretsOf(known[name], value)]),
  );
}
