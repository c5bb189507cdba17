import type { ResourceDefinition } from "../../provider/schema/define";
import { messageOf } from "../../provider/schema/errors";
import { kindsNamed } from "../import";
import { UsageError } from "./command";

/** The kind that `--kind` names. @throws UsageError */
export function kindOption(said: string | undefined): ResourceDefinition | undefined {
  if (said === undefined) return undefined;
  try {
    return kindsNamed([said])[0];
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
