import type { Operation } from "./behaviour";

/** An operation whose path calls the object's name `{id}` (console-api, section 8: tags, roles, unit id types). */
export function byName({ run, ...rest }: Operation): Operation {
  return { ...rest, run: (call) => run({ ...call, params: { ...call.params, name: call.params.id ?? "" } }) };
}
