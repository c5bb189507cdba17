import { parted } from "../../provider/id-lists/tables-apart";
import { idListNames } from "../../provider/id-lists/value-type";
import { digestOf } from "../../provider/pulumi/runs/console-digest";
import { providerText, typePrefix } from "../../provider/pulumi/stored-names";
import { providerMember, toPulumi } from "../../provider/pulumi/wire";
import {
  consoleMember,
  formatMember,
  resourceMember,
  selfMember,
  stackMember,
} from "../../provider/schema/internal";
import type { JsonObject } from "../../provider/schema/json";
import { stateOf } from "../../provider/values/managed";
import { stateFormat } from "../../provider/values/upgrade";
import type { ProgramObject } from "./program/program-object";

/** Where resources are to be: the Pulumi project and stack, and the digest of the console's address. */
export interface Destination {
  readonly project: string;
  readonly stack: string;
  readonly console: string;
}

/** The Pulumi type of an object's resource. */
export function typeOf({ kind }: { readonly kind: string }): string {
  return `${typePrefix}${kind}`;
}

/** An entry of the file that `pulumi import --file` takes. */
export interface ImportEntry {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

/**
 * What Pulumi is to hold of an object: what a create of its program would have left. The engine cannot read a dynamic resource
 * that it does not have yet, so it is told all of it. `self`: any text that no other resource has.
 */
export function importEntry(one: ProgramObject, to: Destination, self: string): ImportEntry {
  const { definition, name, id, live, inputs } = one;
  const type = typeOf(one);
  const resource = digestOf(`urn:pulumi:${to.stack}::${to.project}::${type}::${name}`);
  const names = idListNames(definition);
  const own = { [resourceMember]: resource, [providerMember]: providerText(definition) };
  const marks = {
    [formatMember]: stateFormat,
    [consoleMember]: to.console,
    [stackMember]: `${to.project}/${to.stack}`,
    [selfMember]: self,
  };
  const state = stateOf(definition, live, inputs);
  return {
    type,
    name,
    id,
    inputs: toPulumi({ ...parted(definition, names, inputs, false), ...own }),
    outputs: toPulumi({ ...parted(definition, names, state, true), ...marks, ...own }),
  };
}

/** The file for `pulumi import --file`. */
export function importFile(entries: readonly ImportEntry[]): string {
  return `${JSON.stringify({ resources: entries })}\n`;
}
