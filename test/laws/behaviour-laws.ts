import type { ResourceDefinition } from "../../src/provider/schema/define";
import { type JsonObject, stableText } from "../../src/provider/schema/json";
import { expectedId, idMember, programIdArgument } from "../../src/provider/schema/object-id";
import { itemsOf, treeOf } from "../../src/provider/schema/tree";
import { samplesOf } from "../samples";
import type { ConsoleSetting } from "./consoles";
import { furnitureOf } from "./furniture";
import { withoutUnsaid } from "./objects";
import { kinds, type Resource, type Subject, startSubject } from "./subject";

/** What must hold of every kind, whatever the console answers to the open questions. */
interface BehaviourLaw {
  readonly title: string;
  /** @throws an error that says what is wrong. */
  readonly run: (subject: Subject) => Promise<void>;
}

function must(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what);
}

/** Quiet as it is and after a refresh, and nothing is written for it. */
async function mustBeQuiet(
  subject: Subject,
  resource: Resource,
  args: JsonObject,
  when: string,
): Promise<Resource> {
  const diff = await subject.diff(resource, args);
  must(diff.quiet && diff.replaces.length === 0, `${when}: a preview has something to do`);
  subject.emulator.clearRequests();
  const refreshed = await subject.refresh(resource);
  if (refreshed === undefined) throw new Error(`${when}: a refresh finds nothing`);
  const after = await subject.diff(refreshed, args);
  must(after.quiet && after.replaces.length === 0, `${when}: after a refresh a preview has something to do`);
  must(subject.writes().length === 0, `${when}: something was written`);
  return refreshed;
}

/** Fields that stay what they are through every change: identity, and what only a create takes. */
function heldNames(definition: ResourceDefinition): string[] {
  const { fields } = definition;
  return Object.keys(fields).filter((name) => {
    const facts = fields[name]?.traits;
    return name === programIdArgument(definition) || facts?.fixed === true || facts?.replaces === true;
  });
}

function pick(args: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
}

/** The smallest and the fullest arguments of one and the same object. */
export function bothEnds(definition: ResourceDefinition): {
  readonly small: JsonObject;
  readonly full: JsonObject;
} {
  const { smallest, fullest } = samplesOf(definition);
  const held = pick(fullest, heldNames(definition));
  return { small: { ...smallest, ...held }, full: fullest };
}

/** The object as the raw API shows it, without what changes by itself and with each write. */
async function rawOf(subject: Subject, id: string): Promise<JsonObject> {
  const { definition } = subject;
  const { read } = definition.lifecycle;
  if (read.how === "remember") return {};
  const raw = subject.raw[definition.name as "gate"] as unknown as Raw;
  const found =
    read.how === "get"
      ? await raw[read.route]?.({ id, name: id })
      : (await subject.objects())?.find((one) => one[idMember(definition)] === id);
  if (found === undefined) throw new Error("the list does not show it");
  const steady = Object.entries(treeOf(definition)).filter(
    ([, { traits }]) => traits.volatile !== true && traits.readsOtherId !== true,
  );
  return Object.fromEntries(steady.map(([name, { traits }]) => [name, found[traits.wire ?? name] ?? null]));
}

type Raw = Record<string, (input: JsonObject) => Promise<JsonObject>>;

/** A text that every kind with such an argument can change. */
function textOf(definition: ResourceDefinition, full: JsonObject): string | undefined {
  const held = heldNames(definition);
  const texts = ["description", "message", "triggerNotice"];
  return texts.find((one) => full[one] !== undefined && !held.includes(one));
}

/** An update of that text, after which all else is as it was in the raw API, but for `but`. */
async function mustKeep(
  subject: Subject,
  made: Resource,
  args: JsonObject,
  name: string,
  but: JsonObject = {},
) {
  const before = await rawOf(subject, made.id);
  const changed = { ...args, [name]: "Changed by the law" };
  await mustBeQuiet(subject, await subject.update(made, changed), changed, "changed");
  const after = await rawOf(subject, made.id);
  for (const [member, held] of Object.entries(before))
    must(
      member === name || member in but || stableText(held) === stableText(after[member]),
      `${member} was ${stableText(held)} and is ${stableText(after[member])}`,
    );
}

/** Lists of which a program may say a part of each element, and what their order means. */
function listsOf(definition: ResourceDefinition) {
  const { fullest } = samplesOf(definition);
  const held = heldNames(definition);
  return Object.entries(treeOf(definition)).flatMap(([name, { mode, traits, node }]) => {
    const list = fullest[name];
    const isList = Array.isArray(list) && list.length > 1 && itemsOf(node)?.sparse === true;
    if (mode !== "input" || !isList || held.includes(name) || traits.remembered) return [];
    return [{ name, node, isOrdered: traits.keyedBy === undefined && traits.unordered !== true }];
  });
}

