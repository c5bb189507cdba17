import { permissionsOf, switchNames } from "../../provider/pulumi/provider-settings";
import { consoleDigest } from "../../provider/pulumi/runs/console-digest";
import type { KnownConsole } from "../../provider/pulumi/runs/console-guard";
import { countIs } from "../../provider/texts/count-text";
import { ownConsoles } from "../stack/consoles";
import { type Finding, failed } from "./check";
import type { DoctorContext } from "./context";

/** Consoles of the objects that the stack's own settings lead to; none where nobody can read the state. */
async function known(context: DoctorContext): Promise<readonly KnownConsole[]> {
  const state = await context.state().catch(() => undefined);
  if (state === undefined) return [];
  const { values } = await context.config();
  return ownConsoles(state, (key) => values[key], context.ports.environment);
}

/** Objects of the stack in another console than its settings lead to: nothing may be sent there. Undefined where there are none. */
export async function elsewhereIn(context: DoctorContext): Promise<Finding | undefined> {
  const [consoles, { settings }] = [await known(context), await context.settings()];
  const elsewhere = consoles.filter((one) => one.console !== consoleDigest(settings)).length;
  if (elsewhere === 0) return undefined;
  return failed(
    `${elsewhere} of ${countIs(consoles.length, "object")} in another console than the settings lead to`,
    `set profile and address back, or: ${switchNames.move}=1 pulumi up`,
  );
}

/** Objects of the stack in another project than this one, to which the key leads. Undefined where there are none. */
export async function otherProject(context: DoctorContext, here: string): Promise<Finding | undefined> {
  const consoles = await known(context);
  const others = consoles.filter(({ project }) => project !== undefined && project !== here);
  const [first] = others;
  if (first === undefined || letsGo(context)) return undefined;
  return failed(
    `accepted, for project ${here}, and ${others.length} of ${countIs(consoles.length, "object")} in project ${String(first.project)}`,
    `set the key of project ${String(first.project)}, or: ${switchNames.move}=1 pulumi up`,
  );
}

/** True where the person who runs this lets the objects of another console be. */
export function letsGo({ ports: { environment } }: DoctorContext): boolean {
  return permissionsOf(environment).leaveInOtherConsole;
}
