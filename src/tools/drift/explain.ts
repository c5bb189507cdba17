import { type Change, type ComparedObject, changeAt, type Decider } from "../../provider/decisions/changes";
import { archivedText } from "../../provider/decisions/plan";
import { reviewLines } from "../../provider/engine";
import { changesOfPlaces } from "../../provider/engine/edits/authors";
import { type Change as AuditedChange, changeText } from "../../provider/schema/audit";
import { equalJson, type JsonObject, objectsIn } from "../../provider/schema/json";
import { type Path, propertyPath } from "../../provider/schema/path";
import { kindInWords } from "../../provider/schema/references";
import { keepingText } from "../../provider/texts/argument-names";
import { listText } from "../../provider/texts/count-text";
import { quote } from "../../provider/texts/issue-text";
import { guess } from "../../provider/texts/misspelling";
import { optionsOf } from "../../provider/values/options";
import { stateNames } from "../../provider/values/states";
import type { Values } from "../../provider/values/walk";
import type { Report, Section } from "../render/report";
import { type Consoles, readStack, type StackPorts } from "../stack/live";
import { UsageError } from "../stack/project";
import { isSecret, objectOf, type Resource, resourcesNamed } from "../stack/resources";
import { placeText } from "../stack/source-places";
import { type Comparison, comparedObject, consoleValue } from "./comparison";
import { compared } from "./drift";
import { shownValue, titleOf, whoJson } from "./report";

/** A place, and the author of the console's value where state has it and the program another one. */
type ExplainedPlace = Change & { readonly takenOver?: AuditedChange };

/** A resource, and the places at which it differs. */
export interface Explained {
  readonly comparison: Comparison;
  readonly places: readonly ExplainedPlace[];
  /** False where nothing of what was asked differs. */
  readonly differs: boolean;
  /** Lines about the reviews that the next update opens or waits for. */
  readonly reviews?: readonly string[];
}

/** A question about a resource by name, id or URN, and a place in it, such as `rules["Staff"].passPercentage`. */
export interface Question {
  readonly name: string;
  readonly place: string | undefined;
}

/**
 * Why the resources of that name differ from state and console. Reads these objects alone, and writes nothing.
 * @throws UsageError for a resource or a place that is not there, and what the Pulumi CLI or the console says when one of them fails.
 */
export async function explainStack(ports: StackPorts, { name, place }: Question): Promise<Explained[]> {
  const { progress } = ports;
  progress("Reading the state and the program's values (pulumi preview) ...");
  const { resources, consoles } = await readStack(ports);
  const named = resourcesNamed(resources, name);
  // Of several kinds that have the name, those count that have the field.
  const having = named.filter((one) => place === undefined || hasField(one, place));
  const comparisons = await compared(consoles, having.length === 0 ? named : having, progress);
  return Promise.all(comparisons.map((comparison) => explained(consoles, comparison, place)));
}

async function explained(
  consoles: Consoles,
  comparison: Comparison,
  asked: string | undefined,
): Promise<Explained> {
  const { resource, live, changes } = comparison;
  const { definition, id = "", provider, applied, wanted } = resource;
  if (live === undefined || applied === undefined || wanted === undefined)
    return { comparison, places: [], differs: true };
  const context = consoles.context(provider);
  const inside = changes.filter(({ label }) => asked === undefined || isInside(label, asked));
  if (asked !== undefined && inside.length === 0) {
    // A refresh keeps the program's value where the console decides: here the console's own is asked for.
    const own = (await consoles.live(definition, id, provider)) ?? live;
    const place = placeAt(resource, comparedObject(resource, own, context.overwritesEdits), asked);
    const values = [place.program, place.lastProgram, place.seen].filter((value) => value !== undefined);
    const differs = place.effect === "clears" || !values.every((value) => equalJson(value, place.live));
    return { comparison, places: [place], differs };
  }
  const taken = inside.filter(
    ({ program, lastProgram, live: now }) =>
      lastProgram !== undefined && equalJson(lastProgram, now) && !equalJson(program, now),
  );
  const authors = await changesOfPlaces({ context, definition, id, live, state: applied.outputs }, taken);
  const places = inside.map((place) => {
    const author = authors.get(place);
    // An author with a name is a person: no update of a stack sent that value.
    return typeof author?.by === "string" ? { ...place, takenOver: author } : place;
  });
  const sent = inside.filter(({ effect }) => effect === "sends").map(({ path: [name] }) => String(name));
  const reviews = reviewLines(context, definition, applied.outputs, wanted, [...new Set(sent)]);
  return { comparison, places, differs: places.length > 0, reviews };
}

