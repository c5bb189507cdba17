import type * as ts from "typescript";
import { sameMeaning } from "../core/compare";
import { isObject } from "../core/json";
import { namingArguments } from "../core/object-id";
import { type Node, treeOf } from "../core/tree";
import { idList } from "../id-lists/value-type";
import type { Call } from "./calls";
import type { Compiler } from "./compiler";
import { Computed, type Edit, edited, inOrder, type Job } from "./edits";
import { literalText, styleOf } from "./literal-text";
import { bare, isUndefined, literalValue, memberName } from "./literals";
import type { Outcome } from "./outcome";
import { type Place, type Program, placeOf } from "./program";
import { objectOf } from "./report";
import { addition, rewritten } from "./rewrite";
import { sayable } from "./sayable";
import { type Comparison, isDrift, type NewValue } from "./three-ways";

/** What of a resource goes into the program. */
export interface Wish {
  readonly comparison: Comparison;
  readonly values: readonly NewValue[];
  /** Somebody asked for this resource by name: then also what the program changes itself. */
  readonly isNamed: boolean;
}

/** What would become of the program. */
export interface Acceptance {
  readonly outcomes: readonly Outcome[];
  /** New texts by file, and the old ones. */
  readonly changes: ReadonlyMap<string, { readonly before: string; readonly after: string }>;
}

/** Writes what the console has into the texts of a program. Nothing is written to disk. */
export function accepted(program: Program, wishes: readonly Wish[]): Acceptance {
  const drafts = wishes.map((wish) => draftOf(program, wish));
  const outcomes = new Map(drafts.map((draft) => [draft, draft.outcomes]));
  const refuse = (draft: Draft, why: string) => {
    if (draft.at !== undefined) outcomes.set(draft, allRefused(draft, draft.at, why));
  };
  const changes = new Map<string, { before: string; after: string }>();
  for (const [name, all] of byFile(drafts)) {
    const good = apartFromOthers(all);
    for (const one of all)
      if (!good.includes(one))
        refuse(one, "it stands inside of another change; accept it once more after that");
    const before = all[0]?.at?.call.file.text ?? "";
    const after = edited(
      before,
      good.flatMap(({ edits }) => edits),
    );
    const calls = program.callsAfter(name, after);
    const isProven = calls !== undefined && good.every((one) => isProvedIn(program, one, calls));
    if (isProven && after !== before) changes.set(name, { before, after });
    if (!isProven)
      for (const one of good) refuse(one, "the changes of its file could not be proved together");
  }
  return { outcomes: [...outcomes.values()].flat(), changes };
}

/** What would be written for one resource. */
interface Draft {
  readonly wish: Wish;
  readonly outcomes: readonly Outcome[];
  readonly edits: readonly Edit[];
  /** The values that the edits bring in. */
  readonly values: readonly NewValue[];
  readonly at?: Place;
}

function byFile(drafts: readonly Draft[]): ReadonlyMap<string, Draft[]> {
  const files = new Map<string, Draft[]>();
  for (const draft of drafts) {
    if (draft.at === undefined || draft.edits.length === 0) continue;
    files.set(draft.at.file, [...(files.get(draft.at.file) ?? []), draft]);
  }
  return files;
}

/** Those whose edits overlap no other's: a call may stand inside of an argument of another one. */
function apartFromOthers(drafts: readonly Draft[]): Draft[] {
  const owners = new Map(drafts.flatMap((draft) => draft.edits.map((edit) => [edit, draft] as const)));
  const bad = new Set<Draft | undefined>();
  let last: Edit | undefined;
  for (const edit of inOrder([...owners.keys()])) {
    if (last !== undefined && edit.start < last.end) bad.add(owners.get(edit));
    if (last === undefined || edit.end > last.end) last = edit;
  }
  return drafts.filter((draft) => !bad.has(draft));
}

function allRefused({ wish, outcomes, values }: Draft, { call, file }: Place, why: string): Outcome[] {
  const place = placeOf(file, call.file, call.node);
  const refused = outcomes.filter(({ how }) => how === "refused");
  return [...values.map((value) => refusal(wish.comparison, value, { why, place })), ...refused];
}

function isProvedIn(program: Program, { wish, values, at }: Draft, calls: readonly Call[]): boolean {
  const node = at === undefined ? undefined : calls[at.call.at]?.node;
  return node !== undefined && isProved(program.compiler, node, wish.comparison, values);
}

function draftOf(program: Program, wish: Wish): Draft {
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
    const isMixed = !isNamed && hasPending(comparison, value.name);
    const why = "the program has changed it too and was not applied; with its name it is accepted whole";
    const problem = isMixed ? { why, place } : attempt(program, job, at, [value]);
    if (Array.isArray(problem)) return true;
    outcomes.push(refusal(comparison, value, problem));
    return false;
  });
  const edits = good.length === 0 ? [] : attempt(program, job, at, good);
  if (!Array.isArray(edits))
    return { ...nothing, outcomes: values.map((one) => refusal(comparison, one, edits)) };
  const done = good.map((value): Outcome => ({ ...toldOf(comparison, value), how: "accepted", place }));
  return { wish, outcomes: [...done, ...outcomes], edits, values: good, at: found };
}

function hasPending({ differences }: Comparison, name: string): boolean {
  return differences.some((one) => one.name === name && one.standing === "pending");
}

type At = Place & { readonly comparison: Comparison };

type Refusal = { readonly why: string; readonly type?: string; readonly place?: Outcome["place"] };

