import type { EvaluateForClients, Evaluations } from "../emulator/index";
import { type SdkClient, type SpecDocument, startOn } from "../evaluation";

/**
 * Evaluates for clients by the service's own SDK, which is started again when the flags have changed. It rejects where that is not
 * installed.
 */
export function createClientEvaluation(): EvaluateForClients {
  let newest: { readonly document: string; readonly client: SdkClient } | undefined;
  return async (document, user, hash) => {
    if (newest?.document !== document) {
      const client = await startOn(JSON.parse(document) as SpecDocument);
      newest = { document, client };
    }
    const all = newest.client.getClientInitializeResponse({ userID: "", ...user }, undefined, { hash });
    if (all === null) throw new Error("the service's own SDK does not take the flags of this console");
    return all as Evaluations;
  };
}
