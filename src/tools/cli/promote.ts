import { type PromotePorts, plannedPromotion } from "../promote/promote-in-stacks";
import { isWhole, promotionReport } from "../promote/promote-report";
import { keepable } from "../promote/promotion";
import { rendered } from "../render/report";
import { programIn } from "../rewrite/into-program";
import { enterProject, projectName, stackSettings } from "../stack/project";
import { pulumiIn, stackOf } from "../stack/stack";
import { defineCommand, oneOf, report, UsageError } from "./command";
import { confirmAndWrite, previewWith } from "./planned-change";

export const promote = defineCommand({
  name: "promote",
  about:
    "Makes the program of stack TO set what that of stack FROM sets. It shows what changes and what stays as it is, and asks. It writes literals of the program, and values of Pulumi.TO.yaml that the program reads. It never writes to a console: `pulumi up --stack TO` brings the console there. A flag of which a part cannot be written stays wholly. Run it in the folder of the Pulumi project. After an interruption, run it again.",
  examples: [
    "feature-console promote dev prod --dry-run",
    "feature-console promote dev prod checkout_v2 --keep percentages",
  ],
  parameters: {
    FROM: "The stack whose values are taken",
    TO: "The stack whose program changes",
    "[NAME...]": "Names in the program, URNs, or ids of objects. Default: all objects of both stacks",
    "--keep WHAT...":
      "percentages, ids or percentages,ids: leave these of TO as they are. May be given twice",
    "--dry-run": "Show what changes, and write nothing",
    "--patch": "Print the change as a unified diff, and write nothing",
    "--yes": "Do not ask",
  },
  exit: {
    0: "all of it is written, or there is nothing to write",
    1: "it failed, or you answered no",
    2: "wrong usage, or an unknown object",
    7: "something stays as it is",
  },
  async run({ FROM: from, TO: to, NAME: names, keep, ...chosen }) {
    const [one, other] = [from, to].map((name) => name.split("/").at(-1));
    if (one === other) throw new UsageError(`both stacks are "${one}", and have one file of settings`);
    if (chosen["dry-run"] && chosen.patch) throw new UsageError("--dry-run and --patch cannot go together");
    const kept = keep.flatMap((words) => words.split(",")).filter((word) => word !== "");
    const request = { names, keep: kept.map((word) => oneOf("keep", word, keepable)) };
    const folder = enterProject();
    const program = programIn(folder);
    const planned = await plannedPromotion(portsFor(folder, from, to), program, request);
    const { acceptance } = planned;
    const text = rendered(promotionReport(planned), "text");
    if (!(await confirmAndWrite(text, acceptance, folder, program, chosen))) return 1;
    if (acceptance.changes.size > 0 && !chosen.patch && !chosen["dry-run"])
      report(
        `"pulumi up --stack ${to}" brings the console ${isWhole(planned) ? "there" : "what is written"}.`,
      );
    return isWhole(planned) ? 0 : 7;
  },
});

function portsFor(folder: string, from: string, to: string): PromotePorts {
  const named = (name: string) => {
    const stack = stackOf(pulumiIn(folder), name);
    return { name, stack, settings: stackSettings(folder, name), console: { report }, progress: report };
  };
  const target = named(to);
  return {
    ...{ from: named(from), to: target, project: projectName(folder), progress: report },
    previewWith: previewWith(target.stack),
  };
}