/** The explanation of one place. @throws UsageError for one that there is not. */
function placeAt(resource: Resource, object: ComparedObject, asked: string): Change {
  const path = pathOf(resource, asked);
  const place = changeAt(object, { path, label: asked });
  if (place !== undefined) return place;
  const list = object.values.live[String(path[0])];
  const names = objectsIn(list).map((one) => quote(String(one.name)));
  const there = names.length === 0 ? "" : `; ${String(path[0])} has ${listText(names)}`;
  throw new UsageError(
    `${objectOf(resource)} has no ${asked} in the program, in state or in the console${there}`,
  );
}

/** True for a place, and for what is in it. */
function isInside(label: string, place: string): boolean {
  return label.startsWith(place) && /^(?:[.[ ]|$)/.test(label.slice(place.length));
}

function hasField({ definition }: Resource, text: string): boolean {
  return fieldsOf(definition).includes(String(propertyPath(text)?.[0] ?? text));
}

function fieldsOf(definition: Resource["definition"]): string[] {
  return Object.keys({ ...definition.fields, ...optionsOf(definition) });
}

/** The steps of a place that a person typed. @throws UsageError for a field that the kind has not. */
function pathOf({ definition, name }: Resource, text: string): Path {
  const steps = propertyPath(text) ?? [text];
  const field = String(steps[0]);
  const fields = fieldsOf(definition);
  if (fields.includes(field)) return steps;
  const meant = guess(field, fields, String);
  throw new UsageError(`${kindInWords(definition.name)} ${quote(name)} has no field ${quote(field)}${meant}`);
}

/** Reasons for which a trait decides; of others {@link reasonOf} knows more. */
const reasons: Readonly<Partial<Record<Change["trait"], string>>> = {
  ignoreChanges: "the resource option `ignoreChanges` names this place",
  option: "it is an option of the resource, which the console does not store",
  output: "the console sets it, and no program can",
  serverSet: "the console computes it",
  rollout: "a schedule of the console moves it",
  archived: "the program has the resource and does not archive it",
  aliasOf: "the program sets the same thing by another argument",
  clearWith: "the program set it last time and no longer does, and the API can clear it",
  writeOnly: "no read returns it: only the program's last value is known",
  readsOtherId: "reads return another id: only the program's last value is compared",
  replaces: "the program sets it, and a change replaces the object",
  fixed: "the program sets it, and the API takes it at creation alone",
};

function reasonOf({ definition }: Resource, { trait, path, lastProgram }: Change): string {
  const name = String(path[0]);
  if (trait === "owns") {
    const concern = stateNames(definition).includes(name) ? "status" : "rollout";
    return `the program sets \`owns: { ${concern}: "console" }\`; no preview shows the program's own value, which counts for what is new`;
  }
  if (trait === "unset")
    return lastProgram === undefined
      ? "the program does not set it"
      : "the program set it last time and no longer does, and the API cannot clear it";
  return reasons[trait] ?? (path.length === 1 ? "the program sets it" : `the program sets \`${name}\``);
}

/** The part of the next \`pulumi up\`, without a refresh, at a place, and the command to type if that is not wanted. */
function nextOf({ name }: Resource, { effect, path, waitsFor = [] }: Change): string {
  const keep = keepingText("it", name);
  const again =
    "again: the last update sent it too, and the console stored another value. Set the console's value in the program, or name the place in `ignoreChanges`.";
  const texts: Readonly<Record<Change["effect"], string>> = {
    leaves: "sends nothing here: the console's value stays.",
    agrees: "sends nothing here: program and console agree, and state takes the value over.",
    unseen: `does not look: state still has the value from before the change. To keep the console's value, ${keep}; \`pulumi refresh\` shows it in the next preview.`,
    nothing: "sends nothing here.",
    keeps: `sends the object's other changes and keeps the console's value here. To keep it after a refresh, ${keep}.`,
    joins: `sends the program's changes here and keeps what only the console changed. To keep that after a refresh, ${keep}.`,
    conflicts: `is refused: the console's value changed after state saw it. To keep the console's value, ${keep}; otherwise type \`pulumi refresh\` and look at the preview again.`,
    waits: `is refused because of ${waitsFor.join(", ")}, and sends nothing here.`,
    "refused in the archive": `is refused: the object ${archivedText}.`,
    replaces: "replaces the object by another one.",
    "notes the option": "takes it into state, and sends nothing.",
    follows: "follows the argument that the program sets in its place.",
    revives: "brings the object back from the archive.",
    clears: path.length > 1 ? "removes it." : "clears it.",
    sends: "sends the program's value.",
    "in review": "waits for its review, and sends nothing here before a person accepts it.",
    "sends again": `sends the program's value ${again}`,
  };
  return texts[effect];
}

/** The four values of a place. Where the console owns it, a preview repeats the program's value of the last update. */
function valuesOf(change: Change): Values {
  const { trait, program, lastProgram, seen } = change;
  return { program: trait === "owns" ? undefined : program, lastProgram, seen, live: consoleValue(change) };
}

const columns = [
  ["program", "program"],
  ["inputs in state", "lastProgram"],
  ["state", "seen"],
  ["console", "live"],
] as const;

const deciders: Readonly<Record<Decider, string>> = {
  program: "the program",
  console: "the console",
  server: "the console alone",
};

/** The explanations: for each place its four values, who decides, and the effect of the next update. Secrets are left out. */
export function explainReport(explained: readonly Explained[]): Report {
  const parts = explained.map((one) => ({
    title: headOf(one),
    parts: [...(one.reviews ?? []), ...one.places.map((place) => placePart(one.comparison.resource, place))],
  }));
  return { parts, json: { objects: explained.map(explainedJson) } };
}

function headOf({ comparison, places }: Explained): string {
  if (comparison.what === "differs" || comparison.what === "same") {
    const title = titleOf(comparison, "");
    return places.length > 0
      ? title
      : `${title} has the same values in program, state and console, wherever the program decides.`;
  }
  return `${titleOf(comparison)}.`;
}

function placePart(resource: Resource, place: ExplainedPlace): Section {
  const secret = isSecret(resource, place.path);
  const values = valuesOf(place);
  const { takenOver } = place;
  const origin =
    takenOver && ` (set in the console: ${changeText(takenOver)}; taken over by a refresh or an update)`;
  const rows = [
    ...columns.map(([title, source]) => [
      title,
      `${shownValue(values[source], secret)}${source === "lastProgram" ? (origin ?? "") : ""}`,
    ]),
    ["decides", `${deciders[place.decidedBy]} (${place.trait}): ${reasonOf(resource, place)}`],
    ["next up", nextOf(resource, place)],
  ];
  return { title: place.label, parts: [{ rows }] };
}

function explainedJson({ comparison: { resource, what }, places }: Explained): JsonObject {
  const { urn, name, id, definition, position } = resource;
  return {
    ...{ urn, name, kind: definition.kind, id, what },
    place: position === undefined ? undefined : placeText(position),
    places: places.map((place) => {
      const { label, path, decidedBy, trait, takenOver } = place;
      const { program, lastProgram, seen, live } = valuesOf(place);
      const values = { program, lastProgram, state: seen, console: live };
      return {
        path: label,
        ...(isSecret(resource, path) ? { secret: true } : values),
        ...{ decides: decidedBy, trait, reason: reasonOf(resource, place) },
        ...(takenOver === undefined ? {} : whoJson("changed", takenOver)),
        next: nextOf(resource, place),
      };
    }),
  };
}
