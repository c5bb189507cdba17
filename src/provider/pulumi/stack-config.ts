import * as pulumi from "@pulumi/pulumi";
import { providerMarks, withoutMarks } from "./provider-settings";

/** The configuration of the program's stack. */
export const stackConfig = withoutMarks((key) => pulumi.runtime.getConfig(key));

/** @throws RunError for a configuration that would count as the settings of a provider of the program. */
export function refuseMarksInStack(): void {
  const mark = providerMarks.find((name) => pulumi.runtime.getConfig(name) !== undefined);
  if (mark === undefined) return;
  throw new pulumi.RunError(
    `${mark} stands in the stack's configuration, and only a provider of a program has it. Type: pulumi config rm ${mark}`,
  );
}
