import { momentOf } from "../../src/tools/past/forms";
import { plannedRollback } from "../../src/tools/past/rollback-in-stack";
import { writeProgram } from "../../src/tools/rewrite/into-program";
import { settingsIn } from "../../src/tools/rewrite/settings-file";
import { type Desk, settingsFile } from "../drift/desk";

/** `feature-console rollback`, as far as the question whether to go on. */
export function planned(api: Desk, name: string | undefined, to: string) {
  const moment = momentOf(to);
  if (moment === undefined) throw new Error(`${to} is no moment`);
  const settingsOf = () => ({
    settings: settingsIn({ file: settingsFile, text: api.settings }, "desk"),
    previewWith: (settings: string) => api.previewWith(settings),
  });
  return plannedRollback({ ...api.ports, settingsOf }, api.programPorts, {
    name,
    to: moment,
    definition: undefined,
  });
}

/** `feature-console rollback --yes`. */
export async function writtenBack(api: Desk, name: string | undefined, to: string) {
  const plan = await planned(api, name, to);
  writeProgram(api.folder, api.programPorts, plan.acceptance);
  return plan;
}

/** `feature-console rollback --yes`, and then `pulumi up --refresh`. */
export async function rolledBack(api: Desk, name: string | undefined, to: string) {
  const plan = await writtenBack(api, name, to);
  await api.upWithRefresh();
  return plan;
}
