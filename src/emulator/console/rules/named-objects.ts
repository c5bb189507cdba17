import { conditionType, shapeOf } from "../../../provider/definitions/parts/condition-types";
import type { FieldMessage } from "../../../provider/schema/errors";
import { type JsonObject, objectsIn } from "../../../provider/schema/json";
import { kindInWords } from "../../../provider/schema/references";
import type { World } from "../../store/store";
import type { Call } from "../behaviour";
import { invalid, Refusal, sentence } from "./outcomes";
import { environmentsOf } from "./project-rules";
import { conditionsOf, rulesOf } from "./rules";

/**
 * Refuses rules that name what is not there. Looks only at what the body says, and as far as the switches demand. The texts are ours,
 * after the one of holdouts.
 */
export function refuseUnknownNames({ world, switches }: Call, sent: JsonObject, item: JsonObject): void {
  const findings = placedRules(sent, item);
  if (switches.unknownReferences === "refuse") {
    const errors = findings.flatMap(([place, rule]) => unknownTargets(world, place, rule));
    if (errors.length > 0) throw new Refusal(404, "Not Found Exception", errors);
  }
  if (switches.unknownEnvironments === "refuse") {
    const known = new Set(environmentsOf(world).map(({ name }) => name));
    const errors = findings.flatMap(([place, rule]) => unknownEnvironments(known, place, rule));
    if (errors.length > 0) throw invalid(errors);
  }
  if (switches.unusualOperators === "refuse") {
    const errors = findings.flatMap(([place, rule]) => unusualOperators(place, rule));
    if (errors.length > 0) throw invalid(errors);
  }
}

type Placed = readonly [place: string, rule: JsonObject];

/** The rules that a body says, those of a pipeline's phases too, with their places. */
function placedRules(sent: JsonObject, item: JsonObject): Placed[] {
  const own = sent.rules === undefined ? [] : placed("rules", item);
  const phases = sent.phases === undefined ? [] : objectsIn(item.phases);
  return [...own, ...phases.flatMap((phase, index) => placed(`phases.${index}.rules`, phase))];
}

function placed(place: string, holder: JsonObject): Placed[] {
  return rulesOf(holder).map((rule, index): Placed => [`${place}.${index}`, rule]);
}

function unknownTargets(world: World, place: string, rule: JsonObject): FieldMessage[] {
  return conditionsOf(rule).flatMap(({ type, targetValue }, index) => {
    const kind = conditionType(type)?.refersTo;
    if (kind === undefined) return [];
    const unknown = [targetValue].flat().filter((id) => world.get(kind, String(id)) === undefined);
    if (unknown.length === 0) return [];
    const title = sentence(kindInWords(kind));
    const errorMessage = `The following ${title} IDs could not be found: [${unknown.join(", ")}]`;
    return [{ property: `${place}.conditions.${index}.targetValue`, errorMessage }];
  });
}

function unknownEnvironments(known: ReadonlySet<unknown>, place: string, rule: JsonObject): FieldMessage[] {
  const tiers = conditionsOf(rule).map(({ type, targetValue }, index) => ({
    property: `${place}.conditions.${index}.targetValue`,
    names: conditionType(type)?.names === "environments" ? [targetValue ?? []].flat() : [],
  }));
  const limited = { property: `${place}.environments`, names: [rule.environments ?? []].flat() };
  return [limited, ...tiers].flatMap(({ property, names }) => {
    const unknown = names.filter((name) => !known.has(name));
    return unknown.length === 0
      ? []
      : [{ property, errorMessage: `Unknown environment(s): [${unknown.join(", ")}]` }];
  });
}

function unusualOperators(place: string, rule: JsonObject): FieldMessage[] {
  return conditionsOf(rule).flatMap(({ type, operator }, index) => {
    const known = conditionType(type);
    const said = typeof operator === "string" ? operator : "";
    if (known === undefined || shapeOf(known, said) !== undefined) return [];
    const errorMessage = `Invalid operator '${said}' for condition type '${String(type)}'`;
    return [{ property: `${place}.conditions.${index}.operator`, errorMessage }];
  });
}
