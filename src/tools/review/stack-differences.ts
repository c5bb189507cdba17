import { stateNames } from "../../provider/decisions/plan";
import { type JsonObject, picked } from "../../provider/schema/json";
import { nameArguments } from "../../provider/schema/object-id";
import { countOf, listText, nameIn, sentencesText, sentenceText } from "../../provider/words";
import type { Report } from "../render/report";
import { called, type Resource, resourcesOf } from "../stack/resources";
import type { ExportedStack } from "../stack/stack";
import { differenceOf } from "./differences";
import { ruleTable, valueTable } from "./pages/parts";
import { type IdsAcross, idsAcross, pairsOf, translated } from "./stack-pairs";

type StackObject = ReturnType<typeof objectOf>;
type StackDifferences = ReturnType<typeof stackDifferences>;

/**
 * Compares what the state of two stacks has of this package's objects. Objects are the same that have one name in the program,
 * else those that are called alike in the console. The id of a counterpart counts as the same. Secrets are compared and never shown.
 */
export function stackDifferences(from: ExportedStack, to: ExportedStack) {
  const [olds, news] = [from, to].map(({ exported }) => resourcesOf(exported)) as [Resource[], Resource[]];
  const pairs = pairsOf(olds, news);
  const paired = new Set(pairs.flat());
  const idsIn = idsAcross(pairs);
  const differing = pairs.flatMap(([one, other]) => differingObject(one, other, idsIn) ?? []);
  const lone = (resources: readonly Resource[]) => resources.filter((one) => !paired.has(one)).map(objectOf);
  return {
    format: 1,
    ...{ from: from.name, to: to.name, differing },
    /** Number of objects that are alike in both. */
    same: pairs.length - differing.length,
    onlyIn: { from: lone(olds), to: lone(news) },
  };
}

/** An object of a stack: its names in the program and in the console. */
function objectOf(resource: Resource) {
  const { kind, title } = resource.definition;
  return { kind, title, name: resource.name, called: called(resource) };
}

/** Difference of a resource from its counterpart, read from the first to the second; undefined where they are alike. */
function differingObject(one: Resource, other: Resource, idsIn: IdsAcross) {
  const { definition } = one;
  const meant = translated(definition, one.applied?.inputs ?? {}, idsIn);
  const from = { values: appliedValues(one, meant), secrets: one.secrets };
  const to = { values: appliedValues(other, other.applied?.inputs), secrets: other.secrets };
  const found = differenceOf(definition, from, to, { called: called(other), unset: "not set" });
  if (found === undefined) return undefined;
  const { statements, tables, values } = found;
  return { ...objectOf(one), headline: sentencesText(statements), statements, tables, values };
}

/** The values of an object with these arguments: its name where none gives it, and its state where none sets it. */
export function appliedValues({ definition, applied }: Resource, inputs: JsonObject = {}): JsonObject {
  const { outputs = {} } = applied ?? {};
  // A name that a program leaves out is the one that the object has.
  const values = { ...picked(outputs, nameArguments(definition)), ...inputs };
  const field = definition.lifecycle.archived?.field;
  const isSaid = stateNames(definition).some((name) => values[name] !== undefined);
  return field === undefined || isSaid || outputs[field] === undefined
    ? values
    : { ...values, [field]: outputs[field] };
}

/** True for stacks that do not differ. */
export function areSame({ differing, onlyIn }: StackDifferences): boolean {
  return differing.length + onlyIn.from.length + onlyIn.to.length === 0;
}

/** Most names in a list of objects that one stack alone has. */
const mostNames = 50;

/** The differences, for people and programs. */
export function compareReport(differences: StackDifferences): Report {
  const { from, to, onlyIn, differing } = differences;
  const named = ({ title, called: name }: StackObject) => `${title} ${nameIn(name)}`;
  const alone = (objects: readonly StackObject[], stack: string) =>
    objects.length === 0 ? [] : [`only in ${stack}: ${listText(objects.map(named), mostNames)}`];
  const parts = differing.map(({ headline, statements, tables, values, ...object }) => ({
    title: named(object),
    parts: statements.map(sentenceText),
    folded: [
      headline,
      ...tables.map(({ rows }) => ruleTable(rows)),
      ...(values.length > 0 ? [valueTable(values)] : []),
    ],
  }));
  return {
    title: `${from} → ${to}`,
    parts: [...parts, ...alone(onlyIn.from, from), ...alone(onlyIn.to, to), summaryOf(differences)],
    json: differences,
  };
}

function summaryOf({ same, differing, onlyIn, from, to }: StackDifferences): string {
  const parts = [
    `${countOf(differing.length, "object")} ${differing.length === 1 ? "differs" : "differ"}`,
    ...(onlyIn.from.length > 0 ? [`${onlyIn.from.length} only in ${from}`] : []),
    ...(onlyIn.to.length > 0 ? [`${onlyIn.to.length} only in ${to}`] : []),
    `${same} the same`,
  ];
  return `${parts.join(", ")}.`;
}
