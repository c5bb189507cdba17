import { check } from "../../decisions/check";
import { differences, plan } from "../../decisions/plan";
import { idParts } from "../../id-lists/changes";
import { inputNames, type ResourceDefinition } from "../../schema/define";
import { programMember } from "../../schema/internal";
import { type JsonObject, kept, mapped, picked } from "../../schema/json";
import { nameArguments, programIdArgument, secretOf } from "../../schema/object-id";
import { type Path, pathText } from "../../schema/path";
import { nodesOf, type TreeField, treeOf } from "../../schema/tree";
import { canonical, canonicalAll, isNothing, sameMeaning } from "../../values/compare";
import { machineOf } from "../../values/machine";
import { managedMember, managedNames, stateOf, viewOf } from "../../values/managed";
import { type ProgramLanguage, smallestForm, type Unsaid, withoutTwins } from "./smallest-form";

/** Arguments of a program for an object. */
export interface ResourceArguments {
  /** As the program says them: what it may leave out is left out. */
  readonly args: JsonObject;
  /** The same as the provider completes and keeps them. */
  readonly inputs: JsonObject;
  readonly notExpressible: readonly Unsaid[];
}

/** Arguments beside those that identify the object. */
export interface ArgumentOptions extends ProgramLanguage {
  /** Authors too. */
  readonly owners: boolean;
  /** True for the id of an object that there is. */
  readonly exists: (kind: string, id: unknown) => boolean;
  /** True for the id of an object that the console makes by itself, and names by itself. */
  readonly isOfConsole: (kind: string, id: unknown) => boolean;
}

/**
 * The arguments under which a live object shows no difference: the least, by the provider's own check and comparison.
 * `name`: of the resource in the program.
 */
export function argumentsOf(
  definition: ResourceDefinition,
  live: JsonObject,
  name: string,
  options: ArgumentOptions,
): ResourceArguments | { readonly leftOut: string } {
  if (secretOf(definition) !== undefined) return { leftOut: "what leads to it is a secret" };
  const { whole, small, notExpressible } = valuesOf(definition, live, options);
  const naming = namesIn(definition, live, name);
  const judged = (values: JsonObject) => judge(definition, live, name, { ...values, ...naming });
  const settled = (values: JsonObject): JsonObject => {
    const fuller = judged(values).problems.map(({ name }) => name);
    return { ...values, ...picked(whole, fuller) };
  };
  // Settled first: a difference of another argument would hide what tells rivals apart.
  const values = settled(withoutRivals(definition, settled(small), judged));
  const problems = judged(values).problems;
  const said = kept(values, (one) => !problems.some((problem) => problem.name === one));
  const { problems: lasting, inputs } = judged(said);
  const [first] = lasting;
  if (first !== undefined) return { leftOut: `${first.path}: ${first.why}` };
  const why = problems.map((problem) => ({ path: problem.path, why: problem.why }));
  const args = { ...said, ...shownNames(definition, naming, name) };
  return {
    // In the order of the definition, which is that of the reference.
    args: picked(args, managedNames(definition, args)),
    inputs,
    notExpressible: [...notExpressible, ...why],
  };
}

function valuesOf(definition: ResourceDefinition, live: JsonObject, options: ArgumentOptions) {
  const tree = treeOf(definition);
  const notExpressible: Unsaid[] = [];
  const whole: JsonObject = {};
  const small: JsonObject = {};
  const naming = nameArguments(definition);
  for (const [name, value] of Object.entries(viewedArguments(definition, live, options))) {
    const field = tree[name];
    if (field === undefined || naming.includes(name) || !isWritten(definition, name, field, options))
      continue;
    if (field.traits.readsOtherId === true && !isNothing(value) && !known(field, value, options)) {
      notExpressible.push({
        path: name,
        why: "the console shows it by another id than the one that is written",
      });
      continue;
    }
    if (
      typeof field.traits.refersTo === "string" &&
      field.optional &&
      options.isOfConsole(field.traits.refersTo, value)
    )
      continue;
    const form = canonicalOf(definition, name, value) ?? (field.optional ? undefined : emptyText(field));
    if (form === undefined) continue;
    const least = smallestForm(field.node, form, [name], options);
    notExpressible.push(...least.notExpressible);
    whole[name] = field.node.valueType !== undefined ? form : least.value;
    // A program that is silent keeps this value, or the console gives it to a new object.
    if (field.optional && sameMeaning(definition, name, form, field.traits.serverDefault)) continue;
    small[name] = least.value;
  }
  for (const [name, field] of Object.entries(tree)) {
    const text = field.mode === "writeOnly" && !field.optional ? emptyText(field) : undefined;
    if (text === undefined) continue;
    small[name] = text;
    notExpressible.push({ path: name, why: "a program has to set it, and the console never shows it" });
  }
  const view = viewOf(definition, live);
  return {
    // As they are, with what their smallest form leaves out.
    whole: mapped(whole, (value, name) => canonicalOf(definition, name, view[name] ?? value)),
    small,
    notExpressible: [
      ...notExpressible,
      ...idParts(definition, live).flatMap(({ field, read }) =>
        read === undefined ? [{ path: field, why: "the console never shows these ids" }] : [],
      ),
    ],
  };
}

