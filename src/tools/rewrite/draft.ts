import { idListNames } from "../../provider/id-lists/value-type";
import { isObject } from "../../provider/schema/json";
import { nameArguments } from "../../provider/schema/object-id";
import { treeOf } from "../../provider/schema/tree";
import { sameMeaning } from "../../provider/values/compare";
import { isSecret, type Resource } from "../stack/resources";
import { type Call, placeOf } from "./calls";
import { type Advice, Computed, type Edit, edited } from "./edits";
import { type Literal, literalIn, literalValue, type Meant, type Member } from "./literals";
import type { Program } from "./program";
import { addition, rewritten } from "./rewrite";
import {
  adviceFor,
  type NewValue,
  type Refusal,
  type Refused,
  refused,
  refusedWhole,
  type Wish,
} from "./wish";

/** The edits for one resource. */
export interface Draft {
  readonly resource: Resource;
  readonly edits: readonly Edit[];
  /** The values that the edits bring in. */
  readonly values: readonly NewValue[];
  readonly refused: readonly Refused[];
  readonly call?: Call;
}

/** Drafts a wish: its edits, and a refusal with its reason for each value that is not written. */
export function draftOf(program: Program, { resource, values, gone }: Wish): Draft {
  const found = program.find(resource);
  const nothing = { resource, edits: [], values: [] };
  if (gone !== undefined) return { ...nothing, refused: [refusedWhole(resource, gone, found.place)] };
  if (!("node" in found))
    return { ...nothing, refused: values.map((value) => refused(resource, value, found)) };
  const problems = new Map<NewValue, Refusal>();
  for (const value of values) {
    const one = attempt(program, found, resource, [value]);
    if (!Array.isArray(one)) problems.set(value, one);
  }
  const good = values.filter((value) => !problems.has(value));
  const edits = good.length === 0 ? [] : attempt(program, found, resource, good);
  if (!Array.isArray(edits)) for (const value of good) problems.set(value, edits);
  const bad = [...problems].map(([value, problem]) => refused(resource, value, problem));
  return Array.isArray(edits)
    ? { resource, edits, values: good, refused: bad, call: found }
    : { ...nothing, refused: bad };
}

/** The edits for some arguments, proved to say what the console has; or why there are none. */
function attempt(
  program: Program,
  call: Call,
  resource: Resource,
  values: readonly NewValue[],
): Edit[] | Refusal {
  const { place, node } = call;
  const { file } = call.job;
  if (values.some(({ isMixed }) => isMixed === true)) {
    const why = "the program has changed it too and was not applied; with its name it is accepted whole";
    return { why, place };
  }
  if (values.some(({ name }) => isSecret(resource, [name]))) {
    const advice = { type: "it as a secret of the stack's configuration" };
    return { why: "it holds a secret, which is not written into a program", advice, place };
  }
  const lists = idListNames(resource.definition);
  if (values.some(({ name, live }) => lists.includes(name) && isObject(live)))
    return { why: "it has too many ids", place };
  try {
    const edits = editsFor(call, resource, values);
    const start = node.getStart(file);
    const text = edited(file.text.slice(start, node.end), edits, start);
    if (isProved(program.argumentsIn(text, call), resource, values)) return edits;
    return { why: "the change could not be proved to set this value", place };
  } catch (error) {
    if (!(error instanceof Computed)) throw error;
    return { why: error.message, advice: error.advice, place: placeOf(file, error.node) };
  }
}

function editsFor(call: Call, resource: Resource, values: readonly NewValue[]): Edit[] {
  const { job } = call;
  const { compiler, file } = job;
  const texts = toDoTogether(values.map((value) => adviceFor(resource, value)));
  const [first, second] = call.node.arguments ?? [];
  const spread = call.node.arguments?.find((one) => compiler.isSpreadElement(one));
  const literal = second && literalIn(compiler, second);
  const isSilent = literal === undefined || (literal.how === "scalar" && literal.value === undefined);
  if (spread !== undefined || !(isSilent || literal.how === "object"))
    throw new Computed(spread ?? second ?? call.node, texts, "the arguments are computed");
  const members = literal?.how === "object" ? literal.members : [];
  for (const value of values) refuseOthers(call, resource, value, members);
  const meant = argumentsOf(resource);
  if (isSilent) {
    const added = values.map(({ name, live }) =>
      addition(job, name, meant.schema.properties?.[name] ?? {}, live),
    );
    const text = `{ ${added.map(({ textAt }) => textAt("")).join(", ")} }`;
    if (second !== undefined) return [{ start: second.getStart(file), end: second.end, text }];
    return first === undefined ? [] : [{ start: first.end, end: first.end, text: `, ${text}` }];
  }
  const live = Object.fromEntries(values.map((one) => [one.name, one.live]));
  const only = new Map(values.map((one) => [one.name, one]));
  return rewritten(job, { ...meant, literal, wanted: { ...resource.wanted }, live, only });
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
function refuseOthers(call: Call, resource: Resource, value: NewValue, members: readonly Member[]): void {
  const { definition, wanted: { [value.name]: wanted } = {} } = resource;
  const member = members.findLast(({ name }) => name === value.name);
  const isSpread = members.some(({ name }) => name === undefined);
  if (member === undefined && (isSpread || nameArguments(definition).includes(value.name))) return;
  const hasIds = idListNames(definition).includes(value.name);
  const said = member && literalValue(member.value, argumentIn(resource, value.name), wanted);
  if (hasIds ? !isObject(said) : sameMeaning(definition, value.name, said, wanted)) return;
  const why = hasIds
    ? "the ids are not written here: they are in a file, in the settings, or computed"
    : "what stands here is not what the program makes of it";
  throw new Computed(member?.node ?? call.node, adviceFor(resource, value), why);
}

/** An argument in the definition. */
function argumentIn({ definition }: Resource, name: string): Meant {
  return { definition, pattern: name, schema: treeOf(definition)[name]?.node ?? {} };
}

/** The arguments as one object, with the schema of the whole. */
function argumentsOf({ definition }: Resource): Meant {
  const tree = Object.entries(treeOf(definition));
  const properties = Object.fromEntries(tree.map(([name, { node }]) => [name, node]));
  return { definition, pattern: "", schema: { type: "object", properties } };
}

/** True where the arguments of a call, read anew, say what the console has. */
function isProved(args: Literal | undefined, resource: Resource, values: readonly NewValue[]): boolean {
  if (args?.how !== "object") return false;
  return values.every(({ name, live }) => {
    const { value } = args.members.findLast((one) => one.name === name) ?? {};
    if (value?.how === "computed") return false;
    const said = value && literalValue(value, argumentIn(resource, name), live);
    return sameMeaning(resource.definition, name, said, live) || (value === undefined && live === null);
  });
}
