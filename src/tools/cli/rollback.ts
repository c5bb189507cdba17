import { listText } from "../../provider/texts/count-text";
import { kindNamed } from "../import/selection";
import { momentOf } from "../past/forms";
import { historyInStack, historyReport } from "../past/history";
import { type PlannedRollback, plannedRollback, type RollbackPorts } from "../past/rollback-in-stack";
import { hasWayBack, rollbackReport } from "../past/rollback-report";
import { rendered } from "../render/report";
import { programIn } from "../rewrite/into-program";
import { settingsIn } from "../rewrite/settings-file";
import { projectName, stackSettings, stacksWithSettings } from "../stack/project";
import {
  defineCommand,
  formatOptions,
  type Given,
  portsOf,
  printReport,
  report,
  stackOption,
  UsageError,
} from "./command";
import { confirmAndWrite, previewWith } from "./planned-change";

const parameters = {
  "[NAME]": "Its name in the program, its URN, or the id of its object",
  "--to VERSION|TIME":
    'A number that `history` shows, or a time in UTC, such as 2026-11-24 or "2026-11-24 21:40"',
  "--all":
    "In place of NAME, with a time: every gate, dynamic config and experiment of the stack whose versions reach back",
  "--kind KIND": "The kind of the object, such as gate, where several kinds have the name",
  ...stackOption,
  "--patch": "Print the change of the program as a unified diff, and write nothing",
  "--yes": "Do not ask",
} as const;

export const rollback = defineCommand({
  name: "rollback",
  about:
    "Makes the program set what a flag had in an earlier version, by the versions that the console keeps. It shows first what comes back and what does not, and asks. It writes literals of the program, and values of Pulumi.STACK.yaml that the program reads. It never writes to the console: `pulumi up --refresh` brings the console there. Run it in the folder of the Pulumi project. A read-only key is enough. After an interruption, run it again.",
  examples: [
    "feature-console rollback checkout_v2 --to 2",
    'feature-console rollback --all --to "2026-11-24 21:40"',
  ],
  parameters,
  exit: {
    0: "all of it is written, or there is nothing to write",
    1: "it failed, or you answered no",
    2: "wrong usage, or an unknown object or version",
    7: "something stays as it is",
  },
  async run(given) {
    const request = requestIn(given);
    const ports = portsOf(given.stack);
    const folder = process.cwd();
    const program = programIn(folder);
    const planned = await plannedRollback(withSettings(ports, folder), program, request);
    const { acceptance, rollbacks, left } = planned;
    const isWhole =
      left.length === 0 &&
      rollbacks.every(({ stays }) => stays.length === 0) &&
      acceptance.outcomes.every(({ how }) => how === "accepted");
    const text = `${rendered(rollbackReport(planned), "text")}${othersText(folder, planned)}`;
    if (!(await confirmAndWrite(text, acceptance, folder, program, given))) return 1;
    if (!given.patch && hasWayBack(planned)) report('"pulumi up --refresh" brings the console there.');
    return isWhole ? 0 : 7;
  },
});

/** Line about the other stacks that the change concerns: a program is often that of several. */
function othersText(folder: string, { stack, acceptance: { changes } }: PlannedRollback): string {
  const own = stackSettings(folder, stack)?.file;
  const others = stacksWithSettings(folder).filter((name) => name !== stack);
  const isShared = [...changes.keys()].some((file) => file !== own);
  return isShared && others.length > 0
    ? `Stacks that run the same files get this change too, by their next update: look at ${listText(others)}.\n`
    : "";
}

function withSettings(ports: ReturnType<typeof portsOf>, folder: string): RollbackPorts {
  return {
    ...ports,
    settingsOf(own) {
      const file = stackSettings(folder, own);
      if (file === undefined) return undefined;
      return { settings: settingsIn(file, projectName(folder)), previewWith: previewWith(ports.stack) };
    },
  };
}

function requestIn({ NAME: name, all, kind, to }: Given<typeof parameters>) {
  if ((name === undefined) !== all)
    throw new UsageError("give the name of one flag, or --all: feature-console rollback NAME --to VERSION");
  if (to === undefined)
    throw new UsageError("--to VERSION or --to TIME is needed; `history` lists the versions");
  const moment = momentOf(to);
  if (moment === undefined)
    throw new UsageError(
      `--to takes a version, such as 7, or a time, such as 2026-11-24 or "2026-11-24 21:40", not "${to}"`,
    );
  if (all && "version" in moment) throw new UsageError("--all goes with a time: versions count for one flag");
  return { to: moment, name, definition: kind === undefined ? undefined : kindNamed(kind) };
}

export const history = defineCommand({
  name: "history",
  about:
    "Shows the life of a flag, newest change first: each version with its author, its time, and who got something else by it. Deletions come from the audit log, and so do all changes of kinds of which the console keeps no versions. Run it in the folder of the Pulumi project. It writes nothing; a read-only key is enough.",
  examples: ["feature-console history checkout_v2", "feature-console history old_banner --kind gate"],
  parameters: {
    NAME: "Its name in the program, its URN, or the id of its object",
    "--kind KIND":
      "Its kind, such as gate, where several kinds have the name. With it, NAME can also be the id of an object that is not in the stack, or that was deleted",
    ...stackOption,
    ...formatOptions,
  },
  exit: { 2: "wrong usage, or no object has this name" },
  async run({ NAME: name, kind, stack, ...output }) {
    const definition = kind === undefined ? undefined : kindNamed(kind);
    const { resource, history: found } = await historyInStack(portsOf(stack), name, definition);
    printReport(historyReport(resource, found), output);
    return 0;
  },
});
