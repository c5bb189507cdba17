import { foundText } from "../../decisions/claim";
import { elementName, listIn, stableText } from "../../schema/json";
import { programId } from "../../schema/object-id";
import { holdsUnknown } from "../../schema/unknown";
import { argumentName, assignment } from "../../texts/argument-names";
import { quote } from "../../texts/issue-text";
import { hiddenValue } from "../../texts/secret-texts";
import { viewOf } from "../../values/managed";
import { matchedPlaces } from "../../values/matching";
import { differingPlaces } from "../../values/places";
import { type Finding, takeoverChanges } from "../claims/evidence";
import { nameOf } from "../context";
import { type DeclaredObject, valueTextAt } from "../subject";

const recreated =
  "would be deleted for ever and created anew, because it cannot become what the program declares.";

/** Most fields that are shown with their values. */
const mostShown = 10;

/**
 * Lines of a preview about an object that a create would take over: the first is whole in itself, the others
 * show what would change, as Pulumi shows the differences of an import. Nothing where there is none.
 */
export function announcement(declared: DeclaredObject, finding: Finding): string[] {
  const { definition, program } = declared;
  const { found, claim } = finding;
  if (claim.act === "send") return namesakeLines(declared, finding);
  if (found === undefined || claim.act === "refuse") return [];
  const title = nameOf(definition, found.id);
  if (claim.act === "recreate") return [foundText(title, "archived", recreated)];
  const revived = claim.act === "unarchive";
  const changes = takeoverChanges(definition, finding, program);
  const now = viewOf(definition, found.live);
  const listed = (isOpen: boolean) =>
    Object.entries(changes)
      .filter(([, value]) => holdsUnknown(value) === isOpen)
      .map(([name, value]) => `${argumentName(name)}${isOpen ? "" : countText(now[name], value)}`)
      .join(", ");
  const [known, open] = [listed(false), listed(true)];
  const parts = [
    ...(revived ? ["would be brought back"] : []),
    ...(known === "" ? [] : [`would change ${known}`]),
    // A value that is not known yet may turn out to be the one that is there.
    ...(open === "" ? [] : [`may change ${open}`]),
  ];
  const does = parts.join(" and ") || "matches the program";
  const first = foundText(title, revived ? "archived" : "in use", does);
  return [first, ...takeoverLines(declared, finding).slice(0, mostShown)];
}

/** A line for each place of an object that a create overwrites when it takes the object over. */
export function takeoverLines(declared: DeclaredObject, finding: Finding): string[] {
  const { definition, program } = declared;
  if (finding.found === undefined) return [];
  const now = viewOf(definition, finding.found.live);
  return Object.entries(takeoverChanges(definition, finding, program)).flatMap(([name, value]) => {
    const values = { live: now[name], program: value };
    const whole = { ...values, path: [name], label: argumentName(name) };
    // If the program has a secret, the live value is likely one too.
    const isShown = valueTextAt(declared, [name], value) !== hiddenValue;
    const places = isShown ? differingPlaces(definition, name, values) : [];
    const isInside = places.some(({ label }) => label !== whole.label);
    return (isInside ? places : [whole]).map(({ path, label, ...place }) => {
      const [from, to] = [place.live, place.program].map((one) => valueTextAt(declared, path, one));
      return `    ~ ${label}: ${from} => ${to}`;
    });
  });
}

/** Reports, before anything is sent, each value that a create overwrites in an object that it takes over. */
export function reportTakeover(declared: DeclaredObject, finding: Finding): void {
  const lines = takeoverLines(declared, finding);
  const object = nameOf(declared.definition, finding.found?.id ?? "");
  if (lines.length > 0)
    declared.context.report([`${object} exists and differs from the program:`, ...lines].join("\n"));
}

/** Names need not be unique: a second object of one is made without a word of the console. */
function namesakeLines({ definition, program }: DeclaredObject, { namesakes = [] }: Finding): string[] {
  const [first, ...more] = namesakes;
  if (first === undefined) return [];
  const who = `${nameOf(definition, first)}${more.length === 0 ? "" : ` and ${more.length} more`}`;
  return [
    `${definition.title} ${quote(programId(definition, program))} would be another one of this name, beside ${who}, which the program does not ` +
      `manage. Set ${assignment("adopt", true)} to take over the only one there is.`,
  ];
}

/** ` (+2 −1)`: how many elements a list would gain and lose. What has the same name is the same element. */
function countText(from: unknown, to: unknown): string {
  if (!Array.isArray(to)) return "";
  const before = listIn(from);
  const places = matchedPlaces<unknown, unknown>(to, before, [{ key: called }]);
  const same = places.filter((place) => place !== undefined).length;
  const texts = [
    ...(to.length > same ? [`+${to.length - same}`] : []),
    ...(before.length > same ? [`−${before.length - same}`] : []),
  ];
  return texts.length === 0 ? "" : ` (${texts.join(" ")})`;
}

const called = (element: unknown): string => elementName(element) ?? stableText(element);
