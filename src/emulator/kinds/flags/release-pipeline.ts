import { catalog } from "../../../provider/definitions/index";
import { type JsonObject, objectsIn } from "../../../provider/schema/json";
import type { Behaviour, Call, Ports } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { isInRollout } from "../../console/releases";
import { Refusal } from "../../console/rules/outcomes";
import { refuseIncomplete } from "../../console/rules/rules";
import { isArchived } from "../../store/items";
import { dynamicConfig } from "./dynamic-config";
import { gate } from "./gate";

/** Kinds whose objects name a pipeline. */
const users: readonly Behaviour[] = [gate, dynamicConfig];

/**
 * For a pipeline in use nothing is published: refused, with a text of ours (console-api/delivery.md, 3.2). What is archived does not use
 * it any more (assumption).
 */
function refuseUsed({ world }: Call, id: string): void {
  const naming = users.flatMap((behaviour) =>
    world
      .list(behaviour.definition.name, true)
      .filter((item) => item.releasePipelineID === id && !isArchived(behaviour, item))
      .map((item) => `${behaviour.definition.title} ${String(item.id)}`),
  );
  if (naming.length > 0) throw new Refusal(400, `The release pipeline is in use by ${naming.join(", ")}`);
}

const inRolloutText = "A release goes through this release pipeline: it cannot be changed until its end";

/** Behaviour of release pipelines. */
export const releasePipeline = defineBehaviour({
  definition: catalog.releasePipeline,
  refuseRemoval: refuseUsed,
  refuseChange(call, id) {
    // The text is ours: that the service refuses it, its guides say.
    if (call.switches.pipelineInRollout === "refuse" && isInRollout(call, id))
      throw new Refusal(400, inRolloutText);
  },
  settle({ before, after, ports, switches }) {
    objectsIn(after.phases).forEach((phase, index) => {
      refuseIncomplete(objectsIn(phase.rules), switches, `phases.${index}.rules`);
    });
    const phases = withIds(before?.phases, after.phases, ports).map((phase) => {
      const former = objectsIn(before?.phases).find(({ id }) => id === phase.id);
      const rules = withIds(former?.rules, phase.rules, ports);
      return { ...phase, rules: rules.map((rule) => ({ ...rule, environments: rule.environments ?? null })) };
    });
    return { ...after, phases };
  },
});

/** An element that is sent with the id of a former one stays that one; any other is new. */
function withIds(before: unknown, sent: unknown, ports: Ports): JsonObject[] {
  const known = new Set(objectsIn(before).map(({ id }) => id));
  return objectsIn(sent).map((one) => ({ ...one, id: known.has(one.id) ? one.id : ports.makeId() }));
}
