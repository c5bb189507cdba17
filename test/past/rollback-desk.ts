import ts from "typescript";
import { settingsIn, sourcesIn, writeProgram } from "../../src/tools/drift";
import { momentOf, plannedRollback } from "../../src/tools/past";
import { type Desk, settingsFile } from "../drift/desk";

/** `feature-console rollback`, as far as the question whether to go on. */
export function planned(desk: Desk, name: string | undefined, to: string) {
  const moment = momentOf(to);
  if (moment === undefined) throw new Error(`${to} is no moment`);
  const settingsOf = () => ({
    settings: settingsIn({ file: settingsFile, text: desk.settings }, "desk"),
    previewWith: (settings: string) => desk.previewWith(settings),
  });
  return plannedRollback({ ...desk.ports, settingsOf }, programOf(desk), {
    name,
    to: moment,
    definition: undefined,
  });
}

/** `feature-console rollback --yes`. */
export async function writtenBack(desk: Desk, name: string | undefined, to: string) {
  const plan = await planned(desk, name, to);
  writeProgram(desk.folder, programOf(desk), plan.acceptance);
  return plan;
}

/** `feature-console rollback --yes`, and then `pulumi up --refresh`. */
export async function rolledBack(desk: Desk, name: string | undefined, to: string) {
  const plan = await writtenBack(desk, name, to);
  await desk.upWithRefresh();
  return plan;
}

/** What a command writes. */
export function programOf(desk: Desk) {
  return { compiler: ts, sources: sourcesIn(desk.folder) };
}
