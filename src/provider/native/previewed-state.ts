import { namedPartLists, type ResourceDefinition } from "../schema/define";
import { isObject, type JsonObject } from "../schema/json";
import { expectedId } from "../schema/object-id";
import { holdsUnknown, UNKNOWN } from "../schema/unknown";
import { optionsOf } from "../values/options";

/** The id that a create will return; undefined where the console generates it, or nobody knows it yet. */
export function previewedId(definition: ResourceDefinition, args: JsonObject): string | undefined {
  const id = expectedId(definition, args);
  return holdsUnknown(id) ? undefined : id;
}

/**
 * The state after a write, as far as a preview knows it: what the program sets is known, and in an update what no write changes. Even
 * a documented default is not known, because settings of a project or a team may take its place. `state`: before an update.
 */
export function previewedState(
  definition: ResourceDefinition,
  args: JsonObject,
  state: JsonObject = {},
): JsonObject {
  const values: JsonObject = {};
  for (const [name, { mode, traits }] of Object.entries(definition.fields)) {
    const lasts = traits.secret === true || traits.audit === "created" || traits.audit === "madeBy";
    const known = mode !== "output" ? args[name] : lasts ? state[name] : undefined;
    values[name] = known ?? UNKNOWN;
  }
  for (const name of namedPartLists(definition)) values[name] = withOpenIds(values[name]);
  for (const name of Object.keys(optionsOf(definition)))
    if (args[name] !== undefined) values[name] = args[name];
  return values;
}

const withOpenIds = (parts: JsonObject[string]): JsonObject[string] =>
  Array.isArray(parts) ? parts.map((part) => (isObject(part) ? { id: UNKNOWN, ...part } : part)) : parts;
