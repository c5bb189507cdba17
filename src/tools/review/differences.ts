import type { ResourceDefinition } from "../../provider/schema/define";
import { isInternal } from "../../provider/schema/internal";
import { equalJson, type JsonObject, membersOf } from "../../provider/schema/json";
import { type Path, pathText, replacedAt, valueAt } from "../../provider/schema/path";
import { sameMeaning } from "../../provider/values/compare";
import { hiddenValue, sentenceText } from "../../provider/words";
import { describe } from "./changes/statements";
import type { ChangingObject } from "./subjects";

/** Values of an object on one side of a comparison, and the paths in them that nothing may show. */
export interface Side {
  readonly values: JsonObject;
  readonly secrets: readonly Path[];
}

/** Names of the arguments in which two sets of values differ in meaning. */
export function differingArguments(definition: ResourceDefinition, one: JsonObject, other: JsonObject) {
  const names = Object.keys({ ...one, ...other }).filter((name) => !isInternal(name));
  return names.filter((name) => !sameMeaning(definition, name, one[name], other[name]));
}

/** The change of an object from one side to the other, in the words of the report; undefined where they are alike. */
export function differenceOf(
  definition: ResourceDefinition,
  before: Side,
  after: Side,
  more: Partial<Pick<ChangingObject, "act" | "called" | "unset">> = {},
) {
  const names = differingArguments(definition, before.values, after.values);
  if (names.length === 0) return undefined;
  const own = names.filter((name) => definition.fields[name]?.traits.secret === true).map((name) => [name]);
  const secrets = [...before.secrets, ...after.secrets, ...own];
  const hidden = ({ values }: Side) =>
    secrets
      .filter((path) => names.includes(String(path[0])) && valueAt(values, path) !== undefined)
      .reduce((all, path) => replacedAt(all, path, () => hiddenValue) as JsonObject, values);
  const program = hidden(after);
  const isChanged = (path: Path) => !equalJson(valueAt(before.values, path), valueAt(after.values, path));
  return describe({
    ...{ definition, before: hidden(before), program, called: "", act: "update" },
    // An argument that the second side does not set is emptied: undefined.
    changes: membersOf(names, (name) => program[name]),
    changedPaths: secrets.filter(isChanged).map(pathText),
    ...more,
  });
}

/** The same, a sentence for each change; none where they are alike. */
export function changeTexts(...sides: Parameters<typeof differenceOf>): string[] {
  const statements = differenceOf(...sides)?.statements ?? [];
  return statements.filter(({ about }) => about !== "rest").map(sentenceText);
}