/** All laws. */
export const behaviourLaws: readonly BehaviourLaw[] = [
  {
    title: "created from the smallest sample, it is quiet",
    async run(subject) {
      const { smallest } = samplesOf(subject.definition);
      await mustBeQuiet(subject, await subject.up(smallest), smallest, "created");
    },
  },
  {
    title: "every argument takes in an update, and every one that can be emptied is",
    async run(subject) {
      const { small, full } = bothEnds(subject.definition);
      const made = await subject.up(small);
      const filled = await mustBeQuiet(subject, await subject.update(made, full), full, "filled");
      await mustBeQuiet(subject, await subject.update(filled, small), small, "emptied");
    },
  },
  {
    title: "created from the fullest sample, it is quiet, and one change loses nothing of the rest",
    async run(subject) {
      const { full } = bothEnds(subject.definition);
      const made = await mustBeQuiet(subject, await subject.up(full), full, "created");
      const name = textOf(subject.definition, full);
      if (name !== undefined) await mustKeep(subject, made, full, name);
    },
  },
  {
    title: "what a program does not say stays when it changes something",
    async run(subject) {
      const { small, full } = bothEnds(subject.definition);
      const name = textOf(subject.definition, full);
      if (name === undefined) return;
      await subject.up(full);
      // Another program says but a little of it, as one that takes over what was made in the console.
      subject.nextRun("other");
      const said = { ...small, [name]: full[name], adopt: true };
      const made = await mustBeQuiet(subject, await subject.up(said), said, "adopted");
      await mustKeep(subject, made, said, name, small);
    },
  },
  {
    title: "what a program does not say of an element stays when the list changes",
    async run(subject) {
      const { full } = bothEnds(subject.definition);
      const lists = listsOf(subject.definition);
      if (lists.length === 0) return;
      const whole = await subject.up(full);
      const before = await rawOf(subject, whole.id);
      subject.nextRun("other");
      const said = { ...full, adopt: true };
      for (const { name, node } of lists) Object.assign(said, { [name]: withoutUnsaid(node, full[name]) });
      const made = await mustBeQuiet(subject, await subject.up(said), said, "adopted");
      const changed: JsonObject = { ...said };
      for (const { name, isOrdered } of lists) {
        const list = changed[name] as unknown[];
        changed[name] = isOrdered ? list.toReversed() : list.slice(0, -1);
      }
      await mustBeQuiet(subject, await subject.update(made, changed), changed, "changed");
      const after = await rawOf(subject, made.id);
      for (const { name, isOrdered } of lists) {
        const [was, is] = [before[name], after[name]].map((list) => (list as unknown[]).map(stableText));
        must((isOrdered ? was : is)?.length === is?.length, `${name} has ${is?.length} elements`);
        for (const element of is ?? [])
          must(was?.includes(element) === true, `${name} has ${element}, and had ${was?.join(" ")}`);
      }
    },
  },
  {
    title: "two that are refreshed at once are quiet, whichever way they are read",
    async run(subject) {
      const { smallest, fullest } = samplesOf(subject.definition);
      if (subject.definition.lifecycle.create.how === "claim") return;
      // Of some kinds an object has room for one.
      const id = expectedId(subject.definition, smallest);
      if (id !== undefined && id === expectedId(subject.definition, fullest)) return;
      const one = await subject.up({ ...smallest, __program: { name: "one" } });
      const two = await subject.up({ ...fullest, __program: { name: "two" } });
      subject.nextRun();
      const [first, second] = await Promise.all([subject.refresh(one), subject.refresh(two)]);
      for (const [refreshed, args] of [
        [first, { ...smallest, __program: { name: "one" } }],
        [second, { ...fullest, __program: { name: "two" } }],
      ] as const) {
        must(refreshed !== undefined, "a refresh finds nothing");
        if (refreshed !== undefined)
          must((await subject.diff(refreshed, args)).quiet, "a preview has something to do");
      }
    },
  },
];

/** One case: a kind, a console, a law. */
export interface LawOutcome {
  readonly kind: string;
  readonly setting: string;
  readonly law: string;
  /** What is wrong; undefined where nothing is. */
  readonly failure?: string;
}

/** Runs laws one after the other, each over a console of its own. */
export async function* runBehaviourLaws(
  settings: readonly ConsoleSetting[],
  isMeant: (kind: string, law: string) => boolean = () => true,
): AsyncGenerator<LawOutcome> {
  for (const setting of settings)
    for (const [kind, definition] of kinds)
      for (const law of behaviourLaws)
        if (isMeant(kind, law.title)) yield await runOne(setting, kind, definition, law);
}

async function runOne(
  { name: setting, behaviour }: ConsoleSetting,
  kind: string,
  definition: ResourceDefinition,
  { title, run }: BehaviourLaw,
): Promise<LawOutcome> {
  const outcome = { kind, setting, law: title };
  const subject = await startSubject(definition, { behaviour, seed: furnitureOf(definition) });
  try {
    await run(subject);
    return outcome;
  } catch (error) {
    return { ...outcome, failure: error instanceof Error ? error.message : String(error) };
  } finally {
    await subject.close();
  }
}