/** The edits for some arguments, proved to say what the console has; or why there are none. */
function attempt(program: Program, job: Job, at: At, values: readonly NewValue[]): Edit[] | Refusal {
  const { call, file, comparison } = at;
  const place = placeOf(file, call.file, call.node);
  const secret = values.find(({ name }) => isSecret(comparison, name));
  if (secret !== undefined)
    return {
      why: "it holds a secret, which is not written into a program",
      type: "it as a secret of the stack's configuration",
      place,
    };
  const ids = values.find(({ name, live }) => isDigested(comparison, name) && !Array.isArray(live));
  if (ids !== undefined) return { why: "it has too many ids", place };
  try {
    const edits = editsFor(job, call, comparison, values);
    const start = call.node.getStart(call.file);
    const text = edited(call.file.text.slice(start, call.node.end), edits, start);
    const changed = program.alone(file, text);
    if (changed !== undefined && isProved(program.compiler, changed, comparison, values)) return edits;
    return { why: "the change could not be proved to say what the console has", place };
  } catch (error) {
    if (!(error instanceof Computed)) throw error;
    return { why: error.message, type: error.type, place: placeOf(file, call.file, error.node) };
  }
}

function editsFor(job: Job, call: Call, comparison: Comparison, values: readonly NewValue[]): Edit[] {
  const { compiler } = job;
  const { schema, live, instead } = argumentsOf(comparison, values);
  const texts = values.map(({ name }) => typeText(comparison, name, live[name])).join(", ");
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
  });
}

/**
 * What stands at an argument must be what the program makes of it now: a class in between, or a transform, would make something
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
  if (property === undefined && (isSpread || namingArguments(definition).includes(name))) return;
  const said =
    property === undefined ? undefined : literalValue(compiler, property.initializer, schema, wanted);
  const isHere = schema.valueType === idList ? !isObject(said) : sameMeaning(definition, name, said, wanted);
  if (isHere) return;
  const why =
    schema.valueType === idList
      ? "the ids are in a file"
      : "what stands here is not what the program makes of it";
  throw new Computed(property ?? call.node, typeText(comparison, name, live), why);
}

/** The arguments as one object, with the schema of the whole. */
function argumentsOf({ resource }: Comparison, values: readonly NewValue[]) {
  const tree = treeOf(resource.definition);
  const properties = Object.fromEntries(Object.entries(tree).map(([name, { node }]) => [name, node]));
  const schema: Node = { type: "object", properties };
  const live = Object.fromEntries(values.map(({ name, live: value }) => [name, value]));
  const instead = new Map(values.flatMap(({ name, instead: other }) => (other ? [[name, other]] : [])));
  return { schema, live, instead };
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
    return sameMeaning(definition, name, literalValue(compiler, property.initializer, schema, live), live);
  });
}

function isSecret({ differences }: Comparison, name: string): boolean {
  return differences.some((one) => one.name === name && one.secret);
}

function isDigested({ resource }: Comparison, name: string): boolean {
  return resource.definition.fields[name]?.facts.valueType === idList;
}

function toldOf(comparison: Comparison, { name }: NewValue) {
  const labels = comparison.differences.flatMap((one) => (one.name === name ? [one.label] : []));
  const { resource } = comparison;
  return {
    object: objectOf(resource),
    urn: resource.urn,
    label: labels.length === 0 ? name : labels.join(", "),
  };
}

function refusal(comparison: Comparison, value: NewValue, { why, type, place }: Refusal): Outcome {
  const told = toldOf(comparison, value);
  const shown = isSecret(comparison, value.name)
    ? (type ?? "it")
    : (type ?? typeText(comparison, value.name, value.live));
  return { ...told, how: "refused", why, type: shown, ...(place === undefined ? {} : { place }) };
}

function goneOutcome({ resource }: Comparison, place: Outcome["place"]): Outcome {
  return {
    ...{ object: objectOf(resource), urn: resource.urn, label: "(the whole of it)" },
    ...{ how: "refused", why: "it was deleted in the console", type: "nothing: remove this resource" },
    ...(place === undefined ? {} : { place }),
  };
}

/** Longest text to type, characters. */
const longest = 1000;

function typeText({ resource }: Comparison, name: string, live: unknown): string {
  if (live === undefined || live === null) return `nothing: remove ${name}`;
  const schema = treeOf(resource.definition)[name]?.node ?? {};
  if (schema.valueType === idList) return `${name}: the ids that the console has`;
  const text = `${name}: ${literalText(isObject(live) || Array.isArray(live) ? sayable(schema, live) : live, styleOf(""))}`;
  return text.length > longest ? `${text.slice(0, longest - 3)}...` : text;
}

/**
 * What is to go into the program. Without names: what somebody changed in the console, of arguments that the program leaves
 * alone meanwhile. `urns`: of these resources all in which console and program differ.
 */
export function wishesOf(comparisons: readonly Comparison[], urns: ReadonlySet<string> | undefined): Wish[] {
  return comparisons.flatMap((comparison): Wish[] => {
    const { resource, values, differences, what } = comparison;
    if (urns !== undefined ? !urns.has(resource.urn) : !isDrift(comparison)) return [];
    if (what === "dropped" || what === "new" || what === "same") return [];
    const isChanged = (name: string) =>
      differences.some((one) => one.name === name && one.standing === "changed");
    const isNamed = urns !== undefined;
    return [{ comparison, isNamed, values: values.filter(({ name }) => isNamed || isChanged(name)) }];
  });
}
