import type { ParseArgsConfig } from "node:util";
import { programIn } from "../drift";
import { UnclearName } from "../past";
import { isWhole, keepable, type PromotePorts, plannedPromotion, promotionText } from "../promote";
import { projectFolder, projectName, stackSettings } from "../stack/project";
import { pulumiIn, stackOf } from "../stack/stack";
import { type Command, oneOf, parseArguments, report, UsageError } from "./command";
import { carriedOut, previewWith, requireAnswer } from "./planned-change";

const options = {
  keep: { type: "string", multiple: true, default: [] },
  "dry-run": { type: "boolean", default: false },
  patch: { type: "boolean", default: false },
  yes: { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];

const help = `Usage: feature-console promote FROM TO [NAME...] [options]

Makes the program of stack TO set what that of stack FROM sets. It shows what changes and what stays as it is, and asks. It writes
literals of the program, and values of Pulumi.TO.yaml that the program reads. It never writes to a console: \`pulumi up --stack TO\`
brings the console there. Run it in the folder of the Pulumi project. After an interruption, run it again.

  NAME...               Names in the program, URNs, or ids of objects. Default: all objects of both stacks
  --keep WHAT           percentages, ids or percentages,ids: leave these of TO as they are. May be given twice
  --dry-run             Show what changes, and write nothing
  --patch               Print the change as a unified diff, and write nothing
  --yes                 Do not ask
  --help                This text

Exit status: 0 all of it is written, or there is nothing to write; 7 something stays as it is; 1 it failed, or you said no;
2 wrong usage, or an unknown object.
`;

/** Exit status where something stays as it is, as that of \`compare\`. */
const partly = 7;

/** Makes the program of one stack set what that of another sets. */
export const promote: Command = {
  summary: "Make the program of one stack set what that of another sets.",
  help,
  async run(args) {
    const { from, to, request, chosen } = readOptions(args);
    const folder = projectFolder(process.cwd());
    process.chdir(folder);
    const program = programIn(folder);
    const planned = await plannedPromotion(portsFor(folder, from, to), program, request).catch(
      (error: unknown) => {
        throw error instanceof UnclearName ? new UsageError(error.message) : error;
      },
    );
    const { acceptance } = planned;
    if (!(await carriedOut({ text: promotionText(planned), acceptance }, folder, program, chosen))) return 1;
    if (acceptance.changes.size > 0 && !chosen.patch && !chosen["dry-run"])
      report(`"pulumi up --stack ${to}" brings the console there.`);
    return isWhole(planned) ? 0 : partly;
  },
};

function portsFor(folder: string, from: string, to: string): PromotePorts {
  const named = (name: string) => {
    const stack = stackOf(pulumiIn(folder), name);
    return { name, stack, settings: stackSettings(folder, name), console: { report } };
  };
  const target = named(to);
  return {
    ...{ from: named(from), to: target, project: projectName(folder), progress: report },
    previewWith: previewWith(target.stack),
  };
}

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments({ args: [...args], options, allowPositionals: true });
  const [from, to, ...names] = positionals;
  if (from === undefined || to === undefined)
    throw new UsageError(
      `two stacks are needed, found ${positionals.length}: feature-console promote dev prod`,
    );
  const [one, other] = [from, to].map((name) => name.split("/").at(-1));
  if (one === other) throw new UsageError(`both stacks are "${one}", and have one file of settings`);
  if (values["dry-run"] && values.patch) throw new UsageError("--dry-run and --patch cannot go together");
  const { keep, ...chosen } = values;
  const kept = keep.flatMap((words) => words.split(",")).filter((word) => word !== "");
  requireAnswer("promote", chosen);
  return { from, to, chosen, request: { names, keep: kept.map((word) => oneOf("keep", word, keepable)) } };
}
