import { labelOf, readAllUsers, type SdkWorker } from "../../emulator/evaluation";
import type { PageOptions } from "../../emulator/index";

/** Answers what the console's page asks, by the service's own SDK. It rejects where that is not installed, and for what is no user. */
export function createPageEvaluation(evaluation: SdkWorker): NonNullable<PageOptions["evaluate"]> {
  return async (document, { users, ...question }) => {
    const given = await readAllUsers(users, "users");
    const answers = await evaluation.forUsers(document, { ...question, users: given });
    return answers.map(({ user, value, why }, index) => ({ user: labelOf(user, index + 1), value, why }));
  };
}
