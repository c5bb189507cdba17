import type { JsonObject } from "../../../provider/schema/json";
import type { Behaviour, Call } from "../behaviour";
import { answerItem, members } from "../item-operations";

/** Behaviour of settings, of which a project has one of each kind. `first`: those of a new project (assumption). */
export function settingsOf(definition: Behaviour["definition"], first: JsonObject): Behaviour {
  const id = "project";
  const held = ({ world }: Call): JsonObject => world.get(definition.name, id) ?? first;
  return {
    definition,
    operations: {
      get: (call) => answerItem(call, held(call), "read"),
      replace: (call) => {
        call.world.put(definition.name, id, members(call));
        return answerItem(call, members(call), "updated");
      },
    },
  };
}
