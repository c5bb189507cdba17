import type { Operation } from "./behaviour";

/** The same, where `{id}` may also be the id inside the console (console-api/corrections.md, section 1). */
export function byNameOrId({ run, ...rest }: Operation): Operation {
  return {
    ...rest,
    run(call) {
      const said = call.params.id ?? "";
      const collection = call.behaviour.definition.name;
      const found =
        call.world.get(collection, said) ?? call.world.list(collection, true).find(({ id }) => id === said);
      return run({ ...call, params: { ...call.params, name: String(found?.name ?? said) } });
    },
  };
}

/** An operation whose path calls the object's name `{id}` (console-api, section 8: tags, roles, unit id types). */
export function byName({ run, ...rest }: Operation): Operation {
  return { ...rest, run: (call) => run({ ...call, params: { ...call.params, name: call.params.id ?? "" } }) };
}
