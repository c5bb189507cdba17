import { catalog } from "../../../provider/definitions/index";
import { objectsIn } from "../../../provider/schema/json";
import type { Call } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { answerItem, bodyOf } from "../../console/item-operations";
import { invalidMember, refuseDuplicates } from "../../console/rules/outcomes";
import { environmentsOf, keepEnvironments } from "../../console/rules/project-rules";

/** The body is the whole list: what it leaves out is removed, and an entry without an id is a new one. */
function replaceAll(call: Call) {
  const sent = bodyOf(call).environments;
  const listed = objectsIn(sent);
  const names = listed.map(({ name }) => name);
  // Nothing is published about names given twice; the text is ours.
  refuseDuplicates("environments", names, "Duplicate environment name(s) given");
  // That it is refused, the service's guides say; status and text are ours.
  if (listed.filter(({ isProduction }) => isProduction === true).length !== 1)
    throw invalidMember("environments", "Exactly one environment must be production");
  const environments = listed.map((one) => ({
    ...one,
    id: one.id || `0.${Math.trunc(call.ports.clock())}${call.ports.makeId()}`,
  }));
  keepEnvironments(call.world, environments);
  return answerItem(call, { environments }, "updated");
}

/** Behaviour of the environments of the one project. */
export const environments = defineBehaviour({
  definition: catalog.environments,
  operations: {
    get: (call) => answerItem(call, { environments: environmentsOf(call.world) }, "read"),
    replace: replaceAll,
  },
});
