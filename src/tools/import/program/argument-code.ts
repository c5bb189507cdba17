import { shapeOf } from "../../../provider/engine/expressed/smallest-form";
import type { ResourceDefinition } from "../../../provider/schema/define";
import { equalJson, isObject, type JsonObject } from "../../../provider/schema/json";
import { type Path, pathText } from "../../../provider/schema/path";
import { type Node, treeOf } from "../../../provider/schema/tree";
import { fits, hasUsualForm } from "../../../provider/values/usual-form";
import { type Code, listCode, objectCode, textCode, valueCode } from "./code-text";

/** Code in the place of values: references and files of ids. */
export interface CodeContext {
  /** Code for the reference at a path; undefined where the value itself stands there. */
  readonly reference: (path: string) => Code | undefined;
  /** Code for a set of ids. */
  readonly ids: (name: string, ids: readonly string[]) => Code;
  /** Told of each place that has no value which the types offer. */
  readonly unusual: (path: string) => void;
}

/** The arguments of a resource as TypeScript. */
export function argumentsCode(definition: ResourceDefinition, args: JsonObject, context: CodeContext): Code {
  const tree = treeOf(definition);
  return objectCode(
    Object.entries(args).map(([name, value]) => {
      const node = tree[name]?.node ?? {};
      const isIds = node.valueType !== undefined && Array.isArray(value);
      return [name, isIds ? context.ids(name, value.map(String)) : codeOf(context, node, value, [name])];
    }),
  );
}

function codeOf(context: CodeContext, node: Node, value: unknown, path: Path): Code {
  const reference = context.reference(pathText(path));
  if (reference !== undefined) return reference;
  if (node.sameAs === "opaque" || node.typedByProgram !== undefined) return valueCode(value);
  if (node.sameAs === "json" && typeof value === "string") return jsonTextCode(value);
  const { items = {}, properties } = shapeOf(node);
  const inner = (one: Node, name: string | number, member: unknown) =>
    codeOf(context, one, member, [...path, name]);
  const code = Array.isArray(value)
    ? listCode(value.map((one: unknown, index) => inner(items, index, one)))
    : isObject(value) && properties !== undefined
      ? wrapped(
          objectCode(
            Object.entries(value).map(([name, one]) => [name, inner(properties[name] ?? {}, name, one)]),
          ),
          hasUsualForm(node, value),
        )
      : valueCode(value);
  if (fits(node, value)) return code;
  context.unusual(pathText(path));
  // `fc.unusual` has no type for a value with members.
  return isObject(value) ? `${code} as never` : wrapped(code, false);
}

const wrapped = (code: Code, isUsual: boolean): Code => (isUsual ? code : `fc.unusual(${code})`);

/** JSON text of an object or a list, which is easier to read and write as such. */
function jsonTextCode(text: string): Code {
  // Parsing rounds such numbers; others it makes infinite.
  if (/\d{16}/.test(text)) return textCode(text);
  try {
    const value: unknown = JSON.parse(text);
    const isSame = equalJson(JSON.parse(JSON.stringify(value)), value);
    return typeof value === "object" && value !== null && isSame
      ? `JSON.stringify(${valueCode(value)})`
      : textCode(text);
  } catch {
    return textCode(text);
  }
}
