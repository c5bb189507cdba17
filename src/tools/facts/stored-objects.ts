import type { JsonObject } from "../../provider/schema/json";
import { holdsUnknown } from "../../provider/schema/unknown";
import { resourcesOf } from "../stack/resources";
import { exportedIn } from "../stack/stack";
import { type KindFacts, kindOf } from "./kind-facts";

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
  return resourcesOf(exportedIn(exported)).flatMap(({ urn, id, definition, applied, isRetained }) => {
    const kind = kindOf(definition);
    if (kind === undefined || applied === undefined) return [];
    const { inputs: args, outputs } = applied;
    // Pulumi hides a whole output of which one part is a secret, and tells the parts of an argument apart.
    const shown = Object.entries(outputs).filter(
      ([name, value]) => !holdsUnknown(value) || args[name] === undefined,
    );
    return [{ urn, id, kind, args, state: { ...args, ...Object.fromEntries(shown) }, isRetained }];
  });
}
