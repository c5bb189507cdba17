import { type Change, lastChangeOf } from "../../provider/schema/audit";
import type { ResourceDefinition } from "../../provider/schema/define";
import type { JsonObject } from "../../provider/schema/json";
import { sameMeaning } from "../../provider/values/compare";
import { viewOf } from "../../provider/values/managed";

/**
 * Who gave a field the value that it has, and when. `forms`: the object as it is and as it was, newest first, back to what
 * was applied where the console keeps that; with the first alone it is who changed the object last.
 */
export function changeOf(definition: ResourceDefinition, forms: readonly JsonObject[], name: string): Change {
  const values = forms.map((form) => viewOf(definition, form)[name]);
  const at = values.findIndex(
    (value, index) => index + 1 < values.length && !sameMeaning(definition, name, value, values[index + 1]),
  );
  return lastChangeOf(definition, forms[Math.max(at, 0)] ?? {});
}
