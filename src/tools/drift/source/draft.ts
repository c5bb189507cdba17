import type * as ts from "typescript";
import { idList, idListNames } from "../../../provider/id-lists/value-type";
import { isObject } from "../../../provider/schema/json";
import { nameArguments } from "../../../provider/schema/object-id";
import { type Node, treeOf } from "../../../provider/schema/tree";
import { sameMeaning } from "../../../provider/values/compare";
import { type Comparison, isChangedByBoth, type NewValue } from "../comparison";
import { type Place, type Program, placeOf } from "../program";
import { adviceFor, goneOutcome, isSecret, labelsOf, type Refusal, refusal } from "../refusal";
import type { Call } from "./calls";
import type { Compiler } from "./compiler";
import type { Outcome } from "./edits";
import { type Advice, Computed, type Edit, edited, type Job } from "./edits";
import { bare, isUndefined, literalValue, memberName } from "./literals";
import { addition, rewritten } from "./rewrite";

/** Values of a resource that are to go into the program. */
export interface Wish {
  readonly comparison: Comparison;
  readonly values: readonly NewValue[];
  /** A person asked for this resource by name: then also values that the program changes itself. */
  readonly isNamed: boolean;
}

/** The edits for one resource. */
export interface Draft {
  readonly wish: Wish;
  readonly outcomes: readonly Outcome[];
  readonly edits: readonly Edit[];
  /** The values that the edits bring in. */
  readonly values: readonly NewValue[];
  readonly at?: Place;
}

/** Drafts a wish: its edits, and a refusal with its reason for each value that is not written. */
export function draftOf(program: Program, wish: Wish): Draft {
  const { comparison, values, isNamed } = wish;
  const found = program.find(comparison.resource);
  const nothing = { wish, edits: [], values: [] };
  if (comparison.what === "gone") {
    const place = "call" in found ? placeOf(found.file, found.call.file, found.call.node) : found.place;
    return { ...nothing, outcomes: [goneOutcome(comparison, place)] };
  }
  if (!("call" in found))
    return { ...nothing, outcomes: values.map((value) => refusal(comparison, value, found)) };
  const place = placeOf(found.file, found.call.file, found.call.node);
  const job = program.jobFor(comparison.resource, found.file);
  const at = { ...found, comparison };
  const outcomes: Outcome[] = [];
  const good = values.filter((value) => {
    const isMixed = !isNamed && isTouchedByProgram(comparison, value.name);
    const why = "the program has changed it too and was not applied; with its name it is accepted whole";
    const problem = isMixed ? { why, place } : attempt(program, job, at, [value]);
    if (Array.isArray(problem)) return true;
    outcomes.push(refusal(comparison, value, problem));
    return false;
  });
  const edits = good.length === 0 ? [] : attempt(program, job, at, good);
  if (!Array.isArray(edits))
    return { ...nothing, outcomes: values.map((one) => refusal(comparison, one, edits)) };
  const done = good.map((value): Outcome => ({ ...labelsOf(comparison, value), how: "accepted", place }));
  return { wish, outcomes: [...done, ...outcomes], edits, values: good, at: found };
}

function isTouchedByProgram({ differences }: Comparison, name: string): boolean {
  return differences.some((one) => one.name === name && (one.standing === "pending" || isChangedByBoth(one)));
}

type At = Place & { readonly comparison: Comparison };

/** The edits for some arguments, proved to say what the console has; or why there are none. */
function attempt(program: Program, job: Job, at: At, values: readonly NewValue[]): Edit[] | Refusal {
  const { call, file, comparison } = at;
  const place = placeOf(file, call.file, call.node);
  const secret = values.find(({ name }) => isSecret(comparison, name));
  if (secret !== undefined)
    return {
      why: "it holds a secret, which is not written into a program",
      advice: { type: "it as a secret of the stack's configuration" },
      place,
    };
  const lists = idListNames(comparison.resource.definition);
  if (values.some(({ name, live }) => lists.includes(name) && isObject(live)))
    return { why: "it has too many ids", place };
  try {
    const edits = editsFor(job, call, comparison, values);
    const start = call.node.getStart(call.file);
    const text = edited(call.file.text.slice(start, call.node.end), edits, start);
    const changed = program.alone(file, text);
    if (changed !== undefined && isProved(program.compiler, changed, comparison, values)) return edits;
    return { why: "the change could not be proved to set this value", place };
  } catch (error) {
    if (!(error instanceof Computed)) throw error;
    return { why: error.message, advice: error.advice, place: placeOf(file, call.file, error.node) };
  }
}

