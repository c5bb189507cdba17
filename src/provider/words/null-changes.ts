import { changesOf } from "../decisions/plan";
import type { ResourceDefinition } from "../schema/define";
import { equalJson, isObject, type JsonObject, listIn } from "../schema/json";
import type { Path } from "../schema/path";
import { itemsOf, type Node, propertiesOf, treeOf } from "../schema/tree";
import { UNKNOWN } from "../schema/unknown";
import { placeText } from "../texts/argument-names";
import { quote } from "../texts/issue-text";
import { objectValues, viewOf } from "../values/managed";
import { byKeysThenContent, matchedElements } from "../values/matching";

/** As many are named; the rest are counted. */
const most = 10;

/**
 * One line for each null inside a JSON value that a change sets, overwrites or removes: Pulumi's own diff shows none of them, and of
 * a program in YAML it drops them. `olds` is the state; `textFor`: the argument that holds a value as text, where a null that is
 * missing now may be one that Pulumi has dropped.
 */
export function nullChangeLines(
  definition: ResourceDefinition,
  olds: JsonObject,
  news: JsonObject,
  textFor: (path: Path) => string | undefined = () => undefined,
): string[] {
  const changes = changesOf(definition, objectValues(news, olds));
  const shown = viewOf(definition, olds);
  const tree = treeOf(definition);
  const lines = Object.keys(changes).flatMap((name) => {
    const node = tree[name]?.node;
    // An argument that the program leaves out stays, or its own line names the whole of it.
    if (node === undefined || news[name] === undefined) return [];
    return changesIn(node, shown[name], changes[name], [name]).map(({ path, before, after }) => {
      const argument = after === undefined ? textFor(path) : undefined;
      const keep = `if the program sets this null, Pulumi has dropped it: set ${argument} to keep it`;
      return `${placeText(definition, path)}: ${changeText(before, after)}${argument === undefined ? "" : ` (${keep})`}`;
    });
  });
  const rest = lines.length - most;
  return rest > 0 ? [...lines.slice(0, most), `${rest} more nulls change`] : lines;
}

/** A null that comes or goes. */
interface NullChange {
  readonly path: Path;
  readonly before: unknown;
  readonly after: unknown;
}

function changesIn(node: Node, before: unknown, after: unknown, path: Path): NullChange[] {
  if (node.sameAs === "opaque") return nullsIn(before, after, path);
  if (Array.isArray(after)) {
    const items = itemsOf(node);
    if (items === undefined) return [];
    const olds = listIn(before);
    const ways = byKeysThenContent(items, node.keyedBy, equalJson);
    const partners = matchedElements(after, olds, ways);
    return after.flatMap((one: unknown, at) => changesIn(items, partners[at], one, [...path, at]));
  }
  const properties = propertiesOf(node);
  if (!isObject(after) || properties === undefined) return [];
  return Object.entries(after).flatMap(([name, value]) =>
    changesIn(properties[name] ?? {}, isObject(before) ? before[name] : undefined, value, [...path, name]),
  );
}

/** Changes of nulls inside any JSON. Elements of a list count by their places, as in Pulumi's diff. */
function nullsIn(before: unknown, after: unknown, path: Path): NullChange[] {
  if (after === UNKNOWN || equalJson(before, after)) return [];
  if (before === null || after === null) return [{ path, before, after }];
  const isList = Array.isArray(before) || Array.isArray(after);
  const [olds, news] = [before, after].map((value) =>
    typeof value === "object" && Array.isArray(value) === isList ? (value as JsonObject) : {},
  ) as [JsonObject, JsonObject];
  return Object.keys({ ...olds, ...news }).flatMap((name) =>
    nullsIn(olds[name], news[name], [...path, isList ? Number(name) : name]),
  );
}

function changeText(before: unknown, after: unknown): string {
  if (before === undefined) return "null (new)";
  return `${quote(before)} → ${after === undefined ? "removed" : quote(after)}`;
}
