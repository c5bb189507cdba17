import type { EvaluateForClients, Evaluations } from "../emulator/index";
import { type SdkClient, type SpecDocument, startOn } from "../evaluation";

/** Evaluates for clients by the service's own SDK, which is started again when the flags have changed. @throws Error where it is not installed. */
export function createClientEvaluation(): EvaluateForClients {
  let newest: { readonly document: string; readonly client: Promise<SdkClient> } | undefined;
  return async (document, user, hash) => {
    if (newest?.document !== document)
      newest = {
        document,
        client: startOn(JSON.parse(document) as SpecDocument).then(({ client }) => client),
      };
    const client = await newest.client;
    const all = client.getClientInitializeResponse({ userID: "", ...user }, undefined, { hash });
    if (all === null) throw new Error("the service's own SDK does not take the flags of this console");
    return all as Evaluations;
  };
}
