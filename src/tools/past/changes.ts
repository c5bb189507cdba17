import { comesBack } from "../../provider/decisions/plan";
import { inputNames, type ResourceDefinition } from "../../provider/schema/define";
import { type JsonObject, picked } from "../../provider/schema/json";
import { viewOf } from "../../provider/values/managed";
import { exclusiveWith } from "../../provider/values/states";
import { changeTexts, differingArguments } from "../review";
import type { Resource } from "../stack/resources";

/** An object whose forms are compared. `secrets`: of the resource, which nothing may show. */
type Compared = Pick<Resource, "definition" | "secrets">;

/** Changes from one form of an object to another, a sentence each, in the words of the report. */
export function changesBetween({ definition, secrets }: Compared, before: JsonObject, after: JsonObject) {
  // Elements of former forms may stand at other places: an argument that holds a secret anywhere is not shown at all.
  const hidden = secrets.map(([name]) => [String(name)]);
  const sideOf = (form: JsonObject) => ({ values: argumentsIn(definition, form), secrets: hidden });
  const isBack = comesBack(definition, before, after);
  const act = isBack ? "restore" : "update";
  const texts = changeTexts(definition, sideOf(before), sideOf(after), { act });
  return isBack ? ["comes back from the archive", ...texts] : texts;
}

/** Names of the arguments in which two forms of an object differ. */
export function differingNames(definition: ResourceDefinition, before: JsonObject, after: JsonObject) {
  return differingArguments(definition, argumentsIn(definition, before), argumentsIn(definition, after));
}

/** The arguments that a form of an object shows, of those with one meaning the first: the state says more than a switch. */
function argumentsIn(definition: ResourceDefinition, form: JsonObject): JsonObject {
  const state = definition.lifecycle.archived?.field;
  const twins = state === undefined ? [] : exclusiveWith(definition, state);
  const names = inputNames(definition).filter((name) => {
    const { aliasOf, remembered } = definition.fields[name]?.traits ?? {};
    return aliasOf === undefined && remembered !== true && !twins.includes(name);
  });
  return picked(viewOf(definition, form), names);
}
