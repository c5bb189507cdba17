import type { RefusalReason } from "../../decisions/claim";
import { differences, replacingNames } from "../../decisions/plan";
import { auditOf } from "../../schema/audit";
import { ConsoleError } from "../../schema/errors";
import { adoptMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { nameField, programId, programIdArgument } from "../../schema/object-id";
import { urnParts } from "../../schema/urn";
import { aliasOption, argumentName, assignment } from "../../texts/argument-names";
import { listText } from "../../texts/count-text";
import { visible } from "../../texts/issue-text";
import { type JournalEntry, nameOf, type ResourceNames } from "../context";
import { doubtfulTimeOf } from "./entry-time";
import type { Finding } from "./evidence";
import type { Creating } from "./origin";

/** Most paths that a message names. */
const mostPaths = 20;

/** A create that has found an object which it does not take. */
interface Refused extends Creating {
  readonly finding: Finding;
  readonly id: string;
  readonly live: JsonObject;
}

/** Why an object is not taken, and what to do. */
export function refusalFor(creating: Creating, finding: Finding, reason: RefusalReason): ConsoleError {
  if (reason.startsWith("cannot-") && finding.refusal !== undefined) return finding.refusal;
  const { definition, program, entry, former = entry } = creating;
  const id = finding.found?.id ?? String(program[adoptMember] ?? programId(definition, program));
  const live = finding.found?.live ?? {};
  return new ConsoleError(refusalText({ ...creating, entry: former, finding, id, live }, reason), {
    category: reason === "nothing-to-import" ? "not-found" : "exists",
  });
}

function refusalText(refused: Refused, reason: RefusalReason): string {
  const { definition, id, live, program } = refused;
  const object = nameOf(definition, id);
  switch (reason) {
    case "nothing-to-import":
      return `There is no ${object} to import. Correct the id, or remove the import option to create a new one.`;
    case "held":
      return `${object} belongs to another resource of this program already. ${
        definition.lifecycle.create.how === "claim"
          ? "The console has one of it: remove one of the two."
          : "Give one of the two another key or remove it."
      }`;
    case "renamed":
      return renamedText(object, refused);
    case "exists":
      return existsText(object, refused);
    case "archived":
      return archivedText(object, refused);
    case "cannot-be-taken-over":
      return (
        `${object} cannot be taken over: it differs in ${replacingNames(definition, live, program).map(argumentName).join(", ")}, which no update can change. ` +
        "Change the program to match it."
      );
    case "cannot-come-back":
      return `${object} is archived and cannot become what the program declares. ${differenceText(refused)} Choose another key, or change the program to match it.`;
  }
}

/** `FEATURE_CONSOLE_TAKE_OVER` takes what is as a create leaves it, `adopt` takes everything. */
function renamedText(object: string, { entry, finding }: Refused): string {
  const takeOver = finding.evidence.match === "equal" ? ", or FEATURE_CONSOLE_TAKE_OVER=1 for one run" : "";
  return (
    `${object} exists already: this stack created it for the resource ${visible(JSON.stringify(entry?.urn ?? entry?.name ?? "of another name"))}. ` +
    `If this is the same resource, renamed or moved, set ${aliasText(entry, finding.names)}; if state ` +
    `does not have that one any more, set ${assignment("adopt", true)}${takeOver}.`
  );
}

/** An alias by name keeps the parent: for a resource that has another parent, only its URN, or the parent, is one. */
function aliasText(entry: JournalEntry | undefined, names: ResourceNames | undefined): string {
  const former = entry?.urn;
  const hasMoved =
    former === undefined
      ? entry?.name === names?.name
      : urnParts(former).place !== urnParts(names?.urn ?? former).place;
  if (hasMoved) return aliasOption("urn", former === undefined ? "OLD URN" : JSON.stringify(former));
  return aliasOption("name", JSON.stringify(entry?.name ?? "OLD NAME"));
}

function existsText(object: string, refused: Refused): string {
  const { definition, live, program, finding } = refused;
  const { origin, match } = finding.evidence;
  const difference = differenceText(refused);
  const isSame = differences(definition, live, program).length === 0;
  const argument = programIdArgument(definition) ?? nameField;
  const adopt = `Set ${assignment("adopt", true)} to take it over${isSame ? "" : " and bring it in line"}, or choose another ${argument}.`;
  if (origin === "another-stack")
    return (
      `${object} exists already: another stack created it or took it over, as the journal shows. ` +
      `Set ${assignment("adopt", true)} to take it over, or choose another ${argument}.`
    );
  if (origin === "this-stack")
    return (
      `${object} exists already: an earlier run of this stack created it for this resource, and it is not as that left it. ` +
      `${difference} ${adopt}`
    );
  const ours =
    match === "equal"
      ? `${clockText(refused) ?? " If an interrupted run of this stack created it, here or in another checkout (a CI job),"} FEATURE_CONSOLE_TAKE_OVER=1 takes over what is as the program makes it.`
      : "";
  return (
    `${object} exists already. ${difference} ${adopt}${ours} ` +
    `If its resource was renamed, set ${aliasOption("name", '"OLD NAME"')}; if it has another parent, set its former URN.`
  );
}

/** Sentence about an entry of the journal that fits this object, but for its time; undefined for any other. */
function clockText({ definition, live, entry }: Refused): string | undefined {
  const { created } = auditOf(definition, live);
  const noted = entry && doubtfulTimeOf(entry, created);
  if (noted === undefined || created === undefined) return undefined;
  const did = entry?.made === undefined ? "began to create it" : "had created it";
  return (
    ` The journal notes that this stack ${did} at ${secondText(noted)}, by the clock of that machine, ` +
    `and the console shows ${secondText(created)}. If that clock was wrong,`
  );
}

/** `2026-11-22 10:03:07 UTC`. */
function secondText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Says who archived an object only where the console shows it: the reason, which may name a stack. */
function archivedText(object: string, refused: Refused): string {
  const { definition, finding } = refused;
  const { archiveReason, refusal, evidence } = finding;
  const why =
    archiveReason === undefined || archiveReason === ""
      ? "; it is not known by whom"
      : `, with the reason ${quoteReason(archiveReason)}`;
  const found = `${object} exists already and is archived${why}.`;
  const argument = programIdArgument(definition) ?? nameField;
  if (evidence.match === "stuck" && !evidence.mayReplace)
    return `${found} ${refusal?.message ?? differenceText(refused)} Choose another ${argument}, or change the program to what it can become.`;
  return (
    `${found} ${differenceText(refused)} ` +
    `Set ${assignment("adopt", true)} to bring it back and make it match the program, or choose another ${argument}.`
  );
}

/** Room for the reason that names the longest stack and its backend. */
const longestReason = 300;

function quoteReason(text: string): string {
  return visible(JSON.stringify(text.length > longestReason ? `${text.slice(0, longestReason)}...` : text));
}

function differenceText({ definition, live, program }: Refused): string {
  const paths = differences(definition, live, program).map(({ label }) => label);
  if (paths.length === 0) return "It matches the program.";
  return `It differs in ${listText(paths, mostPaths)}.`;
}
