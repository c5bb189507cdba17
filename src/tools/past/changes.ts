import { isArchived } from "../../provider/decisions/plan";
import { inputNames, type ResourceDefinition } from "../../provider/schema/define";
import { type JsonObject, picked } from "../../provider/schema/json";
import { sameMeaning } from "../../provider/values/compare";
import { viewOf } from "../../provider/values/managed";
import { exclusiveWith } from "../../provider/values/states";
import { hiddenValue, sentenceText } from "../../provider/words";
import { describe } from "../review/changes/statements";
import type { Resource } from "../stack/resources";

/** An object whose forms are compared. `secrets`: of the resource, which nothing may show. */
type Compared = Pick<Resource, "definition" | "secrets">;

/** Changes from one form of an object to another, a sentence each, in the words of the report. */
export function changesBetween(object: Compared, before: JsonObject, after: JsonObject): string[] {
  const { definition } = object;
  const [was, is] = [before, after].map((form) =>
    picked(viewOf(definition, form), comparedNames(definition)),
  );
  const changed = differingNames(definition, before, after);
  const secret = hiddenNames(object).filter((name) => changed.includes(name));
  const hidden = Object.fromEntries(secret.map((name) => [name, hiddenValue]));
  const program = { ...is, ...hidden };
  const comesBack = isArchived(definition, before) && !isArchived(definition, after);
  const { statements } = describe({
    ...{
      definition,
      program,
      before: { ...was, ...hidden },
      called: "",
      act: comesBack ? "restore" : "update",
    },
    changes: Object.fromEntries(changed.map((name) => [name, program[name]])),
    changedPaths: secret,
  });
  const texts = statements.filter(({ about }) => about !== "rest").map(sentenceText);
  return comesBack ? ["comes back from the archive", ...texts] : texts;
}

/** Names of the arguments in which two forms of an object differ. */
export function differingNames(
  definition: ResourceDefinition,
  before: JsonObject,
  after: JsonObject,
): string[] {
  const [was = {}, is = {}] = [before, after].map((form) => viewOf(definition, form));
  return comparedNames(definition).filter((name) => !sameMeaning(definition, name, was[name], is[name]));
}

/** Arguments that reads show, of those with one meaning the first: the state says more than a switch. */
function comparedNames(definition: ResourceDefinition): string[] {
  const state = definition.lifecycle.archived?.field;
  const twins = state === undefined ? [] : exclusiveWith(definition, state);
  return inputNames(definition).filter((name) => {
    const { aliasOf, remembered } = definition.fields[name]?.traits ?? {};
    return aliasOf === undefined && remembered !== true && !twins.includes(name);
  });
}

function hiddenNames({ definition, secrets }: Compared): string[] {
  const secret = inputNames(definition).filter((name) => definition.fields[name]?.traits.secret === true);
  return [...new Set([...secret, ...secrets.map(([name]) => String(name))])];
}
