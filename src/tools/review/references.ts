import { isKeptWhileUsed, type PossibleUser, usersById } from "../../provider/engine";
import { fieldsWith, type ResourceDefinition } from "../../provider/schema/define";
import type { JsonObject } from "../../provider/schema/json";
import { keptIn } from "../../provider/schema/memoized";
import { idArguments } from "../../provider/schema/object-id";
import { type Reference, referencesIn } from "../../provider/schema/references";
import { UNKNOWN } from "../../provider/schema/unknown";
import { isArchived } from "../../provider/values/states";
import { type NewObjectName, nameIn } from "../../provider/words";
import type { ConsoleFindings } from "./changes/findings";
import type { Dependent } from "./review";
import { objectText, type Subject, sourcesOf, trafficField } from "./subjects";

/** An object that refers to another one. `onward`: its own keys, where those who refer to it in turn feel what it is about. */
interface Noted {
  readonly dependent: Dependent;
  readonly onward: readonly string[];
}

/** True for a kind that code does not ask for by itself: what it says of units is felt by what refers to it. */
function passesOn(definition: ResourceDefinition): boolean {
  const hasRules = fieldsWith(definition, ({ traits }) => traits.namedList === true).length > 0;
  return hasRules && trafficField(definition) === undefined;
}

/** True for an object that stays in the console as it is although its resource goes. */
export function staysInConsole({ act, urn }: Subject, { of }: ConsoleFindings): boolean {
  return act === "release" || of.get(urn)?.taker !== undefined;
}

/** References between objects, after the changes. */
export class References {
  readonly #dependents = new Map<string, Map<string, Noted>>();
  readonly #byUrn: ReadonlyMap<string, Subject>;
  /** Objects that are in use after the changes. */
  readonly #staying: PossibleUser[];
  readonly #users = new Map<ResourceDefinition, ReturnType<typeof usersById>>();

  /**
   * `heirs`: URNs of resources that go and whose objects stay. `isWhole`: the subjects are all resources of the stack, so that an object
   * that is none of them is the console's alone.
   */
  constructor(
    subjects: readonly Subject[],
    console: ConsoleFindings,
    { heirs, isWhole }: { readonly heirs: ReadonlyMap<string, unknown>; readonly isWhole: boolean },
  ) {
    this.#byUrn = new Map(subjects.map((subject) => [subject.urn, subject]));
    const { objects, of } = console;
    for (const subject of subjects) this.#noteSubject(subject);
    const known = new Set(subjects.map(({ definition, id }) => keyOf(definition.name, id ?? "")));
    this.#staying = subjects.flatMap((subject) => {
      const { urn, definition, id, called, program, outputs } = subject;
      const { live, isGone } = of.get(urn) ?? {};
      const inUse = live === undefined || isArchived(definition, live) ? undefined : live;
      const left = staysInConsole(subject, console) ? inUse : undefined;
      const inherited = heirs.has(urn) && isGone !== true ? outputs : left;
      const values = program ?? inherited;
      return values === undefined ? [] : [{ definition, id: id ?? called, values }];
    });
    const where = isWhole ? "console" : "unknown";
    for (const { definition, id, values } of objects) {
      if (known.has(keyOf(definition.name, id)) || isArchived(definition, values)) continue;
      this.#staying.push({ definition, id, values });
      const dependent: Dependent = { object: objectText(definition, id), where };
      const onward = passesOn(definition) ? [keyOf(definition.name, id)] : [];
      for (const reference of referencesIn(definition, values)) this.#note(reference, { dependent, onward });
    }
  }

  /** Objects that refer to one, each once, by itself or through others that only pass on who they are about. */
  dependentsOf(subject: Subject): Dependent[] {
    const found = new Map<string, Dependent>();
    const self = objectText(subject.definition, subject.called);
    const waiting: { key: string; through?: string }[] = keysOf(subject).map((key) => ({ key }));
    for (const { key, through } of waiting)
      for (const { dependent, onward } of this.#dependents.get(key)?.values() ?? []) {
        const { object } = dependent;
        if (object === self || found.has(object)) continue;
        found.set(object, through === undefined ? dependent : { ...dependent, through });
        waiting.push(...onward.map((next) => ({ key: next, through: through ?? object })));
      }
    return [...found.values()];
  }

  /** Objects that stay and for which the console refuses the end of this one. */
  usersOf({ definition, id, called, act, state = {} }: Subject): string[] {
    const { keptWhileUsed } = definition.lifecycle.delete;
    if ((act !== "archive" && act !== "delete") || keptWhileUsed === undefined) return [];
    if (!isKeptWhileUsed(definition, act, state)) return [];
    const users = () => usersById(definition, keptWhileUsed, this.#staying);
    return [...(keptIn(this.#users, definition, users).get(id ?? called) ?? [])];
  }

  /** Names of the objects whose ids an argument of a subject waits for; of all new ones where the preview does not show on which it depends. */
  newNameIn({ step }: Subject, argument: string): NewObjectName {
    const sources = sourcesOf(step, argument, this.#byUrn);
    return (kind) => {
      const subjects = sources ?? [...this.#byUrn.values()];
      const names = subjects
        .filter(({ act, replacement }) => act === "create" || replacement === "another")
        .filter(({ definition }) => definition.name === kind)
        .map(({ called }) => nameIn(called));
      const which = names.length === 1 ? "new" : "new: the preview does not show which";
      return names.length === 0 ? undefined : `${names.join(" or ")} (${which})`;
    };
  }

  #noteSubject(subject: Subject): void {
    const { definition, program, step, called } = subject;
    if (program === undefined) return;
    const dependent: Dependent = { object: objectText(definition, called), where: "program" };
    const noted = { dependent, onward: passesOn(definition) ? keysOf(subject) : [] };
    // A part of an object, such as its overrides, is called by it and goes with it.
    const own = idArguments(definition);
    for (const reference of referencesIn(definition, program)) {
      if (own.includes(String(reference.path[0]))) continue;
      if (reference.value !== UNKNOWN) this.#note(reference, noted);
      else
        for (const meant of sourcesOf(step, reference.path[0], this.#byUrn) ?? [])
          if (meant.definition.name === reference.kind)
            this.#note({ ...reference, value: meant.called }, noted);
    }
  }

  #note({ kind, value }: Reference, noted: Noted): void {
    if (typeof value !== "string" || value === "") return;
    const known = keptIn(this.#dependents, keyOf(kind, value), () => new Map<string, Noted>());
    known.set(noted.dependent.object, noted);
  }
}

/** Keys of an object by all that it may be called. */
function keysOf({ definition, id, called }: Subject): string[] {
  return [...new Set([id ?? called, called])].map((one) => keyOf(definition.name, one));
}

/** Key of an object in the maps of a review; of one without an id it is no object's. */
export function keyOf(kind: string, id: string | undefined): string {
  return `${kind}\n${id}`;
}

/** Values of objects of the console by their keys. */
export function valuesByKey(objects: readonly PossibleUser[]): ReadonlyMap<string, JsonObject> {
  return new Map(objects.map(({ definition, id, values }) => [keyOf(definition.name, id), values]));
}