function editsFor(job: Job, call: Call, comparison: Comparison, values: readonly NewValue[]): Edit[] {
  const { compiler } = job;
  const { schema, live, instead, explicit } = argumentsOf(comparison, values);
  const texts = toDoTogether(values.map(({ name }) => adviceFor(comparison, name, live[name])));
  const [first, second] = call.node.arguments ?? [];
  const spread = call.node.arguments?.find((one) => compiler.isSpreadElement(one));
  if (spread !== undefined) throw new Computed(spread, texts, "the arguments are computed");
  const said = second === undefined ? undefined : bare(compiler, second);
  const node = said !== undefined && compiler.isObjectLiteralExpression(said) ? said : undefined;
  const isSilent = said === undefined || isUndefined(compiler, said);
  if (node === undefined && !isSilent)
    throw new Computed(second ?? call.node, texts, "the arguments are computed");
  for (const { name } of values) refuseOthers(job, call, comparison, name, node);
  if (node === undefined) {
    const added = values.map(({ name, live: value }) =>
      addition(job, name, schema.properties?.[name] ?? {}, value),
    );
    const text = `{ ${added.map((entry) => ("textAt" in entry ? entry.textAt("") : "")).join(", ")} }`;
    if (second !== undefined) return [{ start: second.getStart(call.file), end: second.end, text }];
    return first === undefined ? [] : [{ start: first.end, end: first.end, text: `, ${text}` }];
  }
  const wanted = comparison.resource.wanted ?? {};
  const only = new Set(values.map(({ name }) => name));
  return rewritten(job, {
    expression: node,
    schema,
    pattern: "",
    wanted: { ...wanted },
    live,
    only,
    instead,
    explicit,
  });
}

function toDoTogether(advice: readonly Advice[]): Advice {
  const [first = { todo: "look at it" }, ...others] = advice;
  if (others.length === 0) return first;
  const types = advice.flatMap((one) => ("type" in one ? [one.type] : []));
  if (types.length === advice.length) return { type: types.join(", ") };
  return { todo: advice.map((one) => ("type" in one ? `type ${one.type}` : one.todo)).join("; ") };
}

/**
 * The literal of an argument must mean the program's present value: a class in between, or a transform, would make something
 * else of the new value too. @throws Computed
 */
function refuseOthers(
  { compiler, definition }: Job,
  call: Call,
  comparison: Comparison,
  name: string,
  node: ts.ObjectLiteralExpression | undefined,
): void {
  const wanted = comparison.resource.wanted?.[name];
  const property = node?.properties.findLast((one) => memberName(compiler, one) === name);
  const schema = treeOf(definition)[name]?.node ?? {};
  const live = comparison.values.find((one) => one.name === name)?.live;
  if (property !== undefined && !compiler.isPropertyAssignment(property)) return;
  const isSpread = node?.properties.some((one) => memberName(compiler, one) === undefined) === true;
  if (property === undefined && (isSpread || nameArguments(definition).includes(name))) return;
  const meant = { definition, pattern: name, schema };
  const said =
    property === undefined ? undefined : literalValue(compiler, property.initializer, meant, wanted);
  const isHere = schema.valueType === idList ? !isObject(said) : sameMeaning(definition, name, said, wanted);
  if (isHere) return;
  const why =
    schema.valueType === idList
      ? "the ids are not written here: they are in a file, in the settings, or computed"
      : "what stands here is not what the program makes of it";
  throw new Computed(property ?? call.node, adviceFor(comparison, name, live), why);
}

/** The arguments as one object, with the schema of the whole. */
function argumentsOf({ resource }: Comparison, values: readonly NewValue[]) {
  const tree = treeOf(resource.definition);
  const properties = Object.fromEntries(Object.entries(tree).map(([name, { node }]) => [name, node]));
  const schema: Node = { type: "object", properties };
  const live = Object.fromEntries(values.map(({ name, live: value }) => [name, value]));
  const instead = new Map(values.flatMap(({ name, instead: other }) => (other ? [[name, other]] : [])));
  const explicit = new Set(values.flatMap((one) => (one.isExplicit === true ? [one.name] : [])));
  return { schema, live, instead, explicit };
}

/** True where a call, read anew, says what the console has. */
function isProved(
  compiler: Compiler,
  call: ts.NewExpression,
  { resource: { definition } }: Comparison,
  values: readonly NewValue[],
): boolean {
  const [, second] = call.arguments ?? [];
  const node = second === undefined ? undefined : bare(compiler, second);
  if (node === undefined || !compiler.isObjectLiteralExpression(node)) return false;
  return values.every(({ name, live }) => {
    const property = node.properties.findLast((one) => memberName(compiler, one) === name);
    const schema = treeOf(definition)[name]?.node ?? {};
    if (property === undefined) return sameMeaning(definition, name, undefined, live) || live === null;
    if (!compiler.isPropertyAssignment(property)) return false;
    const meant = { definition, pattern: name, schema };
    return sameMeaning(definition, name, literalValue(compiler, property.initializer, meant, live), live);
  });
}

/** True where the calls of a changed file say what a draft has brought in. */
export function isProvedIn(program: Program, { wish, values, at }: Draft, calls: readonly Call[]): boolean {
  const node = at === undefined ? undefined : calls[at.call.at]?.node;
  return node !== undefined && isProved(program.compiler, node, wish.comparison, values);
}

/** The outcomes of a draft of which nothing can be written after all. */
export function allRefused({ wish, outcomes, values, at }: Draft, why: string): Outcome[] {
  const place = at === undefined ? {} : { place: placeOf(at.file, at.call.file, at.call.node) };
  const refused = outcomes.filter(({ how }) => how === "refused");
  return [...values.map((value) => refusal(wish.comparison, value, { why, ...place })), ...refused];
}
