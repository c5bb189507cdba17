import { pulumiCommand } from "../../provider/pulumi/runs/cli";
import { type Check, type CheckResult, runChecks } from "./check";
import { consoleChecks } from "./console-checks";
import { DoctorContext, type DoctorPorts } from "./context";
import { projectChecks } from "./project-checks";
import { settingsChecks } from "./settings-checks";
import { stackChecks } from "./stack-checks";

export type { CheckResult } from "./check";
export type { DoctorPorts } from "./context";
export { doctorReport, resultRows, summaryText } from "./report";

/** Everything that is looked at. One that needs another stands after it. */
export const checks: readonly Check<DoctorContext>[] = [
  ...projectChecks,
  ...settingsChecks,
  ...consoleChecks,
  ...stackChecks,
];

/** Looks at everything that is chosen, side by side. `tell` gets each result in the order of the table. Leaves nothing behind. */
export async function examine(
  ports: DoctorPorts,
  tell: (result: CheckResult) => void,
  chosen: readonly Check<DoctorContext>[] = checks,
): Promise<readonly CheckResult[]> {
  const context = new DoctorContext(ports);
  const concealed = chosen.map((check) => ({
    ...check,
    run: async () => {
      const { text, advice, verdict } = await check.run(context);
      const shown = { verdict, text: await context.conceal(text) };
      return advice === undefined ? shown : { ...shown, advice: await context.conceal(advice) };
    },
  }));
  return runChecks(concealed, context, tell);
}

/** The Pulumi CLI that is on PATH, each command of which has as long as the slowest check. */
export function pulumiIn(folder: string, environment: NodeJS.ProcessEnv): DoctorPorts["pulumi"] {
  return pulumiCommand({
    ...{ folder, environment, timeoutMs: 30_000 },
    missing: "does not start: install it, https://www.pulumi.com/docs/install/",
  });
}
