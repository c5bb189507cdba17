import { auditNames } from "../../provider/schema/audit";
import { type ObjectDefinition, wireName } from "../../provider/schema/define";
import type { AuditRole } from "../../provider/schema/field";
import type { JsonObject } from "../../provider/schema/json";

/** The member that tells of an item's history; undefined where the kind's objects do not show it. */
export function auditMember(definition: ObjectDefinition, role: AuditRole): string | undefined {
  const name = auditNames(definition)[role];
  return name === undefined ? undefined : wireName(definition, name);
}

/** The times of a new object. */
export function stampsOfNew(definition: ObjectDefinition, now: number): JsonObject {
  return { ...stamp(definition, "created", now), ...stamp(definition, "changed", now) };
}

/** Members that a change of an item moves on: its counter, and the time of its last change. */
export function stampsOfChange(definition: ObjectDefinition, before: JsonObject, now: number): JsonObject {
  const version = versionOf(definition, before);
  const counted = typeof version === "number" ? stamp(definition, "version", version + 1) : {};
  return { ...stamp(definition, "changed", now), ...counted };
}

/** Version counter of an item; undefined where it does not show one. */
export function versionOf(definition: ObjectDefinition, item: JsonObject): unknown {
  const member = auditMember(definition, "version");
  return member === undefined ? undefined : item[member];
}

function stamp(definition: ObjectDefinition, role: AuditRole, value: number): JsonObject {
  const member = auditMember(definition, role);
  return member === undefined ? {} : { [member]: value };
}