/** The arguments as the console has them, of two views of one thing the better one. */
function viewedArguments(
  definition: ResourceDefinition,
  live: JsonObject,
  language: ProgramLanguage,
): JsonObject {
  const tree = treeOf(definition);
  const view = viewOf(definition, live);
  const inputs = inputNames(definition).filter((name) => tree[name]?.mode === "input");
  return withoutTwins(picked(nodesOf(definition), inputs), picked(view, inputs), language);
}

/** Ids stay ids, in an order that does not depend on the answer. */
function canonicalOf(definition: ResourceDefinition, name: string, value: unknown): unknown {
  if (definition.fields[name]?.traits.valueType === undefined) return canonical(definition, name, value);
  return Array.isArray(value) ? [...new Set(value.map(String))].sort() : undefined;
}

/** Text of a program where it must set one and the console has none. */
function emptyText({ node }: TreeField): string | undefined {
  return [node.type].flat().includes("string") && node.enum === undefined ? "" : undefined;
}

/** Authors are told on demand; what a state was reached by is told. */
function isWritten(
  definition: ResourceDefinition,
  name: string,
  { traits }: TreeField,
  { owners }: ArgumentOptions,
): boolean {
  // An object keeps its team if the program sets none.
  if (traits.ofKey !== undefined) return owners;
  if (traits.remembered !== true) return true;
  const needed = machineOf(definition)?.moves.some(({ needs }) => needs?.includes(name)) === true;
  return needed || owners;
}

function known({ traits }: TreeField, value: unknown, { exists }: ArgumentOptions): boolean {
  return typeof traits.refersTo === "string" && exists(traits.refersTo, value);
}

/** Arguments that identify the object and name it, also those that the program may leave out. */
function namesIn(definition: ResourceDefinition, live: JsonObject, name: string): JsonObject {
  const names = nameArguments(definition).map((one) => [one, live[one] ?? undefined]);
  const known = names.filter(([, value]) => typeof value === "string" && value !== "");
  const calling = programIdArgument(definition);
  const called =
    calling !== undefined && nameArguments(definition).includes(calling) ? { [calling]: name } : {};
  return { ...called, ...Object.fromEntries(known) };
}

/** The names that differ from what the provider fills in. */
function shownNames(definition: ResourceDefinition, naming: JsonObject, name: string): JsonObject {
  const calling = programIdArgument(definition);
  const called = calling === undefined ? name : (naming[calling] ?? name);
  return kept(naming, (one, value) => value !== (one === calling ? name : called));
}

/** Of arguments of which a program says one, the one that tells it all. */
function withoutRivals(
  definition: ResourceDefinition,
  values: JsonObject,
  judged: (values: JsonObject) => Judgement,
): JsonObject {
  return (definition.exclusive ?? []).reduce((left, group) => {
    const given = group.filter((name) => left[name] !== undefined);
    if (given.length < 2) return left;
    const choices = given.map((chosen) => kept(left, (name) => name === chosen || !given.includes(name)));
    const counts = choices.map((choice) => judged(choice).problems.length);
    return choices[counts.indexOf(Math.min(...counts))] ?? left;
  }, values);
}

interface Judgement {
  readonly inputs: JsonObject;
  readonly problems: readonly { readonly name: string; readonly path: string; readonly why: string }[];
}

/** Findings of the provider about a program with these arguments over a state with the same. */
function judge(definition: ResourceDefinition, live: JsonObject, name: string, said: JsonObject): Judgement {
  const inputs = canonicalAll(definition, said);
  const result = check(definition, inputs, { ...inputs, [programMember]: { name } });
  const refused = result.problems.map(({ path, message }) => problem(path, message));
  const state = stateOf(definition, live, inputs);
  const planned = plan(definition, state, inputs);
  const names = planned.how === "nothing" ? [] : planned.names;
  const places = differences(definition, { ...live, [managedMember]: [] }, inputs);
  const moved = [...new Set([...names, ...places.map(({ path }) => String(path[0]))])].map((one) =>
    problem([one], "the console's value cannot be expressed without a difference"),
  );
  const revived = planned.how === "update" && planned.revive && names.length === 0;
  const archived = revived ? [problem([], "it is archived, and a program would bring it back")] : [];
  return { inputs, problems: [...refused, ...moved, ...archived] };
}

function problem(path: Path, why: string): Judgement["problems"][number] {
  return { name: String(path[0] ?? ""), path: pathText(path), why };
}
