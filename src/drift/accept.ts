import type * as ts from "typescript";
import { sameMeaning } from "../core/compare";
import { isObject } from "../core/json";
import { type Node, treeOf } from "../core/tree";
import { idList } from "../id-lists/value-type";
import type { Call } from "./calls";
import { Computed, type Edit, edited, type Job } from "./edits";
import { literalText, styleOf } from "./literal-text";
import { bare, literalValue, memberName } from "./literals";
import type { Outcome } from "./outcome";
import { type Program, placeOf } from "./program";
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
  const outcomes: Outcome[] = [];
  const edits = new Map<string, { file: ts.SourceFile; edits: Edit[] }>();
  for (const wish of wishes) {
    const result = acceptedOne(program, wish);
    outcomes.push(...result.outcomes);
    if (result.file === undefined || result.parsed === undefined) continue;
    const known = edits.get(result.file) ?? { file: result.parsed, edits: [] };
    known.edits.push(...result.edits);
    edits.set(result.file, known);
  }
  const changes = new Map(
    [...edits].flatMap(([name, { file, edits: all }]) =>
      all.length === 0 ? [] : [[name, { before: file.text, after: edited(file.text, all) }]],
    ),
  );
  return { outcomes, changes };
}

interface One {
  readonly outcomes: readonly Outcome[];
  readonly edits: readonly Edit[];
  readonly file?: string;
  readonly parsed?: ts.SourceFile;
}

function acceptedOne(program: Program, { comparison, values, isNamed }: Wish): One {
  const { resource } = comparison;
  const found = program.find(resource);
  if (!("call" in found)) {
    const outcomes = values.map((value) => refusal(comparison, value, found));
    return { outcomes: comparison.what === "gone" ? [goneOutcome(comparison, found)] : outcomes, edits: [] };
  }
  const { call, file } = found;
  const place = placeOf(file, call.file, call.node);
  if (comparison.what === "gone") return { outcomes: [goneOutcome(comparison, { place })], edits: [] };
  const job = program.jobFor(resource, call.file);
  const outcomes: Outcome[] = [];
  const good = values.filter((value) => {
    const isMixed = !isNamed && hasPending(comparison, value.name);
    const problem = isMixed
      ? {
          why: "the program has changed it too and was not applied; with its name it is accepted whole",
          place,
        }
      : attempt(program, job, { call, file, comparison }, [value]);
    if (Array.isArray(problem)) return true;
    outcomes.push(refusal(comparison, value, problem));
    return false;
  });
  const edits = good.length === 0 ? [] : attempt(program, job, { call, file, comparison }, good);
  if (!Array.isArray(edits))
    return { outcomes: values.map((one) => refusal(comparison, one, edits)), edits: [] };
  const done = good.map((value): Outcome => ({ ...toldOf(comparison, value), how: "accepted", place }));
  return { outcomes: [...done, ...outcomes], edits, file, parsed: call.file };
}

function hasPending({ differences }: Comparison, name: string): boolean {
  return differences.some((one) => one.name === name && one.standing === "pending");
}

interface Place {
  readonly call: Call;
  readonly file: string;
  readonly comparison: Comparison;
}

type Refusal = { readonly why: string; readonly type?: string; readonly place?: Outcome["place"] };

/** The edits for some arguments, proved to say what the console has; or why there are none. */
function attempt(program: Program, job: Job, at: Place, values: readonly NewValue[]): Edit[] | Refusal {
  const { call, file } = at;
  const secret = values.find(({ name }) => isSecret(at.comparison, name));
  if (secret !== undefined)
    return {
      why: "it holds a secret, which is not written into a program",
      type: "it as a secret of the stack's configuration",
      place: placeOf(file, call.file, call.node),
    };
  const ids = values.find(({ name, live }) => isDigested(at.comparison, name) && !Array.isArray(live));
  if (ids !== undefined) return { why: "it has too many ids", place: placeOf(file, call.file, call.node) };
  try {
    const edits = editsFor(job, call, at.comparison, values);
    const text = edited(call.file.text, edits);
    if (isProved(program, job, { ...at, text }, values)) return edits;
    return {
      why: "the change could not be proved to say what the console has",
      place: placeOf(file, call.file, call.node),
    };
  } catch (error) {
    if (!(error instanceof Computed)) throw error;
    return { why: error.message, type: error.type, place: placeOf(file, call.file, error.node) };
  }
}

function editsFor(job: Job, call: Call, comparison: Comparison, values: readonly NewValue[]): Edit[] {
  const { compiler, file } = job;
  const { schema, live, instead } = argumentsOf(comparison, values);
  const [first, second] = call.node.arguments ?? [];
  if (first !== undefined && second === undefined) {
    const added = values.map(({ name, live: value }) =>
      addition(job, name, schema.properties?.[name] ?? {}, value),
    );
    const parts = added.map((entry) => ("textAt" in entry ? entry.textAt("") : ""));
    return [{ start: first.end, end: first.end, text: `, { ${parts.join(", ")} }` }];
  }
  const node = second === undefined ? call.node : bare(compiler, second);
  if (!compiler.isObjectLiteralExpression(node)) {
    const texts = values.map(({ name }) => typeText(comparison, name, live[name]));
    throw new Computed(second ?? call.node, texts.join(", "), "the arguments are computed");
  }
  const wanted = comparison.resource.wanted ?? {};
  const only = new Set(values.map(({ name }) => name));
  return rewritten(
    { ...job, file },
    { expression: node, schema, pattern: "", wanted: { ...wanted }, live, only, instead },
  );
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

/** True where the changed text says what the console has, read anew. */
function isProved(
  program: Program,
  { compiler }: Job,
  { call, file, comparison, text }: Place & { text: string },
  values: readonly NewValue[],
): boolean {
  const { definition } = comparison.resource;
  const [, second] = program.again(file, text, call)?.node.arguments ?? [];
  const node = second === undefined ? undefined : bare(compiler, second);
  if (node === undefined || !compiler.isObjectLiteralExpression(node)) return false;
  return values.every(({ name, live }) => {
    const property = node.properties.find((one) => memberName(compiler, one) === name);
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

function goneOutcome({ resource }: Comparison, { place }: { place?: Outcome["place"] }): Outcome {
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
