import { neutralUnitIdMember } from "../../../provider/client/profile";
import { isObject, type JsonObject } from "../../../provider/schema/json";

/** The field inside which a console names the unit id in its own way (console-api, section 1). */
const mapping = "idTypeMapping";

/** A body in the neutral names. Under another profile the neutral name is unknown, like any other key. */
export function withServiceUnitId(body: unknown, member: string): unknown {
  return member === neutralUnitIdMember
    ? body
    : renameInMapping(body, { from: member, to: neutralUnitIdMember });
}

/** An answer in the console's names: a single object, several of them, or findings about one. */
export function withOwnUnitId(body: JsonObject, member: string): JsonObject {
  if (member === neutralUnitIdMember) return body;
  const names = { from: neutralUnitIdMember, to: member };
  const { data, errors } = body;
  return {
    ...body,
    ...(data === undefined ? {} : { data: each(data, (one) => renameInMapping(one, names)) }),
    ...(errors === undefined ? {} : { errors: each(errors, (one) => renameFinding(one, names)) }),
  };
}

const each = (value: unknown, change: (one: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(change) : change(value);

interface Names {
  readonly from: string;
  readonly to: string;
}

function renameInMapping(value: unknown, names: Names): unknown {
  if (!isObject(value) || value[mapping] === undefined) return value;
  return { ...value, [mapping]: renameDeep(value[mapping], names) };
}

function renameDeep(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((one) => renameDeep(one, names));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => name !== names.to);
  return Object.fromEntries(
    kept.map(([name, inner]) => [name === names.from ? names.to : name, renameDeep(inner, names)]),
  );
}

function renameFinding(finding: unknown, { from, to }: Names): unknown {
  if (!isObject(finding) || typeof finding.property !== "string") return finding;
  if (!finding.property.startsWith(`${mapping}.`)) return finding;
  const property = finding.property
    .split(".")
    .map((part) => (part === from ? to : part))
    .join(".");
  return { ...finding, property };
}
