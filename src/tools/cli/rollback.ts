import type { ParseArgsConfig } from "node:util";
import { listText } from "../../provider/texts/count-text";
import { programIn, settingsIn } from "../drift";
import {
  momentOf,
  NoVersion,
  type PlannedRollback,
  plannedRollback,
  type RollbackPorts,
  rollbackText,
  UnclearName,
} from "../past";
import { projectFolder, projectName, stackSettings, stacksWithSettings } from "../stack/project";
import { pulumiIn, stackOf } from "../stack/stack";
import { type Command, parseArguments, report, UsageError } from "./command";
import { kindOption } from "./kind-option";
import { carriedOut, previewWith, requireAnswer } from "./planned-change";

const options = {
  to: { type: "string" },
  all: { type: "boolean", default: false },
  kind: { type: "string" },
  stack: { type: "string" },
  patch: { type: "boolean", default: false },
  yes: { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];

const help = `Usage: feature-console rollback NAME --to VERSION|TIME [options]
       feature-console rollback --all --to TIME [options]

Makes the program set what a flag had in an earlier version, by the versions that the console keeps. It shows first what comes back
and what does not, and asks. It writes literals of the program, and values of Pulumi.STACK.yaml that the program reads. It never
writes to the console: \`pulumi up --refresh\` brings the console there. Run it in the folder of the Pulumi project. A read-only key
is enough. After an interruption, run it again.

  NAME                  Its name in the program, its URN, or the id of its object
  --to VERSION|TIME     A number that \`history\` shows, or a time in UTC, such as 2026-11-24 or "2026-11-24 21:40"
  --all                 Every gate, dynamic config and experiment of the stack whose versions reach back
  --kind KIND           The kind of the object, such as gate, where several kinds have the name
  --stack NAME          The stack. Default: the selected one
  --patch               Print the change of the program as a unified diff, and write nothing
  --yes                 Do not ask
  --help                This text

Exit status: 0 all of it is written, or there is nothing to write; 7 something stays as it is; 1 it failed, or you said no;
2 wrong usage, or an unknown object or version.
`;

/** Exit status where not everything comes back, as that of \`drift\`. */
const partly = 7;

/** Makes the program set what a flag had before. */
export const rollback: Command = {
  summary: "Make the program set what a flag had in an earlier version.",
  help,
  async run(args) {
    const { request, stack, ...chosen } = readOptions(args);
    const folder = projectFolder(process.cwd());
    process.chdir(folder);
    const program = programIn(folder);
    const planned = await plannedRollback(portsFor(folder, stack), program, request).catch(
      (error: unknown) => {
        throw error instanceof UnclearName || error instanceof NoVersion
          ? new UsageError(error.message)
          : error;
      },
    );
    const { acceptance, rollbacks, left } = planned;
    const isWhole =
      left.length === 0 &&
      rollbacks.every(({ stays }) => stays.length === 0) &&
      acceptance.outcomes.every(({ how }) => how === "accepted");
    const change = { text: `${rollbackText(planned)}${othersText(folder, planned)}`, acceptance };
    if (!(await carriedOut(change, folder, program, chosen))) return 1;
    const refused = new Set(acceptance.outcomes.flatMap(({ urn, how }) => (how === "accepted" ? [] : [urn])));
    if (!chosen.patch && rollbacks.some(({ resource }) => !refused.has(resource.urn)))
      report('"pulumi up --refresh" brings the console there.');
    return isWhole ? 0 : partly;
  },
};

/** Whom the change concerns beside the stack: a program is often that of several. */
function othersText(folder: string, { stack, acceptance: { changes } }: PlannedRollback): string {
  const own = stackSettings(folder, stack)?.file;
  const others = stacksWithSettings(folder).filter((name) => name !== stack);
  const isShared = [...changes.keys()].some((file) => file !== own);
  return isShared && others.length > 0
    ? `Stacks that run the same files get this change too, by their next update: look at ${listText(others)}.\n`
    : "";
}

function portsFor(folder: string, name: string | undefined): RollbackPorts {
  const stack = stackOf(pulumiIn(folder), name);
  return {
    ...{ stack, console: { report }, progress: report },
    settingsOf(own) {
      const file = stackSettings(folder, own);
      if (file === undefined) return undefined;
      return { settings: settingsIn(file, projectName(folder)), previewWith: previewWith(stack) };
    },
  };
}

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments({ args: [...args], options, allowPositionals: true });
  const { all, kind, to, ...others } = values;
  const [name, another] = positionals;
  if (another !== undefined) throw new UsageError(`one name at most, found "${another}" after "${name}"`);
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
  requireAnswer("rollback", values);
  return { ...others, request: { to: moment, name, definition: kindOption(kind) } };
}
