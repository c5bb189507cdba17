import { selfMember } from "../../provider/schema/internal";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { holdsUnknown } from "../../provider/schema/unknown";
import { unpacked } from "../../provider/values/hidden-state";
import { managedMember } from "../../provider/values/managed";
import { opened } from "../stack/resources";
import { type KindFacts, kindOfType } from "./kind-facts";

/** An object of this package, as a stack's state has it. */
export interface StoredObject {
  readonly urn: string;
  readonly id: string | undefined;
  readonly kind: KindFacts;
  /** Arguments of the last update. A secret is `UNKNOWN`. */
  readonly args: JsonObject;
  /** The object as the last update or refresh has left it, and what the program said of what no read shows. */
  readonly state: JsonObject;
  /** Pulumi leaves it alone when its resource goes. */
  readonly isRetained: boolean;
}

/**
 * The objects of this package in what `pulumi stack export` prints, without `--show-secrets`. What was only read, and what
 * is going anyhow, is left out. A stack without a state has none. @throws SyntaxError for what is no JSON.
 */
export function storedObjects(exported: string): StoredObject[] {
  const { deployment } = JSON.parse(exported.slice(Math.max(exported.indexOf("{"), 0))) as JsonObject;
  const resources = isObject(deployment) && Array.isArray(deployment.resources) ? deployment.resources : [];
  return resources.filter(isObject).flatMap((resource) => {
    const kind = kindOfType(String(resource.type));
    if (kind === undefined || resource.external === true || resource.delete === true) return [];
    const args = plain(resource.inputs);
    const outputs = unpacked(plain(resource.outputs));
    if (outputs[managedMember] === undefined && outputs[selfMember] === undefined) return [];
    // Pulumi hides a whole output of which one part is a secret, and tells the parts of an argument apart.
    const shown = Object.entries(outputs).filter(
      ([name, value]) => !holdsUnknown(value) || args[name] === undefined,
    );
    return [
      {
        urn: String(resource.urn),
        id: typeof resource.id === "string" ? resource.id : undefined,
        kind,
        args,
        state: { ...args, ...Object.fromEntries(shown) },
        isRetained: resource.retainOnDelete === true,
      },
    ];
  });
}

function plain(values: unknown): JsonObject {
  const all = opened(values ?? {}, [], []);
  return isObject(all) ? all : {};
}
