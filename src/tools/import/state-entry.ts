import { parted } from "../../provider/id-lists/hidden-hashes";
import { idListNames } from "../../provider/id-lists/value-type";
import { digestOf } from "../../provider/pulumi/runs/console-digest";
import { nativePrefix, providerText, typePrefix } from "../../provider/pulumi/stored-names";
import { providerMember, toPulumi } from "../../provider/pulumi/wire";
import {
  consoleMember,
  formatMember,
  projectMember,
  resourceMember,
  selfMember,
  stackMember,
} from "../../provider/schema/internal";
import { packed, shownIn } from "../../provider/values/hidden-state";
import { stateOf } from "../../provider/values/managed";
import { stateFormat } from "../../provider/values/upgrade";
import type { ProgramObject } from "./program/program-object";

/** Place of the resources: the Pulumi project and stack, the digest of the console's address, and its project where that is known. */
export interface Destination {
  readonly project: string;
  readonly stack: string;
  readonly console: string;
  readonly consoleProject?: string;
}

/** By which of its adapters the provider serves a program: as dynamic resources, or as a native plugin. */
export type Adapter = "dynamic" | "native";

/** The Pulumi type of an object's resource. */
export function typeOf(adapter: Adapter, { kind }: { readonly kind: string }): string {
  return `${adapter === "dynamic" ? typePrefix : nativePrefix}${kind}`;
}

/**
 * An entry of the file that `pulumi import --file` takes: the state of an object, as a create of its program would have left it. The engine cannot read a dynamic resource
 * that it does not have yet, so it is told all of it; a native one too, so that both take one call. `self`: any text that no other
 * resource has.
 */
export function importEntry(adapter: Adapter, one: ProgramObject, to: Destination, self: string) {
  const { definition, name, id, live } = one;
  const type = typeOf(adapter, one);
  const names = idListNames(definition);
  const resource = digestOf(`urn:pulumi:${to.stack}::${to.project}::${type}::${name}`);
  const marks = {
    [formatMember]: stateFormat,
    [consoleMember]: to.console,
    ...(to.consoleProject === undefined ? {} : { [projectMember]: to.consoleProject }),
    [stackMember]: `${to.project}/${to.stack}`,
    [selfMember]: self,
    [resourceMember]: resource,
  };
  const inputs = toPulumi(parted(definition, names, one.inputs, false));
  const state = toPulumi({
    ...parted(definition, names, stateOf(definition, live, one.inputs), true),
    ...marks,
  });
  if (adapter === "native") return { type, name, id, inputs: shownIn(inputs), outputs: packed(state) };
  const own = { [resourceMember]: resource, [providerMember]: providerText(definition) };
  return { type, name, id, inputs: { ...inputs, ...own }, outputs: { ...state, ...own } };
}
