import type { SdkWorker } from "../../emulator/evaluation";
import type { EvaluateForClients } from "../../emulator/index";

/**
 * Evaluates for clients by the service's own SDK, which is started again when the flags have changed. It rejects where that is not
 * installed, and where a flag takes too long.
 */
export function createClientEvaluation(evaluation: SdkWorker): EvaluateForClients {
  return (document, user, hash) => evaluation.forClient(document, { user, hash });
}
