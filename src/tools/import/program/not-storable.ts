import type { Unsaid } from "../../../provider/engine/expressed/smallest-form";
import { inputNames, type ResourceDefinition, wireName } from "../../../provider/schema/define";
import { type JsonObject, lossesOf } from "../../../provider/schema/json";
import { idMember } from "../../../provider/schema/object-id";
import { type Path, pathText, valueAt } from "../../../provider/schema/path";
import { holdsSigned, holdsUnknown } from "../../../provider/schema/unknown";
import { holdsDigits, textFormAt, textKeepsDigits } from "../../../provider/values/exact-numbers";

/** Values of an answer that no program can express. `item`: under the API's names; `live`: under ours. */
export function lostIn(definition: ResourceDefinition, item: JsonObject, live: JsonObject = {}): Unsaid[] {
  const names = new Map(inputNames(definition).map((name) => [wireName(definition, name), name]));
  const shown = lossesOf(item).flatMap(({ path: [first, ...rest], why }) => {
    const name = names.get(String(first));
    return name === undefined ? [] : [{ path: [name, ...rest], why }];
  });
  const isText = (path: Path) => textAt(definition, live, path) !== undefined;
  // A request of its own has read these.
  const apart = [...names].flatMap(([member, name]) =>
    item[member] === undefined ? lossesOf(live[name], [name]) : [],
  );
  return [...shown, ...apart]
    .filter(({ path }) => !isText(path))
    .map(({ path, why }) => ({ path: pathText(path), why }));
}

/** The text that a program sets in the place of a value in which a number loses digits. */
function textAt(definition: ResourceDefinition, live: JsonObject, path: Path): unknown {
  const text = textFormAt(definition, path);
  if (text === undefined) return undefined;
  const isTold = path.some((_, at) => {
    const told = valueAt(live, [...path.slice(0, at), text]);
    return textKeepsDigits(told) || holdsDigits(valueAt(live, path.slice(0, at + 1)));
  });
  return isTold ? text : undefined;
}

/** The id that an answer shows as it is; undefined where it shows none, or with half a character. */
export function wholeId(definition: ResourceDefinition, item: JsonObject): string | undefined {
  const member = idMember(definition);
  const id = item[member];
  const isWhole =
    typeof id === "string" && id !== "" && !lossesOf(item).some(({ path }) => path[0] === member);
  return isWhole ? id : undefined;
}

/** Why an object cannot be held in a state at all; undefined where it can. */
export function whyNotStorable(live: JsonObject): string | undefined {
  if (holdsUnknown(live)) return "it holds the text by which Pulumi marks an unknown value";
  return holdsSigned(live) ? "it holds a member by which Pulumi marks secrets and files" : undefined;
}
