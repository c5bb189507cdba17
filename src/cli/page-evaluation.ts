import type { PageOptions } from "../emulator/index";
import { evaluate, flagsOn, labelOf, readUsers, type SpecDocument } from "../evaluation";

/** Answers what the console's page asks, by the service's own SDK. @throws Error where it is not installed, or for what is no user. */
export const askSdk: NonNullable<PageOptions["evaluate"]> = async (document, question) => {
  const { kind, name, users, environment } = question;
  const given = readUsers(users, "users");
  const flags = await flagsOn(JSON.parse(document) as SpecDocument, environment);
  return given.map((user, index) => {
    const { value, why } = evaluate(flags, kind, name, user);
    return { user: labelOf(user, index + 1), value, why };
  });
};
